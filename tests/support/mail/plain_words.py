"""The words of a letter as it left.

By the parser without a policy: those of the standard library's new policies take ten times as long.
"""

from __future__ import annotations

from email.message import Message


def plain_words(message: Message) -> str:
    """The plain text that its reader's mail program shows."""
    part = next(one for one in message.walk() if one.get_content_type() == "text/plain" and not one.get_filename())
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode(str(part.get_content_charset("ascii")))

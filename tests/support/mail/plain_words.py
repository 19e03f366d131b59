"""The words of a letter as it left.

By the parser without a policy: those of the standard library's new policies take ten times as long.
"""

from __future__ import annotations

from email.message import Message


def plain_words(message: Message) -> str:
    """The plain text that its reader's mail program shows."""
    parts = (part for part in message.walk() if part.get_content_type() == "text/plain" and not part.get_filename())
    words = next(parts)
    content = words.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode(str(words.get_content_charset("ascii")))

"""The text files that came with a letter, for requests that ask for one; nothing else opens an attachment.

What calls itself text, or has the name of a file of text, is decoded; one longer than a letter's words may be is left
out.
"""

from __future__ import annotations

from gm.game.model.records import InboxRow, TextAttachment
from gm.mail import limits as caps
from gm.mail.message import body, mime
from gm.mail.message.mime import MimePart

KINDS = frozenset({"text/plain", "text/csv", "text/json", "application/json"})
ENDINGS = (".txt", ".csv", ".json")


def texts(row: InboxRow, max_bytes: int) -> tuple[TextAttachment, ...]:
    if len(row.raw) > max_bytes:
        return ()
    found = ((part.name, mime.text(part)) for part in body.closed(mime.parse(row.raw)) if _is_file_of_text(part))
    return tuple(TextAttachment(name, text) for name, text in found if _fits(text))


def _is_file_of_text(part: MimePart) -> bool:
    return part.type in KINDS or part.name.lower().endswith(ENDINGS)


def _fits(text: str) -> bool:
    return bool(text.strip()) and len(text) <= caps.OWN_CHARACTERS

"""Decodes the text files attached to a letter, for requests that ask for one. Longer files are left out."""

from __future__ import annotations

from gm.game.model.records import InboxRow, TextAttachment
from gm.mail import limits
from gm.mail.message import body, mime
from gm.mail.message.mime import MimePart

KINDS = frozenset({"text/plain", "text/csv", "text/json", "application/json"})
ENDINGS = (".txt", ".csv", ".json")


def text_attachments(row: InboxRow, max_bytes: int) -> tuple[TextAttachment, ...]:
    if len(row.raw) > max_bytes:
        return ()
    files = ((part.name, mime.text(part)) for part in body.unread_parts(mime.parse(row.raw)) if _is_text_file(part))
    return tuple(TextAttachment(name, text) for name, text in files if _fits(text))


def _is_text_file(part: MimePart) -> bool:
    return part.type in KINDS or part.name.lower().endswith(ENDINGS)


def _fits(text: str) -> bool:
    return bool(text.strip()) and len(text) <= limits.OWN_CHARACTERS

"""Decodes the text files attached to a letter, for requests that ask for one. Longer files are left out.

Text in gzip is unpacked, as in the games that jDip saves.
"""

from __future__ import annotations

import zlib

from gm.game.model.records import InboxRow, TextAttachment
from gm.mail import limits
from gm.mail.message import body, charset, mime
from gm.mail.message.mime import MimePart

KINDS = frozenset(
    {"text/plain", "text/csv", "text/json", "text/xml", "application/json", "application/xml", "application/gzip"}
)
ENDINGS = (".txt", ".csv", ".json", ".xml", ".jdip", ".gz")
GZIP = b"\x1f\x8b"
UNPACK_GZIP = 31
"""The argument of zlib that expects gzip's header."""


def text_attachments(row: InboxRow, max_bytes: int) -> tuple[TextAttachment, ...]:
    if len(row.raw) > max_bytes:
        return ()
    files = ((part.name, _text(part)) for part in body.unread_parts(mime.parse(row.raw)) if _is_text_file(part))
    return tuple(TextAttachment(name, text) for name, text in files if _fits(text))


def quoted_words(row: InboxRow, max_bytes: int) -> str:
    """What the letter quotes or forwards, in its own text."""
    return body.quoted_text(mime.parse(row.raw)) if len(row.raw) <= max_bytes else ""


def _is_text_file(part: MimePart) -> bool:
    return part.type in KINDS or part.name.lower().endswith(ENDINGS)


def _text(part: MimePart) -> str:
    content = mime.content(part)
    return charset.decode(_unpacked(content), "utf-8") if content.startswith(GZIP) else mime.text(part)


def _unpacked(packed: bytes) -> bytes:
    """b"" if the content is damaged or longer than what is read."""
    unpacking = zlib.decompressobj(UNPACK_GZIP)
    try:
        content = unpacking.decompress(packed, limits.SAVED_GAME)
    except zlib.error:
        return b""
    return content if unpacking.eof else b""


def _fits(text: str) -> bool:
    """Games that a program has saved may be longer than what people write."""
    most = limits.SAVED_GAME if text.lstrip()[:1] in ("{", "<") else limits.ATTACHED_TEXT
    return bool(text.strip()) and len(text) <= most

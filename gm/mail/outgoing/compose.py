"""Writes an outbox row as an RFC 5322 letter; the same row always gives the same bytes.

    multipart/mixed                  (only with attachments)
      multipart/alternative          (only with HTML)
        text/plain
        multipart/related            (only with pictures)
          text/html, image/png …

The standard library folds long tokens in References, In-Reply-To and List-Unsubscribe into encoded words, which breaks
threads; `UnencodedHeader` folds at blanks only. Bodies are quoted-printable or base64, so every line is short ASCII.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from binascii import b2a_qp
from datetime import datetime
from email.errors import MessageError
from email.generator import BytesGenerator
from email.header import Header
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage, MIMEPart
from email.policy import SMTP, EmailPolicy, Policy
from email.utils import format_datetime
from functools import lru_cache
from io import BytesIO
from typing import Any

from msgspec.structs import replace

from gm.game.model.records import LetterPart, OutboxRow, OutLetter
from gm.mail.message.mime import TYPE, parse_parameters

WIDTH = 76
LINE_START = re.compile(r"\n(F(?=rom )|\.(?=\r?(?:\n|\Z)))")


class OnceFoldedHeader(BaseHeader):
    """A header that is folded once, though many letters have it."""

    _folded = ""

    def fold(self, *, policy: Policy) -> str:
        self._folded = self._folded or super().fold(policy=policy)
        return self._folded


class UnencodedHeader(UnstructuredHeader, BaseHeader):
    """A header folded only between words, which are never cut or encoded."""

    @classmethod
    def parse(cls, value: str, kwds: dict[str, Any]) -> None:
        """Keeps the text as it is: the standard library would build a tree of its words, which takes long."""
        kwds["parse_tree"], kwds["decoded"] = None, value

    def fold(self, *, policy: Policy) -> str:
        lines, line = [], f"{self.name}:"
        for word in str(self).split():
            if len(line) + 1 + len(word) > WIDTH and not line.endswith(":"):
                lines.append(line)
                line = ""
            line += f" {word}"
        return policy.linesep.join([*lines, line]) + policy.linesep


class SubjectHeader(UnencodedHeader):
    """The standard library may fold a subject into an empty first line, which some mail programs show as no subject."""

    def fold(self, *, policy: Policy) -> str:
        words = str(self)
        if words.isascii():
            return super().fold(policy=policy)
        encoded = Header(words, "utf-8", WIDTH, self.name).encode(linesep=policy.linesep)
        return f"{self.name}: {encoded}{policy.linesep}"


class HeaderClasses(HeaderRegistry):
    """Makes the class of each header once: the standard library makes it anew for every header of every letter."""

    def __init__(self) -> None:
        super().__init__(base_class=OnceFoldedHeader, default_class=UnencodedHeader)
        self._made: dict[str, type[BaseHeader]] = {}

    def __getitem__(self, name: str) -> type[BaseHeader]:
        made = self._made.get(name)
        if made is None:
            made = self._made[name] = super().__getitem__(name)
        return made


class LetterGenerator(BytesGenerator):
    """Writes the lines of a part at once: the standard library writes each line and each line end by itself."""

    def _write_lines(self, lines: str) -> None:
        self.write(lines.replace("\r\n", "\n").replace("\r", "\n").replace("\n", SMTP.linesep))


HEADER_FACTORY = HeaderClasses()
HEADER_FACTORY.map_to_type("subject", SubjectHeader)
HEADER_FACTORY.map_to_type("message-id", UnencodedHeader)
POLICY: EmailPolicy[EmailMessage] = SMTP.clone(header_factory=HEADER_FACTORY)


def compose_letter(row: OutboxRow) -> bytes:
    """Raises ValueError for an address that mail can't carry."""
    letter = row.letter
    message = EmailMessage(policy=POLICY)
    message["From"] = _address_header("From", letter.from_name, letter.from_address)
    message["To"] = _address_header("To", letter.to_name, letter.address)
    if letter.reply_to:
        message["Reply-To"] = _address_header("Reply-To", "", letter.reply_to)
    message["Subject"] = clean_header(letter.subject)
    message["Date"] = UnencodedHeader("Date", format_datetime(_date(row)))
    message["Message-ID"] = f"<{letter.message_id or _derived_id(letter)}>"
    if letter.references:
        message["In-Reply-To"] = f"<{clean_header(letter.references[-1])}>"
        message["References"] = " ".join(f"<{clean_header(reference)}>" for reference in _shorten(letter.references))
    if letter.reply_to not in ("", letter.from_address) and letter.seat:
        message["List-Unsubscribe"] = f"<mailto:{clean_header(letter.reply_to)}?subject=unsubscribe&body=STOP>"
    message["Auto-Submitted"] = _usual_header("Auto-Submitted", letter.automatic)
    message["X-Auto-Response-Suppress"] = _usual_header("X-Auto-Response-Suppress", "All")
    message["X-Loop"] = _usual_header("X-Loop", letter.from_address)
    _add_body(message, letter)
    written = BytesIO()
    LetterGenerator(written, policy=POLICY).flatten(message)
    return written.getvalue()


@lru_cache(maxsize=256)
def _address_header(field: str, name: str, spec: str) -> BaseHeader:
    return HEADER_FACTORY(field, parse_address(name, spec))


@lru_cache(maxsize=64)
def _usual_header(name: str, value: str) -> BaseHeader:
    """A header that most letters have with the same value; it is parsed once."""
    return HEADER_FACTORY(name, clean_header(value))


def clean_header(text: str) -> str:
    """One line without control and direction characters, which could forge headers or reverse a name."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    kept = (
        " " if unicodedata.category(character) == "Cc" else character
        for character in text
        if unicodedata.category(character) not in ("Cs", "Cf", "Zl", "Zp") or character == "\u200d"
    )
    return " ".join("".join(kept).split())


@lru_cache(maxsize=256)
def parse_address(name: str, spec: str) -> Address:
    """`name` may hold any characters; an international domain is sent in its ASCII form."""
    local, _, domain = clean_header(spec).rpartition("@")
    if not local or not domain:
        raise ValueError(f'no letter can be sent to "{clean_header(spec)}": it is no address')
    try:
        plain = f"{local}@{domain.encode('idna').decode('ascii')}"
        return Address(display_name=clean_header(name), addr_spec=plain)
    except (ValueError, IndexError, MessageError) as error:
        raise ValueError(f'no letter can be sent to "{clean_header(spec)}": {error}') from None


def _date(row: OutboxRow) -> datetime:
    """When the letter was queued, or for a delayed letter when it might leave."""
    return max(row.queued_at, row.letter.not_before or row.queued_at).replace(microsecond=0)


def _derived_id(letter: OutLetter) -> str:
    named = "\x00".join((letter.cause, letter.kind, letter.address)).encode("utf-8", "replace")
    return f"{hashlib.sha256(named).hexdigest()[:32]}@{letter.from_address.rpartition('@')[2]}"


def _shorten(references: tuple[str, ...]) -> tuple[str, ...]:
    """The root and the last nine: enough for threading in every mail program."""
    return references if len(references) <= 10 else (references[0], *references[-9:])


def _add_body(message: EmailMessage, letter: OutLetter) -> None:
    seed = hashlib.sha256((letter.message_id or _derived_id(letter)).encode()).hexdigest()[:24]
    attached = [replace(part, cid="") for part in letter.parts if not (part.cid and letter.html)]
    first = 1 if attached else 0  # the boundaries are numbered by the places of their parts in the letter
    body = _text_part("plain", letter.text)
    if letter.html:
        marked_up = _text_part("html", letter.html)
        if len(attached) < len(letter.parts):
            pictures = (_attachment(part) for part in letter.parts if part.cid)
            marked_up = _multipart("related", f"=_{first + 2}_{seed}", marked_up, *pictures)
        body = _multipart("alternative", f"=_{first}_{seed}", body, marked_up)
    if attached:
        body = _multipart("mixed", f"=_0_{seed}", body, *map(_attachment, attached))
    message["MIME-Version"] = _usual_header("MIME-Version", "1.0")
    for name, value in body.items():
        message[name] = value
    message.set_payload(body.get_payload())


def _multipart(subtype: str, boundary: str, *parts: MIMEPart) -> MIMEPart:
    whole = MIMEPart(POLICY)
    whole["Content-Type"] = UnencodedHeader("Content-Type", f'multipart/{subtype}; boundary="{boundary}"')
    for part in parts:
        whole.attach(part)
    return whole


def _text_part(subtype: str, text: str) -> MIMEPart:
    part = MIMEPart(POLICY)
    part["Content-Type"] = _usual_header("Content-Type", f'text/{subtype}; charset="utf-8"')
    part["Content-Transfer-Encoding"] = _usual_header("Content-Transfer-Encoding", "quoted-printable")
    part.set_payload(_quoted_printable(text))
    return part


def _quoted_printable(text: str) -> str:
    """Also "From " at a line start (mailbox files put > before it) and a lone dot (the end of DATA) are encoded."""
    encoded = b2a_qp(_lines(text).encode("utf-8")).decode("ascii")
    return LINE_START.sub(lambda match: f"\n={ord(match[1]):02X}", f"\n{encoded}")[1:]


@lru_cache(maxsize=8)
def _attachment(part: LetterPart) -> MIMEPart:
    """The same for all letters that take one picture along."""
    encoded = MIMEPart(POLICY)
    if part.cid:
        encoded.set_content(
            part.content, cid=f"<{clean_header(part.cid)}>", disposition="inline", **_attachment_options(part)
        )
    else:
        encoded.set_content(part.content, disposition="attachment", **_attachment_options(part))
    return encoded


def _attachment_options(part: LetterPart) -> dict[str, Any]:
    match = TYPE.match(part.mime)
    main, _, sub = (match[1] if match else "application/octet-stream").partition("/")
    described: dict[str, Any] = {"maintype": main, "subtype": sub, "filename": clean_header(part.name) or None}
    given = parse_parameters(part.mime[match.end() :]) if match else {}
    if main == "text":
        given.setdefault("charset", "utf-8")
    if given:
        described["params"] = given
    return described


def _lines(text: str) -> str:
    """LF line ends, also on the last line; only characters that mail can carry."""
    whole = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n") + "\n"
    return whole.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")

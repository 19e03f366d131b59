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
import unicodedata
from datetime import datetime
from email.errors import MessageError
from email.header import Header
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage, MIMEPart
from email.policy import SMTP, EmailPolicy, Policy
from typing import Any

from gm.game.model.records import LetterPart, OutboxRow, OutLetter
from gm.mail.message.mime import TYPE, parse_parameters

WIDTH = 76


class UnencodedHeader(UnstructuredHeader, BaseHeader):
    """A header folded only between words, which are never cut or encoded."""

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


HEADER_FACTORY = HeaderRegistry()
HEADER_FACTORY.map_to_type("subject", SubjectHeader)
for name in ("message-id", "in-reply-to", "references", "list-unsubscribe"):
    HEADER_FACTORY.map_to_type(name, UnencodedHeader)
POLICY: EmailPolicy[EmailMessage] = SMTP.clone(header_factory=HEADER_FACTORY)


def compose_letter(row: OutboxRow) -> bytes:
    """Raises ValueError for an address that mail can't carry."""
    letter = row.letter
    message = EmailMessage(policy=POLICY)
    message["From"] = parse_address(letter.from_name, letter.from_address)
    message["To"] = parse_address(letter.to_name, letter.address)
    if letter.reply_to:
        message["Reply-To"] = parse_address("", letter.reply_to)
    message["Subject"] = clean_header(letter.subject)
    message["Date"] = _date(row)
    message["Message-ID"] = f"<{letter.message_id or _derived_id(letter)}>"
    if letter.references:
        message["In-Reply-To"] = f"<{clean_header(letter.references[-1])}>"
        message["References"] = " ".join(f"<{clean_header(reference)}>" for reference in _shorten(letter.references))
    if letter.reply_to not in ("", letter.from_address) and letter.seat:
        message["List-Unsubscribe"] = f"<mailto:{clean_header(letter.reply_to)}?subject=unsubscribe&body=STOP>"
    message["Auto-Submitted"] = clean_header(letter.automatic)
    message["X-Auto-Response-Suppress"] = "All"
    message["X-Loop"] = clean_header(letter.from_address)
    _add_body(message, letter)
    return message.as_bytes()


def clean_header(text: str) -> str:
    """One line without control and direction characters, which could forge headers or reverse a name."""
    kept = (
        " " if unicodedata.category(character) == "Cc" else character
        for character in text
        if unicodedata.category(character) not in ("Cs", "Cf", "Zl", "Zp") or character == "\u200d"
    )
    return " ".join("".join(kept).split())


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
    message.set_content(_lines(letter.text), charset="utf-8", cte="quoted-printable")
    _escape_line_starts(message)
    pictures = [part for part in letter.parts if part.cid and letter.html]
    if letter.html:
        message.add_alternative(_lines(letter.html), subtype="html", charset="utf-8", cte="quoted-printable")
        *_, marked_up = message.iter_parts()
        _escape_line_starts(marked_up)
        for part in pictures:
            marked_up.add_related(
                part.content, cid=f"<{clean_header(part.cid)}>", disposition="inline", **_attachment_options(part)
            )
    for part in letter.parts:
        if part not in pictures:
            message.add_attachment(part.content, **_attachment_options(part))
    _set_boundaries(message, letter)


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
    whole = "\n".join(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")).rstrip("\n") + "\n"
    return whole.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def _escape_line_starts(part: MIMEPart) -> None:
    """Encodes "From " at a line start (mailbox files put > before it) and a lone dot (the end of DATA)."""
    text = str(part.get_payload())
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if line.startswith("From "):
            lines[index] = "=46" + line[1:]
        elif line.rstrip("\r") == ".":
            lines[index] = "=2E" + line[1:]
    part.set_payload("\n".join(lines))


def _set_boundaries(message: EmailMessage, letter: OutLetter) -> None:
    seed = hashlib.sha256((letter.message_id or _derived_id(letter)).encode()).hexdigest()[:24]
    for number, part in enumerate(message.walk()):
        if number:
            del part["MIME-Version"]
        if part.is_multipart():
            part.set_boundary(f"=_{number}_{seed}")

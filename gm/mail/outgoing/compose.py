"""An outbox row -> the bytes of an RFC 5322 letter, the same bytes for the same row.

    multipart/mixed                  (only with attachments)
      multipart/alternative          (only with HTML)
        text/plain
        multipart/related            (only with pictures)
          text/html, image/png …

The standard library folds long tokens in References, In-Reply-To and List-Unsubscribe into encoded words, which breaks
threads; `Tokens` folds them at blanks only. Bodies are quoted-printable or base64, so that every line is short ASCII.
"""

from __future__ import annotations

import hashlib
import unicodedata
from datetime import datetime
from email.errors import MessageError
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage, MIMEPart
from email.policy import SMTP, EmailPolicy, Policy
from typing import Any

from gm.game.model.records import LetterPart, OutboxRow, OutLetter
from gm.mail.message.mime import TYPE, parameters

WIDTH = 76


class UnencodedHeader(UnstructuredHeader, BaseHeader):
    """A header of words that may stand on lines of their own but are never cut or encoded."""

    def fold(self, *, policy: Policy) -> str:
        lines, line = [], f"{self.name}:"
        for word in str(self).split():
            if len(line) + 1 + len(word) > WIDTH and not line.endswith(":"):
                lines.append(line)
                line = ""
            line += f" {word}"
        return policy.linesep.join([*lines, line]) + policy.linesep


def _policy() -> EmailPolicy[EmailMessage]:
    registry = HeaderRegistry()
    for name in ("message-id", "in-reply-to", "references", "list-unsubscribe"):
        registry.map_to_type(name, UnencodedHeader)
    return SMTP.clone(header_factory=registry)


POLICY = _policy()


def build(row: OutboxRow) -> bytes:
    """ValueError when the letter has an address that mail can't carry."""
    letter = row.letter
    message = EmailMessage(policy=POLICY)
    message["From"] = address(letter.from_name, letter.from_address)
    message["To"] = address(letter.to_name, letter.address)
    if letter.reply_to:
        message["Reply-To"] = address("", letter.reply_to)
    message["Subject"] = clean(letter.subject)
    message["Date"] = _date(row)
    message["Message-ID"] = f"<{letter.message_id or _made_id(letter)}>"
    if letter.references:
        message["In-Reply-To"] = f"<{clean(letter.references[-1])}>"
        message["References"] = " ".join(f"<{clean(one)}>" for one in _shortened(letter.references))
    if letter.reply_to and letter.seat:
        message["List-Unsubscribe"] = f"<mailto:{clean(letter.reply_to)}?subject=unsubscribe&body=STOP>"
    message["Auto-Submitted"] = clean(letter.automatic)
    message["X-Auto-Response-Suppress"] = "All"
    message["X-Loop"] = clean(letter.from_address)
    _fill(message, letter)
    return message.as_bytes()


def clean(text: str) -> str:
    """One line without controls and direction marks, which could forge headers or turn a name round."""
    kept = (
        " " if unicodedata.category(one) == "Cc" else one
        for one in text
        if unicodedata.category(one) not in ("Cs", "Cf", "Zl", "Zp") or one == "\u200d"
    )
    return " ".join("".join(kept).split())


def address(name: str, spec: str) -> Address:
    """A name of any characters; a domain of any script goes out in its ASCII form."""
    local, _, domain = clean(spec).rpartition("@")
    if not local or not domain:
        raise ValueError(f'no letter can be sent to "{clean(spec)}": it is no address')
    try:
        plain = f"{local}@{domain.encode('idna').decode('ascii')}"
        return Address(display_name=clean(name), addr_spec=plain)
    except (ValueError, IndexError, MessageError) as error:
        raise ValueError(f'no letter can be sent to "{clean(spec)}": {error}') from None


def _date(row: OutboxRow) -> datetime:
    """When it was written, which for a letter kept back is when it might leave."""
    return max(row.queued_at, row.letter.not_before or row.queued_at).replace(microsecond=0)


def _made_id(letter: OutLetter) -> str:
    named = "\x00".join((letter.cause, letter.kind, letter.address)).encode("utf-8", "replace")
    return f"{hashlib.sha256(named).hexdigest()[:32]}@{letter.from_address.rpartition('@')[2]}"


def _shortened(references: tuple[str, ...]) -> tuple[str, ...]:
    """The root and the last nine: enough for every mail program's thread."""
    return references if len(references) <= 10 else (references[0], *references[-9:])


def _fill(message: EmailMessage, letter: OutLetter) -> None:
    message.set_content(_lines(letter.text), charset="utf-8", cte="quoted-printable")
    _guard(message)
    pictures = [part for part in letter.parts if part.cid and letter.html]
    if letter.html:
        message.add_alternative(_lines(letter.html), subtype="html", charset="utf-8", cte="quoted-printable")
        *_, marked_up = message.iter_parts()
        _guard(marked_up)
        for part in pictures:
            marked_up.add_related(part.content, cid=f"<{clean(part.cid)}>", disposition="inline", **_described(part))
    for part in letter.parts:
        if part not in pictures:
            message.add_attachment(part.content, **_described(part))
    _set_boundaries(message, letter)


def _described(part: LetterPart) -> dict[str, Any]:
    found = TYPE.match(part.mime)
    main, _, sub = (found[1] if found else "application/octet-stream").partition("/")
    described: dict[str, Any] = {"maintype": main, "subtype": sub, "filename": clean(part.name) or None}
    given = parameters(part.mime[found.end() :]) if found else {}
    if main == "text":
        given.setdefault("charset", "utf-8")
    if given:
        described["params"] = given
    return described


def _lines(text: str) -> str:
    """Characters that mail can carry; every line ends in LF, the last one too."""
    whole = "\n".join(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")).rstrip("\n") + "\n"
    return whole.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def _guard(part: MIMEPart) -> None:
    """No line begins with "From " (mailbox files put a > before it) or is a lone dot (the end of DATA)."""
    text = str(part.get_payload())
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if line.startswith("From "):
            lines[index] = "=46" + line[1:]
        elif line.rstrip("\r") == ".":
            lines[index] = "=2E" + line[1:]
    part.set_payload("\n".join(lines))


def _set_boundaries(message: EmailMessage, letter: OutLetter) -> None:
    seed = hashlib.sha256((letter.message_id or _made_id(letter)).encode()).hexdigest()[:24]
    for number, part in enumerate(message.walk()):
        if number:
            del part["MIME-Version"]
        if part.is_multipart():
            part.set_boundary(f"=_{number}_{seed}")

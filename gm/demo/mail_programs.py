"""Formats a player's words as their mail program would: quotes, signatures, encodings, HTML.

The formats imitate what the programs send, so that the demo's letters are read like real ones.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime

from msgspec import Struct


class QuotedLetter(Struct, frozen=True):
    """The letter that is replied to, as the program quotes it."""

    sender: str
    subject: str
    date: str
    text: str
    message_id: str
    reply_to: str


class PlayerLetter(Struct, frozen=True):
    """A player's letter before formatting. `answered` None: a new letter, to `to`."""

    name: str
    address: str
    to: str
    subject: str
    words: str
    at: datetime
    number: int
    answered: QuotedLetter | None = None


def format_message(program: str, out: PlayerLetter) -> EmailMessage:
    """Formats a letter. Raises KeyError for an unknown program."""
    message = EmailMessage()
    message["From"] = f"{out.name} <{out.address}>"
    message["To"] = out.to
    message["Subject"] = out.subject
    message["Date"] = format_datetime(out.at)
    message["Message-ID"] = f"<demo-{out.number}-{out.at:%Y%m%d%H%M}@{out.address.partition('@')[2]}>"
    if out.answered:
        message["In-Reply-To"] = f"<{out.answered.message_id}>"
        message["References"] = f"<{out.answered.message_id}>"
    PROGRAMS[program](message, out)
    return message


def _quoted(answered: QuotedLetter | None, mark: str = "> ") -> str:
    return "".join(f"{mark}{line}\n" for line in answered.text.splitlines()) if answered else ""


def _attribution(answered: QuotedLetter | None) -> str:
    return f"On {answered.date} {answered.sender} wrote:" if answered else ""


def _paragraphs(words: str) -> str:
    return "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in words.splitlines())


def _gmail(message: EmailMessage, out: PlayerLetter) -> None:
    message.set_content(f"{out.words}\n\n{_attribution(out.answered)}\n\n{_quoted(out.answered)}")
    quote = html.escape(out.answered.text).replace("\n", "<br>") if out.answered else ""
    message.add_alternative(
        f'<div dir="ltr">{_paragraphs(out.words)}</div><br><div class="gmail_quote">'
        f'<div dir="ltr" class="gmail_attr">{html.escape(_attribution(out.answered))}<br></div>'
        f'<blockquote class="gmail_quote">{quote}</blockquote></div>',
        subtype="html",
    )


def _outlook(message: EmailMessage, out: PlayerLetter) -> None:
    """Only HTML, in cp1252, with typographic dashes and the header block above the quote."""
    words = out.words.replace(" - ", " – ")
    block = ""
    if out.answered:
        block = (
            '<div id="divRplyFwdMsg"><hr>'
            f"<b>From:</b> {html.escape(out.answered.sender)}<br><b>Sent:</b> {out.answered.date}<br>"
            f"<b>Subject:</b> {html.escape(out.answered.subject)}</div>"
            f"<div><pre>{html.escape(out.answered.text)}</pre></div>"
        )
    body = "".join(f'<p class="MsoNormal">{html.escape(line) or "&nbsp;"}</p>' for line in words.splitlines())
    message.set_content(
        f'<html><head><style>p.MsoNormal {{margin:0}}</style></head><body lang="EN-GB">{body}{block}</body></html>',
        subtype="html",
        charset="windows-1252",
        cte="quoted-printable",
    )


def _apple(message: EmailMessage, out: PlayerLetter) -> None:
    """Quoted-printable, a non-breaking space before the hour, quote below."""
    attribution = _attribution(out.answered).replace(", ", ",\u202f")
    message.set_content(f"{out.words}\n\n> {attribution}\n> \n{_quoted(out.answered)}", cte="quoted-printable")


def _thunderbird(message: EmailMessage, out: PlayerLetter) -> None:
    """Quote above the answer, format=flowed with soft breaks, a signature."""
    head = f"{_attribution(out.answered)}\n{_quoted(out.answered)}\n" if out.answered else ""
    message.set_content(f"{head}{out.words}\n\n-- \n{out.name}\nwritten on a train\n", cte="8bit")
    message.set_param("format", "flowed")


def _phone(message: EmailMessage, out: PlayerLetter) -> None:
    message.set_content(
        f"{out.words}\n\nSent from my iPhone\n\n{_attribution(out.answered)}\n\n{_quoted(out.answered)}"
    )


def _mutt(message: EmailMessage, out: PlayerLetter) -> None:
    message.set_content(f"{out.words}\n\n-- \n{out.name}\n")


def _yahoo(message: EmailMessage, out: PlayerLetter) -> None:
    """Base64, the quote indented below an attribution of its own form."""
    quote = _quoted(out.answered, " ")
    message.set_content(f" {out.words}\n\n    {_attribution(out.answered)}  \n \n {quote}", cte="base64")


def _web(message: EmailMessage, out: PlayerLetter) -> None:
    """Plain text above an `Original Message` line."""
    block = ""
    if out.answered:
        block = (
            f"-----Original Message-----\nFrom: {out.answered.sender}\nSent: {out.answered.date}\n"
            f"Subject: {out.answered.subject}\n\n{out.answered.text}"
        )
    message.set_content(f"{out.words}\n\n{block}")


PROGRAMS: dict[str, Callable[[EmailMessage, PlayerLetter], None]] = {
    "gmail": _gmail,
    "outlook": _outlook,
    "apple": _apple,
    "thunderbird": _thunderbird,
    "phone": _phone,
    "mutt": _mutt,
    "yahoo": _yahoo,
    "web": _web,
}

"""Opens a raw letter: who wrote it, to which of our addresses, and in what words.

No bytes make it raise or make it slow: every step takes linear time up to the limits in `gm.mail.limits`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from gm.game.model.records import InboxRow, Letter, SenderVerdict
from gm.mail import limits
from gm.mail.message import mime
from gm.mail.message.authentication_results import read_dmarc
from gm.mail.message.automatic_mail import classify_sender, is_unsubscribe_button
from gm.mail.message.body import OwnWords, read_body
from gm.mail.message.headers import Headers, decode_words, split_headers

LANGUAGE = re.compile(r"([A-Za-z]{2,3})(?:-[A-Za-z0-9-]{1,20})?")
TO_US = ("delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "x-delivered-to", "to", "cc", "resent-to")


def open_letter(row: InboxRow, ours: Callable[[str], bool], authserv_id: str, max_bytes: int) -> Letter:
    """`answers` lists In-Reply-To first, then References from the newest; ids and addresses without <>.

    `lines` keep blank lines between paragraphs, indentation, and the line numbers that the sender sees.
    """
    large = len(row.raw) > max_bytes
    tree = mime.parse(row.raw[: limits.HEADER_BLOCK * 2] if large else row.raw)
    headers = tree.headers
    name, sender = _sender(headers, row.envelope_from)
    delivered_to = _delivered_to(row, headers)
    if large or limits.TOO_LARGE_HEADER in headers or not tree.whole:
        words = OwnWords(refused="too large")
    elif is_unsubscribe_button(headers):
        words = OwnWords()
    else:
        words = read_body(tree)
    silent = not (words.lines or words.refused)
    finding = classify_sender(tree, sender, row.envelope_from, delivered_to, ours, silent=silent)
    proven, failed = read_dmarc(headers, authserv_id)
    return Letter(
        sender=sender,
        sender_name=name,
        delivered_to=delivered_to,
        subject=headers.text("subject"),
        message_id=_message_id(headers),
        answers=_answers(headers),
        lines=words.lines,
        answered=words.answered,
        notes=words.notes,
        ref=words.refs[0].fields if words.refs else (),
        refs=words.refs,
        quoted_lines=words.quoted_lines,
        signature_lines=words.signature_lines,
        forwarded=words.forwarded,
        other_ignored=words.other_ignored,
        proven=proven,
        failed=failed,
        verdict=SenderVerdict.IGNORE if finding.why else SenderVerdict.ACT,
        why=finding.why,
        refused=words.refused,
        bounce_of=finding.bounce_of,
        bounce_soft=finding.soft,
        language=_content_language(headers),
    )


def read_headers(row: InboxRow) -> tuple[tuple[str, str], ...]:
    """(name in lower case, value unfolded and decoded) of every header."""
    head = split_headers(row.raw[: limits.HEADER_BLOCK * 2].replace(b"\r\n", b"\n"))[0]
    return tuple((name, decode_words(value)) for name, value in head.fields)


def _sender(headers: Headers, envelope_from: str) -> tuple[str, str]:
    """(name, address) from From, else from Sender, else from the envelope."""
    for name in ("from", "sender", "return-path"):
        senders = headers.addresses(name)
        if senders:
            return senders[0]
    return "", envelope_from.strip("<>").lower()


def _delivered_to(row: InboxRow, headers: Headers) -> tuple[str, ...]:
    addresses = [address.strip("<> ").lower() for address in row.envelope_to]
    addresses += [address for _, address in headers.addresses(*TO_US)]
    return tuple(dict.fromkeys(address for address in addresses if address))


def _message_id(headers: Headers) -> str:
    """Accepts a malformed one too, so that a reply can be threaded."""
    ids = headers.ids("message-id")
    return ids[0] if ids else "".join(headers.get("message-id").strip("<>").split())[:250]


def _answers(headers: Headers) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*headers.ids("in-reply-to"), *reversed(headers.ids("references"))]))


def _content_language(headers: Headers) -> str:
    """ "de" of "de-AT" (RFC 3282); "" where there are several: the writer's program does not know."""
    match = LANGUAGE.fullmatch(headers.get("content-language").strip())
    return match[1].lower() if match else ""

"""A letter opened: bytes -> who wrote, to which of our addresses, and in what words of his own.

The order of work: caps, MIME tree, verdict by headers, choice of the body, quotes and signature cut, Ref line found.
No bytes make it raise, none make it slow: every step is linear up to the caps of `gm.mail.limits`.
"""

from __future__ import annotations

from collections.abc import Callable

from gm.game.model.records import InboxRow, Letter, SenderVerdict
from gm.mail import limits as caps
from gm.mail.message import authentication_results as authentication
from gm.mail.message import automatic_mail as machine
from gm.mail.message import body, mime
from gm.mail.message.headers import Headers, decode_words, split

TO_US = ("delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "x-delivered-to", "to", "cc", "resent-to")


def open_letter(row: InboxRow, ours: Callable[[str], bool], authserv_id: str, max_bytes: int) -> Letter:
    """`answers` has In-Reply-To first, then References from the newest; ids and addresses stand without <>.

    `lines` keep their blank lines between paragraphs, indentation, and numbers of the body as the sender sees it.
    """
    large = len(row.raw) > max_bytes
    tree = mime.parse(row.raw[: caps.HEADER_BLOCK * 2] if large else row.raw)
    headers = tree.headers
    name, sender = _sender(headers, row.envelope_from)
    delivered_to = _delivered_to(row, headers)
    finding = machine.look(tree, sender, row.envelope_from, delivered_to, ours)
    proven, failed = authentication.verdict(headers, authserv_id)
    if large or caps.TOO_LARGE_HEADER in headers or not tree.whole:
        words = body.OwnWords(refused="too large")
    else:
        words = body.read(tree)
    return Letter(
        sender=sender,
        sender_name=name,
        delivered_to=delivered_to,
        subject=headers.text("subject"),
        message_id=_message_id(headers),
        answers=_answers(headers),
        lines=words.lines,
        ref=words.ref,
        quoted_lines=words.quoted_lines,
        signature_lines=words.signature_lines,
        other_ignored=words.other_ignored,
        proven=proven,
        failed=failed,
        verdict=SenderVerdict.IGNORE if finding.why else SenderVerdict.ACT,
        why=finding.why,
        refused=words.refused,
        bounce_of=finding.bounce_of,
        bounce_soft=finding.soft,
    )


def head_of(row: InboxRow) -> tuple[tuple[str, str], ...]:
    """Names in lower case, with their values unfolded and decoded."""
    head = split(row.raw[: caps.HEADER_BLOCK * 2].replace(b"\r\n", b"\n"))[0]
    return tuple((name, decode_words(value)) for name, value in head.fields)


def _sender(headers: Headers, envelope_from: str) -> tuple[str, str]:
    """(name, address) from From; where it is missing Sender, then the envelope, which prove nothing either."""
    for name in ("from", "sender", "return-path"):
        found = headers.addresses(name)
        if found:
            return found[0]
    return "", envelope_from.strip("<>").lower()


def _delivered_to(row: InboxRow, headers: Headers) -> tuple[str, ...]:
    found = [address.strip("<> ").lower() for address in row.envelope_to]
    found += [address for _, address in headers.addresses(*TO_US)]
    return tuple(dict.fromkeys(address for address in found if address))


def _message_id(headers: Headers) -> str:
    """Even a broken one, so that a reply to it can be threaded."""
    ids = headers.ids("message-id")
    return ids[0] if ids else "".join(headers.get("message-id").strip("<>").split())[:250]


def _answers(headers: Headers) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*headers.ids("in-reply-to"), *reversed(headers.ids("references"))]))

"""Recognises reports of mail systems by their structure: delivery reports, complaints, read receipts, returned letters.

RFC 3464 and 6533 (delivery reports), RFC 5965 (complaints, ARF), RFC 8098 (read receipts). Many systems label such a
report as multipart/mixed or plain text, and people's programs forward it, so its parts count at any depth, also within
attached letters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from gm.mail import limits
from gm.mail.message import mime
from gm.mail.message.headers import Headers, split_headers
from gm.mail.message.mail_program_words import PhrasePattern, any_of
from gm.mail.message.mime import MimePart, content

DELIVERY_STATUS = ("message/delivery-status", "message/global-delivery-status")
RETURNED_HEADERS = ("text/rfc822-headers", "message/rfc822-headers", "message/global-headers")
LETTERS = ("message/rfc822", "message/global")
COMPLAINT, RECEIPT, BOUNCE, DELAY = "complaint report", "read receipt", "bounce", "delivery delayed"
KINDS = {
    "message/feedback-report": COMPLAINT,
    "message/disposition-notification": RECEIPT,
    "message/global-disposition-notification": RECEIPT,
    "feedback-report": COMPLAINT,
    "disposition-notification": RECEIPT,
}
"""Kinds of report by the type of a part, or by the report-type of a multipart/report."""
NESTED_MOST = 3
"""Letters attached to attached letters that are opened."""
UNDELIVERED = PhrasePattern(any_of("automatic", "undelivered"))
DELAYED = re.compile(r"(warning|delayed|delivery delayed|verzögert)\b|.*\((delay|delayed)\)", re.IGNORECASE)
FORWARDED = re.compile(r"\s*(fwd?|wg|tr|rv|enc|i|vs|vb|doorst|pd)\s?:\s*", re.IGNORECASE)
TEXT_STATUS = re.compile(rb"(?<![\w.])(?:#|[45]\d\d[ -]#?)(?!5\.2\.2\b)([45])\.\d{1,3}\.\d{1,3}(?!\.?\d)")
"""Status codes in a report without a machine part, as qmail writes: "no mailbox here by that name. (#5.1.1)"."""
COPY = re.compile(rb"^-{2,}.*\b(copy|original)\b|^(Return-Path|Received):", re.IGNORECASE | re.MULTILINE)
"""Where the copy of our own letter begins in a report."""
COPIED_HEADERS = re.compile(
    rb"^(?P<margin>[ \t]{0,8})(?:Return-Path|Received)[ \t]?:[ \t]", re.IGNORECASE | re.MULTILINE
)
STATUS = re.compile(rb"^Status[ \t]*:[ \t]*(?!5\.2\.2\b)([0-9])\.", re.IGNORECASE | re.MULTILINE)
ACTION = re.compile(rb"^Action[ \t]*:[ \t]*([A-Za-z]+)", re.IGNORECASE | re.MULTILINE)


def kind_by_structure(tree: MimePart) -> str:
    """The kind of report that the parts make of a letter, "bounce" for a failed delivery, else ""."""
    for part in _all_parts(tree):
        kind = KINDS.get(part.type) or KINDS.get(_report_type(part))
        if kind:
            return kind
        if part.type == "multipart/report" or part.type in (*DELIVERY_STATUS, *RETURNED_HEADERS):
            return delivery_outcome(tree)
    return ""


def is_returned(tree: MimePart, sender: str, ours: Callable[[str], bool], *, empty: bool) -> bool:
    """Whether a letter without a report's parts returns another one.

    It is a letter and no words of anybody's; or a letter of ours that was not the sender's to forward; or says in its
    subject that a delivery failed, and was sent from the null address (`empty`), or returns what was not delivered.
    """
    leaves = tuple(tree.leaves())
    if all(part.type in LETTERS for part in leaves):
        return True
    originals = tuple(_originals(tree))
    subject = tree.headers.text("subject")
    if UNDELIVERED.match(subject) and (empty or originals):
        return True
    personal = FORWARDED.match(subject) or tree.headers.get("in-reply-to") or tree.headers.get("references")
    return not personal and any(_is_of_ours(original, sender, ours) for original in originals)


def is_forwarded_report(tree: MimePart) -> bool:
    """Whether the subject says that a delivery report was passed on."""
    subject = tree.headers.text("subject")
    forwarded = FORWARDED.match(subject)
    return forwarded is not None and UNDELIVERED.match(subject[forwarded.end() :]) is not None


def delivery_outcome(tree: MimePart) -> str:
    """What a delivery report says: "bounce", "delivery delayed" or "delivery report" of a success."""
    actions = {action.lower() for action in ACTION.findall(_for_programs(tree))}
    if not actions and DELAYED.match(tree.headers.text("subject")):
        return DELAY
    if not actions or b"failed" in actions:
        return BOUNCE
    return DELAY if b"delayed" in actions else "delivery report"


def is_soft_bounce(tree: MimePart) -> bool:
    """Also a full mailbox (5.2.2). Also without a status code: the text may be a warning in words we do not know."""
    status = _for_programs(tree)
    return set(STATUS.findall(status) if status else TEXT_STATUS.findall(_for_people(tree))) <= {b"4"}


def _report_type(part: MimePart) -> str:
    return part.parameters.get("report-type", "").lower() if part.type == "multipart/report" else ""


def _all_parts(tree: MimePart, depth: int = 0) -> Iterator[MimePart]:
    """The parts of a letter, containers first, and those of the letters attached to it."""
    yield tree
    for part in tree.parts:
        yield from _all_parts(part, depth)
    if tree.type in LETTERS and depth < NESTED_MOST:
        yield from _all_parts(mime.parse(content(tree)), depth + 1)


def _for_programs(tree: MimePart) -> bytes:
    report = next((part for part in _all_parts(tree) if part.type in DELIVERY_STATUS), None)
    return content(report)[: limits.TEXT] if report else b""


def _for_people(tree: MimePart) -> bytes:
    """The text part, without the copy of the letter it is about."""
    text = next((part for part in tree.leaves() if part.type == "text/plain"), None)
    return COPY.split(content(text)[: limits.TEXT], maxsplit=1)[0] if text else b""


def _originals(tree: MimePart) -> Iterator[Headers]:
    """The headers of letters that a letter returns: attached, or copied into its text by a mail server."""
    for part in tree.leaves():
        if part.type in LETTERS:
            yield split_headers(content(part)[: limits.HEADER_BLOCK].lstrip(b"\n"))[0]
        elif part.type.startswith("text/plain"):
            copied = _copied_headers(content(part)[: limits.TEXT])
            if copied is not None:
                yield copied


def _copied_headers(text: bytes) -> Headers | None:
    start = COPIED_HEADERS.search(text)
    if start is None:
        return None
    block = text[start.start() : start.start() + limits.HEADER_BLOCK]
    margin = start["margin"]
    lines = (line.removeprefix(margin) for line in block.splitlines())
    headers, _ = split_headers(b"\n".join(lines))
    return headers if sum(name in headers for name in ("from", "to", "subject", "date", "message-id")) >= 3 else None


def _is_of_ours(original: Headers, sender: str, ours: Callable[[str], bool]) -> bool:
    """Whether we sent it, and to somebody else: its reader may forward it."""
    writers = original.addresses("from", "sender", "return-path", "reply-to")
    readers = {address for _, address in original.addresses("to", "cc", "delivered-to")}
    return any(ours(address) for _, address in writers) and sender not in readers

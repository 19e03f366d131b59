"""Recognises mail that no person wrote: bounces, automatic replies, mailing lists, our own letters.

Such mail is neither acted on nor answered. RFC 3834 (Auto-Submitted), and the headers, addresses and subjects that
programs use instead; `mail_reports` recognises reports by their parts. X-Auto-Response-Suppress is no sign: people's
mail carries it too.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from gm.game.model.reply_addresses import TOKEN
from gm.mail import limits
from gm.mail.message.headers import Headers
from gm.mail.message.mail_program_words import PhrasePattern, any_of, names
from gm.mail.message.mail_reports import (
    BOUNCE,
    delivery_outcome,
    is_forwarded_report,
    is_returned,
    is_soft_bounce,
    kind_by_structure,
)
from gm.mail.message.mime import MimePart

EMPTY_PATHS = frozenset({"<>", '<"">', "<#@[]>", "<#@>"})
"""The null sender, as servers write it; `<#@[]>` is qmail's for a bounce that bounced."""
EMPTY_ADDRESS = re.compile(r"<\s*>")
DAEMONS = PhrasePattern(rf"{any_of('automatic', 'daemons')}\b.*")
DAEMON_NAMES = PhrasePattern(rf"{any_of('automatic', 'daemon_names')}\b.*")
DAEMON_WITHOUT_ADDRESS = re.compile(r'\s*[<"]*\s*(mailer[-_.]?daemon|post[-_.]?master)\b', re.IGNORECASE)
LIST_ROBOTS = PhrasePattern(rf"{any_of('automatic', 'list_robots')}(?:\+.*)?")
NO_REPLY = re.compile(r"(do[-_.]?not[-_.]?reply|no[-_.]?reply|noreply)\b.*", re.IGNORECASE)
AUTOMATIC_HEADERS = names("automatic", "headers")
AUTOMATIC_SUBJECTS = PhrasePattern(rf"{any_of('automatic', 'subjects')}\W")
AWAY = PhrasePattern(any_of("automatic", "away"))
PATHS = ("return-path", "x-envelope-from", "x-env-sender")
AUTO_REPLIED = "auto-replied"
REPLYING = ("auto_reply", "auto-reply", "autoreply")
LISTS = names("automatic", "lists")
REPORTS = frozenset({"x-failed-recipients", "x-ms-exchange-message-is-ndr"})
KEYED = re.compile(rf"[^@]*\+[^@]*\.{TOKEN.pattern}@[^@]+")
"""A reply address, or one for bounces."""
BOUNCE_LOCAL = re.compile(r".{1,64}\+bounce\.[a-z0-9]{20,40}")


class AutomaticMailFinding(Struct, frozen=True):
    """`why` is "" for a person's letter. `bounce_of` is our VERP address when delivery was given up.

    `soft`: for a reason that may pass (mailbox full, server away), or one that no status code names.
    """

    why: str = ""
    bounce_of: str = ""
    soft: bool = False


def classify_sender(
    tree: MimePart,
    sender: str,
    envelope_from: str,
    delivered_to: tuple[str, ...],
    ours: Callable[[str], bool],
    *,
    silent: bool = False,
) -> AutomaticMailFinding:
    """`silent`: the letter has no words of its own."""
    headers, empty = tree.headers, _null_sender(tree.headers, envelope_from)
    why = _report_kind(tree, sender, ours, empty=bool(empty) or not sender)
    if not why and silent and is_forwarded_report(tree):
        why = BOUNCE
    if why:
        verp = next((a for a in delivered_to if ours(a) and BOUNCE_LOCAL.fullmatch(a.partition("@")[0])), "")
        return AutomaticMailFinding(why, verp, is_soft_bounce(tree)) if why == BOUNCE else AutomaticMailFinding(why)
    if _is_our_own(headers, sender, delivered_to, ours):
        return AutomaticMailFinding("our own letter")
    if len(headers.all("received")) > limits.RECEIVED:
        return AutomaticMailFinding("mail loop")
    return AutomaticMailFinding(
        _automatic_reply(tree) or empty or _mailing_list(headers, sender) or _no_reply_sender(sender)
    )


def _is_our_own(headers: Headers, sender: str, delivered_to: tuple[str, ...], ours: Callable[[str], bool]) -> bool:
    """By X-Loop or Message-ID. Another letter in our name is a person's where it came to a reply address: some programs
    keep our From in a reply.
    """
    loops = [word.strip("<>") for value in headers.all("x-loop") for word in value.split()]
    if any("@" in word and ours(word) for word in loops):
        return True
    ids = (message_id.partition("@")[0] for message_id in headers.ids("message-id"))
    keyed = any(ours(address) and KEYED.fullmatch(address) for address in delivered_to)
    return ours(sender) and (not keyed or any(map(TOKEN.fullmatch, ids)))


def _report_kind(tree: MimePart, sender: str, ours: Callable[[str], bool], *, empty: bool) -> str:
    """The kind of report, "bounce" for a failed delivery. `empty`: the letter names no sender to answer."""
    kind = kind_by_structure(tree)
    if kind:
        return kind
    auto = _first_word(tree.headers.get("auto-submitted"))
    daemon = _is_daemon(tree.headers, sender) and not auto.startswith(AUTO_REPLIED)
    if daemon or tree.headers.has_any(REPORTS) or is_returned(tree, sender, ours, empty=empty):
        return delivery_outcome(tree)
    return ""


def _is_daemon(headers: Headers, sender: str) -> bool:
    local, return_path = sender.partition("@")[0], headers.get("return-path").lower()
    names = (name for name, _ in headers.addresses("from"))
    return (
        DAEMONS.fullmatch(local) is not None
        or "mailer-daemon" in return_path
        or DAEMON_WITHOUT_ADDRESS.match(headers.text("from")) is not None
        or any(DAEMON_NAMES.fullmatch(name) for name in names)
    )


def _automatic_reply(tree: MimePart) -> str:
    headers = tree.headers
    if _first_word(headers.get("auto-submitted")) not in ("", "no") and not is_unsubscribe_button(headers):
        return "automatic reply"
    if headers.has_any(AUTOMATIC_HEADERS) or _first_word(headers.get("precedence")) in REPLYING:
        return "automatic reply"
    if "autoresponder" in headers.get("delivered-to").lower():
        return "automatic reply"
    subject = headers.text("subject")
    if AUTOMATIC_SUBJECTS.match(subject + " ") or AWAY.match(subject):
        return "automatic reply"
    calendars = (part for part in tree.leaves() if part.type == "text/calendar")
    if any(part.parameters.get("method", "").upper() == "REPLY" for part in calendars):
        return "calendar reply"
    return ""


def is_unsubscribe_button(headers: Headers) -> bool:
    """Apple Mail sends a letter for a person who presses it, labelled as automatic, in words of its own."""
    return headers.get("x-apple-unsubscribe").strip().lower() == "true"


def _null_sender(headers: Headers, envelope_from: str) -> str:
    """RFC 5321, 4.5.5. Some systems write the empty address into From."""
    paths = [value.split("(")[0].strip() for name in PATHS for value in headers.all(name)[:1]]
    if EMPTY_PATHS & {envelope_from.strip(), *paths}:
        return "empty return path"
    empty = any(EMPTY_ADDRESS.search(headers.get(name)) for name in ("from", "sender"))
    return "empty sender address" if empty and not headers.addresses("from") else ""


def _mailing_list(headers: Headers, sender: str) -> str:
    bulk = _first_word(headers.get("precedence")) in ("bulk", "junk", "list")
    robot = LIST_ROBOTS.fullmatch(sender.partition("@")[0]) is not None
    return "mailing list" if bulk or robot or headers.has_any(LISTS) else ""


def _no_reply_sender(sender: str) -> str:
    return "no-reply sender" if NO_REPLY.fullmatch(sender.partition("@")[0]) else ""


def _first_word(value: str) -> str:
    """`auto-replied (vacation); x=y` -> "auto-replied"."""
    return value.partition(";")[0].partition("(")[0].strip().lower() if value else ""

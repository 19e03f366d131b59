"""Requests about time: ABSENCE, EXTEND, SLOT, PAUSE, RESUME, LOCK, NMR, GRANT.

Dates stay as written; `gm.language.dates` reads them later. A line in small letters is a request only when dates can
be made of all its words: "Holiday greetings" and "Pause for a moment" are talk.
"""

from __future__ import annotations

import re

from gm.language.commands import requests
from gm.language.commands.command_line import ParsedLine, RequestReaders, is_in_capitals, power_of
from gm.language.lines.letter_contents import Request

CLEAR_WORDS = re.compile(
    r"\d[\d./:-]*(?:st|nd|rd|th|h|d|w|am|pm|hours?|hrs?|days?|weeks?)?|[a-z]+/[a-z_]+|[-\u2010-\u2015,;.()]+"
    r"|(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?|(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?"
    r"|from|to|until|till|through|and|at|on|the|of|for|in|by|next|this|coming|all|games?|every|today|tonight|tomorrow|now"
    r"|months?|long|starting|beginning|weekend|end|rest|whole|after|mornings?|afternoons?|evenings?|nights?|midday|eight|nine|eleven|twelve|uhr|o'clock"
    r"|an?|one|two|three|four|five|six|seven|ten|minutes?|hours?|hrs?|days?|weeks?|noon|midnight|am|pm|utc|deadline)\.?",
    re.IGNORECASE,
)
PART_OF_DAY = re.compile(r"\b(?:noon|midday|midnight|mornings?|afternoons?|evenings?|nights?|tonight)\b", re.IGNORECASE)
EVERYWHERE = re.compile(
    r"[\s,;]*\b(?:in|for|from)?\s*(?:(?:all|every)(?: (?:of )?(?:my|the))? games?|everywhere)$", re.I
)
HERE = re.compile(r"[\s,;]*\b(?:in|for|from)?\s*this game(?: only)?$", re.IGNORECASE)
BECAUSE = re.compile(r"(?:because|since|reason)\b[\s:]*", re.IGNORECASE)
LONGEST_NAME = 4
"""Words in the name of a power."""
NMR_WORD = re.compile(
    r"(?P<power>[^:=]+?)(?:\s*[:=]\s*(?P<said>[a-z][a-z' ]*)"
    r"|\s+(?P<word>(?:use\s+)?(?:(?:the|its|his|her|their)\s+)?(?:(?:last|latest)\s+)?(?:draft|prelim\w*)s?(?:\s+orders?)?"
    r"|(?:gm|master|game ?master)(?:'?s)?(?:\s+orders?)?|[a-z]+))$",
    re.IGNORECASE,
)
NMR_MEANT = re.compile(
    r".*\b(?P<draft>drafts?|prelim\w*)\b|(?P<gm>(?:the )?(?:gm|master|game ?master)\b)", re.IGNORECASE
)
"""USE LAST DRAFT and GM ORDERS, as people write them."""


class AbsenceRequest(Request, frozen=True):
    """ABSENCE 20 Dec TO 3 Jan [ALL GAMES]. `everywhere`: in all games of the writer."""

    days: str
    everywhere: bool = False


class CancelAbsenceRequest(Request, frozen=True):
    """CANCEL ABSENCE [ALL GAMES]."""

    everywhere: bool = False


class ExtendRequest(Request, frozen=True):
    """EXTEND 2d or EXTEND TO Tue 20:00, followed by a reason. A duration has a sign: "+2d".

    `written` is the original line with its accents, for the reason in it.
    """

    when: str
    written: str = ""


class SlotRequest(Request, frozen=True):
    """SLOT Sun 20:00 Europe/Berlin: the weekly deadlines of movement phases."""

    words: str


class PauseRequest(Request, frozen=True):
    """PAUSE [until date] [reason]; `written` as in `ExtendRequest`."""

    words: str = ""
    written: str = ""


class ResumeRequest(Request, frozen=True):
    """RESUME [deadline]."""

    when: str = ""


class LockRequest(Request, frozen=True):
    """LOCK: the open phase accepts no more orders. UNLOCK (`off`) reverses it."""

    off: bool = False


class NmrPolicyRequest(Request, frozen=True):
    """NMR France: WAIT: what happens at the deadline of the open phase if that power has sent no orders.

    `word` is a policy of `gm.game.model.missing_order_policy`, or the words as written.
    """

    power: str
    word: str


class GrantRequest(Request, frozen=True):
    """GRANT France: what its player asked for. DENY France and a reason (`refused`)."""

    power: str
    refused: bool = False
    reason: str = ""
    written: str = ""


def is_date(text: str, marks: str = ",;") -> bool:
    """Whether there are words and a date could be made of all of them; `marks` may stand behind each."""
    words = [word.strip(marks) or "," for word in text.split()]
    return bool(words) and all(CLEAR_WORDS.fullmatch(word) for word in words)


def _absence(line: ParsedLine) -> Request | None:
    """VACATION and HOLIDAY apply to all games unless one is named, ABSENCE to the game of the letter."""
    words = line.get("TEXT").lstrip(" :=")
    every, here = EVERYWHERE.search(words), HERE.search(words)
    days = words[: (every or here).start()] if every or here else words  # type: ignore[union-attr]
    word = line.keyword.split()[-1].lower()
    everywhere = bool(every) or (not here and not word.startswith("absen"))
    sure = is_in_capitals(line.text) or is_date(days) or is_date(days.rpartition(" in ")[0])
    return AbsenceRequest(days.strip(), everywhere) if sure else None


def _cancel_absence(line: ParsedLine) -> Request | None:
    words = line.get("TEXT")
    return CancelAbsenceRequest(bool(EVERYWHERE.search(words))) if is_in_capitals(line.text) or not words else None


def _extend(line: ParsedLine, sign: str) -> Request | None:
    words = line.get("TEXT").lstrip("+-").strip()
    starts = is_date(" ".join(words.split()[:2]), marks="") or words[:1].isdigit()
    return ExtendRequest(sign + words) if is_in_capitals(line.text) or starts else None


def _shorten(line: ParsedLine) -> Request:
    return requests.DeadlineRequest("-" + line.get("TEXT").lstrip("+-").strip())


def _slot(line: ParsedLine) -> Request | None:
    words = line.get("TEXT")
    return SlotRequest(words) if is_in_capitals(line.text) or is_date(words) else None


def _resume(line: ParsedLine) -> Request | None:
    words = line.get("TEXT")
    sure = is_in_capitals(line.text) or (is_date(words) and any(char.isdigit() for char in words))
    return ResumeRequest(words) if not words or sure else None


def _nmr_policy(line: ParsedLine) -> Request | None:
    match = NMR_WORD.match(line.get("TEXT").strip(" :"))
    if match is None:
        return NmrPolicyRequest(line.get("TEXT"), "") if is_in_capitals(line.text) else None
    policy = match["said"] or match["word"]
    meant = NMR_MEANT.match(policy)
    return NmrPolicyRequest(power_of(line, match["power"]), str(meant.lastgroup) if meant else policy.strip().lower())


def _grant(line: ParsedLine, *, refused: bool) -> Request | None:
    words = line.get("TEXT").split()
    names = set(line.variant.seated)
    for count in range(min(len(words), LONGEST_NAME), 0, -1):
        power = power_of(line, " ".join(words[:count]).strip(" :.,;"))
        sure = is_in_capitals(line.text) or count == len(words) or words[count - 1].endswith((",", ":", ";"))
        if power in names and sure:
            return GrantRequest(power, refused, BECAUSE.sub("", " ".join(words[count:]).lstrip(" :,;-")))
    return GrantRequest(line.get("TEXT").strip(" :."), refused) if is_in_capitals(line.text) else None


READERS: RequestReaders = {
    "absence": _absence,
    "cancel_absence": _cancel_absence,
    "extend": lambda line: _extend(line, "+"),
    "extend_to": lambda line: _extend(line, ""),
    "shorten": _shorten,
    "slot": _slot,
    "resume": _resume,
    "unlock": lambda line: LockRequest(off=True),
    "nmr": _nmr_policy,
    "grant": lambda line: _grant(line, refused=False),
    "deny": lambda line: _grant(line, refused=True),
}

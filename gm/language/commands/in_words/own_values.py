"""Fills the example of a command with what its writer said: the days, the address, the words.

"I'm on holiday 1-10 December" and ABSENCE 20 Dec TO 3 Jan: ABSENCE 1 Dec TO 10 Dec. What is filled in can be sent as it
stands: the line is read as that command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from zoneinfo import ZoneInfo

from gm.judge.model.variant import Variant
from gm.language.commands import parser
from gm.language.commands.deadlines import AbsenceRequest, ExtendRequest, PauseRequest
from gm.language.commands.in_words.own_absence import COUNTED, Calendar, own_absence
from gm.language.commands.table import Command, row_of
from gm.language.dates.date_words import DateError, pieces
from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import Request

DATED = frozenset(("AbsenceRequest", "ExtendRequest", "PauseRequest"))
"""Requests whose words are days or hours."""
PERSON = re.compile(r"(?P<name>(?:[^\W\d_][\w.'-]+ ){0,4})[<(]?(?P<address>[^\s<>(),;\"]+@[^\s<>(),;\"]+\.\w+)[>)]?")
"""An address, with the words in front of it."""
EXAMPLE_PERSON = re.compile(r"(?:[A-ZÄÖÜ][a-zäöü]+ )*<?[^\s<>]+@[^\s<>]+\w>?")
MORE = re.compile(
    r"\b(?:another|more|mehr|extra|additional|noch|weitere[rn]?|zusatzliche[rn]?|zusätzliche[rn]?)\b\s*", re.IGNORECASE
)
ANOTHER = re.compile(r"\banother\b(?=\s+(?:days?|hours?|weeks?)\b)", re.IGNORECASE)
UNTIL = re.compile(r"^(?:until|till|to|from)\s+", re.IGNORECASE)
TWO_DAYS = re.compile(
    r"\b(?:from|between|vom?)\s+\S*\d\S*(?:\s+\S+){0,2}?\s+(?:to|until|till|and|bis)\b", re.IGNORECASE
)
"""Two days between which somebody is away, neither of which is a new deadline."""
REASON = re.compile(r"[,;:]\s+(?P<reason>[^.!?]{6,120})")
"""What stands behind days and a comma."""
VALUE = re.compile(r"\d|@|[a-zäöü]")
"""What an example has besides words in capitals."""
SMALL_WORDS = (
    r"(?:the|our|this|my|deadline|please|pls|for|of|on|in|at|by|and|now|games?"
    r"|die|der|den|das|frist|bitte|um|am|im|und|auf)"
)
LEADING = re.compile(rf"(?:{SMALL_WORDS} )+", re.IGNORECASE)
TRAILING = re.compile(rf"(?: (?:{SMALL_WORDS}|from|to|until|bis|von|vom))+$", re.IGNORECASE)
MOST_WORDS = 8
"""Words of days and hours."""
LINE_SEARCHED = 300
"""Characters of a line that are looked at."""


def with_own_values(command: Command, form: str, words: str, variant: Variant, calendar: Calendar) -> str:
    """The form with the writer's values; "" where their words hold none."""
    text = " ".join(words.split())[:LINE_SEARCHED]
    if command.request == "PressRequest":
        return _press(form, text)
    if command.request == AbsenceRequest.__name__:
        return own_absence(form, text, variant, calendar)
    lines = _dated(form, text) if command.request in DATED else _addressed(form, text) if "@" in form else iter(())
    if command.request == "ExtendRequest" and TWO_DAYS.search(text):
        return ""
    line = next((line for line in lines if _is_read(command, line, variant)), "")
    return line + _reason(line, text) if command.request == "ExtendRequest" and line else line


def _reason(line: str, text: str) -> str:
    """The words behind the days, which the game master reads."""
    reason = REASON.search(text, max(text.lower().rfind(line.lower().split()[-1]), 0))
    return f", {reason['reason'].strip()}" if reason is not None else ""


def without_person(form: str, instead: str) -> str:
    """The form with these words in place of the example's name and address."""
    return EXAMPLE_PERSON.sub(lambda _: instead, form)


def needs_values(form: str, *, named: bool) -> bool:
    """Whether a form of the table has examples in it. `named`: its power is known."""
    return "\n" in form or VALUE.search(form.replace("{other}", "") if named else form) is not None


def _press(form: str, text: str) -> str:
    """The words behind a colon in place of "your words"."""
    own = text.partition(":")[2].strip()
    first, _, rest = form.partition("\n")
    return "\n".join((first, own, rest.rpartition("\n")[2])) if any(map(str.isalnum, own)) and rest else ""


def _dated(form: str, text: str) -> Iterator[str]:
    """Lines with the longest days or hours first."""
    plain = ANOTHER.sub("one", MORE.sub("", text))
    plain = ",".join(part for part in re.split(r"[,;!?]", plain) if COUNTED.search(part)) or plain
    words = [word for word in (word.strip(",;!?()") for word in plain.split()) if word]
    keyword = re.match(r"[^\d\n]*?(?=\s*(?:\d|$))", form)
    head = keyword.group().strip() if keyword else form
    for length in range(min(MOST_WORDS, len(words)), 0, -1):
        for at in range(len(words) - length + 1):
            days = " ".join(words[at : at + length]).strip(". -")
            if COUNTED.search(days) and not LEADING.match(days) and not TRAILING.search(days):
                yield f"{head} {days}"
                yield f"{head.rpartition(' ')[0] or head} {days}"


def _addressed(form: str, text: str) -> Iterator[str]:
    """The writer's person and address in place of the example's."""
    match = PERSON.search(text)
    example = PERSON.search(form)
    if match is None or example is None:
        return
    capitals = re.search(r"(?:[A-ZÄÖÜ][\w.'-]+ )+$", match["name"])
    name = capitals.group().strip() if capitals and example["name"].strip() else ""
    before = form[: example.start()].rstrip()
    yield f"{before} {name} <{match['address']}>" if name else f"{before} {match['address']}"


def _is_read(command: Command, line: str, variant: Variant) -> bool:
    """Whether a line is this command also in small letters, so that all its words are understood."""
    cleaned = clean(line).text
    asked = parser.read_command(cleaned, variant)
    small = parser.read_command(cleaned.lower(), variant)
    if asked is None or asked.request is None or row_of(asked.kind).request != command.request:
        return False
    if command.request not in DATED:
        return True
    return small is not None and small.request is not None and _is_all_date(asked.request)


def _is_all_date(request: Request) -> bool:
    """Whether all words are days or hours, none of them a reason."""
    if not isinstance(request, ExtendRequest | PauseRequest):
        return True
    words = request.when if isinstance(request, ExtendRequest) else request.words
    return not isinstance(pieces(UNTIL.sub("", words.lstrip("+-")), ZoneInfo("UTC")), DateError)

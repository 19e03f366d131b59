"""Fills the example of a command with what its writer said: the days, the address, the words.

"I'm on holiday 1-10 December" and ABSENCE 20 Dec TO 3 Jan: ABSENCE 1-10 December. What is filled in can be sent as it
stands: the line is read as that command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gm.judge.model.variant import Variant
from gm.language.commands import parser
from gm.language.commands.table import Command, row_of

DATED = frozenset(("AbsenceRequest", "ExtendRequest", "PauseRequest"))
"""Requests whose words are days or hours."""
PERSON = re.compile(r"(?P<name>(?:[^\W\d_][\w.'-]+ ){0,4})[<(]?(?P<address>[^\s<>(),;\"]+@[^\s<>(),;\"]+\.\w+)[>)]?")
"""An address, with the words in front of it."""
EXAMPLE_PERSON = re.compile(r"(?:[A-ZÄÖÜ][a-zäöü]+ )*<?[^\s<>]+@[^\s<>]+\w>?")
MORE = re.compile(
    r"\b(?:more|mehr|extra|additional|noch|weitere[rn]?|zusatzliche[rn]?|zusätzliche[rn]?)\b\s*", re.IGNORECASE
)
ANOTHER = re.compile(r"\banother\b", re.IGNORECASE)
VALUE = re.compile(r"\d|@|[a-zäöü]")
"""What an example has besides words in capitals."""
NUMBER = r"(?:an?|one|two|three|four|five|six|seven|ten|ein|eine?n?|zwei|drei|vier|fünf|sechs|sieben|zehn)"
COUNTED = re.compile(
    rf"\d|\b{NUMBER} (?:day|week|hour|minute|tag|woche|stunde)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow"
    r"|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|\bmorgen",
    re.IGNORECASE,
)
"""What days or hours hold, besides small words."""
SMALL_WORDS = (
    r"(?:the|our|this|my|deadline|please|pls|for|of|on|in|at|by|and|now|games?"
    r"|die|der|den|das|frist|bitte|um|am|im|und|auf)"
)
LEADING = re.compile(rf"(?:{SMALL_WORDS} )+", re.IGNORECASE)
TRAILING = re.compile(rf"(?: (?:{SMALL_WORDS}|from|to|until|bis|von|vom))+$", re.IGNORECASE)
MOST_WORDS = 8
"""Words of days and hours."""
LONGEST = 300
"""Characters of a line that are looked at."""


def with_own_values(command: Command, form: str, words: str, variant: Variant) -> str:
    """The form with the writer's values; "" where their words hold none."""
    text = " ".join(words.split())[:LONGEST]
    if command.request == "PressRequest":
        return _press(form, text)
    lines = _dated(form, text) if command.request in DATED else _addressed(form, text) if "@" in form else iter(())
    return next((line for line in lines if _is_read(command, line, variant)), "")


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
    return "\n".join((first, own, rest.rpartition("\n")[2])) if own and rest else ""


def _dated(form: str, text: str) -> Iterator[str]:
    """Lines with the longest days or hours first."""
    plain = ANOTHER.sub("one", MORE.sub("", text))
    words = [word.strip(",;!?()") for word in plain.split()]
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
    asked = parser.read_command(line, variant)
    small = parser.read_command(line.lower(), variant)
    return (
        asked is not None
        and asked.request is not None
        and row_of(asked.kind).request == command.request
        and (command.request not in DATED or (small is not None and small.request is not None))
    )

"""ABSENCE with the days of a sentence: "I'm on holiday from Friday for ten days" is ABSENCE 6 Mar TO 15 Mar.

The days are read as ABSENCE reads them, and written so that it reads the same days: a YES does what is proposed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct

from gm.judge.model.variant import Variant
from gm.language.commands import parser
from gm.language.commands.deadlines import AbsenceRequest
from gm.language.commands.in_words.plain_questions import tables_of
from gm.language.dates.date_range import DateRange, days_meant, is_length, parse_date_range
from gm.language.dates.date_words import MONTHS
from gm.language.i18n.catalogue import Catalogue
from gm.language.i18n.joining_words import AND, BUT
from gm.language.i18n.normalize import clean

NUMBER = (
    r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|ein|eine?n?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn)"
)
COUNTED = re.compile(
    rf"\d|\b{NUMBER} (?:day|week|hour|minute|tag|woche|stunde)|week|woche"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|to(?:morrow|day)\b"
    r"|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|\b(?:über)?morgen|\bheute|month|monats|fortnight"
    r"|\bend of|\bende\b",
    re.IGNORECASE,
)
"""What days or hours hold, besides small words."""
MOST_WORDS = 10
MOST_WORDS_OF_DATE = 3
WORD = re.compile(r"\S+")
AND_LAST = re.compile(rf"[\s,;.]*(?:\b(?:{AND}|{BUT})\b)?[\s,;.]*$", re.IGNORECASE)
JOINED = re.compile(r"\w.* (?:to|until|till?|through|and|for) ")
CLAUSE = re.compile(r"[,;]\s+|(?<=[!?])\s+|(?<!\d\.)(?<=\.)\s+")
EDGES = ",;!?()"
LAST_DOT = re.compile(r"(?<!\d)\.+$")
SENTENCE_END = re.compile(r"(?<=[!?])\s+|(?<!\d\.)(?<=\.)\s+")
"""A full stop behind a number is one of a date."""


class Calendar(Struct, frozen=True):
    """When and where the writer of the words is, and the language of the answer."""

    now: datetime
    zone: ZoneInfo
    catalogue: Catalogue


class _Days(Struct, frozen=True):
    """`words`: those of a sentence that name the days; `read`: the same as ABSENCE has them, in English."""

    words: str
    read: str
    days: DateRange | None


def own_absence(form: str, text: str, variant: Variant, calendar: Calendar) -> str:
    """The form with the days of an absence, up to the day on which the writer is back where they name one; "" where the
    words name none.
    """
    head = (re.match(r"[^\d\n]*?(?=\s*(?:\d|$))", form) or [form])[0].strip()
    stated = " ".join(part for part in SENTENCE_END.split(text) if not part.endswith("?")) or text
    for words in tables_of("last_day", variant.language):
        stated = re.sub("|".join(words["greets"]), " ", stated, flags=re.IGNORECASE)
    stated = _about_absence(stated, variant.language)
    meant = next(_absences(head, stated, variant, calendar), None)
    if (
        meant is None
        or meant.days is None
        or (is_length(meant.read) and _names_days(stated.replace(meant.words, " ", 1), calendar))
    ):
        return ""
    return _written(head, meant.days, variant, calendar)


def _about_absence(text: str, language: str) -> str:
    clauses = tuple(about_deadline(text, language))
    rest = ", ".join(part for part in CLAUSE.split(text) if part not in clauses)
    return rest if COUNTED.search(rest) else text


def about_deadline(text: str, language: str) -> Iterator[str]:
    """The clauses about the deadline, which ABSENCE leaves out: "Away next week, please extend it until 20 March"."""
    about = "|".join(pattern for words in tables_of("last_day", language) for pattern in words["deadline"])
    return (part for part in CLAUSE.split(text) if re.search(about, part, re.IGNORECASE))


def _absences(head: str, text: str, variant: Variant, calendar: Calendar) -> Iterator[_Days]:
    """The days that the words may name, the most likely first."""
    for words in tables_of("last_day", variant.language):
        front = re.search(rf"(?:{'|'.join(words['front'])})(?={COUNTED.pattern})", text, re.IGNORECASE)
        if front is None:
            continue
        before, until, behind = text[: front.start()], words["until"][0], text[front.end() :]
        yield from (each for each in _days_in(head, before, variant, calendar) if _ends(each, calendar))
        for needed, joined in _with_last_day(before, until, behind):
            yield from (each for each in _days_in(head, joined, variant, calendar) if needed <= set(each.words.split()))
        break
    yield from _days_in(head, text, variant, calendar)


def _ends(meant: _Days, calendar: Calendar) -> bool:
    """Whether words before "back on Monday" name the last day by themselves."""
    clear = isinstance(parse_date_range(meant.read, calendar.now, calendar.zone), DateRange)
    return clear and meant.days is not None and meant.days.days > 1


def _with_last_day(before: str, until: str, behind: str) -> Iterator[tuple[set[str], str]]:
    """Texts with "until" before the day on which somebody is back, and words that must stand among those of the days.

    A day that stands before it is the first one, "away from Friday, back on the 20th": with so many words of its date.
    """
    first = COUNTED.search(before)
    if first is not None:
        start = before.rfind(" ", 0, first.start()) + 1
        ends = [match.end() for match in WORD.finditer(before, start)][:MOST_WORDS_OF_DATE]
        for end in reversed(ends):
            front = AND_LAST.sub("", before[:end])
            yield {front[start:].split()[0].strip(EDGES), until.strip()}, f"{front} {until}{behind}"
    yield {until.strip()}, f"{until}{behind}"


def _days_in(head: str, text: str, variant: Variant, calendar: Calendar) -> Iterator[_Days]:
    """The words of a sentence that ABSENCE reads as days, the longest first: "from Friday to Easter" is not Friday."""
    for sentence in SENTENCE_END.split(text):
        words = [word for word in (word.strip(EDGES) for word in sentence.split()) if word]
        unread: list[range] = []
        for length in range(min(MOST_WORDS, len(words)), 0, -1):
            for at in range(len(words) - length + 1):
                meant = _read(head, LAST_DOT.sub("", " ".join(words[at : at + length]).strip(" -")), variant, calendar)
                if meant is None or any(at in part and at + length - 1 in part for part in unread):
                    continue
                if meant.days is not None:
                    yield meant
                elif JOINED.search(meant.read):
                    unread.append(range(at, at + length))


def _read(head: str, words: str, variant: Variant, calendar: Calendar) -> _Days | None:
    """Words that are all of days, those that are ABSENCE also in small letters; they need not make sense together."""
    if not COUNTED.search(words):
        return None
    asked = parser.read_command(clean(f"{head} {words}").text.lower(), variant)
    if asked is None or not isinstance(asked.request, AbsenceRequest):
        return None
    days = days_meant(asked.request.days, calendar.now, calendar.zone)
    return _Days(words, asked.request.days, days)


def _names_days(text: str, calendar: Calendar) -> bool:
    """Whether other words may say when a length of time begins: "a week in March"."""
    named = {calendar.catalogue.say(f"date.month.{month}").lower() for month in MONTHS} | set(MONTHS)
    months = rf"\b(?:in|im|early|late|anfang|mitte|ende) (?:{'|'.join(map(re.escape, sorted(named)))})\b"
    return COUNTED.search(text) is not None or re.search(months, text, re.IGNORECASE) is not None


def _written(head: str, days: DateRange, variant: Variant, calendar: Calendar) -> str:
    """The line for these days; with their years where they are far away. "" for days that are not read back."""
    ends = (days.begins, days.ends - timedelta(hours=1))
    first, last = (instant.astimezone(calendar.zone).date() for instant in ends)
    for write in (lambda day: _day(day, calendar), date.isoformat):
        line = f"{head} {calendar.catalogue.say('proposals.absence', first=write(first), last=write(last))}"
        line = line if last > first else f"{head} {write(first)}"
        asked = parser.read_command(clean(line).text, variant)
        request = asked.request if asked is not None else None
        back = isinstance(request, AbsenceRequest) and parse_date_range(request.days, calendar.now, calendar.zone)
        if back == days:
            return line
    return ""


def _day(day: date, calendar: Calendar) -> str:
    month = calendar.catalogue.say(f"date.month.{MONTHS[day.month - 1]}")
    return calendar.catalogue.say("proposals.absence-day", day=day.day, month=month)

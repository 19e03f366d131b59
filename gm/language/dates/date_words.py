"""Splits a date phrase into its pieces (days, hours, zones …), for `gm.language.dates.dates`.

Each kind of piece has a bounded pattern, tried at each place in turn, so the time is linear in the length, which is
capped. Other words than pieces and fillers ("at", "by", commas) are errors.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from datetime import UTC, date, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from msgspec import Struct

from gm.language.dates.time_zones import find_zone, named_zone, near_zones
from gm.language.i18n.kept_patterns import compiled

LONGEST = 200
NO_HOUR, NO_DATE = "date.trouble.part", "date.trouble.word"
"""Keys of errors: of a part of a day without an hour, and of words that are no date."""

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
HOURS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NUMBERS = {"a": 1, "an": 1} | {word: number for number, word in enumerate(HOURS, 1)}


class DateError(Struct, frozen=True):
    """Why a date could not be read. `key` names a sentence of the catalogue, `fields` fill it."""

    key: str
    fields: tuple[tuple[str, str], ...] = ()


class DatePiece(Struct, frozen=True):
    word: str


class Day(DatePiece, frozen=True):
    """A calendar day; `year` is 0 if it was not written, and `month` with it: "the 10th"."""

    year: int
    month: int
    day: int


class Weekday(DatePiece, frozen=True):
    number: int
    next: bool = False


class FromToday(DatePiece, frozen=True):
    days: int


class Hour(DatePiece, frozen=True):
    """Minutes past midnight, 1440 for 24:00."""

    minutes: int


class Span(DatePiece, frozen=True):
    """`days` of the calendar and exact `minutes`. `sign` is 0 where none was written, and 1 for "by two days";
    `echo`: "in 2 d 5 h".
    """

    days: int
    minutes: int
    sign: int = 0
    echo: bool = False


class Zone(DatePiece, frozen=True):
    zone: tzinfo


class ShortZone(DatePiece, frozen=True):
    """CET, EST …: accepted only if it is the abbreviation of the reader's own zone at that time."""


ReadPiece = DatePiece | DateError | None
"""None for a filler."""


def pieces(text: str, home: ZoneInfo) -> tuple[DatePiece, ...] | DateError:
    text = plain_date(text)
    if len(text) > LONGEST:
        return DateError("date.trouble.long")
    result: list[DatePiece] = []
    at = 0
    while at < len(text):
        if text[at] == " ":
            at += 1
            continue
        piece, at = _piece(text, at, home)
        if isinstance(piece, DateError):
            return piece
        if piece is not None:
            result.append(piece)
    return tuple(result)


def plain_date(text: str) -> str:
    """Lower case, one kind of dash, single blanks; hours and parts of the day in figures: "8 in the evening"."""
    text = unicodedata.normalize("NFKC", text[: 4 * LONGEST])
    text = re.sub("[\u2010-\u2015\u2212]", "-", text).replace("’", "'")
    text = " ".join(text.lower().split())
    for pattern, words in SPOKEN:
        text = pattern.sub(words, text)
    return text


def _piece(text: str, at: int, home: ZoneInfo) -> tuple[ReadPiece, int]:
    for pattern, read in READERS:
        if match := pattern.match(text, at):
            return read(match), match.end()
    return _zone_or_nothing(text, at, home)


def _zone_or_nothing(text: str, at: int, home: ZoneInfo) -> tuple[ReadPiece, int]:
    words = list(re.finditer(r"[^\s,;()]{1,40}", text[at : at + 90]))[:3]
    for count in range(len(words), 0, -1):
        end = at + words[count - 1].end()
        phrase = text[at:end]
        read = named_zone if phrase.endswith((" time", " zeit")) else find_zone  # "Turkey" alone may be a power
        if zone := read(phrase, home):
            return Zone(phrase, zone), end
    word = words[0].group() if words else text[at]
    key = "date.trouble.zone" if "/" in word or (len(word) > 3 and near_zones(word)) else "date.trouble.word"
    return DateError(key, (("word", word),)), at + len(word)


def number_of(word: str, names: Sequence[str]) -> int:
    """The number, from 0, of a weekday or month by the beginning of its name."""
    return next(number for number, name in enumerate(names) if name.startswith(word[:3]))


def _day(match: re.Match[str]) -> ReadPiece:
    """The month is a number or a name; a year of two figures is one of this century."""
    year, month = match["year"] or "0", match["month"]
    written = Day(
        match.group(),
        int(year) + 2000 if len(year) == 2 else int(year),
        int(month) if month.isdecimal() else number_of(month, MONTHS) + 1,
        int(match["day"]),
    )
    try:
        date(written.year or 2000, written.month, written.day)
    except ValueError:
        return DateError("date.trouble.day", (("word", match.group().strip()),))
    return written


def _day_of_month(match: re.Match[str]) -> ReadPiece:
    return Day(match.group(), 0, 0, int(match["day"])) if 1 <= int(match["day"]) <= 31 else _bare_number(match)


def _slashed(match: re.Match[str]) -> DateError:
    """Day and month may stand in either order."""
    return DateError("date.trouble.slashes", (("word", match.group()),))


def _clock(match: re.Match[str]) -> ReadPiece:
    return _hour(match.group(), int(match[1]), int(match[2] or 0), match[3])


def _hour(word: str, hour: int, minute: int, half: str | None) -> Hour | DateError:
    if half and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    elif half:
        hour = 99
    if minute > 59 or hour * 60 + minute > 1440:
        return DateError("date.trouble.hour", (("word", word.strip()),))
    return Hour(word, hour * 60 + minute)


def _time_of_day(match: re.Match[str]) -> ReadPiece:
    """ "8 in the evening"; "20:00 in the evening" says it twice."""
    hour, half = int(match[1]), "am" if match[3] == "morning" else "pm"
    return _hour(match.group(), hour, int(match[2] or 0), half if hour <= 12 else None)


def _o_clock(match: re.Match[str]) -> ReadPiece:
    if 1 <= int(match[1]) <= 12:
        return DateError("date.trouble.half", (("word", match.group()),))
    return _hour(match.group(), int(match[1]), 0, None)


def _named_hour(match: re.Match[str]) -> ReadPiece:
    return Hour(match.group(), 1440 if match.group() == "midnight" else 720)


def _bare_number(match: re.Match[str]) -> ReadPiece:
    key = "date.trouble.dots" if "." in match.group() else "date.trouble.half"
    return DateError(key if len(match.group()) < 6 else "date.trouble.word", (("word", match.group()),))


def _span(match: re.Match[str]) -> ReadPiece:
    days, minutes = measure(match.group())
    sign = 1 if match["by"] else {"+": 1, "-": -1}.get(match.group()[0], 0)
    return Span(match.group(), days, minutes, sign, echo=match.group().startswith("in "))


def measure(span: str) -> tuple[int, int]:
    """ "1 week and 12 h" -> days of the calendar and minutes of the clock."""
    days = minutes = 0
    for number, unit in UNITS.findall(span):
        count = NUMBERS.get(number.strip()) or int(number)
        days += count * {"w": 7, "d": 1}.get(unit[0], 0)
        minutes += count * {"h": 60, "m": 1}.get(unit[0], 0)
    return days, minutes


def _weekday(match: re.Match[str]) -> ReadPiece:
    return Weekday(match.group(), number_of(match[2], WEEKDAYS), next=match[1] == "next")


def _from_today(match: re.Match[str]) -> ReadPiece:
    return FromToday(match.group(), {"today": 0, "tonight": 0, "tomorrow": 1}.get(match.group(), 2))


def _part_of_day(match: re.Match[str]) -> DateError:
    return DateError(NO_HOUR, (("word", match.group().strip()),))


def _offset(match: re.Match[str]) -> ReadPiece:
    sign, hours, minutes = match[1] or match[4], int(match[2] or match[5]), int(match[3] or 0)
    if hours > 14 or minutes > 59:
        return DateError("date.trouble.zone", (("word", match.group()),))
    span = timedelta(hours=hours, minutes=minutes)
    return Zone(match.group(), timezone(-span if sign == "-" else span))


def _zulu(match: re.Match[str]) -> ReadPiece:
    return Zone(match.group(), UTC)


def _short_zone(match: re.Match[str]) -> ReadPiece:
    return ShortZone(match.group())


def _filler(_match: re.Match[str]) -> ReadPiece:
    return None


MONTH = r"(" + "|".join(f"{name}|{name[:3]}" for name in MONTHS) + r"|sept)\b\.?"
WEEKDAY = r"(" + "|".join(WEEKDAYS) + r"|mon|tues|tue|wed|thurs|thur|thu|fri|sat|sun)s?\b\.?"
ORDINAL = r"(?:st|nd|rd|th)?"
DAY = r"(?P<day>\d{1,2})"
YEAR = r"(?P<year>\d{4})(?![\d:])"
COUNT = r"(\d{1,4} ?|(?:" + "|".join(NUMBERS) + r") )"
UNIT = r"(weeks?|wks?|w|days?|d|hours?|hrs?|h|minutes?|mins?)(?![a-z])"
UNITS = re.compile(COUNT + UNIT)
SPAN = rf"{COUNT}{UNIT}(?:(?:,| and|) ?{COUNT}{UNIT}){{0,3}}"
SHORT_ZONES = (
    "cest|cet|est|edt|cst|cdt|mst|mdt|pst|pdt|bst|ist|mest|met|wet|west|eet|eest|msk|jst|aest|aedt|et|ct|mt|pt|mesz|mez"
)

PART = r"(?:in the )?(?P<part>morning|afternoon|evening|night)s?"
CLOCK = r"(?P<clock>\d{1,2}(?:[:.]\d{2})?(?: ?(?:o'?clock|uhr|h)\b)?)"
SPOKEN: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (compiled(r"\b(?:a |one )?fortnight\b"), "2 weeks"),
    (compiled(r"\btonight(?=,? (?:at )?\d)|\bthis evening\b"), "today evening"),
    (
        compiled(rf"\b({'|'.join(HOURS)})(?= (?:o'?clock|uhr|[ap]\.?m\b|(?:in the|at) (?:morning|evening|night)))"),
        lambda match: str(NUMBERS[match[1]]),
    ),
    (compiled(rf"(?<=\bat )({'|'.join(HOURS)})(?=[,.;]|$)"), lambda match: str(NUMBERS[match[1]])),
    (compiled(rf"\b{PART},? (?=(?:at )?\d{{1,2}}(?:[:.]\d{{2}})? ?[ap]\.?m\b)"), ""),
    (compiled(rf"\b{PART},? (?:at |around |by )?{CLOCK}(?![\d:.]\d|\w)"), r"\g<clock> in the \g<part>"),
)
"""How people say hours -> how they are read here."""

READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], ReadPiece]], ...] = tuple(
    (compiled(pattern), read)
    for pattern, read in (
        (rf"(?P<year>\d{{4}})-(?P<month>\d{{1,2}})-{DAY}(?!\d)(?:t(?=\d))?", _day),
        (r"\d{1,4}/\d{1,2}(?:/\d{1,4})?(?!\d)|\d{1,2}-\d{1,2}-\d{2,4}(?!\d)", _slashed),
        (rf"{DAY}\.\s?(?P<month>\d{{1,2}})\.(?:\s?(?P<year>\d{{4}}|\d{{2}})(?![\d:]))?", _day),
        (rf"{DAY}{ORDINAL}\.?(?: of)?[ -]?(?P<month>{MONTH})(?:[ ,-]{{0,2}}{YEAR})?", _day),
        (rf"(?P<month>{MONTH}) ?(?:the )?{DAY}{ORDINAL}(?![\d:.])(?:,? ?{YEAR})?", _day),
        (
            r"(\d{1,2})(?:[.:](\d{2}))?(?: ?(?:o'?clock|uhr|h)\b)? ?(?:in the |at )(morning|afternoon|evening|night)\b",
            _time_of_day,
        ),
        (r"(\d{1,2})[:h](\d{2})(?::\d{2})?(?!\d) ?([ap]\.?m\b\.?)?(?: ?(?:hours|hrs|h|uhr)\b)?", _clock),
        (r"(\d{1,2})(?:\.(\d{2}))? ?([ap]\.?m\b\.?)", _clock),
        (rf"(?:[+-] ?|in |(?P<by>by |at (?={COUNT}(?:weeks?|days?|hours?|minutes?)\b)))?{SPAN}(?: from now)?", _span),
        (r"(\d{1,2})(?:\.(\d{2}))?() ?uhr\b", _clock),
        (r"(?<=\bat )(1[3-9]|2[0-4])(?:\.(\d{2}))?()(?![:.]\d| ?\w)", _clock),
        (r"(\d{1,2}) ?o'?clock", _o_clock),
        (r"(?:12 )?(?:noon|midday)\b|midnight\b", _named_hour),
        (rf"(?:(next|this|coming) )?{WEEKDAY}", _weekday),
        (rf"{PART}\b", _part_of_day),
        (r"today\b|tonight\b|(?:the )?day after tomorrow\b|tomorrow\b", _from_today),
        (r"(?:utc|gmt)? ?([+-])(\d{2}):?(\d{2})\b|(?:utc|gmt) ?([+-])(\d{1,2})\b", _offset),
        (r"z\b", _zulu),
        (rf"(?:{SHORT_ZONES})\b", _short_zone),
        (
            r"\([^()]*\)|[,;.()@]|-(?= )"
            r"|(?:at|on|by|the|of|and|until|till|to|is|due|deadline|(?:my |local )?time)\b ?:?",
            _filler,
        ),
        (rf"{DAY}(?:(?:st|nd|rd|th)\b|(?<=\bthe \d)\.?|(?<=\bthe \d\d)\.?)(?![\w:])", _day_of_month),
        (r"\d+(?:\.\d+)?", _bare_number),
    )
)

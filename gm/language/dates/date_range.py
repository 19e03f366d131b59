"""Reads ranges of days: "20 Dec TO 3 Jan", "20.12. - 3.1.", "20-27 December", "for 2 weeks".

Whole days, both ends included, in the writer's zone; `gm.language.dates.dates` reads each end. A single day is a range,
too.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct

from gm.language.dates.date_words import (
    MONTH,
    MONTHS,
    WEEKDAY,
    DateError,
    Day,
    FromToday,
    Hour,
    Span,
    Weekday,
    pieces,
    plain_date,
)
from gm.language.dates.dates import PASSED, parse_date
from gm.language.dates.stretches import (
    BEGINS_LENGTH,
    ONLY_LENGTH,
    STARTS,
    Stretch,
    end_of,
    is_vague,
    read_stretch,
    vague_stretch,
)

LONGEST_DAYS = 120
WORDS = r"to|until|untill|till|til|through|thru"
BETWEEN = (
    re.compile(rf"\s+(?:{WORDS})\s+"),
    re.compile(r"\s+-+\s+"),
    re.compile(r"(?<=[.a-z])\s*-+\s*(?=[\da-z])|(?<=\d)\s*-+\s*(?=[a-z])"),
    re.compile(r"(?<=\d)-(?=\d{1,2}\.? ?[a-z])"),
    re.compile(r"(?<=[a-z] \d\d)-(?=\d{1,2}\.?$)|(?<=[a-z] \d)-(?=\d{1,2}\.?$)"),
)
"""Separators of two days, the least ambiguous first; an ISO date contains dashes."""
REASON_WORDS_MOST = 60
GOES_ON = re.compile(
    rf"\d|-|(?:{WORDS}|and|morning|afternoon|evening|night)\b|{MONTH}|{WEEKDAY}|{BEGINS_LENGTH}|{STARTS} "
    r"|(?:in |of )?(?:next|this|coming) week",
    re.IGNORECASE,
)
"""How a word begins that belongs to the days before it, whatever it means."""
PART_OF_DAY = re.compile(r"\s(?:in the )?(?:morning|afternoon|evening|night)\b")
"""Words behind a day that change nothing: whole days count."""
LINKS = re.compile(rf"-+|{WORDS}|and|from|between|on|for|the|next", re.IGNORECASE)
LAST_DOT = re.compile(r"(?<=[a-z])[ .]+$")
"""A full stop that is none of a date."""
FROM = re.compile(r"(?:from|between|on)\s+")
AND = re.compile(r" and (?!\d+ (?:hours?|h)\b)")
SINCE_NOW = re.compile(rf"(?:{WORDS})\s+")
FOR = re.compile(r"(?:for |in |over |during )?(?:the )?(?:next|coming)\s+(?=\d|[a-z]+ (?:day|week))|for\s+")
LONE_NUMBER = re.compile(
    rf"(?:(?:from|between|on) )?(?!\d+ (?:{WORDS}|-+) )(?!from |between |on ).* (?:{WORDS}|-+) \d{{1,2}}"
)
"""Days that end in a number whose month may be the word behind it: "10 March to 14 Foo"."""
BARE_DAY = re.compile(r"\d{1,2}(?:st|nd|rd|th|\.)?")
OF_MONTH = re.compile(r"(?:the )?\d{1,2}(?:st|nd|rd|th|\.)?")
UNDOTTED = re.compile(r"\d{1,2}\.\s?\d{1,2}")


class DateRange(Struct, frozen=True):
    """From `begins`, the first moment of the first day, up to `ends`, the first after the last."""

    begins: datetime
    ends: datetime

    @property
    def days(self) -> int:
        return (self.ends - self.begins + timedelta(hours=2)) // timedelta(days=1)


def parse_date_range(text: str, now: datetime, zone: ZoneInfo) -> DateRange | DateError:
    line = PART_OF_DAY.sub("", plain_date(text))
    line = LAST_DOT.sub("", line.strip(" ,;:"))
    words = line[begun.end() :] if (begun := FROM.match(line)) else line
    words = AND.sub(" to ", words) if line.startswith("between") else words
    today = now.astimezone(zone).date()
    example = f"{format_day(today + timedelta(days=14))} TO {format_day(today + timedelta(days=21))}"
    if not words:
        return DateError("absence.trouble.empty", (("example", example),))
    if is_vague(words, today):
        monday = today + timedelta(days=7 - today.weekday())
        first, last = vague_stretch(words, today) or (monday, monday + timedelta(days=6))
        week = f"{format_day(first)} TO {format_day(last)}"
        return DateError("absence.trouble.week", (("word", words), ("example", week)))
    days = _days(words, now, zone)
    if isinstance(days, DateError):
        return days
    begins, ends = days
    fields = (("first", format_day(begins)), ("last", format_day(ends)), ("example", example))
    if ends < begins:
        return DateError("absence.trouble.backwards", fields)
    if (ends - begins).days >= LONGEST_DAYS:
        return DateError("absence.trouble.long", (*fields, ("most", str(LONGEST_DAYS))))
    return DateRange(_midnight(begins, zone), _midnight(ends + timedelta(days=1), zone))


def parse_leading_range(text: str, now: datetime, zone: ZoneInfo) -> tuple[DateRange, str] | DateError:
    """The range at the start, and the words after it: a reason like "because of a wedding"."""
    whole = parse_date_range(text, now, zone)
    if isinstance(whole, DateRange):
        return whole, ""
    words = text.split()[:REASON_WORDS_MOST]
    for count in range(len(words) - 1, 0, -1):
        if GOES_ON.match(" ".join(words[count:])) or LINKS.fullmatch(words[count - 1]):
            continue
        head = " ".join(words[:count]).rstrip(",;")
        if LONE_NUMBER.fullmatch(head.lower()):
            continue
        stretch = parse_date_range(head, now, zone)
        if isinstance(stretch, DateRange):
            return stretch, " ".join(text.split()[count:])
    return whole


def _days(words: str, now: datetime, zone: ZoneInfo) -> Stretch | DateError:
    """The first day and the last."""
    today = now.astimezone(zone).date()
    stretch = read_stretch(words, today, lambda day: _day(day, now, zone))
    if stretch is not None:
        return stretch
    if AND.search(words) and not any(pattern.search(words) for pattern in BETWEEN):
        return _two_days(words, now, zone)
    first, last = _ends(words)
    begins = _day(first, now, zone) if first else today
    ends = _day(last, now, zone)
    if isinstance(begins, date) and isinstance(ends, DateError) and ends.key == PASSED:  # "20 December to 6 January"
        ends = _day(last, _midnight(begins, zone), zone)
    for day in (begins, ends):
        if isinstance(day, DateError):
            return day
    assert isinstance(begins, date)
    assert isinstance(ends, date)
    twice = ends == begins and words.count(last) > 1
    if (ends < begins or twice) and re.fullmatch(WEEKDAY, last):  # "Friday to Monday", "Sunday to Sunday"
        ends += timedelta(days=7)
    elif ends < begins and OF_MONTH.fullmatch(last):  # "the 28th to the 3rd"
        later = _day(last, _midnight(begins, zone), zone)
        ends = later if isinstance(later, date) else ends
    return begins, ends


def _two_days(words: str, now: datetime, zone: ZoneInfo) -> Stretch | DateError:
    """ "Thursday and Friday"; others than two days in a row are no range."""
    days = _days(AND.sub(" to ", words), now, zone)
    if isinstance(days, DateError) or (days[1] - days[0]).days == 1:
        return days
    return DateError("absence.trouble.day", (("word", words),))


def _ends(words: str) -> tuple[str, str]:
    """The words for the first day and for the last; the first is empty where it is today."""
    if SINCE_NOW.match(words):
        return "", _of_month(SINCE_NOW.sub("", words, count=1))
    for pattern in BETWEEN:
        parts = pattern.split(words)
        if len(parts) == 2:
            first, last = (part.strip(" ,;") for part in parts)
            last = last.removeprefix("the ") if not BARE_DAY.fullmatch(first.removeprefix("the ")) else last
            month = re.sub(r"^\d{1,2}(?:st|nd|rd|th|\.)?\s*", "", last)
            if BARE_DAY.fullmatch(first) and month[:3] in {name[:3] for name in MONTHS}:
                return f"{first.rstrip('.')} {month}", last
            if BARE_DAY.fullmatch(last) and first[:3] in {name[:3] for name in MONTHS}:
                return first, f"{first.split()[0]} {last}"
            return _of_month(first), _of_month(last)
    if FOR.match(words):
        return "", FOR.sub("", words, count=1)
    return words, words


def _of_month(day: str) -> str:
    """A number alone is a day: whole days count, so no hour is meant."""
    return f"the {day}" if BARE_DAY.fullmatch(day) else day


def _day(words: str, now: datetime, zone: ZoneInfo) -> date | DateError:
    """A day that is not over yet. Hours are ignored: absences are whole days."""
    if (last := end_of(words, now.astimezone(zone).date())) is not None:
        return last
    if UNDOTTED.fullmatch(words):
        words += "."
    date_pieces = pieces(words, zone)
    if isinstance(date_pieces, DateError):
        return date_pieces
    if any(isinstance(piece, Span) for piece in date_pieces):
        when = parse_date(words, now, zone)
    else:
        if not any(isinstance(piece, Day | Weekday | FromToday) for piece in date_pieces):
            return DateError("absence.trouble.day", (("word", words),))
        hours = [piece.word for piece in date_pieces if isinstance(piece, Hour)]
        for hour in hours:
            words = words.replace(hour, " ", 1)
        when = parse_date(f"{words} 23:58", now, zone)
    return when if isinstance(when, DateError) else when.instant.astimezone(zone).date()


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), tzinfo=zone).astimezone(UTC)


def format_day(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1].title()[:3]}"


def is_length(text: str) -> bool:
    """Whether a text names no day, but how long something lasts from today on."""
    words = plain_date(text).strip(" .,;:")
    return ONLY_LENGTH.fullmatch(FOR.sub("", words, count=1)) is not None


def days_meant(text: str, now: datetime, zone: ZoneInfo) -> DateRange | None:
    """The days of a range, also of words that name none by themselves, "next week", for somebody to say yes to."""
    days = parse_date_range(text, now, zone)
    if isinstance(days, DateRange):
        return days
    stretch = vague_stretch(plain_date(text).strip(" .,;:"), now.astimezone(zone).date())
    if stretch is None or not timedelta() <= stretch[1] - stretch[0] < timedelta(days=LONGEST_DAYS):
        return None
    return DateRange(_midnight(stretch[0], zone), _midnight(stretch[1] + timedelta(days=1), zone))

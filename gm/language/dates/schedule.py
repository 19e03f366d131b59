"""Schedules of deadlines: reads them as game masters write them, and computes the next deadline.

    "48 h", "3 d", "30 min"             so long after the phase opens
    "Sundays 20:00 Europe/Berlin"       weekly slots, as wall time and zone: a change of the clocks never moves 20:00
    "Tue, Thu 20:00"                    the game's zone where none is written
    "Mon-Fri 20:00", "daily 20:00", "Wed 20:00, Sat 12:00"
    "Sundays at 8 in the evening"       and "weekly, Sundays 20h Vienna time"
    "every 3 days at 20:00"             so many days after the phase opens, to the nearest 20:00
    "every 3 days", "weekly"            a span: 3 d, 7 d
    "none"                              no deadline: a phase ends when everybody is ready, or by PROCESS

Slots are a grid: a phase that ends early or late leaves it where it was. The slot taken is the first one at least
`LEAST` after the phase opened, so that a phase that opens on Sunday morning is not due on Sunday evening.
An hour that DST skips is taken as the same span after midnight (02:30 becomes 03:30), a repeated one the first time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from msgspec import Struct

from gm.language.dates.date_words import (
    NUMBERS,
    SPAN,
    WEEKDAY,
    WEEKDAYS,
    DateError,
    DatePiece,
    Hour,
    ShortZone,
    Span,
    Zone,
    measure,
    number_of,
    pieces,
    plain_date,
)
from gm.language.dates.time_zones import named_zone

LEAST = timedelta(hours=12)
DAY = timedelta(days=1)
MOST = timedelta(days=90)
LONGEST = 200


class WrittenSchedule(Struct, frozen=True):
    """`words` are as written, with the zone where that was left to the game."""

    words: str

    def __str__(self) -> str:
        return self.words


class After(WrittenSchedule, frozen=True):
    """Due a span after the phase opened. Days are days of the calendar in `zone`, `exact` is clock time."""

    days: int
    exact: timedelta
    zone: ZoneInfo


class Weekly(WrittenSchedule, frozen=True):
    """Due at the next slot: (weekday from Monday = 0, minutes past midnight) in `zone`, in order."""

    slots: tuple[tuple[int, int], ...]
    zone: ZoneInfo


class EveryDays(WrittenSchedule, frozen=True):
    """Due at this hour (minutes past midnight in `zone`), the one nearest to `days` days after the phase opened.

    So a phase that opens some hours late or early, by a grace or by READY, brings the deadlines to no other hour.
    """

    days: int
    minutes: int
    zone: ZoneInfo


class Never(WrittenSchedule, frozen=True):
    """No deadline."""


Schedule = After | Weekly | EveryDays | Never


@lru_cache(maxsize=4096)
def parse_schedule(text: str, zone: ZoneInfo) -> Schedule | DateError:
    """`zone` is the game's. Returns the first error only."""
    words = plain_date(text)
    if words in ("none", "never", "no", "off"):
        return Never(words)
    if not words or len(words) > LONGEST or words.isdigit():
        return DateError("schedule.trouble.form", (("text", text.strip()[:60]),))
    if span := EVERY_SPAN.fullmatch(words):
        return _span(span["span"] or "1 week", zone)
    if match := EVERY_DAYS.fullmatch(words):
        return _every_days(match, " ".join(text.split()), zone)
    return _weekly(" ".join(text.split()), zone)


def next_due(schedule: Schedule, after: datetime) -> datetime | None:
    """The deadline of a phase that opened then: strictly later, in UTC, on a full minute; None without one."""
    match schedule:
        case Never():
            return None
        case After(days=days, exact=exact, zone=zone):
            wall = after.astimezone(zone).replace(tzinfo=None) + timedelta(days=days)
            start = wall.replace(tzinfo=zone).astimezone(UTC) if days else after.astimezone(UTC)
            return (start + exact).replace(second=0, microsecond=0)
        case Weekly():
            return _slot(schedule, after + LEAST)
        case EveryDays(days=days):
            return _slot(schedule, after + days * DAY - LEAST)


def not_before(schedule: Schedule, earliest: datetime, like: datetime | None, zone: ZoneInfo) -> datetime | None:
    """The first deadline from `earliest` on: a slot if there are any, else the hour of `like` in `zone`."""
    if isinstance(schedule, Weekly | EveryDays):
        return _slot(schedule, earliest)
    return None if like is None else same_hour(like, earliest, zone)


def same_hour(like: datetime, earliest: datetime, zone: ZoneInfo) -> datetime:
    """The first instant from `earliest` on at the hour of `like` in `zone`; not before `like`."""
    wall = like.astimezone(zone).replace(tzinfo=None)
    wall += max(0, (earliest - like) // DAY - 1) * DAY
    while wall.replace(tzinfo=zone) < earliest:
        wall += DAY
    return wall.replace(tzinfo=zone).astimezone(UTC)


def due_after_pause(schedule: Schedule, now: datetime, zone: ZoneInfo) -> datetime | None:
    """The deadline of a phase after a pause: at least a day away, so that everybody can read of it."""
    due = next_due(schedule, now)
    return due if due is None or due >= now + DAY else not_before(schedule, now + DAY, due, zone)


def _slot(schedule: Weekly | EveryDays, earliest: datetime) -> datetime:
    """Two weeks always contain a slot, however the clocks change."""
    first = earliest.astimezone(schedule.zone).date() - timedelta(days=1)
    parts = []
    for days in range(15):
        day = first + timedelta(days=days)
        for minutes in _minutes_of(schedule, day):
            wall = datetime.combine(day, time(tzinfo=schedule.zone)) + timedelta(minutes=minutes)
            parts.append(wall.astimezone(UTC))
    return min(slot for slot in parts if slot >= earliest)


def _minutes_of(schedule: Weekly | EveryDays, day: date) -> tuple[int, ...]:
    """The slots of a day, in minutes past midnight."""
    if isinstance(schedule, EveryDays):
        return (schedule.minutes,)
    return tuple(minutes for weekday, minutes in schedule.slots if weekday == day.weekday())


# ---- reading

DAY_RANGE = re.compile(rf"{WEEKDAY} ?(?:-|to|through|until|till) ?{WEEKDAY}")
ONE_DAY = re.compile(WEEKDAY)
EVERY_DAY = re.compile(r"daily|every ?day|each day|days")
ORDINALS = {"other": 2, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5}
EVERY_DAYS = re.compile(
    rf"(?P<before>.*?)\b(?P<span>(?:every|each) (?P<count>\d{{1,4}}|{'|'.join((*ORDINALS, *NUMBERS))}) ?"
    r"(?P<unit>days?|d|weeks?|w))\b(?P<rest>.*)"
)
"""Several days apart, with the hour before or behind."""
EVERY_SPAN = re.compile(
    rf"(?:(?:every|each) )?(?P<span>{SPAN})|weekly|(?:every|each) week|once (?:a|per|every|each) week", re.ASCII
)
"""A span, and words for one; `span` is None for a week."""
WORK_DAYS = re.compile(r"weekdays|working days")
PHRASE = 5
"""The most words of an hour or a zone: "8 o'clock in the evening"."""
JOIN = re.compile(
    r"[,;&+/]|(?:and|at|on|every|each|the|o'clock|weekly|week|(?:once|twice|\w+ times) (?:a|per|every|each) week)\b"
)


def _span(words: str, zone: ZoneInfo) -> After | DateError:
    days, minutes = measure(words)
    exact = timedelta(minutes=minutes)
    if not timedelta() < timedelta(days=days) + exact <= MOST:
        return DateError("schedule.trouble.length", (("text", words), ("days", str(MOST.days))))
    return After(words, days, exact, zone)


def _every_days(match: re.Match[str], text: str, zone: ZoneInfo) -> EveryDays | DateError:
    """ "every 3 days at 20:00", "every other day 8 pm Europe/Lisbon", "20:00 every third day"."""
    count = ORDINALS.get(match["count"]) or NUMBERS.get(match["count"]) or int(match["count"])
    days = count * (7 if match["unit"].startswith("w") else 1)
    if not 1 <= days <= MOST.days:
        return DateError("schedule.trouble.length", (("text", match["span"]), ("days", str(MOST.days))))
    rest = pieces(f"{match['before']} {match['rest']}", zone)
    if isinstance(rest, DateError):
        return _no_form(text) if rest.key == "date.trouble.word" else rest
    hours = [piece.minutes for piece in rest if isinstance(piece, Hour)]
    zones = [piece.zone for piece in rest if isinstance(piece, Zone) and isinstance(piece.zone, ZoneInfo)]
    if len(hours) != 1 or len(zones) > 1 or len(rest) > len(hours) + len(zones):
        return _no_form(text)
    words = text if zones else f"{text} {zone.key}"
    return EveryDays(words, days, hours[0] % 1440, zones[0] if zones else zone)


def _weekly(text: str, zone: ZoneInfo) -> Weekly | DateError:
    """An hour applies to the weekdays before it; hours and zones are read by the date grammar."""
    slots: list[tuple[int, int]] = []
    days: list[int] = []
    named: ZoneInfo | None = None
    early: Hour | None = None
    rest = plain_date(text)
    while rest := rest.lstrip():
        if read := _days(rest):
            days += read[0]
            rest = read[1]
        elif filler := JOIN.match(rest):
            rest = rest[filler.end() :]
        else:
            piece, rest = _hour_or_zone(rest, zone)
            if isinstance(piece, Hour) and not days and not slots and early is None:
                early = piece
                continue
            if isinstance(piece, Span) and days and not piece.days and piece.minutes % 60 == 0:  # "Sundays 20h"
                piece = Hour(piece.word, piece.minutes) if piece.minutes <= 1440 else piece
            if isinstance(piece, ShortZone) and (short := named_zone(piece.word)) is not None:
                piece = Zone(piece.word, short)
            if isinstance(piece, Hour) and days:
                slots += _at(days, piece)
                days = []
            elif isinstance(piece, Zone) and isinstance(piece.zone, ZoneInfo) and named in (None, piece.zone):
                named = piece.zone
            else:
                return piece if isinstance(piece, DateError) else _no_form(text)
    if early is not None and not slots:  # "9pm on Sundays"
        slots, days, early = _at(days, early), [], None
    if days or early is not None or not slots:
        return _no_form(text)
    return Weekly(text if named else f"{text} {zone.key}", tuple(sorted(set(slots))), named or zone)


def _at(days: Sequence[int], hour: Hour) -> list[tuple[int, int]]:
    return [((day + hour.minutes // 1440) % 7, hour.minutes % 1440) for day in days]


def _no_form(words: str) -> DateError:
    return DateError("schedule.trouble.form", (("text", words),))


def _days(text: str) -> tuple[list[int], str] | None:
    if match := DAY_RANGE.match(text):
        first, last = (number_of(day, WEEKDAYS) for day in match.groups())
        return [(first + step) % 7 for step in range((last - first) % 7 + 1)], text[match.end() :]
    if match := ONE_DAY.match(text):
        return [number_of(match[1], WEEKDAYS)], text[match.end() :]
    if match := WORK_DAYS.match(text):
        return list(range(5)), text[match.end() :]
    if match := EVERY_DAY.match(text):
        return list(range(7)), text[match.end() :]
    return None


def _hour_or_zone(text: str, home: ZoneInfo) -> tuple[DatePiece | DateError, str]:
    """The longest run of words up to the next comma or weekday that the date grammar reads as one hour or zone."""
    words = text.split(",", 1)[0].split(" ")[:PHRASE]
    error: DateError | None = None
    for count in range(len(words), 0, -1):
        phrase = " ".join(words[:count])
        if named := named_zone(phrase, home):
            return Zone(phrase, named), text[len(phrase) :]
        parts = pieces(phrase, home)
        if isinstance(parts, DateError):
            error = None if parts.key == "date.trouble.word" else parts
        elif len(parts) == 1 and isinstance(parts[0], Hour | Zone | ShortZone | Span):
            return parts[0], text[len(phrase) :]
    return error or _no_form(text), ""

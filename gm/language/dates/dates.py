"""Reads dates as people write them, and formats instants for letters.

Reads an ISO date, "27 Nov [2026]", "Nov 27", "27.11.2026", a weekday, today, tomorrow; with an hour ("20:00", "8pm",
noon, midnight: the end of the day named) and perhaps a zone ("Europe/Berlin", "Berlin time", UTC, "+02:00"). Or a
span: "+2d", "by two days" from a base (the present deadline), "2d", "48 hours" from now. Our own phrases can be read
back; their "in 2 d 5 h" is ignored.

Ambiguous dates are errors (11/12/2026, "next Friday" said on a Monday, an hour that DST skips or repeats). Days of a
span are days of the calendar, so that "+2d" keeps the hour over a change of the clocks; hours are exact.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from typing import TypeVar
from zoneinfo import ZoneInfo

from msgspec import Struct

from gm.language.dates.date_words import (
    HOURS,
    MONTHS,
    NO_DATE,
    NO_HOUR,
    WEEKDAYS,
    DateError,
    DatePiece,
    Day,
    FromToday,
    Hour,
    ShortZone,
    Span,
    Weekday,
    Zone,
    pieces,
)
from gm.language.dates.time_zones import city, named_zone
from gm.language.i18n.catalogue import Catalogue

FURTHEST_YEARS = 5
SHORT_ZONE = "date.trouble.short-zone"
HALF = ("date.trouble.half", "date.trouble.dots")
"""Keys of errors of an hour that may be one of the morning or of the evening."""
BEFORE_HOUR = ("at", "um", "by")
WEEKDAY = "date.trouble.weekday"
"""Key of the error of a day that is on another weekday."""
TELLING = (SHORT_ZONE, NO_HOUR, WEEKDAY)
"""Keys of errors of a day or an hour, behind which no reason begins."""
PASSED = "date.trouble.passed"
"""Key of the error of a day without a year that is past by now."""
GERMAN_NAMES = {"MEZ": "CET", "MESZ": "CEST"}
LINKS = frozenset({"the", "a", "on", "at", "by", "of", "and", "to", "is", "my"})
"""Small words that may stand between a date and the text after it."""
DATES_KEPT = 256
YEARLESS = timedelta(days=180)
"""A date without a year is no further away than this, both in reading and in formatting."""

P = TypeVar("P", bound=DatePiece)


class ReadDate(Struct, frozen=True):
    """`instant` is in UTC; `zone` is the written one, else the reader's."""

    instant: datetime
    zone: tzinfo


def parse_date(
    text: str, now: datetime, zone: ZoneInfo, base: datetime | None = None, *, behind: bool = False
) -> ReadDate | DateError:
    """`zone` is the writer's. Signed spans start at `base`, the present deadline; a day without an hour takes its.

    `behind`: a weekday or an hour is the first one after `base`: a deadline of Sunday that is extended to Tuesday.
    """
    parts = pieces(text, zone)
    if isinstance(parts, DateError):
        return parts
    if not parts:
        return DateError("date.trouble.empty")
    if twice := _twice(parts):
        return twice
    start = base if behind and base is not None and base > now else now
    when = _from_span(parts, now, zone, base) or _from_date(parts, now, zone, base, start)
    if isinstance(when, DateError):
        return when
    if when.instant <= now:
        return DateError("date.trouble.past", (("date", format_timestamp(when.instant, when.zone)),))
    if when.instant.year > now.year + FURTHEST_YEARS:
        return DateError("date.trouble.far", (("date", format_timestamp(when.instant, when.zone)),))
    return when


def parse_leading_date(
    text: str, now: datetime, zone: ZoneInfo, base: datetime | None = None, *, behind: bool = False
) -> tuple[ReadDate, str] | DateError:
    """Reads the longest date or span at the start; returns it and the words after it."""
    words, trouble = text.split(), None
    for count in range(len(words), 0, -1):
        date = parse_date(" ".join(words[:count]), now, zone, base, behind=behind)
        if isinstance(date, DateError) and (date.key in TELLING or _ends_in_half(date, words, count)):
            return date
        if isinstance(date, ReadDate):
            count -= words[count - 1].lower() in LINKS
            return date, " ".join(words[count:]).strip(" ,;:.-()")
        trouble = trouble or (date if date.key != NO_DATE else None)
    if trouble is not None:
        return trouble
    whole = parse_date(text.lstrip("+-"), now, zone, base, behind=behind)
    return whole if isinstance(whole, DateError) else (whole, "")


def _ends_in_half(error: DateError, words: list[str], count: int) -> bool:
    """Whether the first `count` words end in an hour of the morning or the evening: "Tuesday at 8, Luc is ill"."""
    alone = count == len(words) or words[count - 1][-1] in ",.;:"
    hour = words[count - 1][:1].isdigit() or words[count - 1].lower().strip(",.;:") in HOURS
    return error.key in HALF and hour and (alone or words[count - 2].lower() in BEFORE_HOUR)


def _first_of(parts: tuple[DatePiece, ...], kind: type[P]) -> P | None:
    return next((piece for piece in parts if isinstance(piece, kind)), None)


def _twice(parts: tuple[DatePiece, ...]) -> DateError | None:
    groups = (("hours", Hour), ("dates", (Day, FromToday)), ("weekdays", Weekday), ("zones", (Zone, ShortZone)))
    for what, kinds in groups:
        many = [piece for piece in parts if isinstance(piece, kinds)]
        if len(many) > 1:
            return DateError(f"date.trouble.two-{what}", (("word", many[1].word.strip()),))
    return None


# ---- spans


def _from_span(
    parts: tuple[DatePiece, ...], now: datetime, zone: ZoneInfo, base: datetime | None
) -> ReadDate | DateError | None:
    """None if the phrase is a date; a span that only repeats the date is ignored."""
    span = _first_of(parts, Span)
    if span is None or (span.echo and any(isinstance(piece, Day | Weekday) for piece in parts)):
        return None
    hour = _first_of(parts, Hour)
    if hour is not None and span.days and not span.minutes and not span.sign and len(parts) == 2:
        return _at(_today(now, zone) + timedelta(days=span.days), hour.minutes, zone)
    if len(parts) > 1:
        return DateError("date.trouble.mixed", (("word", span.word),))
    start = base if span.sign and base is not None else now
    sign = span.sign or 1
    try:
        day = start.astimezone(zone).replace(tzinfo=None) + timedelta(days=sign * span.days)
        moved = day.replace(tzinfo=zone).astimezone(UTC) if span.days else start
        return ReadDate(moved + timedelta(minutes=sign * span.minutes), zone)
    except (OverflowError, ValueError):
        return DateError("date.trouble.far", (("date", span.word),))


# ---- days and hours


def _from_date(
    parts: tuple[DatePiece, ...], now: datetime, zone: ZoneInfo, base: datetime | None, start: datetime
) -> ReadDate | DateError:
    """`start`: where the search for a weekday or an hour without a day begins."""
    written = _first_of(parts, Zone)
    there = written.zone if written else zone
    when = _day_and_hour(parts, now, there, base, start)
    short = _first_of(parts, ShortZone)
    if not isinstance(when, ReadDate) or short is None or _is_called(when, zone, short.word):
        return when
    meant = named_zone(short.word)
    there_then = _day_and_hour(parts, now, meant, base, start) if meant is not None else when
    if meant is not None and isinstance(there_then, ReadDate) and _is_called(there_then, meant, short.word):
        return there_then
    return DateError(SHORT_ZONE, (("word", short.word.upper()),))


def _is_called(when: ReadDate, zone: ZoneInfo, word: str) -> bool:
    """Whether clocks of that zone show this time then: "CET" is no time of a Berlin summer."""
    return when.instant.astimezone(zone).tzname() == GERMAN_NAMES.get(word.upper(), word.upper())


def _day_and_hour(
    parts: tuple[DatePiece, ...], now: datetime, zone: tzinfo, base: datetime | None, start: datetime
) -> ReadDate | DateError:
    hour = _first_of(parts, Hour)
    if hour is not None:
        minutes = hour.minutes
    elif base is not None:
        kept = base.astimezone(zone)
        minutes = kept.hour * 60 + kept.minute
    else:
        return DateError("date.trouble.no-hour")
    day = _day(parts, minutes, now, zone, start)
    return day if isinstance(day, DateError) else _at(day, minutes, zone)


def _day(parts: tuple[DatePiece, ...], minutes: int, now: datetime, zone: tzinfo, start: datetime) -> date | DateError:
    weekday = _first_of(parts, Weekday)
    if written := _first_of(parts, Day):
        day = _resolve_day(written, minutes, now, zone)
        if weekday and isinstance(day, date) and day.weekday() != weekday.number:
            fields = (("date", written.word.strip()), ("weekday", weekday.word.strip()))
            return DateError(WEEKDAY, fields)
        return day
    today = _today(now, zone)
    if relative := _first_of(parts, FromToday):
        return today + timedelta(days=relative.days)
    if weekday:
        return _resolve_weekday(weekday, minutes, start, zone)
    first = _today(start, zone)
    return first if _instant(first, minutes, zone) > start else first + timedelta(days=1)


def _resolve_day(written: Day, minutes: int, now: datetime, zone: tzinfo) -> date | DateError:
    if not written.month:
        return _next_day_of_month(written, minutes, now, zone)
    this_year = _today(now, zone).year
    if written.year and abs(written.year - this_year) > FURTHEST_YEARS:
        key = "date.trouble.far" if written.year > this_year else "date.trouble.past"
        return DateError(key, (("date", written.word),))
    try:
        day = date(written.year or this_year, written.month, written.day)
        if written.year or _instant(day, minutes, zone) > now:
            return day
        day = day.replace(year=this_year + 1)
    except ValueError:
        return DateError("date.trouble.day", (("word", written.word),))
    if _instant(day, minutes, zone) - now > YEARLESS:
        return DateError(PASSED, (("date", written.word),))
    return day


def _next_day_of_month(written: Day, minutes: int, now: datetime, zone: tzinfo) -> date:
    """The next day with this number whose hour is ahead, in the next month that has it."""
    first = _today(now, zone).replace(day=1)
    months = (first + timedelta(days=31 * count) for count in range(4))
    days = (month.replace(day=1) + timedelta(days=written.day - 1) for month in months)
    return next(day for day in days if day.day == written.day and _instant(day, minutes, zone) > now)


def _resolve_weekday(weekday: Weekday, minutes: int, now: datetime, zone: tzinfo) -> date | DateError:
    """The next such day whose hour is ahead. "next Friday" is clear only if no Friday of this week is left."""
    today = _today(now, zone)
    day = today + timedelta(days=(weekday.number - today.weekday()) % 7)
    if day == today and (weekday.next or _instant(day, minutes, zone) <= now):
        day += timedelta(days=7)
    if weekday.next and day.isocalendar()[:2] == today.isocalendar()[:2]:
        return DateError("date.trouble.next-week", (("word", weekday.word),))
    return day


def _today(now: datetime, zone: tzinfo) -> date:
    return now.astimezone(zone).date()


def _wall(day: date, minutes: int) -> datetime:
    return datetime.combine(day, time()) + timedelta(minutes=minutes)


def _instant(day: date, minutes: int, zone: tzinfo) -> datetime:
    return _wall(day, minutes).replace(tzinfo=zone).astimezone(UTC)


def _at(day: date, minutes: int, zone: tzinfo) -> ReadDate | DateError:
    """An error if the clocks skip or repeat that hour."""
    wall = _wall(day, minutes)
    first, second = (wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    if first == second:
        return ReadDate(first, zone)
    gap = first.astimezone(zone).replace(tzinfo=None) != wall
    fields = (("date", wall.date().isoformat()), ("hour", f"{wall:%H:%M}"), ("zone", zone_key(zone)))
    return DateError("date.trouble.gap" if gap else "date.trouble.fold", fields)


# ---- saying


def format_date_and_span(instant: datetime, zone: ZoneInfo, now: datetime, catalogue: Catalogue) -> str:
    """ "Sunday 15 March, 19:00 Lisbon time, in 2 d 5 h"; with the year when that is half a year away."""
    date = format_date(instant, zone, catalogue, year=_far(instant, now))
    return catalogue.say("date.with-span", date=date, span=format_span(instant - now, catalogue))


def format_date(instant: datetime, zone: ZoneInfo, catalogue: Catalogue, *, year: bool = False) -> str:
    """ "Sunday 15 March, 19:00 Lisbon time"."""
    return _format("date.full-year" if year else "date.full", instant, zone, catalogue)


def format_definite_date(instant: datetime, zone: ZoneInfo, now: datetime, catalogue: Catalogue) -> str:
    """Like `format_date_and_span` without the span: the same on another day."""
    return format_date(instant, zone, catalogue, year=_far(instant, now))


def format_short_date(instant: datetime, zone: ZoneInfo, now: datetime, catalogue: Catalogue) -> str:
    """ "Tue 10 March, 19:00": in a list that has named the zone; with the year like `format_date_and_span`."""
    return _format("date.short-year" if _far(instant, now) else "date.short", instant, zone, catalogue)


def format_span(span: timedelta, catalogue: Catalogue) -> str:
    """ "in 2 d 5 h", "2 d 5 h ago", rounded down; "now" within a minute."""
    minutes = int(abs(span).total_seconds()) // 60
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    if days:
        key = "date.days-hours" if hours else "date.days"
    elif hours:
        key = "date.hours-minutes" if minutes else "date.hours"
    elif minutes:
        key = "date.minutes"
    else:
        return catalogue.say("date.now")
    words = catalogue.say(key, days=days, hours=hours, minutes=minutes)
    return catalogue.say("date.in" if span > timedelta() else "date.ago", span=words)


def format_timestamp(instant: datetime, zone: tzinfo) -> str:
    """ "2026-03-10 20:00 Europe/Berlin": for programs, logs and error messages; it can be read back."""
    return f"{instant.astimezone(zone):%Y-%m-%d %H:%M} {zone_key(zone)}"


def zone_key(zone: tzinfo) -> str:
    return zone.key if isinstance(zone, ZoneInfo) else str(zone)


def zone_words(instant: datetime, zone: ZoneInfo, catalogue: Catalogue) -> str:
    """ "Lisbon time"; "UTC" or "UTC-05" if the zone has no city."""
    if name := city(zone):
        return catalogue.say("date.city-time", city=name)
    short = instant.astimezone(zone).tzname() or zone.key
    return short if short[0].isalpha() else f"UTC{short}"


def _far(instant: datetime, now: datetime) -> bool:
    return abs(instant - now) > YEARLESS


@lru_cache(maxsize=DATES_KEPT)
def _format(key: str, instant: datetime, zone: ZoneInfo, catalogue: Catalogue) -> str:
    """Cached only for speed: the letters of a turn name the same deadlines several times."""
    local = instant.astimezone(zone)
    weekday, month = WEEKDAYS[local.weekday()], MONTHS[local.month - 1]
    return catalogue.say(
        key,
        weekday=catalogue.say(f"date.weekday.{weekday}"),
        short_weekday=catalogue.say(f"date.short-weekday.{weekday}"),
        day=local.day,
        month=catalogue.say(f"date.month.{month}"),
        year=local.year,
        hour=catalogue.say("date.hour", hour=local.hour, minute=local.minute),
        zone=zone_words(instant, zone, catalogue),
    )

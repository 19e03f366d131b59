"""Schedules of deadlines in a reader's language; `parse_schedule` reads the phrases back."""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import ZoneInfo

from gm.language.dates.date_words import WEEKDAYS
from gm.language.dates.schedule import After, EveryDays, Never, Schedule, Weekly
from gm.language.i18n.catalogue import Catalogue

WORK_DAYS, EVERY_DAY = range(5), range(7)


def format_schedule(schedule: Schedule, home: ZoneInfo | None, catalogue: Catalogue) -> str:
    """ "Tuesdays, Fridays 21:00", "every 3 days at 20:00", "48 h"; with the zone where it is not `home`."""
    match schedule:
        case Never():
            return catalogue.say("schedule.never")
        case After(days=days, exact=exact):
            return _span(days, exact, catalogue)
        case EveryDays(days=days, minutes=minutes):
            words = catalogue.say("schedule.every-days", n=days, hour=_hour(minutes, catalogue))
        case Weekly(slots=slots):
            words = _slots(slots, catalogue)
    return words if home is not None and schedule.zone.key == home.key else f"{words} {schedule.zone.key}"


def _span(days: int, exact: timedelta, catalogue: Catalogue) -> str:
    hours, minutes = divmod(int(exact.total_seconds()) // 60, 60)
    parts = (("days", days), ("hours", hours), ("minutes", minutes))
    return " ".join(catalogue.say(f"schedule.{unit}", n=count) for unit, count in parts if count)


def _slots(slots: tuple[tuple[int, int], ...], catalogue: Catalogue) -> str:
    """Days of the same hour together, in the order of their first day."""
    days: dict[int, list[int]] = {}
    for day, minutes in slots:
        days.setdefault(minutes, []).append(day)
    return ", ".join(f"{_days(which, catalogue)} {_hour(minutes, catalogue)}" for minutes, which in days.items())


def _days(days: list[int], catalogue: Catalogue) -> str:
    if days == list(EVERY_DAY):
        return catalogue.say("schedule.daily")
    if days == list(WORK_DAYS):
        return "-".join(catalogue.say(f"date.short-weekday.{WEEKDAYS[day]}") for day in (days[0], days[-1]))
    return ", ".join(catalogue.say(f"schedule.weekday.{WEEKDAYS[day]}") for day in days)


def _hour(minutes: int, catalogue: Catalogue) -> str:
    return catalogue.say("date.hour", hour=minutes // 60, minute=minutes % 60)

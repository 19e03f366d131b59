"""Schedules: what game masters write, and deadlines over the changes of the clocks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from gm.language.commands.parser import read_command
from gm.language.commands.requests import SetRequest
from gm.language.dates.date_words import DateError
from gm.language.dates.schedule import (
    LEAST,
    After,
    Schedule,
    Weekly,
    due_after_pause,
    next_due,
    not_before,
    parse_schedule,
)
from gm.language.dates.schedule_words import format_schedule
from gm.language.i18n.catalogue import load
from gm.language.i18n.localized_variant import localized
from gm.language.i18n.normalize import clean
from gm.resources import folder
from gm.variant_files.library import Library

LIBRARY = Library((folder("variants"),))
BERLIN = ZoneInfo("Europe/Berlin")
WORDS = load(folder("templates") / "sentences", "en")


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def read(text: str, zone: ZoneInfo = BERLIN) -> Schedule:
    schedule = parse_schedule(text, zone)
    assert not isinstance(schedule, DateError), schedule
    return schedule


def walls(text: str, after: str, count: int) -> list[str]:
    """The next deadlines, each phase opening at the one before, as wall time in Berlin."""
    deadlines: list[str] = []
    at: datetime | None = utc(after)
    for _ in range(count):
        assert at is not None
        at = next_due(read(text), at)
        deadlines.append("none" if at is None else f"{at.astimezone(BERLIN):%a %d %b %H:%M}")
    return deadlines


WRITTEN = [
    ("48 h", ["Fri 13 Mar 12:00"]),
    ("48h", ["Fri 13 Mar 12:00"]),
    ("3 d", ["Sat 14 Mar 12:00"]),
    ("two days", ["Fri 13 Mar 12:00"]),
    ("1 d 12 h", ["Fri 13 Mar 00:00"]),
    ("1 week", ["Wed 18 Mar 12:00"]),
    ("30 min", ["Wed 11 Mar 12:30"]),
    ("Sundays 20:00 Europe/Berlin", ["Sun 15 Mar 20:00", "Sun 22 Mar 20:00"]),
    ("Sundays 20:00", ["Sun 15 Mar 20:00"]),
    ("sunday 8pm", ["Sun 15 Mar 20:00"]),
    ("SUN. AT 20:00", ["Sun 15 Mar 20:00"]),
    ("every Sunday at 20:00 Berlin time", ["Sun 15 Mar 20:00"]),
    ("Sundays 20:00 UTC", ["Sun 15 Mar 21:00"]),
    ("Sundays 20:00 New York", ["Mon 16 Mar 01:00"]),
    ("Tuesdays and Thursdays 20:00", ["Thu 12 Mar 20:00", "Tue 17 Mar 20:00", "Thu 19 Mar 20:00"]),
    ("Tue, Thu 20:00", ["Thu 12 Mar 20:00", "Tue 17 Mar 20:00"]),
    ("Tue/Thu 20:00", ["Thu 12 Mar 20:00", "Tue 17 Mar 20:00"]),
    ("Wed 20:00, Sat 12:00", ["Sat 14 Mar 12:00", "Wed 18 Mar 20:00"]),
    ("Mon-Fri 20:00", ["Thu 12 Mar 20:00", "Fri 13 Mar 20:00", "Mon 16 Mar 20:00"]),
    ("Sat-Mon 20:00", ["Sat 14 Mar 20:00", "Sun 15 Mar 20:00", "Mon 16 Mar 20:00", "Sat 21 Mar 20:00"]),
    ("weekdays 20:00", ["Thu 12 Mar 20:00", "Fri 13 Mar 20:00", "Mon 16 Mar 20:00"]),
    ("daily 20:00", ["Thu 12 Mar 20:00", "Fri 13 Mar 20:00", "Sat 14 Mar 20:00"]),
    ("every day at noon", ["Thu 12 Mar 12:00"]),
    ("Sundays midnight", ["Mon 16 Mar 00:00"]),
    ("every 3 days at 20:00", ["Sat 14 Mar 20:00", "Tue 17 Mar 20:00", "Fri 20 Mar 20:00"]),
    ("Every 3 days, 20:00 Europe/Lisbon", ["Sat 14 Mar 21:00", "Tue 17 Mar 21:00"]),
    ("every three days 8 pm", ["Sat 14 Mar 20:00"]),
    ("20:00 every 3 days", ["Sat 14 Mar 20:00"]),
    ("every other day at 20:00", ["Fri 13 Mar 20:00", "Sun 15 Mar 20:00"]),
    ("every third day at noon", ["Sat 14 Mar 12:00"]),
    ("every 1 day at 20:00", ["Thu 12 Mar 20:00", "Fri 13 Mar 20:00"]),
    ("every 2 weeks at 20:00", ["Wed 25 Mar 20:00", "Wed 08 Apr 20:00"]),
    ("every two weeks 24:00", ["Wed 25 Mar 00:00"]),
    ("every 3 days", ["Sat 14 Mar 12:00"]),
    ("every 48 hours", ["Fri 13 Mar 12:00"]),
    ("weekly", ["Wed 18 Mar 12:00"]),
    ("a fortnight", ["Wed 25 Mar 12:00"]),
    ("once a week, Sunday evening at 8", ["Sun 15 Mar 20:00", "Sun 22 Mar 20:00"]),
    ("Sunday evenings, 8 o'clock", ["Sun 15 Mar 20:00"]),
    ("Sunday night at 9.30", ["Sun 15 Mar 21:30"]),
    ("Sunday evening 8 pm", ["Sun 15 Mar 20:00"]),
    ("Saturday morning at nine", ["Sat 14 Mar 09:00"]),
    ("Sundays at eight in the evening", ["Sun 15 Mar 20:00"]),
    ("twice a week, Tuesday and Friday at nine pm", ["Fri 13 Mar 21:00", "Tue 17 Mar 21:00"]),
    ("none", ["none"]),
    ("never", ["none"]),
]


@pytest.mark.parametrize(("text", "due"), WRITTEN, ids=[text for text, _ in WRITTEN])
def test_a_schedule_is_read(text: str, due: list[str]) -> None:
    """From Wednesday 11 March 2026, noon in Berlin: too near for a slot of the same evening."""
    assert walls(text, "2026-03-11 11:00", len(due)) == due


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "schedule.trouble.form"),
        ("48", "schedule.trouble.form"),
        ("Sundays", "schedule.trouble.form"),
        ("20:00", "schedule.trouble.form"),
        ("20:00 Sundays 21:00", "schedule.trouble.form"),
        ("Sundays 20:00 Europe/Berlin, Wed 18:00 Europe/Lisbon", "schedule.trouble.form"),
        ("Sundays 20:00 CST", "schedule.trouble.form"),
        ("whenever", "schedule.trouble.form"),
        ("every 3 days at 20:00 and 21:00", "schedule.trouble.form"),
        ("every 3 days at 20:00 sharp", "schedule.trouble.form"),
        ("every 3 days on Sundays 20:00", "schedule.trouble.form"),
        ("every 0 days at 20:00", "schedule.trouble.length"),
        ("every 99 days at 20:00", "schedule.trouble.length"),
        ("every 3 days at 25:00", "date.trouble.hour"),
        ("Sundays 25:00", "date.trouble.hour"),
        ("Sundays 8", "date.trouble.half"),
        ("Sundays 20:00 Europe/Berln", "date.trouble.zone"),
        ("0 h", "schedule.trouble.length"),
        ("9999 d", "schedule.trouble.length"),
        ("-48 h", "schedule.trouble.form"),
        ("Sundays 20:00 " * 100, "schedule.trouble.form"),
    ],
)
def test_other_text_is_no_schedule(text: str, key: str) -> None:
    trouble = parse_schedule(text, BERLIN)
    assert isinstance(trouble, DateError), trouble
    assert trouble.key == key
    assert WORDS.say(trouble.key, **dict(trouble.fields))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sundays  20:00", "Sundays 20:00 Europe/Berlin"),
        ("Sundays 20:00 Europe/Lisbon", "Sundays 20:00 Europe/Lisbon"),
        ("48 h", "48 h"),
        ("every 3 days at 20:00", "every 3 days at 20:00 Europe/Berlin"),
        ("none", "none"),
    ],
)
def test_a_schedule_says_its_zone(text: str, expected: str) -> None:
    assert str(read(text)) == expected
    assert str(read(expected, ZoneInfo("UTC"))) == expected


def test_a_weekly_slot_keeps_its_hour_over_both_changes_of_the_clocks() -> None:
    assert walls("Sundays 20:00 Europe/Berlin", "2026-03-20 12:00", 3) == [
        "Sun 22 Mar 20:00",
        "Sun 29 Mar 20:00",
        "Sun 05 Apr 20:00",
    ]
    assert next_due(read("Sundays 20:00"), utc("2026-03-27 12:00")) == utc("2026-03-29 18:00")
    assert next_due(read("Sundays 20:00"), utc("2026-10-23 12:00")) == utc("2026-10-25 19:00")
    new_york = read("Sundays 20:00 America/New_York")
    assert next_due(new_york, utc("2026-03-06 12:00")) == utc("2026-03-09 00:00")
    assert next_due(new_york, utc("2026-10-30 12:00")) == utc("2026-11-02 01:00")


def test_a_slot_the_clocks_skip_or_repeat() -> None:
    night = read("Sundays 02:30 Europe/Berlin")
    assert next_due(night, utc("2026-03-27 12:00")) == utc("2026-03-29 01:30")
    assert next_due(night, utc("2026-03-29 12:00")) == utc("2026-04-05 00:30")
    assert next_due(night, utc("2026-10-23 12:00")) == utc("2026-10-25 00:30")
    assert next_due(night, utc("2026-10-25 00:30")) == utc("2026-11-01 01:30")


def test_a_span_of_days_keeps_the_hour_and_one_of_hours_does_not() -> None:
    evening = utc("2026-10-24 18:00")  # 20:00 in Berlin
    assert next_due(read("1 d"), evening) == utc("2026-10-25 19:00")
    assert next_due(read("24 h"), evening) == utc("2026-10-25 18:00")


def test_the_grid_stays_when_a_phase_ends_early_or_late() -> None:
    slots = read("Sundays 20:00 Europe/Berlin")
    sunday = utc("2026-03-15 19:00")
    for opened in ("2026-03-08 19:00", "2026-03-09 23:59", "2026-03-13 07:07", "2026-03-15 07:00"):
        assert next_due(slots, utc(opened)) == sunday


def test_a_phase_is_never_due_within_hours_of_its_opening() -> None:
    slots = read("Sundays 20:00 Europe/Berlin")
    assert next_due(slots, utc("2026-03-15 07:01")) == utc("2026-03-22 19:00")
    assert next_due(slots, utc("2026-03-15 18:59")) == utc("2026-03-22 19:00")


def test_seconds_of_a_late_tick_do_not_add_up() -> None:
    assert next_due(read("48 h"), utc("2026-03-15 19:00:04.5")) == utc("2026-03-17 19:00")


ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "America/Sao_Paulo", "UTC"]
INSTANTS = st.integers(0, 4 * 366 * 24 * 3600).map(lambda seconds: utc("2025-01-01") + timedelta(seconds=seconds))
SLOTS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 1439)), min_size=1, max_size=4, unique=True)


@given(SLOTS.map(sorted), st.sampled_from(ZONES), INSTANTS)
def test_the_next_slot(slots: list[tuple[int, int]], key: str, after: datetime) -> None:
    """It is later, on the grid, at its wall time, far enough away, and none that would do is passed over."""
    zone = ZoneInfo(key)
    schedule = Weekly("", tuple(slots), zone)
    due = next_due(schedule, after)
    assert due is not None
    assert due >= after + LEAST
    assert due - after <= timedelta(days=8)
    assert on_grid(schedule, due)
    between = after + LEAST
    first = between - timedelta(seconds=between.second, microseconds=between.microsecond)
    for minutes in range(1, 60):  # the hour after the earliest moment, minute by minute
        at = first + timedelta(minutes=minutes)
        if at < due:
            assert not on_grid(schedule, at)


def on_grid(schedule: Weekly, at: datetime) -> bool:
    wall = at.astimezone(schedule.zone)
    if wall.fold:
        return False
    if (wall.weekday(), wall.hour * 60 + wall.minute) in schedule.slots and not wall.second:
        return True
    before = (at - timedelta(hours=2)).astimezone(schedule.zone)
    gap = (wall.utcoffset() or timedelta()) - (before.utcoffset() or timedelta())
    skipped = wall.replace(tzinfo=None) - gap
    return gap > timedelta() and (skipped.weekday(), skipped.hour * 60 + skipped.minute) in schedule.slots


FATES = st.lists(
    st.tuples(st.sampled_from(["early", "on time", "late", "extended", "paused", "absent"]), st.integers(1, 10_000)),
    min_size=1,
    max_size=8,
)


@given(SLOTS.map(sorted), st.sampled_from(ZONES), INSTANTS, FATES)
def test_the_next_deadline_is_on_the_grid_however_a_phase_ends(
    slots: list[tuple[int, int]], key: str, start: datetime, fates: list[tuple[str, int]]
) -> None:
    """Phases end early, late or after an extension, stand still, keep out of an absence; clocks change meanwhile."""
    zone = ZoneInfo(key)
    schedule = Weekly("", tuple(slots), zone)
    now, due = start, next_due(schedule, start)
    for fate, minutes in fates:
        assert due is not None
        assert due > now
        assert on_grid(schedule, due)
        span = timedelta(minutes=minutes)
        if fate == "early":
            now += (due - now) * (minutes / 10_001)
        elif fate == "on time":
            now = due
        elif fate in ("late", "extended"):
            now = due + span
        elif fate == "absent":
            back = due + span
            due = not_before(schedule, back, due, zone)
            assert due is not None
            assert back <= due <= back + timedelta(days=8)
            continue
        else:
            now += span
            due = due_after_pause(schedule, now, zone)
            assert due is not None
            assert timedelta(days=1) <= due - now <= timedelta(days=9)
            continue
        due = next_due(schedule, now)


def test_without_a_grid_the_hour_stays() -> None:
    """A span's deadline that must not be before some moment keeps its hour over a change of the clocks."""
    evening = utc("2026-10-23 18:00")  # 20:00 in Berlin
    assert not_before(read("48 h"), utc("2026-10-26 12:00"), evening, BERLIN) == utc("2026-10-26 19:00")
    assert not_before(read("48 h"), utc("2026-10-20 12:00"), evening, BERLIN) == evening
    assert not_before(read("none"), utc("2026-10-26 12:00"), None, BERLIN) is None


def test_a_clock_that_runs_again_gives_a_day_at_least() -> None:
    noon = utc("2026-03-14 12:00")
    assert due_after_pause(read("2 h"), noon, BERLIN) == utc("2026-03-15 14:00")
    assert due_after_pause(read("48 h"), noon, BERLIN) == utc("2026-03-16 12:00")
    assert due_after_pause(read("Sundays 12:00 UTC"), noon, BERLIN) == utc("2026-03-15 12:00")
    assert due_after_pause(read("Sundays 11:00 UTC"), noon, BERLIN) == utc("2026-03-22 11:00")
    assert due_after_pause(read("none"), noon, BERLIN) is None


@given(st.integers(0, 30), st.integers(0, 5000), st.sampled_from(ZONES), INSTANTS)
def test_the_end_of_a_span(days: int, minutes: int, key: str, after: datetime) -> None:
    exact = timedelta(minutes=minutes)
    if days or minutes:
        due = next_due(After("", days, exact, ZoneInfo(key)), after)
        assert due is not None
        assert due > after
        change = timedelta(hours=1) if days else timedelta()
        length = timedelta(days=days) + exact
        assert length - change - timedelta(minutes=1) < due - after <= length + change


@given(st.text(max_size=40))
def test_any_text_is_a_schedule_or_trouble(text: str) -> None:
    schedule = parse_schedule(text, BERLIN)
    if isinstance(schedule, DateError):
        assert WORDS.say(schedule.key, **dict(schedule.fields))


@pytest.mark.parametrize(
    ("opened", "due"),
    [
        ("2026-03-15 19:00", "2026-03-18 19:00"),  # on time
        ("2026-03-15 21:30", "2026-03-18 19:00"),  # after a grace of some hours
        ("2026-03-15 14:00", "2026-03-18 19:00"),  # all were ready in the afternoon
        ("2026-03-15 06:00", "2026-03-17 19:00"),  # early in the morning: the evening before is nearer
        ("2026-03-27 19:00", "2026-03-30 18:00"),  # the clocks go forward: 20:00 stays 20:00
    ],
)
def test_every_three_days_keeps_its_hour(opened: str, due: str) -> None:
    assert next_due(read("every 3 days at 20:00"), utc(opened)) == utc(due)


def test_a_pause_ends_at_the_hour_of_every_three_days() -> None:
    every = read("every 3 days at 20:00")
    assert not_before(every, utc("2026-03-15 20:00"), None, BERLIN) == utc("2026-03-16 19:00")


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("sonntags um acht Uhr abends", "Sundays 20:00"),
        ("einmal die Woche, Sonntag Abend um 8", "Sundays 20:00"),
        ("jeden Dienstag und Freitag um neun Uhr abends", "Tue, Fri 21:00"),
        ("Sonntagabend um 20 Uhr", "Sundays 20:00"),
        ("zweimal die Woche, dienstags und freitags 21 Uhr", "Tue, Fri 21:00"),
        ("alle drei Tage", "3 d"),
        ("alle zwei Wochen", "2 weeks"),
        ("vierzehn Tage", "14 d"),
        ("48 Stunden", "48 h"),
    ],
)
def test_a_schedule_in_german_words(text: str, same: str) -> None:
    asked = read_command(clean(f"SETZE Züge {text}").text, localized(LIBRARY.variant("standard", {}), "de"))
    assert asked is not None
    assert isinstance(asked.request, SetRequest)
    assert structs.asdict(read(asked.request.value)) | {"words": ""} == structs.asdict(read(same)) | {"words": ""}


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Sundays 20:00", {"en": "Sundays 20:00", "de": "sonntags 20:00"}),
        ("tuesdays and fridays at 21 Uhr", {"en": "Tuesdays, Fridays 21:00", "de": "dienstags, freitags 21:00"}),
        ("weekdays 8pm", {"en": "Mon-Fri 20:00", "de": "Mo-Fr 20:00"}),
        ("Wed 20:00, Sat 12:00", {"en": "Wednesdays 20:00, Saturdays 12:00", "de": "mittwochs 20:00, samstags 12:00"}),
        ("every other day 8 in the evening", {"en": "every 2 days at 20:00", "de": "alle 2 Tage um 20:00"}),
        ("9pm on Sundays", {"en": "Sundays 21:00", "de": "sonntags 21:00"}),
        ("weekly, Sundays 20h", {"en": "Sundays 20:00", "de": "sonntags 20:00"}),
        ("once a week, Sundays 20.30 Uhr", {"en": "Sundays 20:30", "de": "sonntags 20:30"}),
        ("daily 20:00", {"en": "daily 20:00", "de": "täglich 20:00"}),
        ("Sundays 9pm Vienna time", {"en": "Sundays 21:00 Europe/Vienna", "de": "sonntags 21:00 Europe/Vienna"}),
        ("2 days 12 hours", {"en": "2 d 12 h", "de": "2 Tage 12 h"}),
        ("1 day", {"en": "1 d", "de": "1 Tag"}),
        ("90 min", {"en": "1 h 30 min", "de": "1 h 30 min"}),
        ("none", {"en": "none", "de": "keine"}),
    ],
)
def test_a_schedule_is_shown_in_words_that_are_read_back(text: str, shown: dict[str, str], language: str) -> None:
    schedule = parse_schedule(text, BERLIN)
    assert not isinstance(schedule, DateError)
    words = format_schedule(schedule, BERLIN, load(folder("templates") / "sentences", language))
    assert words == shown[language]
    asked = read_command(clean(f"SET moves {words}").text, localized(LIBRARY.variant("standard", {}), language))
    assert asked is not None
    assert isinstance(asked.request, SetRequest)
    again = parse_schedule(asked.request.value, BERLIN)
    assert not isinstance(again, DateError)
    assert structs.asdict(again) | {"words": ""} == structs.asdict(schedule) | {"words": ""}

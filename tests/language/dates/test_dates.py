"""Dates as people write and read them. `now` is Saturday 21 November 2026, 10:00 in Berlin, unless a row says else."""

from __future__ import annotations

import time
import tomllib
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.language.dates.date_words import DateError
from gm.language.dates.dates import (
    ReadDate,
    format_date_and_span,
    format_short_date,
    format_span,
    format_timestamp,
    parse_date,
    parse_leading_date,
)
from gm.language.i18n.catalogue import load
from gm.resources import folder

BERLIN = ZoneInfo("Europe/Berlin")
NEW_YORK = ZoneInfo("America/New_York")
LISBON = ZoneInfo("Europe/Lisbon")
NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
DUE = datetime(2026, 11, 22, 19, 0, tzinfo=UTC)
WORDS = load(folder("templates") / "sentences", "en")


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


READ = [
    # dates
    ("2026-11-27 20:00", "2026-11-27 20:00"),
    ("2026-11-27T20:00", "2026-11-27 20:00"),
    ("27 Nov 20:00", "2026-11-27 20:00"),
    ("27 Nov 2026 20:00", "2026-11-27 20:00"),
    ("27-nov-2026, 20:00", "2026-11-27 20:00"),
    ("Nov 27 20:00", "2026-11-27 20:00"),
    ("Nov 27, 2026 at 8.30pm", "2026-11-27 20:30"),
    ("November 27th 20:00", "2026-11-27 20:00"),
    ("the 27th of November at 8 pm", "2026-11-27 20:00"),
    ("27.11.2026 20:00", "2026-11-27 20:00"),
    ("27.11. 20:00", "2026-11-27 20:00"),
    ("1 Jan 20:00", "2027-01-01 20:00"),
    ("25 Dec 2027 noon", "2027-12-25 12:00"),
    ("Friday 27 November 20:00", "2026-11-27 20:00"),
    ("FRI 27 NOV 2026 20:00", "2026-11-27 20:00"),
    ("29 Feb 2028 12:00", "2028-02-29 12:00"),
    # days
    ("Friday 20:00", "2026-11-27 20:00"),
    ("fri. 20:00", "2026-11-27 20:00"),
    ("on Tuesday at 20:00", "2026-11-24 20:00"),
    ("Sat 20:00", "2026-11-21 20:00"),
    ("Sat 9:59", "2026-11-28 09:59"),
    ("noon on Saturday", "2026-11-21 12:00"),
    ("next Friday 20:00", "2026-11-27 20:00"),
    ("next Saturday 20:00", "2026-11-28 20:00"),
    ("this Sunday, 20:00", "2026-11-22 20:00"),
    ("today 20:00", "2026-11-21 20:00"),
    ("tonight 8pm", "2026-11-21 20:00"),
    ("tomorrow 20:00", "2026-11-22 20:00"),
    ("day after tomorrow 7am", "2026-11-23 07:00"),
    # hours
    ("20:00", "2026-11-21 20:00"),
    ("9:00", "2026-11-22 09:00"),
    ("20h30", "2026-11-21 20:30"),
    ("tomorrow 12am", "2026-11-22 00:00"),
    ("tomorrow 12pm", "2026-11-22 12:00"),
    ("tomorrow 12:30 am", "2026-11-22 00:30"),
    ("midnight", "2026-11-22 00:00"),
    ("Friday midnight", "2026-11-28 00:00"),
    ("Friday 24:00", "2026-11-28 00:00"),
    ("Friday 0:00", "2026-11-27 00:00"),
    ("20 o'clock tomorrow", "2026-11-22 20:00"),
    # zones
    ("Fri 20:00 Europe/Lisbon", "2026-11-27 21:00"),
    ("fri 20:00 europe/lisbon", "2026-11-27 21:00"),
    ("Fri 20:00 UTC", "2026-11-27 21:00"),
    ("2026-11-27T20:00Z", "2026-11-27 21:00"),
    ("2026-11-27 20:00+02:00", "2026-11-27 19:00"),
    ("2026-11-27 20:00 -05:00", "2026-11-28 02:00"),
    ("Fri 20:00 UTC+2", "2026-11-27 19:00"),
    ("Fri 20:00 New York time", "2026-11-28 02:00"),
    ("Fri 20:00 New York", "2026-11-28 02:00"),
    ("next Friday at 8pm Europe/Berlin", "2026-11-27 20:00"),
    ("Nov 27 20:00 CET", "2026-11-27 20:00"),
    ("tomorrow 1:00 Asia/Tokyo", "2026-11-21 17:00"),
    # spans from now
    ("48 hours", "2026-11-23 10:00"),
    ("48h", "2026-11-23 10:00"),
    ("2d", "2026-11-23 10:00"),
    ("in 2 days", "2026-11-23 10:00"),
    ("two days", "2026-11-23 10:00"),
    ("1 day and 12 hours", "2026-11-22 22:00"),
    ("2 d 5 h", "2026-11-23 15:00"),
    ("a week", "2026-11-28 10:00"),
    ("90 min", "2026-11-21 11:30"),
    ("36 hours from now", "2026-11-22 22:00"),
    ("in 2 days 20:00", "2026-11-23 20:00"),
    # what our letters say is read back
    ("Sunday 22 November, 20:00 Berlin time, in 1 d 10 h", "2026-11-22 20:00"),
    ("Fri 27 Nov 2026 20:00 CET (19:00 UTC, in 6 d 10 h)", "2026-11-27 20:00"),
    # characters of mail programs
    ("2026–11–27\u00a020:00", "2026-11-27 20:00"),
    ("  Friday\t20:00.  ", "2026-11-27 20:00"),
    ("the 24th at 21:00", "2026-11-24 21:00"),
    ("on the 31st, noon", "2026-12-31 12:00"),
    ("the 22nd of March, noon", "2027-03-22 12:00"),
    ("Sunday the 6th, noon", "2026-12-06 12:00"),
]


@pytest.mark.parametrize(("text", "wall"), READ, ids=[text for text, _ in READ])
def test_a_date_is_read(text: str, wall: str) -> None:
    when = parse_date(text, NOW, BERLIN)
    assert isinstance(when, ReadDate), when
    assert f"{when.instant.astimezone(BERLIN):%Y-%m-%d %H:%M}" == wall
    assert when.instant.tzinfo is UTC


@pytest.mark.parametrize(
    ("text", "wall"),
    [
        ("+2d", "2026-11-24 20:00"),
        ("+48h", "2026-11-24 20:00"),
        ("-1d", "2026-11-21 20:00"),
        ("- 6 hours", "2026-11-22 14:00"),
        ("Friday", "2026-11-27 20:00"),
        ("27 Nov", "2026-11-27 20:00"),
        ("tomorrow", "2026-11-22 20:00"),
        ("27 Nov Lisbon time", "2026-11-27 20:00"),
        ("2d", "2026-11-23 10:00"),
    ],
)
def test_the_present_deadline_gives_the_hour_and_the_start_of_signed_spans(text: str, wall: str) -> None:
    when = parse_date(text, NOW, BERLIN, DUE)
    assert isinstance(when, ReadDate), when
    assert f"{when.instant.astimezone(BERLIN):%Y-%m-%d %H:%M}" == wall


ASKED = [
    ("", "empty"),
    ("at", "empty"),
    ("11/12/2026 20:00", "slashes"),
    ("12/01/2027 20:00", "slashes"),
    ("27/11/2026 20:00", "slashes"),
    ("11-12-2026 20:00", "slashes"),
    ("12/01", "slashes"),
    ("2026/11/27", "slashes"),
    ("Friday 20.11", "dots"),
    ("Friday", "no-hour"),
    ("27 Nov", "no-hour"),
    ("Friday 8", "half"),
    ("8 o'clock", "half"),
    ("Friday 25:00", "hour"),
    ("Friday 20:60", "hour"),
    ("Friday 24:01", "hour"),
    ("Friday 13pm", "hour"),
    ("Friday 0am", "hour"),
    ("31 Feb 20:00", "day"),
    ("29 Feb 2027 20:00", "day"),
    ("2026-13-01 20:00", "day"),
    ("Friday Saturday 20:00", "two-weekdays"),
    ("27 Nov 28 Nov 20:00", "two-dates"),
    ("Friday 20:00 21:00", "two-hours"),
    ("Friday 20:00 Europe/Berlin UTC", "two-zones"),
    ("Friday 20:00 + 2h", "mixed"),
    ("20:00 in 2 hours", "mixed"),
    ("Saturday 27 November 20:00", "weekday"),
    ("20 Nov 20:00", "passed"),
    ("20 Nov 2026 20:00", "past"),
    ("today 9:00", "past"),
    ("0001-01-01 00:00", "past"),
    ("1999-01-01 20:00", "past"),
    ("-1d", "past"),
    ("2040-01-01 20:00", "far"),
    ("9999-12-31 24:00", "far"),
    ("9999 weeks", "far"),
    ("Friday 20:00 Europe/Berln", "zone"),
    ("Friday 20:00 Lisbn time", "zone"),
    ("Nov 27 20:00 EST", "short-zone"),
    ("Friday evening", "part"),
    ("27 Jul 20:00 CET 2027", "half"),
    ("soonish", "word"),
    ("Friday 20:00 please", "word"),
    ("2 days before Friday 20:00", "word"),
    ("2026-10-25", "no-hour"),
    ("x" * 500, "long"),
]


@pytest.mark.parametrize(("text", "key"), ASKED, ids=[text[:40] or "empty" for text, _ in ASKED])
def test_unclear_dates_are_asked_about(text: str, key: str) -> None:
    trouble = parse_date(text, NOW, BERLIN)
    assert isinstance(trouble, DateError), trouble
    assert trouble.key == f"date.trouble.{key}"
    assert WORDS.say(trouble.key, **dict(trouble.fields))


def test_every_sentence_about_dates_has_its_case() -> None:
    file = folder("templates") / "sentences" / "en" / "dates.toml"
    keys = set(tomllib.loads(file.read_text(encoding="utf-8"))["date"]["trouble"])
    assert keys == {key for _, key in ASKED} | {"next-week", "gap", "fold"}


def test_next_friday_is_asked_while_this_weeks_is_still_to_come() -> None:
    monday = utc("2026-11-23 09:00")
    trouble = parse_date("next Friday 20:00", monday, BERLIN)
    assert trouble == DateError("date.trouble.next-week", (("word", "next friday"),))
    assert parse_date("this Friday 20:00", monday, BERLIN) == ReadDate(utc("2026-11-27 19:00"), BERLIN)
    assert parse_date("next Monday 20:00", monday, BERLIN) == ReadDate(utc("2026-11-30 19:00"), BERLIN)


CLOCKS = [
    (BERLIN, "2027-03-28 02:30", "gap", {"+02:00": "2027-03-28 00:30", "+01:00": "2027-03-28 01:30"}),
    (BERLIN, "2026-10-25 02:00", "fold", {"+02:00": "2026-10-25 00:00", "+01:00": "2026-10-25 01:00"}),
    (NEW_YORK, "2027-03-14 02:30", "gap", {"-04:00": "2027-03-14 06:30", "-05:00": "2027-03-14 07:30"}),
    (NEW_YORK, "2026-11-01 01:59", "fold", {"-04:00": "2026-11-01 05:59", "-05:00": "2026-11-01 06:59"}),
]


@pytest.mark.parametrize(("zone", "text", "key", "meant"), CLOCKS)
def test_an_hour_the_clocks_skip_or_repeat_is_asked(zone: ZoneInfo, text: str, key: str, meant: dict[str, str]) -> None:
    now = utc("2026-10-01 12:00")
    trouble = parse_date(text, now, zone)
    assert isinstance(trouble, DateError)
    assert trouble.key == f"date.trouble.{key}"
    assert WORDS.say(trouble.key, **dict(trouble.fields))
    for offset, instant in meant.items():
        date = parse_date(f"{text} {offset}", now, zone)
        assert isinstance(date, ReadDate)
        assert date.instant == utc(instant)


@pytest.mark.parametrize(
    ("zone", "text"),
    [
        (BERLIN, "2027-03-28 01:59"),
        (BERLIN, "2027-03-28 03:00"),
        (BERLIN, "2026-10-25 01:59"),
        (BERLIN, "2026-10-25 03:00"),
        (NEW_YORK, "2027-03-14 03:00"),
        (NEW_YORK, "2026-11-01 02:00"),
    ],
)
def test_the_hours_beside_a_change_of_the_clocks_are_clear(zone: ZoneInfo, text: str) -> None:
    when = parse_date(text, utc("2026-10-01 12:00"), zone)
    assert isinstance(when, ReadDate)
    assert f"{when.instant.astimezone(zone):%Y-%m-%d %H:%M}" == text


def test_days_keep_the_hour_over_a_change_of_the_clocks_and_hours_do_not() -> None:
    due = utc("2026-10-24 18:00")  # 20:00 in Berlin, the evening before
    now = utc("2026-10-23 18:00")
    assert parse_date("+1d", now, BERLIN, due) == ReadDate(utc("2026-10-25 19:00"), BERLIN)
    assert parse_date("+24h", now, BERLIN, due) == ReadDate(utc("2026-10-25 18:00"), BERLIN)


@pytest.mark.parametrize(
    "text",
    [
        "20:00 " * 40,
        "1" * 199,
        "a " * 100,
        "next " * 40,
        "2 d " * 50,
        "(" * 199,
        "a/" * 99,
        "new york " * 22,
        "Z" * 10_000_000,
        " " * 5_000_000,
        "\u0085" * 100_000,
        "\0" * 150,
        "27 nov " * 28,
    ],
    ids=range(13),
)
def test_no_date_text_takes_long(text: str) -> None:
    start = time.process_time()
    assert isinstance(parse_date(text, NOW, BERLIN), DateError)
    assert time.process_time() - start < 2


@given(st.text(max_size=60))
def test_any_text_is_read_or_asked_about(text: str) -> None:
    reading = parse_date(text, NOW, BERLIN, DUE)
    if isinstance(reading, DateError):
        assert WORDS.say(reading.key, **dict(reading.fields))
    else:
        assert reading.instant > NOW


FRAGMENTS = [
    *[
        "0",
        "1",
        "7",
        "12",
        "28",
        "31",
        "2026",
        "20:00",
        "02:30",
        "8pm",
        "noon",
        "midnight",
        "mar",
        "oct",
        "friday",
        "sun",
        "next",
        "in",
        "+",
        "-",
        ".",
        ",",
        "(",
        ")",
        "/",
        "d",
        "h",
    ]
]


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=8).map(" ".join), st.sampled_from([BERLIN, NEW_YORK]))
def test_any_words_of_dates_are_read_or_asked_about(text: str, zone: ZoneInfo) -> None:
    reading = parse_date(text, NOW, zone)
    assert isinstance(reading, DateError) or reading.instant > NOW


ZONES = ["Europe/Berlin", "America/New_York", "Europe/Lisbon", "Asia/Kolkata", "Australia/Lord_Howe", "UTC"]
LATER = st.integers(1, 150 * 24 * 60).map(lambda minutes: NOW + timedelta(minutes=minutes))


@given(LATER, st.sampled_from(ZONES).map(ZoneInfo), st.sampled_from(ZONES).map(ZoneInfo))
def test_a_written_date_is_read_back_in_any_zone(instant: datetime, zone: ZoneInfo, home: ZoneInfo) -> None:
    """Except an hour the clocks repeat, which is asked."""
    for text in (format_date_and_span(instant, zone, NOW, WORDS), format_timestamp(instant, zone)):
        when = parse_date(text, NOW, home)
        repeated = instant.astimezone(zone).replace(fold=0) != instant.astimezone(zone).replace(fold=1)
        assert repeated or (isinstance(when, ReadDate) and when.instant == instant), text


# ---- saying


@pytest.mark.parametrize(
    ("instant", "zone", "now", "expected"),
    [
        ("2026-03-15 19:00", "Europe/Lisbon", "2026-03-13 13:10", "Sunday 15 March, 19:00 Lisbon time, in 2 d 5 h"),
        ("2026-03-15 19:00", "Europe/Lisbon", "2026-03-14 07:00", "Sunday 15 March, 19:00 Lisbon time, in 1 d 12 h"),
        ("2026-03-15 19:00", "America/New_York", "2026-03-12 19:00", "Sunday 15 March, 15:00 New York time, in 3 d"),
        ("2026-03-15 19:05", "UTC", "2026-03-15 13:45:59", "Sunday 15 March, 19:05 UTC, in 5 h 19 min"),
        ("2026-03-15 19:00", "Etc/GMT+5", "2026-03-15 18:00", "Sunday 15 March, 14:00 UTC-05, in 1 h"),
        ("2026-03-15 19:00", "Asia/Tokyo", "2026-03-15 18:50", "Monday 16 March, 04:00 Tokyo time, in 10 min"),
        ("2026-03-15 19:00", "UTC", "2026-03-15 18:59:01", "Sunday 15 March, 19:00 UTC, now"),
        ("2026-03-15 19:00", "UTC", "2026-03-16 19:30", "Sunday 15 March, 19:00 UTC, 1 d ago"),
        ("2027-03-14 19:00", "UTC", "2026-03-15 19:00", "Sunday 14 March 2027, 19:00 UTC, in 364 d"),
        ("2026-07-03 18:00", "America/Argentina/Jujuy", "2026-07-02 18:00", "Friday 3 July, 15:00 Jujuy time, in 1 d"),
    ],
)  # fmt: skip
def test_format_date_and_span(instant: str, zone: str, now: str, expected: str) -> None:
    assert format_date_and_span(utc(instant), ZoneInfo(zone), utc(now), WORDS) == expected


def test_format_short_date() -> None:
    assert format_short_date(utc("2026-03-10 19:00"), LISBON, utc("2026-03-08 19:00"), WORDS) == "Tue 10 March, 19:00"
    assert (
        format_short_date(utc("2027-03-10 19:00"), LISBON, utc("2026-03-08 19:00"), WORDS) == "Wed 10 March 2027, 19:00"
    )


@given(st.integers(0, 40_000_000))
def test_a_span_is_never_rounded_up(seconds: int) -> None:
    text = format_span(timedelta(seconds=seconds), WORDS).removeprefix("in ")
    read = parse_date(text, NOW, ZoneInfo("UTC"))
    if seconds >= 60:
        assert isinstance(read, ReadDate)
        assert timedelta() <= NOW + timedelta(seconds=seconds) - read.instant < timedelta(hours=1)


# ---- zones


def test_a_day_of_the_month_that_is_on_another_weekday_is_asked() -> None:
    trouble = parse_leading_date("Friday the 14th, because I travel", NOW, BERLIN, NOW)
    assert isinstance(trouble, DateError)
    assert trouble.key == "date.trouble.weekday"

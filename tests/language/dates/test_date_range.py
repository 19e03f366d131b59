"""Days from one to another: what people write, on Sunday 22 November 2026, about noon in Berlin."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.language.dates.date_range import LONGEST_DAYS, DateRange, parse_date_range, parse_leading_range
from gm.language.dates.date_words import DateError
from gm.language.i18n.catalogue import load
from gm.resources import folder

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 22, 11, tzinfo=UTC)
WORDS = load(folder("templates") / "sentences", "en")

READ = [
    ("20 Dec TO 3 Jan", "2026-12-20", "2027-01-03"),
    ("from 20 December until 3 January", "2026-12-20", "2027-01-03"),
    ("20.12. - 3.1.", "2026-12-20", "2027-01-03"),
    ("20.12. - 3.1", "2026-12-20", "2027-01-03"),
    ("20.12.\u20133.1.", "2026-12-20", "2027-01-03"),
    ("2026-12-20 - 2027-01-03", "2026-12-20", "2027-01-03"),
    ("2026-12-20 to 2027-01-03", "2026-12-20", "2027-01-03"),
    ("20-27 Dec", "2026-12-20", "2026-12-27"),
    ("20. - 27. December", "2026-12-20", "2026-12-27"),
    ("Dec 20-27", "2026-12-20", "2026-12-27"),
    ("Dec 20 - Jan 3", "2026-12-20", "2027-01-03"),
    ("Mon-Fri", "2026-11-23", "2026-11-27"),
    ("Friday to Friday", "2026-11-27", "2026-12-04"),
    ("tomorrow to Friday", "2026-11-23", "2026-11-27"),
    ("20 Dec 12:00 to 3 Jan 18:00", "2026-12-20", "2027-01-03"),
    ("20 Dec", "2026-12-20", "2026-12-20"),
    ("from the 10th to the 20th", "2026-12-10", "2026-12-20"),
    ("from 10 to 20", "2026-12-10", "2026-12-20"),
    ("the 28th to the 3rd", "2026-11-28", "2026-12-03"),
    ("1 April to the 12th", "2027-04-01", "2027-04-12"),
    ("today", "2026-11-22", "2026-11-22"),
    ("Friday evening to Monday morning", "2026-11-27", "2026-11-30"),
    ("from tomorrow night until Friday", "2026-11-23", "2026-11-27"),
    ("22 Nov to 24 Nov", "2026-11-22", "2026-11-24"),
    ("until 3 Jan", "2026-11-22", "2027-01-03"),
    ("for 2 weeks", "2026-11-22", "2026-12-06"),
    ("for the next ten days", "2026-11-22", "2026-12-02"),
    ("from tomorrow a week", "2026-11-23", "2026-11-29"),
    ("tomorrow for one week", "2026-11-23", "2026-11-29"),
    ("for a week from tomorrow", "2026-11-23", "2026-11-29"),
    ("a week starting tomorrow", "2026-11-23", "2026-11-29"),
    ("10 days from Friday", "2026-11-27", "2026-12-06"),
    ("from Friday for 10 days", "2026-11-27", "2026-12-06"),
    ("from 10 December, two weeks", "2026-12-10", "2026-12-23"),
    ("in 3 days for two days", "2026-11-25", "2026-11-26"),
    ("a fortnight from Monday", "2026-11-23", "2026-12-06"),
    ("from the 10th for three days", "2026-12-10", "2026-12-12"),
    ("next week from Monday to Thursday", "2026-11-23", "2026-11-26"),
    ("Tuesday to Thursday next week", "2026-11-24", "2026-11-26"),
    ("next week Friday", "2026-11-27", "2026-11-27"),
    ("this weekend", "2026-11-22", "2026-11-22"),
    ("the rest of the week", "2026-11-22", "2026-11-22"),
    ("until the end of the month", "2026-11-22", "2026-11-30"),
    ("5 Dec until the end of December", "2026-12-05", "2026-12-31"),
]


@pytest.mark.parametrize(("text", "first", "last"), READ, ids=[row[0] for row in READ])
def test_days_are_read(text: str, first: str, last: str) -> None:
    reading = parse_date_range(text, NOW, BERLIN)
    assert isinstance(reading, DateRange), reading
    assert f"{reading.begins.astimezone(BERLIN):%Y-%m-%d %H:%M}" == f"{first} 00:00"
    assert f"{reading.ends.astimezone(BERLIN) - timedelta(minutes=1):%Y-%m-%d %H:%M}" == f"{last} 23:59"


@pytest.mark.parametrize(
    ("text", "key", "holds"),
    [
        ("", "absence.trouble.empty", "ABSENCE 6 Dec TO 13 Dec"),
        ("next week", "absence.trouble.week", "ABSENCE 23 Nov TO 29 Nov"),
        ("the whole next week", "absence.trouble.week", "23 Nov"),
        ("two weeks", "absence.trouble.week", "ABSENCE 22 Nov TO 6 Dec"),
        ("10 days", "absence.trouble.week", "ABSENCE 22 Nov TO 2 Dec"),
        ("a few days", "absence.trouble.week", "several days"),
        ("from tomorrow for 0 days", "absence.trouble.backwards", ""),
        ("3 Jan to 20 Dec", "absence.trouble.backwards", "ends before it begins"),
        ("1 Nov to 5 Nov", "date.trouble.passed", "1 nov"),
        ("2026-11-01 to 2026-11-05", "date.trouble.past", "2026-11-01"),
        ("12/20 - 1/3", "date.trouble.slashes", "12/20"),
        ("Christmas", "absence.trouble.day", "christmas"),
        ("30 Feb to 3 Mar", "date.trouble.day", "30 feb"),
        ("1 Dec 2026 to 1 Dec 2027", "absence.trouble.long", "120 days"),
        ("20 Dec to 3 Jan to 5 Jan", "date.trouble.two-dates", ""),
    ],
)
def test_an_unclear_date_range_is_asked_about(text: str, key: str, holds: str) -> None:
    reading = parse_date_range(text, NOW, BERLIN)
    assert isinstance(reading, DateError), reading
    assert reading.key == key
    assert holds in WORDS.say(reading.key, **dict(reading.fields))


@given(st.text(alphabet="0123456789./- TOtoDecJanMonfiuntilweek,", max_size=30))
def test_any_words_are_days_or_trouble(text: str) -> None:
    reading = parse_date_range(text, NOW, BERLIN)
    if isinstance(reading, DateError):
        assert WORDS.say(reading.key, **dict(reading.fields))
    else:
        assert timedelta(0) < reading.ends - reading.begins <= timedelta(days=LONGEST_DAYS, hours=1)
        assert reading.ends > NOW
        assert 1 <= reading.days <= LONGEST_DAYS


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("10 March to 14 March because of a wedding", "because of a wedding"),
        ("10-14 March for my work", "for my work"),
        ("from 10 March until 14 March, wedding in Prague", "wedding in Prague"),
        ("10 March to 14 March", ""),
    ],
)
def test_a_reason_may_follow(text: str, reason: str) -> None:
    read = parse_leading_range(text, datetime(2026, 3, 1, 12, tzinfo=UTC), ZoneInfo("UTC"))
    assert isinstance(read, tuple)
    assert (read[0].begins.day, read[0].days, read[1]) == (10, 5, reason)


@pytest.mark.parametrize(
    "text",
    [
        "from 10 March for 2 fine weeks",
        "10 March to easter",
        "10 March to 14 Foo",
        "10 March - soon",
        "easter",
        "10 March and fridayy",
    ],
)
def test_days_that_are_not_understood_are_no_reason(text: str) -> None:
    assert isinstance(parse_leading_range(text, datetime(2026, 3, 1, 12, tzinfo=UTC), ZoneInfo("UTC")), DateError)

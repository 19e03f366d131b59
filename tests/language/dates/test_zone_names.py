"""Names of time zones, cities and countries are found, and near ones proposed."""

from __future__ import annotations

import tomllib
from zoneinfo import ZoneInfo, available_timezones

import pytest
from language.dates.test_dates import NOW, utc

from gm.language.dates.date_words import DateError
from gm.language.dates.dates import (
    parse_leading_date,
)
from gm.language.dates.time_zones import city, find_zone, named_zone, near_zones
from gm.resources import folder


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        ("Berlin", "Europe/Berlin"),
        ("new york", "America/New_York"),
        ("America/New York", "America/New_York"),
        ("Buenos Aires", "America/Buenos_Aires"),
        ("utc", "UTC"),
        ("GMT", "GMT"),
        ("Japan", "Japan"),
        ("EST", None),
        ("CET", None),
        ("../../etc/passwd", None),
        ("/etc/localtime", None),
        ("", None),
        ("Europe", None),
        ("x" * 10_000, None),
        ("Europe/Berlin\0", None),
    ],
)
def test_a_zone_is_found(text: str, key: str | None) -> None:
    zone = find_zone(text)
    assert (zone.key if zone else None) == key


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Wien", "Europe/Vienna"),
        ("Vienna time", "Europe/Vienna"),
        ("Wiener Zeit", "Europe/Vienna"),
        ("Graz, Österreich", "Europe/Vienna"),
        ("Zürich", "Europe/Zurich"),
        ("Zuerich", "Europe/Zurich"),
        ("München (MEZ)", "Europe/Berlin"),
        ("muenchen", "Europe/Berlin"),
        ("Mitteleuropäische Zeit", "Europe/Berlin"),
        ("mitteleuropäische Sommerzeit", "Europe/Berlin"),
        ("MEZ", "Europe/Berlin"),
        ("CET", "Europe/Berlin"),
        ("Germany", "Europe/Berlin"),
        ("Eastern Time", "America/New_York"),
        ("US Pacific", "America/Los_Angeles"),
        ("Boston", "America/New_York"),
        ("EST", None),
        ("IST", None),
        ("Europe", None),
        ("er", None),
        ("time", None),
        ("", None),
    ],
)
def test_where_nothing_but_a_zone_can_stand_it_has_more_names(text: str, key: str | None) -> None:
    zone = named_zone(text)
    assert (zone.key if zone else None) == key


def test_names_of_zones_stand_for_zones_and_repeat_none_of_iana() -> None:
    table = tomllib.loads((folder("grammars") / "zones.toml").read_text(encoding="utf-8"))
    keys = {key for kind in table.values() for key in kind}
    assert not keys - available_timezones()
    cities = [name for names in table["cities"].values() for name in names]
    assert len(cities) == len(set(cities))


def test_a_zone_near_the_text_is_proposed() -> None:
    assert near_zones("Europe/Berln")[0] == "Europe/Berlin"
    assert near_zones("Lisboa")[0] == "Europe/Lisbon"
    assert near_zones("qqqq") == ()


def test_cities() -> None:
    assert [city(ZoneInfo(key)) for key in ("America/New_York", "UTC", "Etc/GMT-3", "EST5EDT")] == [
        "New York",
        "",
        "",
        "",
    ]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Friday 20:00 CET", ("2026-11-27T19:00", "")),
        ("Friday 20:00 MEZ because of the exams", ("2026-11-27T19:00", "because of the exams")),
        ("3 July 2027 20:00 MESZ", ("2027-07-03T18:00", "")),
        ("Friday 20:00 UK time", ("2026-11-27T20:00", "")),
        ("Friday 20:00 wiener time as we agreed", ("2026-11-27T19:00", "as we agreed")),
        ("3 July 2027 20:00 CET", "CET"),
        ("Friday 20:00 EST as we agreed", "EST"),
        ("Friday 20:00 because of the exams", ("2026-11-27T20:00", "because of the exams")),
    ],
)
def test_a_short_name_of_a_zone_is_never_taken_for_a_reason(text: str, read: tuple[str, str] | str) -> None:
    date = parse_leading_date(text, NOW, ZoneInfo("UTC"))
    if isinstance(read, str):
        assert date == DateError("date.trouble.short-zone", (("word", read),))
        return
    assert isinstance(date, tuple)
    assert (date[0].instant, date[1]) == (utc(read[0]), read[1])

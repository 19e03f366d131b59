"""Proposed commands with a moment or a schedule in words are read back as the same, in every language."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from support.shipped import LIBRARY, letter_templates

from gm.language.commands import parser
from gm.language.commands.deadlines import ExtendRequest, PauseRequest, ResumeRequest
from gm.language.commands.in_words.game_in_words import settings_in_words
from gm.language.commands.requests import DeadlineRequest, SetRequest
from gm.language.dates.date_words import DateError
from gm.language.dates.dates import ReadDate, format_definite_date, parse_date
from gm.language.dates.schedule import After, parse_schedule
from gm.language.dates.schedule_words import format_schedule
from gm.language.i18n.localized_variant import localized
from gm.language.i18n.normalize import clean

NOW = datetime(2026, 3, 3, 10, tzinfo=UTC)
ZONES = ("Europe/Berlin", "America/New_York", "UTC", "Asia/Kolkata")
AHEAD = [
    timedelta(hours=hours, minutes=30 * (hours % 2)) for hours in (1, 5, 14, 23, 49, 100, 169, 340, 700, 1500, 4000)
]
COMMANDS = ("extend", "deadline", "pause", "resume")


def written_moment(request: object) -> str:
    if isinstance(request, PauseRequest):
        return request.words.partition(" ")[2]
    assert isinstance(request, ExtendRequest | DeadlineRequest | ResumeRequest)
    return request.when


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("language", letter_templates().languages)
def test_a_moment_is_read_back(language: str, command: str) -> None:
    catalogue, variant = letter_templates().catalogue(language), localized(LIBRARY.variant("standard"), language)
    for key in ZONES:
        for ahead in AHEAD:
            zone, instant = ZoneInfo(key), NOW + ahead
            line = catalogue.say(f"proposals.{command}", when=format_definite_date(instant, zone, NOW, catalogue))
            asked = parser.read_command(clean(line).text, variant)
            assert asked is not None, line
            moment = parse_date(written_moment(asked.request), NOW, zone, NOW + timedelta(days=2))
            assert isinstance(moment, ReadDate), (line, moment)
            assert moment.instant == instant, line


SPANS = {
    "en": ("retreats a day each", "retreats and builds one day", "24 hours for retreats", "builds: two days"),
    "de": ("Rückzüge und Aufbauten je ein Tag", "Rückzüge: zwei Tage", "Aufbau 24 Stunden", "Rückzüge je eine Woche"),
}


@pytest.mark.parametrize("language", SPANS)
def test_a_span_is_a_schedule_and_is_read_back(language: str) -> None:
    catalogue, variant = letter_templates().catalogue(language), localized(LIBRARY.variant("standard"), language)
    zone = ZoneInfo("Europe/Berlin")
    settings = [line for words in SPANS[language] for line in settings_in_words(words, (language,))]
    assert len(settings) >= len(SPANS[language])
    for line in settings:
        key, _, value = line.partition(": ")
        schedule = parse_schedule(value, zone)
        assert isinstance(schedule, After), line
        shown = format_schedule(schedule, zone, catalogue)
        asked = parser.read_command(clean(f"SET {key} {shown}").text, variant)
        assert asked is not None
        assert isinstance(asked.request, SetRequest), shown
        again = parse_schedule(asked.request.value, zone)
        assert not isinstance(again, DateError), shown
        assert isinstance(again, After)
        assert (again.days, again.exact) == (schedule.days, schedule.exact)

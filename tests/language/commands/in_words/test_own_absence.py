"""ABSENCE from sentences, on Tuesday 3 March 2026 in Berlin: each proposed line is one that ABSENCE reads."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import product
from zoneinfo import ZoneInfo

import pytest
from support.shipped import LIBRARY, letter_templates

from gm.language.commands import parser
from gm.language.commands.deadlines import AbsenceRequest
from gm.language.commands.in_words.own_absence import Calendar, own_absence
from gm.language.dates.date_range import DateRange, parse_date_range
from gm.language.i18n.localized_variant import localized
from gm.language.i18n.normalize import clean

NOW = datetime(2026, 3, 3, 10, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")
FORMS = {"en": "ABSENCE 20 Dec TO 3 Jan", "de": "ABWESENHEIT 20. Dezember BIS 3. Januar"}


def proposed(words: str, language: str) -> str:
    calendar = Calendar(NOW, BERLIN, letter_templates().catalogue(language))
    return own_absence(FORMS[language], words, localized(LIBRARY.variant("standard"), language), calendar)


MEANT = [
    ("en", "I'm away next week from Monday to Thursday.", "9 Mar TO 12 Mar"),
    ("en", "I'm on holiday 9-12 March, back on the 13th.", "9 Mar TO 12 Mar"),
    ("en", "Away till the 15th, sorry. Back on monday.", "3 Mar TO 15 Mar"),
    ("en", "I'll be gone for a week from tomorrow, please extend", "4 Mar TO 10 Mar"),
    ("en", "No internet this weekend.", "7 Mar TO 8 Mar"),
    ("en", "I'm away for ten days from Friday", "6 Mar TO 15 Mar"),
    ("en", "I'll be away all week", "3 Mar TO 8 Mar"),
    ("en", "I'm away all week, back on Saturday", "3 Mar TO 7 Mar"),
    ("en", "I'm travelling Thursday and Friday", "5 Mar TO 6 Mar"),
    ("en", "I'm gone until the end of the month", "3 Mar TO 31 Mar"),
    ("en", "I can't write before Monday", "3 Mar TO 9 Mar"),
    ("en", "no mail tomorrow", "4 Mar"),
    ("en", "Away next week, please extend the deadline until 20 March", "9 Mar TO 15 Mar"),
    ("en", "I'm away for a week in March", ""),
    ("en", "Away from tomorrow to next Friday", ""),
    ("en", "I'm in hospital for a few days", ""),
    ("de", "Ich bin ab morgen eine Woche im Urlaub, bitte um Verlängerung!", "4. März BIS 10. März"),
    ("de", "Bin nächste Woche nicht da, bitte Frist verlängern bis 20. März", "9. März BIS 15. März"),
    ("de", "Ich bin ab Freitag zehn Tage lang verreist", "6. März BIS 15. März"),
    ("de", "Ich bin für zehn Tage weg", "3. März BIS 13. März"),
    ("de", "Ich bin vom 9. bis zum 15. nicht da", "9. März BIS 15. März"),
    ("de", "Guten Morgen, ich bin Freitag weg", "6. März"),
    ("de", "Kein Internet am Wochenende", "7. März BIS 8. März"),
    ("de", "Ich bin bis Ende März weg", "3. März BIS 31. März"),
    ("de", "Ich bin im April eine Woche weg", ""),
]


@pytest.mark.parametrize(("language", "words", "days"), MEANT, ids=[row[1] for row in MEANT])
def test_the_days_of_a_sentence(language: str, words: str, days: str) -> None:
    head = FORMS[language].split()[0]
    assert proposed(words, language) == (f"{head} {days}" if days else "")


FIRST = {
    "en": ("", "from tomorrow", "Friday", "from the 9th", "9 March", "on 9.3.", "next week", "2026-03-09", "3/9"),
    "de": ("", "ab morgen", "Freitag", "vom 9.", "9. März", "am 9.3.", "nächste Woche", "ab dem 9. März"),
}
LAST = {
    "en": (
        "",
        "to Thursday",
        "until next Friday",
        "till the 20th",
        "- 20 March",
        "for ten days",
        "a week",
        "to Easter",
    ),
    "de": ("", "bis Donnerstag", "bis zum 20.", "- 20.3.", "für zehn Tage", "eine Woche lang", "bis Ostern", "bis 20"),
}
AROUND = {
    "en": ("I'm away {}.", "On holiday {}, back on the 13th.", "Away {}! Back Monday", "no mail {} because of 2 exams"),
    "de": ("Ich bin {} weg.", "Bin {} im Urlaub, am 13. wieder da.", "Urlaub {}! Züge erst Montag", "{} nicht da"),
}
PHRASES = [(language, *words) for language in FORMS for words in product(*(t[language] for t in (AROUND, FIRST, LAST)))]


@pytest.mark.parametrize("language", FORMS)
def test_whatever_is_proposed_is_read(language: str) -> None:
    """Its days are whole and clear: the reader has no question about them."""
    lines = [
        proposed(around.format(f"{first} {last}"), code) for code, around, first, last in PHRASES if code == language
    ]
    assert sum(map(bool, lines)) > len(lines) // 2
    for line in filter(None, lines):
        asked = parser.read_command(clean(line).text, localized(LIBRARY.variant("standard"), language))
        assert asked is not None, line
        assert isinstance(asked.request, AbsenceRequest), line
        assert isinstance(parse_date_range(asked.request.days, NOW, BERLIN), DateRange), line

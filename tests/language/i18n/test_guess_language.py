"""In which language short letters are, by their words or else by their Content-Language."""

from __future__ import annotations

import pytest

from gm.language.i18n.guess_language import guess_language

GERMAN = """
Hallo, ich würde gern mitspielen
Moin, ist noch ein Platz frei?
Welche Spiele gibt es?
Servus
Guten Tag
Grüezi, habt ihr Spiele für Anfänger?
Mit freundlichen Grüßen
Anfrage
Bitte um Info
Jemand da?
Läuft hier was?
Interesse an Diplomacy
Was kostet das?
Kostenlos?
Neue Partie gesucht
Wuerde gerne mitmachen
Spielt ihr auch Locarno?
Ein Freund hat mir davon erzählt.
Na, wie gehts?
Einen Platz bitte
"""
ENGLISH = """
Hello, I would like to play
Hey there
Good morning
Kind regards
Sign me up
Anybody here?
Open games?
Die hard Diplomacy fan here, any games?
Am I in?
So what was that?
New player
Question
"""
LANGUAGES = ("de", "en")


@pytest.mark.parametrize("line", GERMAN.strip().split("\n"))
def test_short_german(line: str) -> None:
    assert guess_language([line], LANGUAGES) == "de"


@pytest.mark.parametrize("line", ENGLISH.strip().split("\n"))
def test_short_english(line: str) -> None:
    assert guess_language([line], LANGUAGES, header="de") == "en"


@pytest.mark.parametrize(("header", "language"), [("de", "de"), ("en", ""), ("fr", ""), ("", "")])
def test_where_words_do_not_tell_a_header_other_than_english_does(header: str, language: str) -> None:
    assert guess_language(["Otto Kern"], LANGUAGES, header=header) == language
    assert guess_language(["JOIN ostend"], LANGUAGES, header=header) == language

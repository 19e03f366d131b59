"""Players of several languages at one table: each is written to, and read, in his own."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace
from support.dialogue import DeskStage, Player, read
from support.paths import STARTED
from support.shipped import LIBRARY, map_drawer

from gm.judge.model.variant import Variant
from gm.language.formats.stored_values import position_from_text

TYROLIA = """
>> Luc Marchand <luc@example.org>
Reply: ostend S1901M

A Par - Burgund
F Brest - Ärmelkanal
Rest hält
PRESSE AN ENGLAND
Le chat est parti. Rest hält.
ENDE
<< luc@example.org
Deine Befehle sind gespeichert
Dein Brief geht an England: „Le chat est parti. Rest hält.“
A Par - Bur
F Bre - ENG
A Mar H
Frankreich
<< hannah@example.org
France writes to you alone:
Le chat est parti. Rest hält.
- Frankreich

>> Hannah Osei <hannah@example.org>
Reply: ostend S1901M

F Lon - Ärmelkanal
A Lvp - Yor
<< hannah@example.org
“Ärmelkanal” is not a province
A Lvp - Yor
One of your 2 order lines

>> Chiara Bellini <chiara@example.org>
Reply: ostend S1901M

F Nap - Tyr
A Ven - Tyr
<< chiara@example.org
F Nap - TYS
A Ven - Tyr

>> Tom Ashby <tom@example.org>
Reply: ostend S1901M

A Mun - Tyr
F Kie - Tyr
<< tom@example.org
A Mun - Tyr
No fleet can stand in Tyrolia
"""


def play(player: Player, text: str) -> None:
    player.play(read(text)[1])


def speak(stage: DeskStage, address: str, language: str) -> None:
    with stage.transaction() as store:
        person = store.people.by_address(address)
        assert person is not None
        store.people.save(replace(person, language=language))


@pytest.fixture
def table(stage: DeskStage) -> Player:
    player = Player(stage, "languages")
    player.begin(STARTED)
    speak(stage, "luc@example.org", "de")
    speak(stage, "chiara@example.org", "de")
    play(player, "~~\n")
    return player


def test_each_reader_has_their_own_language(table: Player) -> None:
    play(table, TYROLIA)


def test_results_are_the_same_and_say_so_in_two_languages(table: Player, stage: DeskStage) -> None:
    play(table, TYROLIA)
    play(
        table,
        """
== 2026-03-08 20:00
<< luc@example.org
Subject: [ostend F1901M] Frühjahr 1901: die Ergebnisse
Österreich
(kein Befehl: hält)
- Austria
<< hannah@example.org
Subject: [ostend F1901M] Spring 1901 results
Austria
(no order: held)
- Österreich
""",
    )


def test_stored_values_are_in_no_language(table: Player, stage: DeskStage) -> None:
    """Orders read from German lines are read again at the deadline by whoever speaks anything."""
    play(table, TYROLIA)
    with stage.transaction() as store:
        game = store.games.by_name("ostend")
        assert game is not None
        lines = [line.text for sheet in store.turns.sheets(game.id, game.snapshot) for line in sheet.lines]
        variant: Variant = LIBRARY.variant(game.variant)
        assert position_from_text(store.turns.snapshot(game.snapshot).position, variant)
    assert "A Par - Bur" in lines
    assert all(re.fullmatch(r"[AF] [A-Za-z/]+ (H|- [A-Za-z/]+)", line) for line in lines), lines


def test_a_person_without_a_language_reads_the_games_language(stage: DeskStage) -> None:
    player = Player(stage, "languages")
    player.begin(STARTED)
    speak(stage, "hannah@example.org", "en")
    play(
        player,
        """
~~
>> Ruth Amsel <ruth@example.org>
Reply: ostend S1901M

SET language de
<< ruth@example.org
language ist jetzt de.
<< luc@example.org
Der Spielleiter hat eine Einstellung geändert: language ist jetzt de.
<< hannah@example.org
The game master changed a setting: language is now de.
~~
>> Luc Marchand <luc@example.org>
Reply: ostend S1901M

HILFE BEFEHLE
<< luc@example.org
HILFE
Ein Befehl pro Zeile
>> Hannah Osei <hannah@example.org>
Reply: ostend S1901M

HELP ORDERS
<< hannah@example.org
One order on a line
>> Ruth Amsel <ruth@example.org>
Reply: ostend S1901M

SET language Klingonisch
<< ruth@example.org
„Klingonisch“ ist keine Sprache. Es gibt: de, en.
""",
    )


def test_a_map_is_in_the_language_of_who_asked() -> None:
    """The same board, with other words round it."""
    drawer = map_drawer()
    variant = LIBRARY.variant("standard")
    german = drawer.draw(drawer.scene(variant, variant.start, game="ostend", language="de"))
    english = drawer.draw(drawer.scene(variant, variant.start, game="ostend"))
    for words in ("Frühjahr 1901", "Züge · Standard · ostend", "Österreich", "Flotte", "Versorgungszentrum"):
        assert words in german, words
        assert words not in english, words
    assert german.count("<path") == english.count("<path")

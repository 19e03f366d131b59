"""How letters about several games are divided at the words that name one."""

from __future__ import annotations

import pytest

from gm.language.letter.headings.game_headings import GameHeadings

TWO = GameHeadings(("calais", "ostend"), "ostend", ("en", "de"))


def divided(letter: str, headings: GameHeadings = TWO) -> list[tuple[str, str]]:
    lines = tuple(enumerate(letter.split("\n"), 1))
    parts = headings.divide(lines, frozenset())
    return [(part.game, " / ".join(part.words.split("\n")).strip(" /")) for part in parts if part.words.strip()]


@pytest.mark.parametrize(
    ("letter", "parts"),
    [
        ("Ostend: Mun-Ruh\nCalais: Vie-Gal", [("ostend", "Mun-Ruh"), ("calais", "Vie-Gal")]),
        ("Par-Bur\n\nCALAIS\nLon-Nth", [("ostend", "Par-Bur"), ("calais", "Lon-Nth")]),
        ("Mun-Ruh. And in the other game Vie-Gal.", [("ostend", "Mun-Ruh."), ("calais", "Vie-Gal.")]),
        ("Mun-Ruh; for the Calais game: Vie-Gal", [("ostend", "Mun-Ruh;"), ("calais", "Vie-Gal")]),
        ("Mun-Ruh, and in calais Vie-Gal", [("ostend", "Mun-Ruh,"), ("calais", "Vie-Gal")]),
        ("Calais (Austria) - Vie-Gal", [("calais", "Vie-Gal")]),
        ("Züge für die Partie Calais: Wien nach Galizien", [("calais", "Wien nach Galizien")]),
        ("Im anderen Spiel bitte Vie-Gal", [("calais", "bitte Vie-Gal")]),
        ("Russia in Calais is lying to me.", [("ostend", "Russia in Calais is lying to me.")]),
        ("Calais is a nice game", [("ostend", "Calais is a nice game")]),
    ],
)
def test_words_behind_a_name_are_about_that_game(letter: str, parts: list[tuple[str, str]]) -> None:
    assert divided(letter) == parts


def test_a_name_that_is_a_place_needs_the_word_game() -> None:
    headings = GameHeadings(("paris", "ostend"), "ostend", ("en",), frozenset({"paris"}))
    assert divided("Paris: Burgundy", headings) == [("ostend", "Paris: Burgundy")]
    assert divided("In the Paris game: Bur-Mun", headings) == [("paris", "Bur-Mun")]


def test_no_name_in_words_to_others_divides() -> None:
    parts = TWO.divide(((1, "PRESS TO France"), (2, "In calais: Vie-Gal")), frozenset({1, 2}))
    assert [part.game for part in parts] == ["ostend"]


@pytest.mark.parametrize(
    ("sentence", "several"), [("all hold in both games", True), ("In beiden Partien", True), ("both hold", False)]
)
def test_words_for_several_games(sentence: str, several: bool) -> None:
    assert TWO.names_several(sentence) is several

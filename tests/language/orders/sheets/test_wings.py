"""Errors of orders for wings, word for word."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from gm import resources
from gm.judge.board.board import Place, locate
from gm.judge.model.position import Position, Unit
from gm.judge.model.variant import Variant
from gm.language.i18n.catalogue import load
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContext
from gm.language.rendering.error_sentences import sentence
from gm.variant_files.library import Library

UNITS = {
    "England": ("W Lon", "A Als", "F NTH", "W Yor"),
    "France": ("A Par", "A Bur", "W Par", "W Bre"),
}
SAID = [
    ("England", "W Lon bomb Rome", "Rome is 5 spaces from London; a wing reaches 2."),
    ("England", "W Lon - Rome", "Rome is 5 spaces from London; a wing reaches 2."),
    (
        "England",
        "W Lon S A Als - Bur",
        "A wing supports surface units only in its own or an adjacent space.",
    ),
    ("France", "A Bur S W Par - Bur", "Only an army in a supply centre may support air units."),
    ("France", "A Par S W Lon - Bre", "A surface unit supports only the air space above it."),
    ("England", "F NTH bombs Pic", "F NTH is not a wing: only wings bomb and intercept."),
    ("England", "W Als - Bur", "There is no wing over Alsace."),
]


def standing(variant: Variant) -> Position:
    units = []
    for power, texts in UNITS.items():
        for text in texts:
            kind, _, code = text.partition(" ")
            at = locate(variant.start.board, variant.kinds[kind], Place(code))
            assert at is not None
            units.append(Unit(power, kind, at))
    year, at_step = variant.phase_at("S1933M")
    return replace(variant.start, year=year, at=at_step, units=tuple(units))


@pytest.mark.parametrize(("power", "line", "expected"), SAID)
def test_an_error_names_what_is_possible(shelf: Library, power: str, line: str, expected: str) -> None:
    variant = shelf.variant("europe-1933", {"wings": "on"})
    reading = read_letter([(1, line)], LetterContext(variant, standing(variant), power))
    assert not reading.orders
    catalogue = load(resources.folder("templates") / "sentences", "en")
    assert [sentence(catalogue, trouble) for trouble in reading.troubles] == [expected]

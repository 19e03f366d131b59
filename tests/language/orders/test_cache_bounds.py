"""The caches for lines and orders are bounded, also while one position lasts for ever."""

from __future__ import annotations

import pytest
from support.shipped import LIBRARY

from gm.judge.model.orders import Hold, UnitRef
from gm.judge.model.variant import Variant
from gm.judge.movement.legality import MAX_CACHED, LegalityChecker
from gm.language.orders.line_reader import MOST_LETTERS, line_reader


@pytest.fixture
def standard() -> Variant:
    return LIBRARY.variant("standard")


def test_a_legality_checker_keeps_no_more_orders_than_it_may(standard: Variant) -> None:
    position = standard.start
    checker = LegalityChecker.of(position, standard.kinds, standard.rulebook)
    assert checker is LegalityChecker.of(position, standard.kinds, standard.rulebook)
    unit = position.units_of("Austria")[0]
    orders = [Hold(UnitRef(unit.kind, unit.at.place, number)) for number in range(2 * MAX_CACHED)]
    for order in orders:
        checker.intent(unit, order)
    assert 0 < len(checker._cache.intents) <= MAX_CACHED


def test_a_line_reader_keeps_no_more_letters_than_it_may(standard: Variant) -> None:
    reader = line_reader(standard, standard.start.board, "moves")
    long = "well " * 150
    for number in range(2 * MOST_LETTERS // len(long)):
        reader.pieces(f"{number} {long}")
    assert sum(map(len, reader._pieces)) <= MOST_LETTERS + len(long)

"""The census of Standard: what its map must hold, counted from the shelf."""

from __future__ import annotations

from collections import Counter

import pytest
from support.opening_orders import count_legal
from support.paths import VARIANTS
from support.shipped import LIBRARY

from gm.judge.board.board import SEA, Use
from gm.judge.model.variant import Variant

SHELF = VARIANTS

# Counted from the list of edges the map was made from, by a script that knows nothing of this program.
SEA_TO_SEA = 42
SHORES = 74
OPENING = {"Austria": 34, "England": 29, "France": 30, "Germany": 38, "Italy": 38, "Russia": 42, "Turkey": 27}
"""Holds, moves and supports that each power may order in Spring 1901."""


@pytest.fixture(scope="module")
def standard() -> Variant:
    return LIBRARY.variant("standard")


def test_provinces_and_centres(standard: Variant) -> None:
    provinces = standard.start.board.provinces.values()
    kinds = Counter(
        "sea" if p.slots == (SEA,) else "inland" if p.slots == ("land",) else "coastal" if p.slots else "dead"
        for p in provinces
    )
    assert kinds == {"sea": 19, "inland": 14, "coastal": 42, "dead": 2}
    assert sum(p.centre for p in provinces) == 34
    assert {p.code: p.coasts for p in provinces if p.coasts} == {
        "Bul": ("ec", "sc"),
        "Spa": ("nc", "sc"),
        "StP": ("nc", "sc"),
    }
    homes = Counter(p.home for p in provinces if p.home)
    assert homes == {p: 4 if p == "Russia" else 3 for p in homes}
    assert len(homes) == 7


def test_borders_by_use(standard: Variant) -> None:
    borders = standard.start.board.borders
    passages = [b for b in borders if Use.MOVE in b.uses]
    assert all(Use.SUPPORT in b.uses for b in passages)
    assert sum(b.start.slot == "land" for b in passages) == 2 * 111
    assert sum(b.start.slot != "land" for b in passages) == 2 * 141
    convoys = [b for b in borders if Use.CONVOY in b.uses]
    at_sea = [b for b in convoys if b.start.slot == b.end.slot == SEA]
    assert len(at_sea) == SEA_TO_SEA
    assert len(convoys) - len(at_sea) == 2 * SHORES
    assert all({b.start.slot, b.end.slot} == {"land", SEA} for b in convoys if b not in at_sea)
    assert len(set(borders)) == len(borders)
    assert {(b.end, b.start, b.uses) for b in borders} == {(b.start, b.end, b.uses) for b in borders}


def test_legal_orders_of_the_opening(standard: Variant) -> None:
    assert count_legal(standard) == OPENING

"""Borders that players move, on Standard's board: the picture's contacts change exactly as ordered."""

from __future__ import annotations

import pytest
from shapely import Polygon
from support.paths import VARIANTS

from gm.maps.drawing.draw import draw
from gm.maps.drawing.geometry import read as read_geometry
from gm.maps.drawing.moved_borders import AttachedIsland, CannotRedraw, Change, Pair, SeparatedBorder, contacts, shifted
from gm.maps.drawing.outline import rings
from gm.maps.drawing.palette import palette
from gm.maps.drawing.scene import MapScene
from gm.variant_files.library import Library

LIBRARY = Library([VARIANTS])
STANDARD = LIBRARY.variant("standard")
BOARD = read_geometry(LIBRARY.drawn("standard")[0])
NAMES = frozenset(STANDARD.start.board.provinces) | {"Out", "Ire"}
BASE = frozenset(pair for pair in contacts(BOARD) if pair <= NAMES)
ISLAND = SeparatedBorder(("Por", "Spa"), ("MAO", "MAO"))
BRIDGE = AttachedIsland("Por", "Bre")
AEGEAN = SeparatedBorder(("Bul", "Gre"), ("Ser", "AEG"))
BACK = SeparatedBorder(("Ser", "AEG"), ("Bul", "Gre"))
SEQUENCE: tuple[Change, ...] = (
    ISLAND,
    BRIDGE,
    AEGEAN,
    SeparatedBorder(("Mun", "Tyr"), ("Boh", "Swi")),
    SeparatedBorder(("NTH", "Den"), ("HEL", "SKA")),
    BACK,
    SeparatedBorder(("StP", "BAR"), ("Nwy", "Out")),
    SeparatedBorder(("NWG", "BAR"), ("Nwy", "Out")),
)


def by_the_rules(changes: tuple[Change, ...]) -> frozenset[Pair]:
    """None of these takes a pair's second border away."""
    pairs = set(BASE)
    for change in changes:
        if isinstance(change, SeparatedBorder):
            pairs.discard(frozenset(change.apart))
            pairs.add(frozenset(change.joined))
        else:
            pairs.add(frozenset(change))
    return frozenset(pair for pair in pairs if len(pair) == 2)


@pytest.mark.parametrize("count", [1, 2, 6, len(SEQUENCE)])
def test_the_picture_follows_one_change_after_the_other(count: int) -> None:
    changes = SEQUENCE[:count]
    wanted = by_the_rules(changes)
    found = shifted(BOARD, changes, wanted)
    assert frozenset(pair for pair in contacts(found) if pair <= NAMES) == wanted
    assert draw(MapScene(found, STANDARD, STANDARD.start, palette(STANDARD, {})))


def test_without_changes_the_board_stays() -> None:
    assert shifted(BOARD, (), BASE).arcs == BOARD.arcs


def test_an_island_lies_in_water_all_round() -> None:
    found = shifted(BOARD, (ISLAND,), by_the_rules((ISLAND,)))
    beside = {name for arc in found.arcs if "Por" in arc[:2] for name in arc[:2]} - {"Por"}
    assert {found.ground(name) for name in beside if name != "Islet"} == {"water"}
    area = max(Polygon(ring).area for ring in rings(found, frozenset({"Por"})))
    before = max(Polygon(ring).area for ring in rings(BOARD, frozenset({"Por"})))
    assert 0.7 * before < area < before


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ((ISLAND,), "the picture differs at Por Spa"),
        ((SeparatedBorder(("Por", "Mos"), ("MAO", "MAO")),), "Por-Mos"),
        ((SeparatedBorder(("Por", "Xyz"), ("MAO", "MAO")),), "Por-Xyz"),
        ((AttachedIsland("Por", "Mos"),), "Por-Mos: 'nothing lies between Por and Mos'"),
    ],
)
def test_where_it_cannot_follow_it_says_so(changes: tuple[Change, ...], says: str) -> None:
    with pytest.raises(CannotRedraw, match=says):
        shifted(BOARD, changes, BASE)

"""Redrawing moved borders on Standard's board: the picture's contacts change exactly as ordered."""

from __future__ import annotations

import pytest
from shapely import Polygon
from support.paths import VARIANTS

from gm.maps.drawing.draw import draw_map
from gm.maps.drawing.geometry import read_geometry
from gm.maps.drawing.moved_borders import (
    AttachedIsland,
    CannotRedraw,
    DrawnChange,
    Pair,
    SeparatedBorder,
    redraw_borders,
    touching_pairs,
)
from gm.maps.drawing.outline import rings
from gm.maps.drawing.palette import build_palette
from gm.maps.drawing.scene import MapScene
from gm.variant_files.library import Library

LIBRARY = Library([VARIANTS])
STANDARD = LIBRARY.variant("standard")
BOARD = read_geometry(LIBRARY.drawing("standard")[0])
NAMES = frozenset(STANDARD.start.board.provinces) | {"Out", "Ire"}
BASE = frozenset(pair for pair in touching_pairs(BOARD) if pair <= NAMES)
ISLAND = SeparatedBorder(("Por", "Spa"), ("MAO", "MAO"))
BRIDGE = AttachedIsland("Por", "Bre")
AEGEAN = SeparatedBorder(("Bul", "Gre"), ("Ser", "AEG"))
BACK = SeparatedBorder(("Ser", "AEG"), ("Bul", "Gre"))
SEQUENCE: tuple[DrawnChange, ...] = (
    ISLAND,
    BRIDGE,
    AEGEAN,
    SeparatedBorder(("Mun", "Tyr"), ("Boh", "Swi")),
    SeparatedBorder(("NTH", "Den"), ("HEL", "SKA")),
    BACK,
    SeparatedBorder(("StP", "BAR"), ("Nwy", "Out")),
    SeparatedBorder(("NWG", "BAR"), ("Nwy", "Out")),
)


def pairs_after(changes: tuple[DrawnChange, ...]) -> frozenset[Pair]:
    """None of these changes removes a second border of the same pair."""
    pairs = set(BASE)
    for change in changes:
        if isinstance(change, SeparatedBorder):
            pairs.discard(frozenset(change.apart))
            pairs.add(frozenset(change.joined))
        else:
            pairs.add(frozenset(change))
    return frozenset(pair for pair in pairs if len(pair) == 2)


@pytest.mark.parametrize("count", [1, 2, 6, len(SEQUENCE)])
def test_the_picture_shows_a_sequence_of_changes(count: int) -> None:
    changes = SEQUENCE[:count]
    wanted = pairs_after(changes)
    redrawn = redraw_borders(BOARD, changes, wanted)
    assert frozenset(pair for pair in touching_pairs(redrawn) if pair <= NAMES) == wanted
    assert draw_map(MapScene(redrawn, STANDARD, STANDARD.start, build_palette(STANDARD, {})))


def test_without_changes_the_board_stays_the_same() -> None:
    assert redraw_borders(BOARD, (), BASE).arcs == BOARD.arcs


def test_a_separated_province_is_surrounded_by_water() -> None:
    redrawn = redraw_borders(BOARD, (ISLAND,), pairs_after((ISLAND,)))
    beside = {name for arc in redrawn.arcs if "Por" in arc[:2] for name in arc[:2]} - {"Por"}
    assert {redrawn.ground(name) for name in beside if name != "Islet"} == {"water"}
    area = max(Polygon(ring).area for ring in rings(redrawn, frozenset({"Por"})))
    before = max(Polygon(ring).area for ring in rings(BOARD, frozenset({"Por"})))
    assert 0.7 * before < area < before


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ((ISLAND,), "the picture differs at Por Spa"),
        ((SeparatedBorder(("Por", "Mos"), ("MAO", "MAO")),), "Por-Mos"),
        ((SeparatedBorder(("Por", "Xyz"), ("MAO", "MAO")),), "Por-Xyz"),
        ((AttachedIsland("Por", "Mos"),), "Por-Mos: 'nothing lies between Por and Mos'"),
    ],
)
def test_an_impossible_change_is_an_error(changes: tuple[DrawnChange, ...], message: str) -> None:
    with pytest.raises(CannotRedraw, match=message):
        redraw_borders(BOARD, changes, BASE)

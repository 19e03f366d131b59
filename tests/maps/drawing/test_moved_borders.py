"""Borders that players move, on Standard's board: the picture's contacts change exactly as ordered."""

from __future__ import annotations

import pytest
from shapely import Polygon
from support.paths import VARIANTS

from gm.maps.drawing.draw import draw
from gm.maps.drawing.geometry import read as read_geometry
from gm.maps.drawing.moved_borders import Change, Joining, Pair, Parting, Unfollowed, contacts, shifted
from gm.maps.drawing.outline import rings
from gm.maps.drawing.palette import palette
from gm.maps.drawing.scene import Scene
from gm.variant_files.library import Library

LIBRARY = Library([VARIANTS])
STANDARD = LIBRARY.variant("standard")
BOARD = read_geometry(LIBRARY.drawn("standard")[0])
NAMES = frozenset(STANDARD.start.board.provinces) | {"Out", "Ire"}
BASE = frozenset(pair for pair in contacts(BOARD) if pair <= NAMES)
ISLAND = Parting(("Por", "Spa"), ("MAO", "MAO"))
BRIDGE = Joining("Por", "Bre")
AEGEAN = Parting(("Bul", "Gre"), ("Ser", "AEG"))
BACK = Parting(("Ser", "AEG"), ("Bul", "Gre"))
SEQUENCE: tuple[Change, ...] = (
    ISLAND,
    BRIDGE,
    AEGEAN,
    Parting(("Mun", "Tyr"), ("Boh", "Swi")),
    Parting(("NTH", "Den"), ("HEL", "SKA")),
    BACK,
    Parting(("StP", "BAR"), ("Nwy", "Out")),
    Parting(("NWG", "BAR"), ("Nwy", "Out")),
)


def by_the_rules(changes: tuple[Change, ...]) -> frozenset[Pair]:
    """None of these takes a pair's second border away."""
    pairs = set(BASE)
    for change in changes:
        if isinstance(change, Parting):
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
    assert draw(Scene(found, STANDARD, STANDARD.start, palette(STANDARD, {})))


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
        ((Parting(("Por", "Mos"), ("MAO", "MAO")),), "Por-Mos"),
        ((Parting(("Por", "Xyz"), ("MAO", "MAO")),), "Por-Xyz"),
        ((Joining("Por", "Mos"),), "Por-Mos: 'nothing lies between Por and Mos'"),
    ],
)
def test_where_it_cannot_follow_it_says_so(changes: tuple[Change, ...], says: str) -> None:
    with pytest.raises(Unfollowed, match=says):
        shifted(BOARD, changes, BASE)

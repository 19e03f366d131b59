"""Pictures after border moves on Standard's board: what they show is the board of the rules."""

from __future__ import annotations

from itertools import islice, pairwise
from math import dist

import pytest
from support.pictures import redrawn_pictures
from support.pictures.redrawn_pictures import GEOMETRY, SEISMIC, faults, game, opening, separations

from gm.judge.board.planar_board import PlanarBoard
from gm.judge.board.rotation import BorderMove
from gm.judge.mechanics.moving_borders.apply_changes import apply_changes
from gm.judge.mechanics.moving_borders.border_orders import Release, Separation
from gm.judge.mechanics.moving_borders.order_meaning import BorderChange, BorderOrderTerms, interpret_event
from gm.maps.drawing.draw import draw_map
from gm.maps.drawing.geometry import Geometry
from gm.maps.drawing.palette import build_palette
from gm.maps.drawing.scene import MapScene
from gm.maps.redrawing.check import find_picture_faults
from gm.maps.redrawing.picture import CannotRedraw, read_picture
from gm.maps.redrawing.redraw import redraw_board

EXAMPLES = {
    "the picture that was wrecked": "Pic Bel > ENG Bur",
    "an island": "Por Spa > MAO MAO",
    "an isthmus": "Por Spa > MAO MAO, Por Bre",
    "there and back": "Bul Gre > Ser AEG, Ser AEG > Bul Gre",
    "a long border on land": "Mun Tyr > Boh Swi",
    "straits": "NTH Den > HEL SKA, Con Bul > BLA AEG, ION TYS > Nap Tun",
    "the rule author's second season": "StP BAR > Nwy Out, NWG BAR > Nwy Out",
    "a lake of the outside, then an isthmus round the board": (
        "StP BAR > Nwy Out, NWG BAR > Nwy Out, Nwy BAR > Out Out, BAR Tun"
    ),
    "a sea inside of a land": "BAR Out > NWG StP, BAR NWG > Nwy StP, BAR Nwy > StP StP, BAR Mos",
    "two islands in the same sea, joined": (
        "Por Spa > MAO MAO, NAO Ire > IRI MAO, Ire IRI > MAO MAO, Por Ire, Ire Bre"
    ),
    "a province that loses its coast": "Rum BLA > Sev Bul",
    "an inland province with two coasts": "Bul Gre > Ser AEG, Tri Alb > Ser ADR",
    "the commentary's orders": "MAO WES > NAf Spa, AEG Gre > Bul ION, ADR ION > Apu Alb, Lon ENG > Wal NTH",
    "Swiss growth": "Bur Mun > Ruh Swi",
}


def play(text: str) -> tuple[tuple[BorderMove, ...], PlanarBoard]:
    """Plays "A B > C D" (A and B separate, C and D connect) and "A B" (they connect), one after the other."""
    board, moves = opening(), tuple[BorderMove, ...]()
    for line in text.split(", "):
        apart, _, joined = ((*part.split(),) for part in line.partition(" > "))
        order = Separation(apart, joined) if joined else Release(apart)  # type: ignore[arg-type]
        change = interpret_event(board, BorderOrderTerms(), order)
        assert isinstance(change, BorderChange), line
        applied = apply_changes(board, [change], {})
        board, moves = applied.board, (*moves, *applied.moves)
    return moves, board


def redrawn(moves: tuple[BorderMove, ...], board: PlanarBoard) -> Geometry:
    return redraw_board(GEOMETRY, opening(), moves, board)


def segments(geometry: Geometry) -> set[frozenset[tuple[int, int]]]:
    return {frozenset(pair) for arc in geometry.arcs for pair in pairwise(arc.points)}


@pytest.mark.parametrize("example", EXAMPLES)
def test_a_picture_shows_the_moved_borders(example: str) -> None:
    moves, board = play(EXAMPLES[example])
    assert list(faults(redrawn(moves, board), board)) == []


@pytest.mark.parametrize("goal", ["Bre", "Gas", "NAf"])
def test_an_isthmus_does_not_seem_to_touch_who_was_cut_off(goal: str) -> None:
    moves, board = play(f"Por Spa > MAO MAO, Por {goal}")
    picture = read_picture(redrawn(moves, board), frozenset(board.provinces))
    assert picture.area("Por").distance(picture.area("Spa")) * GEOMETRY.scale > 4


@pytest.mark.parametrize("nth", range(0, 228, 20))
def test_first_separations(nth: int) -> None:
    moves, board = next(islice(separations(), nth, None))
    assert list(faults(redrawn(moves, board), board)) == []


@pytest.mark.parametrize("seed", [0, 1, 70097])
def test_long_games(seed: int) -> None:
    """In the last one Constantinople gets a new coast, beside the lake that it surrounds."""
    moves, board = game(seed, 20)
    assert list(faults(redrawn(moves, board), board)) == []


def test_the_opening_picture_is_the_committed_one_but_for_irelands_south_coast() -> None:
    """On Standard's own board the Irish Sea meets the North Atlantic beside Ireland; here the Mid-Atlantic does."""
    shown = redrawn((), opening())
    assert list(faults(shown, opening())) == []
    before, after = segments(GEOMETRY), segments(shown)
    assert 0 < len(before ^ after) < 80
    assert all(dist(corner, (1450, 4490)) < 400 for segment in before ^ after for corner in segment)


def test_a_separated_province_is_surrounded_by_water() -> None:
    moves, board = play(EXAMPLES["an island"])
    shown = redrawn(moves, board)
    beside = {name for arc in shown.arcs if "Por" in arc[:2] for name in arc[:2]} - {"Por", "Islet"}
    assert beside == {"MAO"}


def test_a_fleet_has_a_place_on_every_new_coast() -> None:
    moves, board = play(EXAMPLES["an isthmus"])
    shown = redrawn(moves, board)
    slots = {coast.slot for coast in board.coasts["Bre"]}
    assert slots == {"c1", "c2"}
    assert len({shown.anchor("Bre", slot).unit for slot in slots} | {shown.anchor("Bre").unit}) == 3


def test_a_redrawn_board_can_be_drawn() -> None:
    moves, board = play(EXAMPLES["a lake of the outside, then an isthmus round the board"])
    shown = redrawn(moves, board)
    assert shown.width > GEOMETRY.width
    assert draw_map(MapScene(shown, SEISMIC, SEISMIC.start, build_palette(SEISMIC, {})))


def test_the_check_names_what_differs() -> None:
    _, board = play(EXAMPLES["an island"])
    start = read_picture(GEOMETRY, frozenset(board.provinces))
    assert "border missing: Por MAO" in list(find_picture_faults(GEOMETRY, board, start))
    with pytest.raises(CannotRedraw, match="border missing: MAO Por"):
        redrawn((), board)
    assert "Por Spa should not touch" in list(redrawn_pictures.faults(GEOMETRY, board))

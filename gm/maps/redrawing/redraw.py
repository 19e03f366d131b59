"""Redraws a board whose borders players have moved (Seismic).

The opening picture is read once; every move of a border changes the picture before it. The result is tested as it will
be drawn.
"""

from __future__ import annotations

from functools import lru_cache

from gm.judge.board.planar_board import PlanarBoard
from gm.judge.board.rotation import BorderMove
from gm.judge.mechanics.moving_borders.border_history import search_moves
from gm.maps.drawing.geometry import Geometry
from gm.maps.redrawing.check import find_picture_faults
from gm.maps.redrawing.drawn import drawn_geometry
from gm.maps.redrawing.moves import join, separate
from gm.maps.redrawing.picture import CannotRedraw, PlanarPicture, read_picture
from gm.maps.redrawing.places import place_anchors


@lru_cache(maxsize=8)
def redraw_board(geometry: Geometry, start: PlanarBoard, moves: tuple[BorderMove, ...], board: PlanarBoard) -> Geometry:
    """Returns the picture of `board`, to which `moves` lead from the `start`.

    Raises CannotRedraw, one line, if no sound picture comes of it.
    """
    opening = _opening(geometry, start)
    picture = _moved(geometry, start, moves)
    redrawn = drawn_geometry(picture, place_anchors(picture, board, opening))
    for fault in find_picture_faults(redrawn, board, opening):
        raise CannotRedraw(fault)
    return redrawn


@lru_cache(maxsize=4)
def _opening(geometry: Geometry, start: PlanarBoard) -> PlanarPicture:
    """Reads the picture of the opening board. It may show another variant's board that is much like it."""
    picture = read_picture(geometry, frozenset(start.provinces))
    moves = search_moves(picture.rotation, start.rotation)
    if moves is None:
        raise CannotRedraw("the picture shows another board")
    for move in moves:
        picture = _move(picture, move)
    return picture


@lru_cache(maxsize=64)
def _moved(geometry: Geometry, start: PlanarBoard, moves: tuple[BorderMove, ...]) -> PlanarPicture:
    return _move(_moved(geometry, start, moves[:-1]), moves[-1]) if moves else _opening(geometry, start)


def _move(picture: PlanarPicture, move: BorderMove) -> PlanarPicture:
    first, *others = (picture.rotation.stretches_by_ends[ends] for ends in move)
    return join(picture, first, others[0], move[0][0]) if others else separate(picture, first)

"""Random games with moved borders, and a look at their pictures that shares no code with the drawing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import shapely
from shapely import affinity
from shapely.geometry.base import BaseGeometry
from support import random_border_orders
from support.shipped import LIBRARY, drawn_board

from gm.judge.board.planar_board import PlanarBoard
from gm.judge.board.rotation import BorderMove
from gm.judge.mechanics.moving_borders.apply_changes import apply_changes
from gm.maps.drawing.geometry import BEYOND, Geometry

SEISMIC = LIBRARY.variant("seismic")
GEOMETRY = drawn_board("seismic")[0]
OUTSIDE = "Out"
SLACK = 3.0
"""Units of the arcs by which an islet may differ from the opening's."""
CONTACT = 0.5
"""Picture units: provinces that share a shorter border only meet at a corner."""


def opening() -> PlanarBoard:
    board = SEISMIC.start.board
    assert isinstance(board, PlanarBoard)
    return board


def separations() -> Iterator[tuple[tuple[BorderMove, ...], PlanarBoard]]:
    """Every possible first separation, and the board after it."""
    board = opening()
    for stretch, sides in board.rotation.sides.items():
        yield ((board.rotation.stretch_ends(sides[0], stretch),),), board.after([board.rotation.flip(stretch)])


def game(seed: int, events: int) -> tuple[tuple[BorderMove, ...], PlanarBoard]:
    """The moves of a random game, and its last board."""
    dice, board, moves = Random(seed), opening(), tuple[BorderMove, ...]()
    while len(moves) < events:
        change = random_border_orders.meaning(board, random_border_orders.event(board, dice))
        if change is not None:
            applied = apply_changes(board, [change], {})
            board, moves = applied.board, (*moves, *applied.moves)
    return moves, board


def faults(geometry: Geometry, board: PlanarBoard) -> Iterator[str]:
    """What is wrong with a picture: faces are built from its lines as areas, and neighbours are areas that touch."""
    off = (geometry.width - GEOMETRY.width) / 2 / geometry.scale
    faces: dict[str, shapely.Polygon] = {}
    for code in board.provinces:
        faces[code], *others = _pieces(geometry, code)
        known = affinity.translate(_specks(code), off, off)
        yield from (f"{code} has another piece at {other.centroid}" for other in others if not known.covers(other))
    codes, areas = list(faces), list(faces.values())
    drawn: set[frozenset[str]] = set()
    for first, second in shapely.STRtree(areas).query(areas, predicate="intersects").T.tolist():
        if first < second:
            if shapely.area(shapely.intersection(areas[first], areas[second])) > 0:
                yield f"{codes[first]} and {codes[second]} overlap"
            common = shapely.intersection(areas[first].boundary, areas[second].boundary)
            if shapely.length(common) * geometry.scale > CONTACT:
                drawn.add(frozenset((codes[first], codes[second])))
    wanted = {frozenset(sides) for sides in board.rotation.sides.values()}
    framed = {pair for pair in wanted if OUTSIDE in pair and pair - drawn and _on_frame(geometry, pair)}
    yield from (f"{' '.join(sorted(pair))} should touch" for pair in wanted - drawn - framed)
    yield from (f"{' '.join(sorted(pair))} should not touch" for pair in drawn - wanted)
    for key, anchor in geometry.anchors.items():
        face = faces.get(key.partition("#")[0].partition("/")[0])
        spot = anchor.unit and shapely.Point(anchor.unit[0] / geometry.scale, anchor.unit[1] / geometry.scale)
        if face is not None and spot and not face.contains(spot):
            yield f"the unit of {key} stands outside"


def _pieces(geometry: Geometry, code: str) -> list[shapely.Polygon]:
    """The areas of a province that its lines surround, the largest first; satellites and scenery do not count."""
    lines = [
        shapely.LineString(arc.points)
        for arc in geometry.arcs
        if (geometry.contact(arc.left) == code) != (geometry.contact(arc.right) == code)
    ]
    area = shapely.build_area(shapely.unary_union(lines))
    return sorted(shapely.get_parts(area), key=lambda piece: -float(piece.area))


@cache
def _specks(code: str) -> BaseGeometry:
    """Islets and ponds that have the name of a province in the opening picture, a little enlarged."""
    return shapely.union_all([piece.buffer(SLACK) for piece in _pieces(GEOMETRY, code)[1:]])


def _on_frame(geometry: Geometry, pair: frozenset[str]) -> bool:
    """Whether a province lies at the edge of the picture, beyond which the outside is."""
    return any(
        {BEYOND, code} == {geometry.contact(arc.left), geometry.contact(arc.right)}
        for arc in geometry.arcs
        for code in pair - {OUTSIDE}
    )

"""Tests whether a redrawn board shows the borders of the rules, before it is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import shapely
from shapely import affinity

from gm.judge.board.board import COAST
from gm.judge.board.planar_board import PlanarBoard
from gm.maps.drawing.geometry import Anchor, Geometry
from gm.maps.drawing.lines import crossing_pairs
from gm.maps.redrawing.picture import CannotRedraw, PlanarPicture, read_picture


def find_picture_faults(geometry: Geometry, board: PlanarBoard, opening: PlanarPicture) -> Iterator[str]:
    """Yields what is wrong with the picture of a board; `opening` is the picture before any border moved.

    The picture is read as a stranger would read it: from its arcs alone.
    """
    try:
        picture = read_picture(geometry, frozenset(board.provinces))
    except CannotRedraw as error:
        yield str(error)
        return
    drawn, wanted = picture.rotation.stretches_by_ends.keys(), board.rotation.stretches_by_ends.keys()
    for key in sorted(drawn ^ wanted):
        yield f"border {'missing' if key in wanted else 'too many'}: {' '.join(filter(None, key))}"
    for first, _ in crossing_pairs([arc.points for arc in geometry.arcs]):
        yield f"lines cross near {geometry.arcs[first].points[0]}"
    off = (geometry.width - opening.base.width) / 2 / geometry.scale
    faces = {code: affinity.translate(picture.area(code), -off, -off) for code in picture.rotation.rings}
    for code, face in faces.items():
        if not face.is_valid:
            yield f"the border of {code} is no closed ring"
    yield from _misplaced(picture, board, faces, opening)


def _misplaced(
    picture: PlanarPicture, board: PlanarBoard, faces: Mapping[str, shapely.Polygon], opening: PlanarPicture
) -> Iterator[str]:
    """Yields tokens and labels that lie outside of their province, if it has changed or they lay inside before."""
    geometry = picture.base
    off = (geometry.width - opening.base.width) / 2 / geometry.scale
    moved = {
        code: affinity.translate(picture.ground(code), -off, -off)
        for code, face in faces.items()
        if face != opening.area(code)
    }
    for key, anchor in geometry.anchors.items():
        code = key.partition("#")[0].partition("/")[0]
        for piece, place in zip(Anchor._fields, anchor, strict=True):
            if place is not None and code in moved:
                x, y = (value / geometry.scale - off for value in place)
                if not moved[code].contains(shapely.Point(x, y)):
                    yield f"the {piece} of {key} lies outside"
    for code, coasts in board.coasts.items():
        for coast in coasts:
            if coast.slot != COAST and f"{code}/{coast.slot}" not in geometry.anchors:
                yield f"{code}/{coast.slot} has no place for a fleet"

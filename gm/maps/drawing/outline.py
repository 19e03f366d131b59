"""Outlines of sets of faces as SVG path data, in units of the arcs, and bands beside them.

A border between two faces of the set is not part of its outline: an empire is one path however many provinces it has.
Bands are areas instead of broad strokes: filling one costs far less than to stroke and clip a coast of 10,000 points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

import shapely
from shapely import affinity
from shapely.geometry.base import BaseGeometry

from gm.maps.drawing.geometry import BEYOND, DEEP, LAND, WATER, Arc, Geometry
from gm.maps.drawing.lines import Points, close_rings

AWAY = 400
"""How far outside the frame an outline runs, so that no line is drawn on the edge of the picture."""
COARSE = 8.0
"""In units of the arcs: smaller bays make no difference to a band."""
ROUND = 3
"""Corners in a quarter of a circle."""
SPECK = 900.0
"""Islands smaller than this cast no water lines."""


@lru_cache(maxsize=64)
def _arc_data(geometry: Geometry) -> tuple[tuple[str, str], ...]:
    """Returns for every arc the path data after its first point, forwards and backwards."""
    numbers = range(len(geometry.arcs))
    return tuple(
        (_relative_data(_points(geometry, n, False)), _relative_data(_points(geometry, n, True))) for n in numbers
    )


def _relative_data(points: Iterable[tuple[int, int]]) -> str:
    it = iter(points)
    x, y = next(it)
    steps: list[str] = []
    for to_x, to_y in it:
        down = to_y - y
        steps.append(f"{to_x - x}{down}" if down < 0 else f"{to_x - x} {down}")
        x, y = to_x, to_y
    return "l" + " ".join(steps)


Chain = tuple[tuple[int, bool], ...]
"""Arcs that make a ring: their numbers, and whether they run backwards."""


@lru_cache(maxsize=2048)
def _arc_chains(geometry: Geometry, faces: frozenset[str]) -> tuple[Chain, ...]:
    pieces = []
    for number, arc in enumerate(geometry.arcs):
        inside = arc.left in faces
        if inside != (arc.right in faces):
            start, end = (arc.points[0], arc.points[-1])[:: 1 if inside else -1]
            pieces.append((start, end, (number, not inside)))
    return tuple(map(tuple, close_rings(pieces)))


def _points(geometry: Geometry, number: int, backwards: bool) -> Points:
    """Returns the points of an arc; one on the frame is led round outside the picture."""
    arc = geometry.arcs[number]
    points = arc.points[::-1] if backwards else arc.points
    if BEYOND not in arc[:2]:
        return points
    right, bottom = round(geometry.width / geometry.scale), round(geometry.height / geometry.scale)
    return (points[0], *((_outside_frame(x, right), _outside_frame(y, bottom)) for x, y in points), points[-1])


def _outside_frame(value: int, far: int) -> int:
    return -AWAY if value <= 0 else far + AWAY if value >= far else value


def rings(geometry: Geometry, faces: frozenset[str]) -> tuple[list[tuple[int, int]], ...]:
    """Returns the outline as closed rings of points."""
    return tuple(
        [point for number, backwards in chain for point in _points(geometry, number, backwards)]
        for chain in _arc_chains(geometry, faces)
    )


@lru_cache(maxsize=2048)
def outline_data(geometry: Geometry, faces: frozenset[str]) -> str:
    """Returns path data of closed rings, to be filled by the even-odd rule."""
    strokes = _arc_data(geometry)
    data = ""
    for chain in _arc_chains(geometry, faces):
        first, backwards = chain[0]
        x, y = geometry.arcs[first].points[-1 if backwards else 0]
        data += f"M{x} {y}" + "".join(strokes[number][back] for number, back in chain) + "z"
    return data


def arc_lines(geometry: Geometry, wanted: Callable[[Arc], bool]) -> str:
    """Returns the `wanted` arcs as open lines."""
    strokes = _arc_data(geometry)
    return "".join(
        f"M{arc.points[0][0]} {arc.points[0][1]}{strokes[number][0]}"
        for number, arc in enumerate(geometry.arcs)
        if wanted(arc)
    )


def land_faces(geometry: Geometry) -> frozenset[str]:
    """Returns all land faces: their outline is the coast."""
    return frozenset(face for face in geometry.faces if geometry.ground(face) == LAND)


def is_border(geometry: Geometry, arc: Arc) -> bool:
    """Tells whether the arc lies between two names on land."""
    return (
        BEYOND not in arc[:2]
        and geometry.name(arc.left) != geometry.name(arc.right)
        and geometry.ground(arc.left) == geometry.ground(arc.right) == LAND
    )


def is_sea_border(geometry: Geometry, arc: Arc) -> bool:
    return (
        BEYOND not in arc[:2]
        and geometry.name(arc.left) != geometry.name(arc.right)
        and {geometry.ground(arc.left), geometry.ground(arc.right)} <= {WATER, DEEP}
    )


def is_shelf(geometry: Geometry, arc: Arc) -> bool:
    """Tells whether the arc lies between a sea and an ocean."""
    return is_sea_border(geometry, arc) and geometry.ground(arc.left) != geometry.ground(arc.right)


@lru_cache(maxsize=512)
def face_area(geometry: Geometry, faces: frozenset[str]) -> BaseGeometry:
    closed = [shapely.LineString([*ring, ring[0]]) for ring in rings(geometry, faces) if len(ring) > 2]
    noded = shapely.unary_union(shapely.MultiLineString(closed))  # noded, because two rings may touch in a point
    return shapely.build_area(noded).simplify(COARSE, preserve_topology=False)


@lru_cache(maxsize=512)
def province_area(geometry: Geometry, province: str) -> BaseGeometry:
    """Returns all faces of a province together, in picture units."""
    faces = frozenset(face for face in geometry.faces if geometry.contact(face) == province)
    return affinity.scale(face_area(geometry, faces), geometry.scale, geometry.scale, origin=(0, 0))


@lru_cache(maxsize=2048)
def offset_outline(geometry: Geometry, faces: frozenset[str], off: float) -> str:
    """Returns the outline moved outwards by `off` units of the arcs (inwards if negative), as path data."""
    area = face_area(geometry, faces)
    if off > 0:
        area = shapely.MultiPolygon([part for part in _polygons(area) if part.area > SPECK])
    moved = area.buffer(off, quad_segs=ROUND).simplify(COARSE, preserve_topology=False)
    return "".join(
        _ring_data(ring.coords)
        for part in _polygons(moved)
        for ring in (part.exterior, *part.interiors)
        if part.area > SPECK
    )


def _polygons(area: BaseGeometry) -> list[shapely.Polygon]:
    return [part for part in shapely.get_parts(area) if isinstance(part, shapely.Polygon) and not part.is_empty]


def _ring_data(coords: shapely.coords.CoordinateSequence) -> str:
    whole = [(round(x), round(y)) for x, y, *_ in coords]
    return "M" + " ".join(f"{x} {y}" for x, y in whole[:-1]) + "z"

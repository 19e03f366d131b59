"""Lines that run beside an outline: the bands inside an owner's land, the water lines along a coast.

They are areas, not broad strokes: to fill one costs far less than to stroke and clip a coast of ten thousand points.
"""

from __future__ import annotations

from functools import lru_cache

import shapely
from shapely.geometry.base import BaseGeometry

from gm.maps.drawing.geometry import Geometry
from gm.maps.drawing.outline import rings

COARSE = 8.0
"""In units of the arcs: bays smaller than this make no difference to a band."""
ROUND = 3
"""Corners to a quarter of a circle."""
SPECK = 900.0
"""Islands smaller than this cast no water lines."""


@lru_cache(maxsize=512)
def _area(geometry: Geometry, faces: frozenset[str]) -> BaseGeometry:
    closed = [shapely.LineString([*ring, ring[0]]) for ring in rings(geometry, faces) if len(ring) > 2]
    noded = shapely.unary_union(shapely.MultiLineString(closed))  # two rings may touch in a point
    return shapely.build_area(noded).simplify(COARSE, preserve_topology=False)


@lru_cache(maxsize=2048)
def beside(geometry: Geometry, faces: frozenset[str], off: float) -> str:
    """Path data of the outline moved outwards by so many units of the arcs, inwards where that is negative."""
    area = _area(geometry, faces)
    if off > 0:
        area = shapely.MultiPolygon([part for part in _polygons(area) if part.area > SPECK])
    moved = area.buffer(off, quad_segs=ROUND).simplify(COARSE, preserve_topology=False)
    return "".join(
        _path(ring.coords)
        for part in _polygons(moved)
        for ring in (part.exterior, *part.interiors)
        if part.area > SPECK
    )


def _polygons(area: BaseGeometry) -> list[shapely.Polygon]:
    return [part for part in shapely.get_parts(area) if isinstance(part, shapely.Polygon) and not part.is_empty]


def _path(coords: shapely.coords.CoordinateSequence) -> str:
    whole = [(round(x), round(y)) for x, y, *_ in coords]
    return "M" + " ".join(f"{x} {y}" for x, y in whole[:-1]) + "z"

"""The strip of ground that changes hands when borders move, and the borders that it leaves.

A strip follows a path: the border that vanishes, or the way of an isthmus. It is as wide as the room beside the path
allows, so it meets no line but those at the two ends of the path.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from msgspec import Struct
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from gm.maps.drawing.lines import Corner, Points
from gm.maps.redrawing.lines import with_corners

CLEARANCE = 0.42
"""The strip's half width as a share of the distance to the nearest other line."""
LEAST_HALF = 2.0
"""The least half width, in units of the arcs."""
BEND = 0.3
"""How far a path is straightened, as a share of the least half width."""
SMOOTH = 1.5
"""How far the border of a strip is straightened, in units of the arcs."""
SHARE = 0.8
"""How much of another border the strip may take, at both its ends together."""
ROUNDING = 1.0
"""How far a line may lie from where it was computed, because its corners are whole numbers."""
MARCH = 60.0
"""Greatest distance between the corners of a strip's border, in units of the arcs."""
CUTS = (0.5, 0.45, 0.55, 0.38, 0.62, 0.3, 0.7, 0.2, 0.8, 0.12, 0.88)
"""Where along the path the halves of a strip may meet, the best place first."""


class NoRoom(ValueError):
    """A strip of this width does not fit."""


class NewBorder(Struct, frozen=True):
    """A border of a strip. It leaves the old border at the corner `leaves` and reaches it again at `joins`."""

    leaves: Corner
    points: Points
    joins: Corner

    def before(self, at: Corner) -> Points:
        return self.points[: self.points.index(at) + 1]

    def behind(self, at: Corner) -> Points:
        return self.points[self.points.index(at) :]


def beside_path(path: shapely.LineString, others: BaseGeometry, width: float) -> BaseGeometry:
    """Returns the ground along a path: circles whose size depends on the distance to the other lines."""
    least = min(width / 2, float(shapely.distance(shapely.points(path.coords), others).min()) * CLEARANCE)
    if least < LEAST_HALF:
        raise NoRoom("the path is too near to another line")
    spots = shapely.points(path.simplify(least * BEND).segmentize(width / 4).coords)
    sizes = np.minimum(width / 2, shapely.distance(spots, others) * CLEARANCE)
    circles = shapely.buffer(spots, sizes, quad_segs=6)
    links = shapely.convex_hull(shapely.multipolygons(np.stack([circles[:-1], circles[1:]], axis=1)))
    return shapely.union_all(links).simplify(SMOOTH)


def out_of_reach(line: shapely.LineString, spots: tuple[float, ...], reach: float) -> Iterator[shapely.LineString]:
    """Yields the parts of a line that a strip must not touch. `spots` are the places on the line, as lengths along it,
    where paths end: the strip may take ground as far as `reach` from there.
    """
    if not spots:
        yield line
        return
    near = min(reach, SHARE / len(spots) * line.length)
    start = 0.0
    for spot in (*sorted(spots), line.length + near):
        if spot - near > start:
            yield substring(line, start, min(spot - near, line.length))
        start = spot + near


def remaining_face(face: shapely.Polygon, strip: BaseGeometry) -> shapely.Polygon:
    """Returns what a strip leaves of a face. Pieces that it cuts off belong to the strip."""
    left = shapely.difference(face, strip, grid_size=1.0)
    parts = [part for part in shapely.get_parts(left) if isinstance(part, shapely.Polygon)]
    if not parts:
        raise NoRoom("nothing is left of the face")
    return shapely.orient_polygons(max(parts, key=lambda part: float(part.area)))


def ring_corners(face: shapely.Polygon) -> list[list[Corner]]:
    rings = (np.rint(shapely.get_coordinates(ring)[:-1]).astype(int) for ring in (face.exterior, *face.interiors))
    return [[*map(tuple, ring.tolist())] for ring in rings]


def new_borders(face: shapely.Polygon, old: frozenset[Corner]) -> list[NewBorder]:
    """Returns the stretches of a face's border that do not run through `old` corners, clockwise round the face."""
    borders = []
    for ring in ring_corners(face):
        fresh = [corner not in old for corner in ring]
        if all(fresh):
            raise NoRoom("the strip surrounds the face")
        for at in range(len(ring)):
            if fresh[at] and not fresh[at - 1]:
                end = at
                while fresh[(end + 1) % len(ring)]:
                    end += 1
                points = tuple(ring[step % len(ring)] for step in range(at, end + 1))
                borders.append(NewBorder(ring[at - 1], with_corners(points, MARCH), ring[(end + 1) % len(ring)]))
    return borders


def cut_across(
    ground: BaseGeometry, path: shapely.LineString, right: NewBorder, left: NewBorder
) -> tuple[NewBorder, NewBorder, Corner, Corner]:
    """Finds a line across a strip between its two borders, near the middle of the path.

    Returns the borders with a corner at the line's ends, and these corners, on the right and on the left of the path.
    """
    ground = ground.buffer(ROUNDING)
    for share in CUTS:
        middle = path.interpolate(share, normalized=True)
        first, on_right = _with_corner(right, middle)
        second, on_left = _with_corner(left, middle)
        line = shapely.LineString([on_right, on_left])
        edges = shapely.MultiLineString([first.points, second.points])
        if line.length and ground.covers(line) and len(shapely.get_parts(line.intersection(edges))) == 2:
            return first, second, on_right, on_left
    raise NoRoom("the halves of the strip cannot meet")


def _with_corner(border: NewBorder, near: shapely.Point) -> tuple[NewBorder, Corner]:
    """Returns a border with a corner at its point nearest to a place."""
    if len(border.points) < 2:
        raise NoRoom("the border of the strip is too short")
    line = shapely.LineString(border.points)
    at = line.project(near)
    x, y = line.interpolate(at).coords[0]
    corner = round(x), round(y)
    if corner in border.points:
        return border, corner
    lengths = [line.project(shapely.Point(point)) for point in border.points]
    index = int(np.searchsorted(np.maximum.accumulate(lengths), at))
    points = (*border.points[:index], corner, *border.points[index:])
    return NewBorder(border.leaves, points, border.joins), corner

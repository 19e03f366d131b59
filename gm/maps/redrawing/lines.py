"""The lines of a drawn board: one line per stretch of border, from junction to junction.

Three lines that meet have the same end point, in whole units of the arcs; a closed line has no junction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from math import dist
from typing import TypeAlias

import shapely
from msgspec import Struct

from gm.judge.board.rotation import InvalidMap, Ring, Rings, RotationSystem
from gm.maps.drawing.geometry import Arc
from gm.maps.drawing.lines import Corner, Points

Segment: TypeAlias = tuple[Corner, Corner]


class Line(Struct, frozen=True):
    """`right` lies on the right hand of who walks the points, `left` on the left."""

    right: str
    left: str
    points: Points

    @property
    def closed(self) -> bool:
        return self.points[0] == self.points[-1]

    @property
    def inner(self) -> str:
        """The province that a closed line surrounds."""
        return self.right if shapely.LinearRing(self.points).is_ccw else self.left

    def along(self, province: str) -> Points:
        """Returns the points with the province on the right: clockwise round it on the screen."""
        return self.points if province == self.right else self.points[::-1]


def segments(points: Points) -> Iterator[Segment]:
    return pairwise(points)


def with_corners(points: Points, march: float) -> Points:
    """Returns a line with a corner at least every `march` units, so that a part of it can be told from the whole."""
    dense = [points[0]]
    for (ax, ay), (bx, by) in segments(points):
        count = max(1, int(dist((ax, ay), (bx, by)) / march))
        dense += [
            (round(ax + (bx - ax) * at / count), round(ay + (by - ay) * at / count)) for at in range(1, count + 1)
        ]
    return tuple(dense)


def join_arcs(arcs: Iterable[Arc]) -> list[Line]:
    """Joins arcs between the same two provinces. Raises InvalidMap, one line, where they do not fit together."""
    parts = [_ordered(arc) for arc in arcs if arc.left != arc.right]
    at_end: dict[Corner, list[Line]] = {}
    for part in parts:
        for end in (part.points[0], part.points[-1]):
            at_end.setdefault(end, []).append(part)
    onward: dict[tuple[str, str, Corner], Line] = {}
    for corner, meeting in at_end.items():
        if len(meeting) == 2:
            if (meeting[0].right, meeting[0].left) != (meeting[1].right, meeting[1].left):
                raise InvalidMap(f"the border of {meeting[0].right} and {meeting[0].left} ends at {corner} alone")
            onward.update({(part.right, part.left, corner): part for part in meeting if part.points[0] == corner})
    ends = [part for part in parts if len(at_end[part.points[0]]) != 2]
    done: set[int] = set()
    return [_chain(part, onward, done) for part in (*ends, *parts) if id(part) not in done]


def _ordered(arc: Arc) -> Line:
    line = Line(arc.right, arc.left, arc.points)
    return line if arc.right < arc.left else Line(arc.left, arc.right, arc.points[::-1])


def _chain(part: Line, onward: Mapping[tuple[str, str, Corner], Line], done: set[int]) -> Line:
    points = list(part.points)
    done.add(id(part))
    following = onward.get((part.right, part.left, points[-1]))
    while following is not None and id(following) not in done:
        done.add(id(following))
        points += following.points[1:]
        following = onward.get((part.right, part.left, points[-1]))
    return Line(part.right, part.left, tuple(points))


def read_rotation(lines: Mapping[int, Line]) -> RotationSystem:
    """Returns the map that these lines show. Raises InvalidMap, one line, where they show none."""
    leaving: dict[tuple[str, Corner], int] = {}
    for number, line in lines.items():
        for province in (line.right, line.left):
            start = line.along(province)[0]
            if leaving.setdefault((province, start), number) != number:
                raise InvalidMap(f"{province} meets itself at {start}")
    rings: dict[str, Rings] = {}
    seen: set[tuple[str, int]] = set()
    for number, line in lines.items():
        for province in (line.right, line.left):
            if (province, number) not in seen:
                ring = _walk_ring(province, number, lines, leaving)
                seen |= {(province, other) for other in ring}
                rings[province] = (*rings.get(province, ()), ring)
    sides = {number: (line.right, line.left) for number, line in lines.items()}
    rotation = RotationSystem(rings, sides, max(lines, default=-1) + 1)
    rotation.check()
    return rotation


def _walk_ring(
    province: str, number: int, lines: Mapping[int, Line], leaving: Mapping[tuple[str, Corner], int]
) -> Ring:
    ring = [number]
    while True:
        end = lines[ring[-1]].along(province)[-1]
        following = leaving.get((province, end))
        if following is None or (following in ring and following != number):
            raise InvalidMap(f"the border of {province} is open at {end}")
        if following == number:
            return tuple(ring)
        ring.append(following)

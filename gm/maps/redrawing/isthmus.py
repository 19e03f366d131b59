"""The way of an isthmus through a province, from one of its boundaries to another.

The way leads from triangle to triangle of a triangulation whose corners lie on the boundaries, so it exists however
narrow the province is. Then it is straightened, at some distance from the shores where there is room.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import dist, inf
from typing import TypeAlias

import numpy as np
import shapely

from gm.maps.drawing.geometry import Point
from gm.maps.drawing.lines import Corner, Points
from gm.maps.redrawing.lines import segments
from gm.maps.redrawing.strip import NoRoom

SPACING = 200.0
"""Between the places where a way may cross an edge, in units of the arcs."""
MOST = 8
"""Places per edge."""
SHY = 60.0
"""A way at this distance from the shore costs twice its length; nearer to it, more."""
STRANGE = 4.0
"""Beside any shore but the two that are joined, a way costs so many times its length more."""
CORNER = 250.0
"""An isthmus should end as far as this from the ends of its shores, and from all other shores: it must not seem to
touch who lies beyond a strait.
"""
CLEAR = 75.0
"""A straightened way keeps this distance from shores, or nine tenths of what it had."""
Edge: TypeAlias = frozenset[Corner]
Crossing: TypeAlias = tuple[Edge, Point, float]
"""A place on an edge, and what it costs to be there: a factor of length, or a length at either end of the way."""


def find_ways(
    area: shapely.Polygon, first: Points, second: Points, *, near_others: bool = False
) -> tuple[shapely.LineString, ...]:
    """Returns the same way through an area between two lines of its border, smooth, then less and less so."""
    triangles = [
        [frozenset(edge) for edge in segments(tuple((int(x), int(y)) for x, y in triangle.exterior.coords))]
        for triangle in shapely.get_parts(shapely.constrained_delaunay_triangles(area))
    ]
    shores = {frozenset(segment): line for line in (first, second) for segment in segments(line)}
    ends = [{frozenset(segment) for segment in segments(line)} for line in (first, second)]
    beside: dict[Edge, list[int]] = defaultdict(list)
    for number, edges in enumerate(triangles):
        for edge in edges:
            beside[edge].append(number)
    others = shapely.MultiLineString() if near_others else _other_shores(area, shores.keys())
    places = {
        edge: tuple(_crossings(edge, shores.get(edge), others))
        for edge, numbers in beside.items()
        if len(numbers) == 2 or edge in shores
    }
    course = _shortest(triangles, beside, places, ends[0], ends[1])
    straight = _straighten(area, course)
    return _smooth(straight), shapely.LineString(straight), shapely.LineString(course)


def _other_shores(area: shapely.Polygon, ends: Collection[Edge]) -> shapely.MultiLineString:
    """Returns the border of an area without the two lines that are joined."""
    rings = (tuple((int(x), int(y)) for x, y in ring.coords) for ring in (area.exterior, *area.interiors))
    return shapely.MultiLineString(
        [segment for ring in rings for segment in segments(ring) if frozenset(segment) not in ends]
    )


def _crossings(edge: Edge, shore: Points | None, others: shapely.MultiLineString) -> Iterator[Crossing]:
    (ax, ay), (bx, by) = sorted(edge)
    length = dist((ax, ay), (bx, by))
    count = max(1, min(MOST, int(length / SPACING)))
    for number in range(1, count + 1):
        share = number / (count + 1)
        place = ax + (bx - ax) * share, ay + (by - ay) * share
        beyond = CORNER if others.is_empty else min(CORNER, others.distance(shapely.Point(place)))
        if shore is None:
            yield edge, place, 1 + SHY / (1 + length * min(share, 1 - share)) + STRANGE * (1 - beyond / CORNER)
        else:
            ends = () if shore[0] == shore[-1] else (dist(place, shore[0]), dist(place, shore[-1]))
            yield edge, place, 4 * (CORNER - min((beyond, *ends)))


def _shortest(
    triangles: Sequence[Sequence[Edge]],
    beside: Mapping[Edge, Sequence[int]],
    places: Mapping[Edge, tuple[Crossing, ...]],
    start: set[Edge],
    goal: set[Edge],
) -> list[Point]:
    best = {crossing: crossing[2] for edge in start if edge in places for crossing in places[edge]}
    before: dict[Crossing, Crossing] = {}
    queue = [(cost, number, crossing) for number, (crossing, cost) in enumerate(best.items())]
    heapify(queue)
    while queue:
        cost, _, here = heappop(queue)
        if cost > best[here]:
            continue
        if here[0] in goal:
            return _trace(here, before)
        for number in beside[here[0]]:
            for edge in triangles[number]:
                if edge == here[0] or edge not in places or edge in start:
                    continue
                for there in places[edge]:
                    length = dist(here[1], there[1])
                    weight = 1.0 if here[0] in start else here[2]
                    total = cost + (length * weight + there[2] if edge in goal else length * (weight + there[2]) / 2)
                    if total < best.get(there, inf):
                        best[there] = total
                        before[there] = here
                        heappush(queue, (total, len(best), there))
    raise NoRoom("there is no way")


def _trace(here: Crossing, before: Mapping[Crossing, Crossing]) -> list[Point]:
    course = [here]
    while course[-1] in before:
        course.append(before[course[-1]])
    return [place for _, place, _ in reversed(course)]


def _straighten(area: shapely.Polygon, course: list[Point]) -> list[Point]:
    """Leaves out places on the way where a straight line keeps its distance from the shores."""
    shores = area.boundary
    room = shapely.distance(shapely.points(course), shores)
    straight, here, last = [course[0]], 1, len(course) - 2
    while here < last:
        straight.append(course[here])
        onward = range(here + 1, last + 1)
        lines = shapely.linestrings([(course[here], course[there]) for there in onward])
        clear = shapely.distance(lines, shores)
        least = [min(CLEAR, 0.9 * float(room[here : there + 1].min())) for there in onward]
        here = max(
            (there for there, off, wanted in zip(onward, clear, least, strict=True) if off >= wanted), default=here + 1
        )
    return [*straight, *course[max(here, 1) :]]


def _smooth(course: list[Point]) -> shapely.LineString:
    """Returns a line with its corners cut (Chaikin)."""
    line = np.array(course)
    for _ in range(3):
        before, behind = line[:-1], line[1:]
        inner = np.stack([before * 0.75 + behind * 0.25, before * 0.25 + behind * 0.75], axis=1).reshape(-1, 2)
        line = np.concatenate([line[:1], inner, line[-1:]])
    return shapely.LineString(line)

"""Builds an isthmus from an island to another province: the shortest way on a grid, off other shores."""

from __future__ import annotations

import itertools
from heapq import heappop, heappush
from math import hypot

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

WIDTH = 10.0
"""Of the isthmus, in picture units."""
STEP = 5.0
"""Between the points of the grid."""
CLEARANCES = (0.9, 0.75, 0.6)
"""How many widths to keep off other shores; the first that leaves a way is used."""
LANDING = 1.5
"""How many clearances the ends of the isthmus keep off other shores."""
Node = tuple[int, int]


def build_isthmus(
    island: BaseGeometry, through: BaseGeometry, to: BaseGeometry, others: BaseGeometry
) -> BaseGeometry | None:
    """Returns an area inside `through` that touches `island`, `to` and none of the others; None if there is no way."""
    main = max(shapely.get_parts(island), key=lambda part: float(part.area))
    for clearance in CLEARANCES:
        way = _find_way(main, through, to, others, clearance * WIDTH)
        if way is not None:
            return _widen_way(way, main, through, to)
    return None


def _find_way(
    island: BaseGeometry, through: BaseGeometry, to: BaseGeometry, others: BaseGeometry, clear: float
) -> np.ndarray | None:
    left, top, right, bottom = through.bounds
    xs, ys = np.arange(left, right, STEP), np.arange(top, bottom, STEP)
    grid_x, grid_y = np.meshgrid(xs, ys)
    points = shapely.points(grid_x, grid_y)
    shapely.prepare(through)
    inside = shapely.contains_xy(through, grid_x, grid_y)
    start = inside & shapely.dwithin(points, island, STEP * 1.6)
    goal = inside & shapely.dwithin(points, to, STEP * 1.6)
    off = ~shapely.dwithin(points, others, clear)
    ends = inside & shapely.dwithin(points, others, LANDING * clear)
    return _shortest_path(start & ~ends, goal & ~ends, inside & off, xs, ys)


def _shortest_path(
    start: np.ndarray, goal: np.ndarray, open_: np.ndarray, xs: np.ndarray, ys: np.ndarray
) -> np.ndarray | None:
    best: dict[Node, float] = {}
    before: dict[Node, Node] = {}
    queue: list[tuple[float, Node]] = []
    for row, column in np.argwhere(start & open_):
        node = int(row), int(column)
        best[node] = 0.0
        heappush(queue, (0.0, node))
    while queue:
        far, node = heappop(queue)
        if far > best[node]:
            continue
        if goal[node]:
            path = [node]
            while path[-1] in before:
                path.append(before[path[-1]])
            return np.array([(xs[column], ys[row]) for row, column in reversed(path)])
        for step in ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)):
            near = node[0] + step[0], node[1] + step[1]
            if 0 <= near[0] < open_.shape[0] and 0 <= near[1] < open_.shape[1] and open_[near]:
                total = far + hypot(*step)
                if total < best.get(near, float("inf")):
                    best[near] = total
                    before[near] = node
                    heappush(queue, (total, near))
    return None


def _widen_way(way: np.ndarray, island: BaseGeometry, through: BaseGeometry, to: BaseGeometry) -> BaseGeometry:
    """Returns the way as an area, extended to both shores and smoothed by corner cutting (Chaikin)."""
    first = shapely.shortest_line(shapely.Point(way[0]), island).coords[1]
    last = shapely.shortest_line(shapely.Point(way[-1]), to).coords[1]
    bend = shapely.get_coordinates(shapely.LineString([first, *way, last]).simplify(STEP * 0.6))
    for _ in range(3):
        cut = [
            0.75 * a + 0.25 * b if even else 0.25 * a + 0.75 * b
            for a, b in itertools.pairwise(bend)
            for even in (True, False)
        ]
        bend = np.array([bend[0], *cut, bend[-1]])
    middle = shapely.LineString(bend)
    broad = middle.buffer(WIDTH / 2).intersection(through)
    return max(shapely.get_parts(broad), key=lambda part: float(part.area))

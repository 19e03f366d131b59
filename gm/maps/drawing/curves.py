"""Lines of orders: bent so as to miss other tokens, led through fleets, cut where a token or an arrow's head begins."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import dist

from gm.maps.drawing.geometry import Point

BULGES = (0.10, -0.10, 0.02, 0.18, -0.18, 0.26, -0.26)
"""How far a line may leave the straight way, as shares of its length; the first that is good wins."""
LOOKED_AT = 24
DRAWN = 40
Path = list[Point]


def _unit(start: Point, end: Point) -> Point:
    length = dist(start, end) or 1.0
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


def _bezier(start: Point, pull: Point, end: Point, share: float) -> Point:
    rest = 1 - share
    a, b, c = rest * rest, 2 * share * rest, share * share
    return a * start[0] + b * pull[0] + c * end[0], a * start[1] + b * pull[1] + c * end[1]


def bent(start: Point, end: Point, others: Sequence[Point], room: float) -> Path:
    """From start to end, keeping `room` from the other places where it can."""
    length = dist(start, end)
    near = [other for other in others if _beside(start, end, other, room + 0.2 * length)]
    costs = [(abs(bulge) * 6 + _cost(start, _pull(start, end, bulge), end, near, room), bulge) for bulge in BULGES]
    _, bulge = min(costs, key=lambda one: one[0])
    pull = _pull(start, end, bulge)
    return [_bezier(start, pull, end, step / DRAWN) for step in range(DRAWN + 1)]


def _pull(start: Point, end: Point, bulge: float) -> Point:
    (x, y), length = _unit(start, end), dist(start, end)
    far = length * bulge * 1.5
    return (start[0] + end[0]) / 2 - y * far, (start[1] + end[1]) / 2 + x * far


def _beside(start: Point, end: Point, one: Point, room: float) -> bool:
    """Whether a place may be met on the way, and is neither of its ends."""
    if dist(start, one) < 3 or dist(end, one) < 3:
        return False
    (x, y), length = _unit(start, end), dist(start, end)
    along = (one[0] - start[0]) * x + (one[1] - start[1]) * y
    across = abs((one[1] - start[1]) * x - (one[0] - start[0]) * y)
    return -room < along < length + room and across < room


def _cost(start: Point, pull: Point, end: Point, near: Sequence[Point], room: float) -> float:
    if not near:
        return 0.0
    way = [_bezier(start, pull, end, step / LOOKED_AT) for step in range(1, LOOKED_AT)]
    return sum(max(0.0, room - dist(point, one)) * 0.2 for one in near for point in way)


def through(places: Sequence[Point]) -> Path:
    """A smooth line through all of the places (Catmull and Rom's)."""
    ends = [places[0], *places, places[-1]]
    found: Path = []
    for before, start, end, after in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        found += [tuple_at(before, start, end, after, step / DRAWN) for step in range(DRAWN)]
    return [*found, places[-1]]


def tuple_at(before: Point, start: Point, end: Point, after: Point, share: float) -> Point:
    blend = partial(_blend, share)
    return blend(before[0], start[0], end[0], after[0]), blend(before[1], start[1], end[1], after[1])


def _blend(t: float, a: float, b: float, c: float, d: float) -> float:
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t**3)


def cut(path: Path, off_start: float, off_end: float) -> Path:
    """Without what lies so near to its ends; the middle where nothing else would be left."""
    start, end = path[0], path[-1]
    first = next((i for i, point in enumerate(path) if dist(point, start) >= off_start), len(path))
    last = next((i for i in range(len(path) - 1, -1, -1) if dist(path[i], end) >= off_end), 0)
    if last - first < 2:
        third = len(path) // 3
        return path[third : len(path) - third]
    return path[first : last + 1]


def along(path: Path, share: float) -> Point:
    return path[min(len(path) - 1, int(len(path) * share))]


def thinned(path: Path, step: float = 5.0) -> Path:
    """Without points closer together than `step`."""
    found = [path[0]]
    for point in path[1:-1]:
        if dist(point, found[-1]) >= step:
            found.append(point)
    return [*found, path[-1]]


def headed(path: Path, length: float, half: float) -> tuple[Path, Path]:
    """The shaft and the three corners of an arrow's head."""
    tip = path[-1]
    back = next((i for i in range(len(path) - 1, -1, -1) if dist(path[i], tip) >= length), 0)
    x, y = _unit(path[back], tip)
    base = tip[0] - x * length, tip[1] - y * length
    corners = [tip, (base[0] - y * half, base[1] + x * half), (base[0] + y * half, base[1] - x * half)]
    return [*path[: back + 1], (base[0] + x * 2, base[1] + y * 2)], corners


def crossing(path: Path, half: float) -> tuple[Point, Point]:
    """A short line across the path's end."""
    x, y = _unit(path[max(0, len(path) - 4)], path[-1])
    end = path[-1]
    return (end[0] - y * half, end[1] + x * half), (end[0] + y * half, end[1] - x * half)

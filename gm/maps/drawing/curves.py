"""Geometry of order lines: bending round tokens, smoothing, trimming, arrow heads."""

from __future__ import annotations

from collections.abc import Sequence
from math import copysign, dist

from gm.maps.drawing.geometry import Point

BULGES = (0.10, -0.10, 0.02, 0.18, -0.18, 0.26, -0.26)
"""How far a line may bulge from the straight way, as shares of its length; ties go to the first."""
COST_STEPS = 24
DRAWN_STEPS = 40
FAR = 0.55
"""A step across more than this share of a round-the-world board leads over its edge."""
Polyline = list[Point]


def direction(start: Point, end: Point) -> Point:
    """The step of length 1 from start towards end."""
    length = dist(start, end) or 1.0
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


def _bezier(start: Point, pull: Point, end: Point, share: float) -> Point:
    rest = 1 - share
    a, b, c = rest * rest, 2 * share * rest, share * share
    return a * start[0] + b * pull[0] + c * end[0], a * start[1] + b * pull[1] + c * end[1]


def bend_line(start: Point, end: Point, others: Sequence[Point], room: float) -> Polyline:
    """Returns a curve from start to end that keeps `room` from the other places where it can."""
    length = dist(start, end)
    near = [other for other in others if _is_near_line(start, end, other, room + 0.2 * length)]

    def cost(bulge: float) -> float:
        return abs(bulge) * 6 + _cost(start, _control_point(start, end, bulge), end, near, room)

    pull = _control_point(start, end, min(BULGES, key=cost))
    return [_bezier(start, pull, end, step / DRAWN_STEPS) for step in range(DRAWN_STEPS + 1)]


def _control_point(start: Point, end: Point, bulge: float) -> Point:
    (x, y), length = direction(start, end), dist(start, end)
    far = length * bulge * 1.5
    return (start[0] + end[0]) / 2 - y * far, (start[1] + end[1]) / 2 + x * far


def _is_near_line(start: Point, end: Point, place: Point, room: float) -> bool:
    """Tells whether a place lies within `room` of the line, ends excepted."""
    if dist(start, place) < 3 or dist(end, place) < 3:
        return False
    (x, y), length = direction(start, end), dist(start, end)
    along = (place[0] - start[0]) * x + (place[1] - start[1]) * y
    across = abs((place[1] - start[1]) * x - (place[0] - start[0]) * y)
    return -room < along < length + room and across < room


def _cost(start: Point, pull: Point, end: Point, near: Sequence[Point], room: float) -> float:
    if not near:
        return 0.0
    way = [_bezier(start, pull, end, step / COST_STEPS) for step in range(1, COST_STEPS)]
    return sum(max(0.0, room - dist(point, place)) * 0.2 for place in near for point in way)


def unroll(stops: Sequence[Point], around: float) -> tuple[Polyline, tuple[float, ...]]:
    """Returns a way with its stops beside the picture once it has left it, and how far to the side it is to be drawn
    again, so that all of its stops are in the picture. `around` is the way round the board, 0 if there is none.
    """
    way, turn = [stops[0]], 0.0
    for x, y in stops[1:]:
        across = x + turn - way[-1][0]
        if around and abs(across) >= around * FAR:
            turn -= copysign(around, across)
        way.append((x + turn, y))
    turns = dict.fromkeys(x - place for (x, _), (place, _) in zip(stops, way, strict=True))
    return way, tuple(turn for turn in turns if turn)


def smooth_line(places: Sequence[Point]) -> Polyline:
    """Returns a smooth line through all places (a Catmull-Rom spline)."""
    ends = [places[0], *places, places[-1]]
    line: Polyline = []
    for before, start, end, after in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        line += [_spline_point(before, start, end, after, step / DRAWN_STEPS) for step in range(DRAWN_STEPS)]
    return [*line, places[-1]]


def _spline_point(before: Point, start: Point, end: Point, after: Point, share: float) -> Point:
    x, y = (_blend(share, *values) for values in zip(before, start, end, after, strict=True))
    return x, y


def _blend(t: float, a: float, b: float, c: float, d: float) -> float:
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t**3)


def trim_ends(path: Polyline, off_start: float, off_end: float) -> Polyline:
    """Returns the path without the points too near its ends; the middle third if nothing else is left."""
    start, end = path[0], path[-1]
    first = next((i for i, point in enumerate(path) if dist(point, start) >= off_start), len(path))
    last = next((i for i in range(len(path) - 1, -1, -1) if dist(path[i], end) >= off_end), 0)
    if last - first < 2:
        third = len(path) // 3
        return path[third : len(path) - third]
    return path[first : last + 1]


def point_along(path: Polyline, share: float) -> Point:
    return path[min(len(path) - 1, int(len(path) * share))]


def thin_points(path: Polyline, step: float = 5.0) -> Polyline:
    """Returns the path without points closer together than `step`."""
    kept = [path[0]]
    for point in path[1:-1]:
        if dist(point, kept[-1]) >= step:
            kept.append(point)
    return [*kept, path[-1]]


def split_arrow(path: Polyline, length: float, half: float) -> tuple[Polyline, Polyline]:
    """Returns the shaft and the three corners of the arrow head."""
    tip = path[-1]
    back = next((i for i in range(len(path) - 1, -1, -1) if dist(path[i], tip) >= length), 0)
    x, y = way = direction(path[back], tip)
    base = tip[0] - x * (length - 2), tip[1] - y * (length - 2)
    return [*path[: back + 1], base], arrow_head(tip, way, length, half)


def arrow_head(tip: Point, way: Point, length: float, half: float) -> list[Point]:
    """Returns the corners of an arrow head that points `way`, a step of length 1; `half` its width."""
    x, y = tip[0] - way[0] * length, tip[1] - way[1] * length
    return [tip, (x - way[1] * half, y + way[0] * half), (x + way[1] * half, y - way[0] * half)]


def end_bar(path: Polyline, half: float) -> tuple[Point, Point]:
    """Returns the ends of a short bar across the path's end."""
    x, y = direction(path[max(0, len(path) - 4)], path[-1])
    end = path[-1]
    return (end[0] - y * half, end[1] + x * half), (end[0] + y * half, end[1] - x * half)

"""Where names stand in a picture: at their usual places, or beside what lies there in this picture.

A name steps aside for tokens and their marks, supply centres and other names, and for arrows where it can. It stays in
its province if there is room, becomes smaller in a crowded one, and only then reaches across a border. Usual places are
chosen for a province full of units: a name whose usual place lies across a border moves in where this picture has room.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from gm.maps.drawing.curves import thin_points
from gm.maps.drawing.geometry import DEEP, LAND, Anchor, Geometry, Point
from gm.maps.drawing.order_lines import order_paths
from gm.maps.drawing.outline import province_area
from gm.maps.drawing.scene import MapScene, MapToken
from gm.maps.drawing.svg import text_width

Numbers = np.ndarray[Any, Any]
Rectangle = tuple[float, float, float, float]
"""Left, top, right, bottom."""
SIZES = (1.0, 0.86, 0.74)
"""Of names: smaller ones where there is no room for larger ones."""
FAR, STEPS = 4.5, 27
"""How far a name may stand from its usual place, in token radii, and how many places are tried across."""
TOKEN, RING = (1.36, 1.05), 1.45
"""Half the width and height of a token, and half of one with a ring, in token radii, as are the next."""
DISC, BURST, STAR = 0.6, 0.9, 0.45
STROKE, SIGN, CROSSING, GAP, EDGE = 2.6, 6.0, 4.0, 1.0, 2.0
"""Half of an arrow's line, of a corner's sign and of a bridge's or ferry's arrow; the space round a name, and that to
the picture's edge; in units."""
STRAY = 0.1
"""The share of a name outside its province that makes it look for another place."""
AT_ONCE = 16
"""So many places are compared with the outline of the province at a time."""
HARD, SOFT, OUTSIDE, SMALLER = 200.0, 12.0, 30.0, 12.0
"""What it costs to lie on a token, a supply centre or a name; on an arrow; outside the province; to be smaller. Each
token radius between a name and its usual place costs 1."""


class NamePlace(NamedTuple):
    """The place of a name, and its size as a share of the usual one."""

    place: Point
    size: float = 1.0


@lru_cache(maxsize=4)
def name_places(scene: MapScene) -> Mapping[str, NamePlace]:
    """Returns the places of all names, by the names of their anchors."""
    usual = {key: NamePlace(label) for key, label in _usual_places(scene)}
    fixed = [((a - GAP, b - GAP, c + GAP, d + GAP), HARD) for a, b, c, d in obstacles(scene)]
    lines = [(box, SOFT) for box in arrow_boxes(scene)]
    rows = [*fixed, *lines, *((name_box(scene, key, usual[key]), HARD) for key in usual)]
    boxes, weights = np.array([box for box, _ in rows]), np.array([weight for _, weight in rows])
    first = len(fixed) + len(lines)
    chosen = dict(usual)
    cores = boxes[first:] + np.array((GAP, GAP, -GAP, -GAP))
    meet = _meet(cores, boxes)
    np.fill_diagonal(meet[:, first:], val=False)
    for number, key in enumerate(usual):
        if meet[number].any() or _strays(scene, key, usual[key]):
            others = np.arange(len(rows)) != first + number
            chosen[key] = _step_aside(scene, key, usual[key].place, boxes[others], weights[others])
            boxes[first + number] = name_box(scene, key, chosen[key])
            meet[:, first + number] = _meet(cores, boxes[first + number : first + number + 1])[:, 0]
    return chosen


def _strays(scene: MapScene, key: str, usual: NamePlace) -> bool:
    """Tells whether much of a name lies outside its province in its usual place."""
    box = name_box(scene, key, usual)
    shares = _outside_shares(scene.geometry, key.partition("#")[0], usual.place, box)
    middle = STEPS * STEPS // 2
    return bool(shares.of(np.array(box) + _offsets(scene.token)[0], np.array([middle]))[0] > STRAY)


def _usual_places(scene: MapScene) -> Iterator[tuple[str, Point]]:
    geometry, provinces = scene.geometry, scene.position.board.provinces
    for key, anchor in geometry.anchors.items():
        province = key.partition("#")[0]
        if anchor.label is not None and province in provinces and province not in geometry.boxes:
            yield key, anchor.label


def name_box(scene: MapScene, key: str, name: NamePlace) -> Rectangle:
    """Returns the rectangle that a name covers."""
    province = key.partition("#")[0]
    size = scene.geometry.text * name.size
    x, y = name.place
    known, ground = scene.position.board.provinces[province], scene.geometry.ground(province)
    if not known.slots:
        half = text_width(province, size * 0.88, "serif-italic") / 2
    elif ground == DEEP:
        code = text_width(province, size * 1.5, "serif-bold") + 3 * len(province)
        half = max(code, text_width(known.name, size, "serif-italic")) / 2
        return x - half, y - size * 1.05, x + half, y + size * 1.4
    elif ground == LAND:
        half = text_width(province, size, "semibold") / 2
    else:
        half = (text_width(province.upper(), size, "serif-italic") + 0.7 * len(province)) / 2
    return x - half, y - size * 0.42, x + half, y + size * 0.44


def obstacles(scene: MapScene) -> Iterator[Rectangle]:
    """Yields what no name may lie on: tokens with their marks, bursts, supply centres, signs, boxes off the board."""
    geometry, token = scene.geometry, scene.token
    ringed = {result.unit for result in scene.results if result.given}
    for drawn in scene.tokens:
        yield from _token_boxes(scene, drawn, ringed=drawn.unit in ringed)
    for path in order_paths(scene):
        if path.burst is not None:
            yield _square(path.burst, BURST * token)
    for code, province in scene.position.board.provinces.items():
        centre = geometry.anchors.get(code, Anchor()).centre
        if province.centre and centre is not None:
            yield _square(centre, STAR * token)
    for sign in geometry.signs:
        (a, b), (c, d) = sign.points[0], sign.points[-1]
        for share in (0, 0.25, 0.5, 0.75, 1) if len(sign.points) > 1 else (0,):
            yield _square((a + (c - a) * share, b + (d - b) * share), SIGN if sign.kind == "corner" else CROSSING)
    for box in geometry.boxes.values():
        (x, y), (width, height) = box.corner, box.size
        yield x, y, x + width, y + height


def _token_boxes(scene: MapScene, drawn: MapToken, *, ringed: bool) -> Iterator[Rectangle]:
    (x, y), size = drawn.place, drawn.size
    wide, high = (RING, RING) if ringed or drawn.built or drawn.dislodged else TOKEN
    yield x - wide * size, y - high * size, x + wide * size, y + high * size
    if drawn.count > 1 or drawn.unit.number:
        yield _square((x + 0.95 * size, y - 0.8 * size), DISC * size)
    if scene.palette.letters:
        yield _square((x - 0.95 * size, y - 0.8 * size), DISC * size)


def _square(middle: Point, half: float) -> Rectangle:
    return middle[0] - half, middle[1] - half, middle[0] + half, middle[1] + half


def arrow_boxes(scene: MapScene) -> Iterator[Rectangle]:
    """Yields short pieces of all order lines."""
    for copy in (copy for track in order_paths(scene) for copy in track.copies):
        for (a, b), (c, d) in pairwise(thin_points(copy)):
            yield min(a, c) - STROKE, min(b, d) - STROKE, max(a, c) + STROKE, max(b, d) + STROKE


def _meet(names: Numbers, boxes: Numbers) -> Numbers:
    """Returns for each name whether it lies on each box."""
    left, top, right, bottom = names.T[..., None]
    a, b, c, d = boxes.T
    wide = np.minimum(right, c) > np.maximum(left, a)
    return np.asarray(wide & (np.minimum(bottom, d) > np.maximum(top, b)))


def _overlap(names: Numbers, boxes: Numbers, weights: Numbers) -> Numbers:
    """Returns for each name the weighted area of all boxes upon it, as a share of its own area."""
    left, top, right, bottom = names.T[..., None]
    a, b, c, d = boxes.T
    wide, high = np.minimum(right, c) - np.maximum(left, a), np.minimum(bottom, d) - np.maximum(top, b)
    area = ((right - left) * (bottom - top))[:, 0]
    return np.asarray((np.maximum(wide, 0) * np.maximum(high, 0)) @ weights / area)


def _step_aside(scene: MapScene, key: str, home: Point, boxes: Numbers, weights: Numbers) -> NamePlace:
    """Returns the best place near `home`."""
    rectangles = tuple(name_box(scene, key, NamePlace(home, size)) for size in SIZES)
    reach, (left, top, right, bottom) = FAR * scene.token, rectangles[0]
    a, b, c, d = boxes.T
    near = (a < right + reach) & (b < bottom + reach) & (c > left - reach) & (d > top - reach)
    there = boxes[near].tobytes(), weights[near].tobytes()
    return _best_place(scene.geometry, key.partition("#")[0], home, scene.token, rectangles, *there)


@lru_cache(maxsize=4096)
def _best_place(
    geometry: Geometry,
    province: str,
    home: Point,
    token: float,
    rectangles: tuple[Rectangle, ...],
    near: bytes,
    near_weights: bytes,
) -> NamePlace:
    """`rectangles`: of the name at `home`, by size. The last places are kept, only for speed: most of what lies near a
    name lies there in other pictures of a game, too.
    """
    boxes, weights = np.frombuffer(near).reshape(-1, 4), np.frombuffer(near_weights)
    offsets, distances = _offsets(token)
    places: list[tuple[float, NamePlace]] = []
    for size, box in zip(SIZES, rectangles, strict=True):
        names = np.array(box)[None, :] + offsets
        cost = _overlap(names, boxes, weights) + SMALLER * (1 - size) / (1 - SIZES[1])
        cost += distances + _off_picture_cost(geometry, names)
        best = _cheapest(names, cost, _outside_shares(geometry, province, home, box))
        place = home[0] + float(offsets[best, 0]), home[1] + float(offsets[best, 1])
        places.append((float(cost[best]), NamePlace(place, size)))
        if places[-1][0] < SMALLER:
            break
    return min(places)[1]


@lru_cache(maxsize=16)
def _offsets(token: float) -> tuple[Numbers, Numbers]:
    """Returns what to add to a rectangle for each place that is tried, and how far each is away, in token radii."""
    steps = np.linspace(-FAR, FAR, STEPS) * token
    offsets = np.stack([axis.ravel() for axis in np.meshgrid(steps, steps)], axis=1)
    return np.tile(offsets, 2), np.hypot(*offsets.T) / token


def _window(geometry: Geometry, home: Point) -> Rectangle:
    return _square(home, (FAR + 5) * geometry.token)


def _off_picture_cost(geometry: Geometry, names: Numbers) -> Numbers:
    width, height = geometry.width - EDGE, geometry.height - EDGE
    left, top, right, bottom = names.T
    return np.asarray(10 * HARD * ((left < EDGE) | (top < EDGE) | (right > width) | (bottom > height)))


def _cheapest(names: Numbers, cost: Numbers, outside: OutsideShares) -> int:
    """Returns the number of the best name; adds to its cost that of its share outside the province."""
    order = np.argsort(cost, kind="stable")
    best = -1
    for first in range(0, len(order), AT_ONCE):
        some = order[first : first + AT_ONCE]
        if best >= 0 and cost[some[0]] >= cost[best]:
            break
        cost[some] += OUTSIDE * outside.of(names, some)
        here = int(some[np.argmin(cost[some])])
        best = here if best < 0 or cost[here] < cost[best] else best
    return best


class OutsideShares:
    """Which share of each place that is tried for a name lies outside the province: the same in all pictures of a
    board, and computed when it is first asked for.
    """

    def __init__(self, land: BaseGeometry) -> None:
        self._land = land
        self._shares = np.full(STEPS * STEPS, np.nan)

    def of(self, names: Numbers, numbers: Numbers) -> Numbers:
        new = numbers[np.isnan(self._shares[numbers])]
        if len(new):
            self._shares[new] = _share_outside(shapely.box(*names[new].T), self._land)
        return np.asarray(self._shares[numbers])


@lru_cache(maxsize=1024)
def _outside_shares(geometry: Geometry, province: str, home: Point, box: Rectangle) -> OutsideShares:
    """`box` is the name's rectangle at `home`, which tells its size."""
    return OutsideShares(_land_near(geometry, province, home))


@lru_cache(maxsize=512)
def _land_near(geometry: Geometry, province: str, home: Point) -> BaseGeometry:
    land = shapely.clip_by_rect(province_area(geometry, province), *_window(geometry, home))
    shapely.prepare(land)
    return land


def _share_outside(shapes: Numbers, land: BaseGeometry) -> Numbers:
    """Cuts only the names that reach across the border: for a prepared province it is quickly known which do."""
    outside = 1.0 - shapely.contains_properly(land, shapes)
    across = (outside > 0) & shapely.intersects(land, shapes)
    outside[across] -= shapely.area(shapely.intersection(shapes[across], land)) / shapely.area(shapes[across])
    return np.asarray(outside)

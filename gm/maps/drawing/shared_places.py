"""Where the tokens of units that share a province stand: in rows inside it, clear of names and supply centres."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import ceil, dist, log
from typing import NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from gm.maps.drawing.geometry import Geometry, Point, label_size
from gm.maps.drawing.outline import province_area

ACROSS, DOWN = 2.7, 2.3
"""Between the middles of two tokens, in token radii, as are the next."""
HALF_WIDTH, HALF_HEIGHT = 1.4, 1.5
"""Of a token with a number at its corner."""
WIDE = 1.6
"""How much wider than high a fan is, where there is room."""
SHAPE = 4.0
"""How far from its usual place a fan goes, in token radii, before it takes another shape."""
SIZES = (1.0, 0.85, 0.7, 0.55)
"""Of tokens, in token radii: smaller ones where there is no room for larger ones."""
STAR = 0.5
"""Half a supply centre, in token radii."""


class Fan(NamedTuple):
    """Rows of tokens round a middle, `wide` in each but the last; `size` is a token's radius."""

    middle: Point
    wide: int
    rows: int
    size: float

    def places(self, count: int) -> Iterator[Point]:
        for number in range(count):
            row, column = divmod(number, self.wide)
            across = min(self.wide, count - row * self.wide)
            x = self.middle[0] + (column - (across - 1) / 2) * self.size * ACROSS
            yield x, self.middle[1] + (row - (self.rows - 1) / 2) * self.size * DOWN


@lru_cache(maxsize=256)
def place_fan(geometry: Geometry, province: str, count: int, home: Point) -> Fan:
    """Returns the fan for so many tokens, near `home`. Where they have no room, they stand round it all the same."""
    free = _free_area(geometry, province)
    shapely.prepare(free)
    for size in SIZES:
        radius = geometry.token * size
        fans = [fan for wide in _widths(count) if (fan := _nearest_fan(free, count, wide, radius, home))]
        if fans:
            return min(fans, key=lambda fan: _cost(fan, home, geometry.token))
    wide = min(count, ceil((count * WIDE) ** 0.5))
    return Fan(home, wide, ceil(count / wide), geometry.token)


def _widths(count: int) -> list[int]:
    """Returns the widest row for every number of rows."""
    return sorted({ceil(count / rows) for rows in range(1, count + 1)})


def _cost(fan: Fan, home: Point, token: float) -> float:
    return dist(fan.middle, home) / token + SHAPE * abs(log(fan.wide * ACROSS / (fan.rows * DOWN * WIDE)))


def _nearest_fan(free: BaseGeometry, count: int, wide: int, radius: float, home: Point) -> Fan | None:
    """Returns the fan with rows of this width that is nearest to `home`; None where it fits nowhere."""
    rows = ceil(count / wide)
    half_width = radius * ((wide - 1) * ACROSS / 2 + HALF_WIDTH)
    half_height = radius * ((rows - 1) * DOWN / 2 + HALF_HEIGHT)
    left, top, right, bottom = free.bounds
    xs, ys = np.arange(left + half_width, right - half_width, radius), np.arange(top + half_height, bottom, radius)
    x, y = (axis.ravel() for axis in np.meshgrid(np.append(xs, home[0]), np.append(ys, home[1])))
    fits = shapely.contains_properly(
        free, shapely.box(x - half_width, y - half_height, x + half_width, y + half_height)
    )
    if not fits.any():
        return None
    best = np.argmin(np.where(fits, np.hypot(x - home[0], y - home[1]), np.inf))
    return Fan((float(x[best]), float(y[best])), wide, rows, radius)


@lru_cache(maxsize=64)
def _free_area(geometry: Geometry, province: str) -> BaseGeometry:
    """Returns the part of a province in the picture that no name and no supply centre covers."""
    area = province_area(geometry, province)
    covered = []
    for name, anchor in geometry.anchors.items():
        if anchor.label is not None:
            covered.append(_box(anchor.label, label_size(geometry.text, name, geometry.grounds)))
        if anchor.centre is not None:
            covered.append(_box(anchor.centre, (geometry.token * STAR, geometry.token * STAR)))
    return area.intersection(shapely.box(0, 0, geometry.width, geometry.height)).difference(shapely.union_all(covered))


def _box(middle: Point, half: tuple[float, float]) -> BaseGeometry:
    (x, y), (wide, high) = middle, half
    return shapely.box(x - wide, y - high, x + wide, y + high)

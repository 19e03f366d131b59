"""The two moves of a border on a PlanarPicture: a stretch vanishes, or two provinces are joined across a third."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np
import shapely
from msgspec.structs import replace
from shapely.geometry.base import BaseGeometry

from gm.judge.board.rotation import RotationChange
from gm.maps.drawing.geometry import Point
from gm.maps.drawing.lines import Corner, Points, crossing_pairs
from gm.maps.redrawing.isthmus import find_ways
from gm.maps.redrawing.lines import Line, with_corners
from gm.maps.redrawing.picture import CannotRedraw, PlanarPicture
from gm.maps.redrawing.scenery import clear_scenery
from gm.maps.redrawing.strip import (
    ROUNDING,
    NewBorder,
    NoRoom,
    beside_path,
    cut_across,
    new_borders,
    out_of_reach,
    remaining_face,
    ring_corners,
)

Path: TypeAlias = shapely.LineString


class StripSize(NamedTuple):
    """The greatest width of a strip, and how far along other borders it may take ground from the ends of its path, in
    units of the arcs.
    """

    width: float
    reach: float


WIDTHS = (90.0, 64.0, 45.0, 32.0, 22.0, 15.0, 10.0, 7.0)
SIZES = (
    *(StripSize(width, 2.5 * width) for width in WIDTHS),
    *(StripSize(width, 900.0) for width in WIDTHS),  # for borders that lie close together far from where they meet
)
"""The first that fits is taken."""
ROOM = 110.0
"""Radius of a circle: a broad strip leaves room for one, or for a circle of KEPT times the size that fitted before."""
KEPT = 0.65
MARCH = 12.0
"""Between the corners of the line where two halves of a strip meet, in units of the arcs."""
NARROW = 15.0
"""A strip of this width, or narrower, may leave less room."""


def separate(picture: PlanarPicture, stretch: int) -> PlanarPicture:
    """Removes a stretch; the provinces at its ends meet in its place."""
    change = picture.rotation.flip(stretch)
    path = shapely.LineString(picture.line(picture.rotation.sides[stretch][0], stretch))
    return _first_fit((path,), lambda path, size: _separated(picture, stretch, change, path, size))


def join(picture: PlanarPicture, first: int, second: int, within: str) -> PlanarPicture:
    """Joins the provinces beyond two stretches of the border of `within`: clear of other shores, else any way."""
    change = picture.rotation.release(first, second, within)
    area, shores = picture.area(within), (picture.line(within, first), picture.line(within, second))

    def drawn(path: Path, size: StripSize) -> PlanarPicture:
        return _joined(picture, (first, second), within, change, path, size)

    try:
        return _first_fit(find_ways(area, *shores), drawn)
    except CannotRedraw:
        return _first_fit(find_ways(area, *shores, near_others=True), drawn)


def _first_fit(paths: Iterable[Path], drawn: Callable[[Path, StripSize], PlanarPicture]) -> PlanarPicture:
    why = ""
    for size, path in product(SIZES, paths):
        try:
            return drawn(path, size)
        except (NoRoom, shapely.errors.GEOSException) as error:
            why = str(error)
    raise CannotRedraw(why)


# ---- a stretch vanishes


def _separated(
    picture: PlanarPicture, stretch: int, change: RotationChange, path: Path, size: StripSize
) -> PlanarPicture:
    a, b = picture.rotation.sides[stretch]
    (d_to_a, c_to_a), (c_to_b, d_to_b) = _around(picture, a, stretch), _around(picture, b, stretch)
    c, d = picture.rotation.other(c_to_a, a), picture.rotation.other(d_to_a, a)
    others = [part for name in (a, b) for part in _others(picture, name, path, {stretch}, size.reach)]
    left, ground = _spared(picture, (a, b), path, others, size.width)
    (along_a,), (along_b,) = _borders_of(picture, a, left[a], 1), _borders_of(picture, b, left[b], 1)
    lines = {number: line for number, line in picture.lines.items() if number in change.after.sides}
    if c == d:
        lines[d_to_a] = Line(a, c, _closed_gap(picture, a, (d_to_a, along_a, c_to_a)))
        lines[c_to_b] = Line(b, c, _closed_gap(picture, b, (c_to_b, along_b, d_to_b)))
    else:
        along_a, along_b, on_a, on_b = cut_across(ground, path, along_a, along_b)
        lines[d_to_a] = Line(a, d, (*_up_to(picture, a, d_to_a, along_a.leaves), *along_a.before(on_a)))
        lines[c_to_a] = Line(a, c, (*along_a.behind(on_a), *_from(picture, a, c_to_a, along_a.joins)))
        lines[c_to_b] = Line(b, c, (*_up_to(picture, b, c_to_b, along_b.leaves), *along_b.before(on_b)))
        lines[d_to_b] = Line(b, d, (*along_b.behind(on_b), *_from(picture, b, d_to_b, along_b.joins)))
        lines[picture.rotation.fresh] = Line(d, c, with_corners((on_b, on_a), MARCH))
    return _moved(picture, change, lines, left, (ground, (c, d)))


def _closed_gap(picture: PlanarPicture, province: str, parts: tuple[int, NewBorder, int]) -> Points:
    """Returns the line of two stretches that a new border joins."""
    keep, border, gone = parts
    before, behind = _up_to(picture, province, keep, border.leaves), _from(picture, province, gone, border.joins)
    if keep != gone:
        return (*before, *border.points, *behind)
    points = picture.line(province, keep)
    start, end = points.index(border.joins), points.index(border.leaves)
    if start > end:
        raise NoRoom("the strip takes a whole border")
    return (*points[start : end + 1], *border.points, points[start])


def _around(picture: PlanarPicture, province: str, stretch: int) -> tuple[int, int]:
    around = picture.rotation.around(province, stretch)
    assert around is not None, "a closed line never vanishes"
    return around


# ---- two provinces are joined


def _joined(
    picture: PlanarPicture, pair: tuple[int, int], within: str, change: RotationChange, path: Path, size: StripSize
) -> PlanarPicture:
    ends = path.coords[0], path.coords[-1]
    rims = [_opened(picture.line(within, number), end) for number, end in zip(pair, ends, strict=True)]
    others = list(_others(picture, within, path, set(pair), size.reach))
    for rim, end in zip(rims, ends, strict=True):
        shore = shapely.LineString(rim)
        others += out_of_reach(shore, (shore.project(shapely.Point(end)),), size.reach)
    left, ground = _spared(picture, (within,), path, others, size.width)
    borders = _borders_of(picture, within, left[within], 2)
    if borders[0].leaves not in rims[0]:
        borders.reverse()
    out, back, out_end, back_end = cut_across(ground, path, *borders)
    a, c = (picture.rotation.other(number, within) for number in pair)
    lines = {**picture.lines, picture.rotation.fresh: Line(a, c, with_corners((back_end, out_end), MARCH))}
    # Clockwise round `within`: the first shore, out along the isthmus, the second shore, and back along the isthmus.
    for number, name, rim, (arriving, at), (leaving, start) in (
        (pair[0], a, rims[0], (back, back_end), (out, out_end)),
        (pair[1], c, rims[1], (out, out_end), (back, back_end)),
    ):
        behind = (*arriving.behind(at), *rim[_index(rim, arriving.joins) :])
        before = (*rim[: _index(rim, leaving.leaves) + 1], *leaving.before(start))
        far = change.heirs.get(number, (number,))[-1]
        if far == number:
            lines[number] = Line(within, name, (*behind, *before[1:]))
        else:
            lines[number], lines[far] = Line(within, name, behind), Line(within, name, before)
    return _moved(picture, change, lines, left, (ground, (a, c)))


def _opened(points: Points, at: Point) -> Points:
    """Returns a line; a closed one starts and ends at its corner that is farthest from a place on it."""
    if points[0] != points[-1]:
        return points
    far = max(range(len(points) - 1), key=lambda index: shapely.Point(points[index]).distance(shapely.Point(at)))
    return (*points[far:-1], *points[: far + 1])


# ---- both


def _others(
    picture: PlanarPicture, province: str, path: Path, without: set[int], reach: float
) -> Iterator[BaseGeometry]:
    """Yields the borders of a province that a strip must not touch."""
    ends = {path.coords[0], path.coords[-1]}
    for ring in picture.rotation.rings[province]:
        for stretch in ring:
            if stretch not in without:
                line = shapely.linestrings(np.array(picture.line(province, stretch)))
                spots = ((line.coords[0], 0.0), (line.coords[-1], line.length))
                yield from out_of_reach(line, tuple(spot for end, spot in spots if end in ends), reach)


def _spared(
    picture: PlanarPicture, provinces: Iterable[str], path: Path, others: Iterable[BaseGeometry], width: float
) -> tuple[Mapping[str, shapely.Polygon], BaseGeometry]:
    """Returns what a strip leaves of the faces it runs through, and the ground that it takes."""
    strip = beside_path(path, shapely.MultiLineString([*others]), width)
    left: dict[str, shapely.Polygon] = {}
    ground: list[BaseGeometry] = []
    for name in provinces:
        face = picture.area(name)
        left[name] = remaining_face(face, strip)
        if width > NARROW and _room(left[name]) < min(ROOM, KEPT * _room(face)):
            raise NoRoom(f"{name} would be too small")
        ground.append(shapely.difference(face, left[name], grid_size=1.0))
    return left, shapely.union_all(ground, grid_size=1.0)


def _room(face: shapely.Polygon) -> float:
    """Returns the radius of the largest circle in a face."""
    return float(shapely.maximum_inscribed_circle(face, tolerance=5.0).length)


def _borders_of(picture: PlanarPicture, province: str, left: shapely.Polygon, count: int) -> list[NewBorder]:
    """Returns the borders of a strip along what it leaves of a province."""
    old = frozenset(corner for ring in ring_corners(picture.area(province)) for corner in ring)
    borders = new_borders(left, old)
    if len(borders) != count:
        raise NoRoom(f"the strip has {len(borders)} borders with {province}")
    return borders


def _index(points: Points, corner: Corner) -> int:
    if corner not in points:
        raise NoRoom("the strip reaches another border")
    return points.index(corner)


def _up_to(picture: PlanarPicture, province: str, stretch: int, corner: Corner) -> Points:
    points = picture.line(province, stretch)
    return points[: _index(points, corner) + 1]


def _from(picture: PlanarPicture, province: str, stretch: int, corner: Corner) -> Points:
    points = picture.line(province, stretch)
    return points[_index(points, corner) :]


def _moved(
    picture: PlanarPicture,
    change: RotationChange,
    lines: Mapping[int, Line],
    left: Mapping[str, shapely.Polygon],
    taken: tuple[BaseGeometry, Iterable[str]],
) -> PlanarPicture:
    """Returns the picture after a change. `left` is what remains of faces, `taken` the ground that others took.

    Raises NoRoom if lines cross, or faces are not as they should be.
    """
    fresh = [line.points for number, line in lines.items() if picture.lines.get(number) != line]
    near = {number for name in left for ring in change.after.rings[name] for number in ring}
    if crossing_pairs(fresh, [*fresh, *(lines[number].points for number in near)]):
        raise NoRoom("lines cross")
    moved = replace(picture, rotation=change.after, lines=lines)
    for name, face in left.items():
        if not moved.area(name).symmetric_difference(face).buffer(-ROUNDING).is_empty:
            raise NoRoom(f"the border of {name} is not as expected")
    ground, takers = taken
    owners = {name: moved.area(name) for name in takers}
    scenery = clear_scenery(picture.scenery, ground, shapely.MultiLineString(fresh), owners, picture.is_land)
    return replace(moved, scenery=scenery)

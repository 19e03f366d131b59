"""A drawn board that follows changes of its borders: what players order in earthquakes.

Two things happen to a map. *Parting*: A and B separate, C and D connect: the border between A and B becomes a channel,
given half to C and half to D, or whole to C where they are the same. *Joining*: the island A gets an isthmus through
the province round it, so that it touches C.

The rules keep the truth about who touches whom. The picture is derived by doing all changes again, one after the other,
and compared with the pairs that touch by the rules; where it cannot follow, the picture stays as it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import shapely
import shapely.ops
from msgspec.structs import replace
from shapely.geometry.base import BaseGeometry
from shapely.ops import linemerge

from gm.maps.drawing.geometry import BEYOND, LAND, Anchor, Arc, Geometry
from gm.maps.drawing.land_bridge import isthmus
from gm.maps.drawing.outline import rings

Pair = frozenset[str]
Faces = dict[str, BaseGeometry]

WIDE = 9.0
"""Of a channel, in picture units; less where the border is short."""
GRID = 0.01
CRUMB = 6.0
"""Square units: what a channel cuts off and is smaller goes to a neighbour."""
MARGIN = 60.0
"""The outside is a strip round the picture, so that it can win and lose ground like any other."""
ROOM = 0.5
"""Of its radius, what a token needs round it to stay where it is."""
CONTACT = 1.0
"""The least length of a border: shorter ones are points where corners meet."""


class SeparatedBorder(NamedTuple):
    """`apart` lose a border whose ends lie at `joined`, who get one: (A, B), (C, D)."""

    apart: tuple[str, str]
    joined: tuple[str, str]


class AttachedIsland(NamedTuple):
    """An island and what it shall touch."""

    island: str
    to: str


Change = SeparatedBorder | AttachedIsland


class CannotRedraw(ValueError):
    """The picture cannot follow. Its text says which change, in one line."""


@lru_cache(maxsize=32)
def shifted(
    geometry: Geometry, changes: tuple[Change, ...], touching: frozenset[Pair], outside: str = "Out"
) -> Geometry:
    """The board after the changes, in this order.

    `touching` are all pairs that share a border by the rules afterwards, by the names of the geometry's faces and
    `outside` for what lies beyond the picture. Unfollowed where the picture does not come out so.
    """
    faces = dict(_faces(geometry, outside))
    named = frozenset().union(*touching)
    touched: set[str] = set()
    for change in changes:
        try:
            names = _part(faces, change) if isinstance(change, SeparatedBorder) else _join(faces, change, named)
        except (KeyError, IndexError, shapely.errors.ShapelyError) as error:
            raise CannotRedraw(f"{_said(change)}: {error}") from None
        touched |= names
    found = _redrawn(geometry, faces, frozenset(touched), outside) if touched else geometry
    _compare(found, touching, outside)
    return found


def _said(change: Change) -> str:
    pairs = change if isinstance(change, SeparatedBorder) else (change,)
    return ", ".join("-".join(pair) for pair in pairs)


def _compare(geometry: Geometry, wanted: frozenset[Pair], outside: str) -> None:
    names = frozenset().union(*wanted) if wanted else frozenset()
    there = frozenset(pair for pair in contacts(geometry, outside) if pair <= names)
    if there != wanted:
        wrong = sorted(" ".join(sorted(pair)) for pair in there ^ wanted)
        raise CannotRedraw(f"the picture differs at {', '.join(wrong[:4])}")


def contacts(geometry: Geometry, outside: str = "Out") -> frozenset[Pair]:
    """Who touches whom in the picture. Satellites and other parts of a province touch nobody."""
    found: dict[Pair, float] = {}
    for arc in geometry.arcs:
        pair = frozenset(outside if name == BEYOND else _contact(geometry, name, outside) for name in arc[:2])
        if len(pair) == 2 and "" not in pair:
            found[pair] = found.get(pair, 0.0) + shapely.LineString(arc.points).length * geometry.scale
    return frozenset(pair for pair, length in found.items() if length >= CONTACT)


def _contact(geometry: Geometry, face: str, outside: str) -> str:
    """Under which name a face touches others: "" for islets and the like."""
    name = geometry.name(face)
    return name if name in (face, outside) else ""


# ---- polygons


@lru_cache(maxsize=4)
def _faces(geometry: Geometry, outside: str) -> Mapping[str, BaseGeometry]:
    """Every face as an area in picture units; what lies outside as a strip with its pieces in the picture."""
    box = shapely.box(0, 0, geometry.width, geometry.height)
    faces: Faces = {}
    for face in geometry.faces:
        closed = [shapely.LinearRing(ring) for ring in rings(geometry, frozenset({face})) if len(ring) > 2]
        area = shapely.build_area(shapely.unary_union(shapely.MultiLineString([one.coords for one in closed])))
        scaled = shapely.transform(area, lambda xy: xy * geometry.scale)
        name = _contact(geometry, face, outside) or face
        clipped = _common(scaled, box)
        faces[name] = _plus(faces[name], clipped) if name in faces else clipped
    strip = box.buffer(MARGIN, join_style="mitre").difference(box)
    faces[outside] = shapely.union(faces.get(outside, shapely.Polygon()), strip, grid_size=GRID)
    return faces


def _pieces(area: BaseGeometry) -> list[shapely.Polygon]:
    return [part for part in shapely.get_parts(area) if isinstance(part, shapely.Polygon) and not part.is_empty]


def _solid(area: BaseGeometry) -> BaseGeometry:
    """Without the points and lines in which areas touch."""
    return area if isinstance(area, shapely.Polygon) else shapely.MultiPolygon(_pieces(area))


def _plus(one: BaseGeometry, other: BaseGeometry) -> BaseGeometry:
    return _solid(shapely.union(one, other, grid_size=GRID))


def _minus(one: BaseGeometry, other: BaseGeometry) -> BaseGeometry:
    return _solid(shapely.difference(one, other, grid_size=GRID))


def _common(one: BaseGeometry, other: BaseGeometry) -> BaseGeometry:
    return _solid(shapely.intersection(one, other, grid_size=GRID))


def _borders(one: BaseGeometry, other: BaseGeometry) -> list[shapely.LineString]:
    """Each stretch that two areas share, the longest first."""
    shared = shapely.intersection(one.boundary, other.boundary, grid_size=GRID)
    parts = [part for part in shapely.get_parts(shared) if isinstance(part, shapely.LineString) and part.length > 0]
    merged = linemerge(parts) if len(parts) > 1 else shapely.MultiLineString(parts)
    return sorted(shapely.get_parts(merged), key=lambda line: -float(line.length))


def _part(faces: Faces, change: SeparatedBorder) -> set[str]:
    (a, b), (c, d) = change
    border = _between(faces, change)
    wide = min(WIDE, border.length / 2)
    both = _plus(faces[a], faces[b])
    channel = _common(_longer(border, wide * 0.8).buffer(wide / 2, cap_style="flat"), both)
    for name in (a, b):
        faces[name] = _minus(faces[name], channel)
    for half, owner in _halves(channel, border, wide, faces, (c, d)):
        faces[owner] = _plus(faces[owner], half)
    for name in (a, b):
        _sweep(faces, name, (c, d), channel)
    _yield_up(faces, a, b)
    _yield_up(faces, b, a)
    return {a, b, c, d}


def _yield_up(faces: Faces, name: str, round_it: str) -> None:
    """Islets of one that lie in the other, and ponds, go to what is round them: else the two would still touch."""
    pieces = sorted(_pieces(faces[name]), key=lambda one: -float(one.area))
    around = faces[round_it].buffer(GRID * 4)
    lost = [piece for piece in pieces[1:] if piece.exterior.intersection(around).length > piece.exterior.length / 2]
    if lost:
        faces[name] = shapely.MultiPolygon([piece for piece in pieces if piece not in lost])
        faces[round_it] = _plus(faces[round_it], shapely.union_all(lost))


def _between(faces: Faces, change: SeparatedBorder) -> shapely.LineString:
    """That stretch between the two whose ends lie at the other two."""
    (a, b), (c, d) = change

    def fits(line: shapely.LineString) -> float:
        first, last = shapely.Point(line.coords[0]), shapely.Point(line.coords[-1])
        ways = ((faces[c], faces[d]), (faces[d], faces[c]))
        return min(float(first.distance(one) + last.distance(other)) for one, other in ways)

    stretches = [line for line in _borders(faces[a], faces[b]) if line.length >= CONTACT and not line.is_ring]
    stretches = list(shapely.get_parts(linemerge(stretches))) if len(stretches) > 1 else stretches
    return min(stretches, key=fits) if stretches else _borders(faces[a], faces[b])[0]


def _longer(line: shapely.LineString, by: float) -> shapely.LineString:
    """Straight on at both ends."""
    coords = shapely.get_coordinates(line)
    reach = min(4, len(coords) - 1)

    def beyond(end: np.ndarray, inner: np.ndarray) -> np.ndarray:
        way = end - inner
        return np.asarray(end + way / (np.hypot(*way) or 1.0) * by)

    return shapely.LineString([beyond(coords[0], coords[reach]), *coords, beyond(coords[-1], coords[-1 - reach])])


def _halves(
    channel: BaseGeometry, border: shapely.LineString, wide: float, faces: Faces, owners: tuple[str, str]
) -> list[tuple[BaseGeometry, str]]:
    """The channel, or its two halves with those whose end of the border each is at."""
    c, d = owners
    if c == d:
        return [(channel, c)]
    start, end = shapely.Point(border.coords[0]), shapely.Point(border.coords[-1])
    straight = start.distance(faces[c]) + end.distance(faces[d]) <= start.distance(faces[d]) + end.distance(faces[c])
    first, last = (c, d) if straight else (d, c)
    knife = _across(border, wide * 1.5)
    pieces = (
        shapely.get_parts(shapely.ops.split(channel, knife))
        if isinstance(channel, shapely.Polygon)
        else _pieces(channel)
    )
    middle = border.length / 2
    near, far = shapely.ops.substring(border, 0, middle), shapely.ops.substring(border, middle, border.length)
    return [(piece, first if _nearer(piece, near, far) else last) for piece in pieces]


def _across(border: shapely.LineString, half: float) -> shapely.LineString:
    """A straight cut through the middle of a border."""
    middle = border.length / 2
    x, y = border.interpolate(middle).coords[0]
    before = np.array(border.interpolate(max(0.0, middle - 2)).coords[0])
    after = np.array(border.interpolate(middle + 2).coords[0])
    way = (after - before) / (np.hypot(*(after - before)) or 1.0) * half
    return shapely.LineString([(x - way[1], y + way[0]), (x + way[1], y - way[0])])


def _nearer(piece: BaseGeometry, near: BaseGeometry, far: BaseGeometry) -> bool:
    """Whether a piece belongs to the first of two lines: by what of its area lies closest."""
    spot = piece.representative_point()
    return bool(spot.distance(near) < spot.distance(far))


def _sweep(faces: Faces, name: str, takers: tuple[str, str], cut: BaseGeometry) -> None:
    """Crumbs that the cut broke off go to whichever taker they touch most."""
    parts = sorted(_pieces(faces[name]), key=lambda one: -float(one.area))
    crumbs = [part for part in parts[1:] if part.area < CRUMB and part.distance(cut) < GRID * 4]
    faces[name] = shapely.MultiPolygon([part for part in parts if part not in crumbs])
    for crumb in crumbs:
        around = crumb.buffer(GRID * 4)
        taker = max(takers, key=lambda one: float(faces[one].boundary.intersection(around).length))
        faces[taker] = _plus(faces[taker], crumb)


def _join(faces: Faces, change: AttachedIsland, named: frozenset[str]) -> set[str]:
    island, to = change
    around = [name for name in sorted(named) if name not in (island, to) and _borders(faces[name], faces[island])]
    through = next((name for name in around if _borders(faces[name], faces[to])), "")
    if not through:
        raise KeyError(f"nothing lies between {island} and {to}")
    others = shapely.union_all([area for name, area in faces.items() if name in named - {island, through, to}])
    land = isthmus(faces[island], faces[through], faces[to], others)
    if land is None:
        raise KeyError(f"no way through {through}")
    faces[through] = _minus(faces[through], land)
    faces[island] = _plus(faces[island], land)
    _sweep(faces, through, (island, to), land)
    return {island, through, to}


# ---- arcs again


def _redrawn(geometry: Geometry, faces: Mapping[str, BaseGeometry], changed: frozenset[str], outside: str) -> Geometry:
    """The same board with the arcs of the changed faces drawn anew."""
    box = shapely.box(0, 0, geometry.width, geometry.height)
    areas = {**faces, outside: _common(faces[outside], box)}
    old = {face for face in geometry.faces if (_contact(geometry, face, outside) or face) in changed}
    kept = [arc for arc in geometry.arcs if not old.intersection(arc[:2])]
    border = shapely.unary_union([areas[name].boundary for name in sorted(changed)], grid_size=GRID)
    fresh = _labelled(border, areas, geometry.scale)
    grounds = dict(geometry.grounds) | {outside: geometry.grounds.get(outside, LAND)}
    anchors = {name: _moved(one, areas, name, geometry.token) for name, one in geometry.anchors.items()}
    return replace(geometry, arcs=(*kept, *fresh), grounds=grounds, anchors=anchors)


def _moved(anchor: Anchor, areas: Mapping[str, BaseGeometry], name: str, token: float) -> Anchor:
    """A token that no longer has room where it stood goes to where its province has most."""
    area = areas.get(name)
    if area is None or anchor.unit is None or shapely.Point(anchor.unit).buffer(token * ROOM).within(area):
        return anchor
    best = shapely.maximum_inscribed_circle(area)
    if best.length <= area.boundary.distance(shapely.Point(anchor.unit)) + 1:
        return anchor
    x, y = best.coords[0]
    return anchor._replace(unit=(round(x, 1), round(y, 1)))


def _labelled(border: BaseGeometry, areas: Mapping[str, BaseGeometry], scale: float) -> list[Arc]:
    """Lines as arcs: each small stretch learns who is beside it, and those with the same two are put together."""
    ends = [
        (a, b)
        for line in shapely.get_parts(border)
        for a, b in zip(shapely.get_coordinates(line)[:-1], shapely.get_coordinates(line)[1:], strict=True)
    ]
    starts, stops = np.array([a for a, _ in ends]), np.array([b for _, b in ends])
    way = stops - starts
    length = np.hypot(way[:, 0], way[:, 1])[:, None]
    aside = np.stack([way[:, 1], -way[:, 0]], axis=1) / np.where(length == 0, 1, length) * (GRID * 4)
    middle = (starts + stops) / 2
    left, right = _names(middle + aside, areas), _names(middle - aside, areas)
    beside: dict[tuple[str, str], list[shapely.LineString]] = {}
    for a, b, one, other in zip(starts, stops, left, right, strict=True):
        if one != other:
            key, pair = ((one, other), (a, b)) if one <= other else ((other, one), (b, a))
            beside.setdefault(key, []).append(shapely.LineString(pair))
    return [arc for key, parts in sorted(beside.items()) for arc in _arcs(key, parts, scale)]


def _names(points: np.ndarray, areas: Mapping[str, BaseGeometry]) -> list[str]:
    """In which area each point lies."""
    names = list(areas)
    tree = shapely.STRtree([areas[name] for name in names])
    found = [BEYOND] * len(points)
    for point, area in tree.query(shapely.points(points), predicate="within").T:
        found[point] = names[area]
    return found


def _arcs(key: tuple[str, str], parts: list[shapely.LineString], scale: float) -> list[Arc]:
    merged = linemerge(parts, directed=True) if len(parts) > 1 else shapely.MultiLineString(parts)
    found = []
    for line in shapely.get_parts(merged):
        points = tuple(dict.fromkeys((round(x / scale), round(y / scale)) for x, y in line.coords))
        if line.is_ring:
            points = (*points, points[0])
        if len(points) > 1:
            found.append(Arc(*key, points))
    return found

"""Redraws a board whose borders players have moved (Seismic).

Separating A and B, connecting C and D: the border between A and B becomes a channel, half of it C's and half D's, or
all C's if they are the same. Attaching the island A to C: A gets an isthmus through the province that surrounds it.

The rules decide who touches whom. All changes are drawn again, in order, and the result is compared with the pairs that
touch by the rules. `CannotRedraw` where they differ.
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
from gm.maps.drawing.land_bridge import build_isthmus
from gm.maps.drawing.outline import rings

Pair = frozenset[str]
Faces = dict[str, BaseGeometry]

CHANNEL_WIDTH = 9.0
"""Of a channel, in picture units; less where the border is short."""
GRID = 0.01
CRUMB = 6.0
"""Square units: a smaller piece that a channel cuts off goes to a neighbour."""
MARGIN = 60.0
"""Width of the strip round the picture that stands for the outside, so that it can win and lose ground."""
ROOM = 0.5
"""The room that a token needs to stay where it is, as a share of its radius."""
CONTACT = 1.0
"""The least length of a border; a shorter one is a point where corners meet."""


class SeparatedBorder(NamedTuple):
    """`apart` lose the border whose ends lie at `joined`, who get one: (A, B), (C, D)."""

    apart: tuple[str, str]
    joined: tuple[str, str]


class AttachedIsland(NamedTuple):
    """An island and the province that its isthmus leads to."""

    island: str
    to: str


DrawnChange = SeparatedBorder | AttachedIsland


class CannotRedraw(ValueError):
    """The picture cannot show the changes. The text names the change in one line."""


@lru_cache(maxsize=32)
def redraw_borders(
    geometry: Geometry, changes: tuple[DrawnChange, ...], touching: frozenset[Pair], outside: str = "Out"
) -> Geometry:
    """Returns the board after the changes, in this order.

    `touching` are all pairs that share a border by the rules afterwards; `outside` names what lies beyond the picture.
    Raises CannotRedraw if the picture does not show exactly these.
    """
    faces = dict(_faces(geometry, outside))
    named = frozenset().union(*touching)
    changed_faces: set[str] = set()
    for change in changes:
        try:
            changed = _separate(faces, change) if isinstance(change, SeparatedBorder) else _attach(faces, change, named)
        except (KeyError, IndexError, shapely.errors.ShapelyError) as error:
            raise CannotRedraw(f"{_describe(change)}: {error}") from None
        changed_faces |= changed
    redrawn = _redraw(geometry, faces, frozenset(changed_faces), outside) if changed_faces else geometry
    _check_contacts(redrawn, touching, outside)
    return redrawn


def _describe(change: DrawnChange) -> str:
    pairs = change if isinstance(change, SeparatedBorder) else (change,)
    return ", ".join("-".join(pair) for pair in pairs)


def _check_contacts(geometry: Geometry, wanted: frozenset[Pair], outside: str) -> None:
    names = frozenset().union(*wanted) if wanted else frozenset()
    there = frozenset(pair for pair in touching_pairs(geometry, outside) if pair <= names)
    if there != wanted:
        wrong = sorted(" ".join(sorted(pair)) for pair in there ^ wanted)
        raise CannotRedraw(f"the picture differs at {', '.join(wrong[:4])}")


def touching_pairs(geometry: Geometry, outside: str = "Out") -> frozenset[Pair]:
    """Returns the pairs of names that touch in the picture. Satellites and other parts touch nobody."""
    lengths: dict[Pair, float] = {}
    for arc in geometry.arcs:
        pair = frozenset(outside if name == BEYOND else _contact_name(geometry, name, outside) for name in arc[:2])
        if len(pair) == 2 and "" not in pair:
            lengths[pair] = lengths.get(pair, 0.0) + shapely.LineString(arc.points).length * geometry.scale
    return frozenset(pair for pair, length in lengths.items() if length >= CONTACT)


def _contact_name(geometry: Geometry, face: str, outside: str) -> str:
    """Returns the name under which a face touches others; "" for islets and the like."""
    name = geometry.name(face)
    return name if name in (face, outside) else ""


@lru_cache(maxsize=4)
def _faces(geometry: Geometry, outside: str) -> Mapping[str, BaseGeometry]:
    """Returns every face as an area in picture units; the outside is a strip round the picture."""
    box = shapely.box(0, 0, geometry.width, geometry.height)
    faces: Faces = {}
    for face in geometry.faces:
        outlines = [shapely.LinearRing(points) for points in rings(geometry, frozenset({face})) if len(points) > 2]
        area = shapely.build_area(shapely.unary_union(shapely.MultiLineString([ring.coords for ring in outlines])))
        scaled = shapely.transform(area, lambda xy: xy * geometry.scale)
        name = _contact_name(geometry, face, outside) or face
        clipped = _intersection(scaled, box)
        faces[name] = _union(faces[name], clipped) if name in faces else clipped
    strip = box.buffer(MARGIN, join_style="mitre").difference(box)
    faces[outside] = shapely.union(faces.get(outside, shapely.Polygon()), strip, grid_size=GRID)
    return faces


def _polygons(area: BaseGeometry) -> list[shapely.Polygon]:
    return [part for part in shapely.get_parts(area) if isinstance(part, shapely.Polygon) and not part.is_empty]


def _polygons_only(area: BaseGeometry) -> BaseGeometry:
    """Returns the area without points and lines."""
    return area if isinstance(area, shapely.Polygon) else shapely.MultiPolygon(_polygons(area))


def _union(first: BaseGeometry, second: BaseGeometry) -> BaseGeometry:
    return _polygons_only(shapely.union(first, second, grid_size=GRID))


def _difference(first: BaseGeometry, second: BaseGeometry) -> BaseGeometry:
    return _polygons_only(shapely.difference(first, second, grid_size=GRID))


def _intersection(first: BaseGeometry, second: BaseGeometry) -> BaseGeometry:
    return _polygons_only(shapely.intersection(first, second, grid_size=GRID))


def _shared_borders(first: BaseGeometry, second: BaseGeometry) -> list[shapely.LineString]:
    """Returns the stretches that two areas share, the longest first."""
    shared = shapely.intersection(first.boundary, second.boundary, grid_size=GRID)
    parts = [part for part in shapely.get_parts(shared) if isinstance(part, shapely.LineString) and part.length > 0]
    merged = linemerge(parts) if len(parts) > 1 else shapely.MultiLineString(parts)
    return sorted(shapely.get_parts(merged), key=lambda line: -float(line.length))


def _separate(faces: Faces, change: SeparatedBorder) -> set[str]:
    (a, b), (c, d) = change
    border = _border_between(faces, change)
    width = min(CHANNEL_WIDTH, border.length / 2)
    union = _union(faces[a], faces[b])
    channel = _intersection(_extend_line(border, width * 0.8).buffer(width / 2, cap_style="flat"), union)
    for name in (a, b):
        faces[name] = _difference(faces[name], channel)
    for half, owner in _split_channel(channel, border, width, faces, (c, d)):
        faces[owner] = _union(faces[owner], half)
    for name in (a, b):
        _give_crumbs(faces, name, (c, d), channel)
    _give_islets(faces, a, b)
    _give_islets(faces, b, a)
    return {a, b, c, d}


def _give_islets(faces: Faces, name: str, neighbour: str) -> None:
    """Gives islets of one face that lie in the other, and ponds, to the other: else the two would still touch."""
    pieces = sorted(_polygons(faces[name]), key=lambda piece: -float(piece.area))
    around = faces[neighbour].buffer(GRID * 4)
    lost = [piece for piece in pieces[1:] if piece.exterior.intersection(around).length > piece.exterior.length / 2]
    if lost:
        faces[name] = shapely.MultiPolygon([piece for piece in pieces if piece not in lost])
        faces[neighbour] = _union(faces[neighbour], shapely.union_all(lost))


def _border_between(faces: Faces, change: SeparatedBorder) -> shapely.LineString:
    """Returns the stretch between the two separated faces whose ends lie nearest to the connected ones."""
    (a, b), (c, d) = change

    def fits(line: shapely.LineString) -> float:
        first, last = shapely.Point(line.coords[0]), shapely.Point(line.coords[-1])
        ways = ((faces[c], faces[d]), (faces[d], faces[c]))
        return min(float(first.distance(near_first) + last.distance(near_last)) for near_first, near_last in ways)

    stretches = [line for line in _shared_borders(faces[a], faces[b]) if line.length >= CONTACT and not line.is_ring]
    stretches = list(shapely.get_parts(linemerge(stretches))) if len(stretches) > 1 else stretches
    return min(stretches, key=fits) if stretches else _shared_borders(faces[a], faces[b])[0]


def _extend_line(line: shapely.LineString, by: float) -> shapely.LineString:
    """Returns the line continued straight on at both ends."""
    coords = shapely.get_coordinates(line)
    reach = min(4, len(coords) - 1)

    def beyond(end: np.ndarray, inner: np.ndarray) -> np.ndarray:
        way = end - inner
        return np.asarray(end + way / (np.hypot(*way) or 1.0) * by)

    return shapely.LineString([beyond(coords[0], coords[reach]), *coords, beyond(coords[-1], coords[-1 - reach])])


def _split_channel(
    channel: BaseGeometry, border: shapely.LineString, wide: float, faces: Faces, owners: tuple[str, str]
) -> list[tuple[BaseGeometry, str]]:
    """Returns the channel, or its two halves with the owner at whose end of the border each lies."""
    c, d = owners
    if c == d:
        return [(channel, c)]
    start, end = shapely.Point(border.coords[0]), shapely.Point(border.coords[-1])
    straight = start.distance(faces[c]) + end.distance(faces[d]) <= start.distance(faces[d]) + end.distance(faces[c])
    first, last = (c, d) if straight else (d, c)
    knife = _cut_line(border, wide * 1.5)
    pieces = (
        shapely.get_parts(shapely.ops.split(channel, knife))
        if isinstance(channel, shapely.Polygon)
        else _polygons(channel)
    )
    middle = border.length / 2
    near, far = shapely.ops.substring(border, 0, middle), shapely.ops.substring(border, middle, border.length)
    return [(piece, first if _is_nearer_first(piece, near, far) else last) for piece in pieces]


def _cut_line(border: shapely.LineString, half: float) -> shapely.LineString:
    """Returns a straight line across the middle of a border."""
    middle = border.length / 2
    x, y = border.interpolate(middle).coords[0]
    before = np.array(border.interpolate(max(0.0, middle - 2)).coords[0])
    after = np.array(border.interpolate(middle + 2).coords[0])
    way = (after - before) / (np.hypot(*(after - before)) or 1.0) * half
    return shapely.LineString([(x - way[1], y + way[0]), (x + way[1], y - way[0])])


def _is_nearer_first(piece: BaseGeometry, near: BaseGeometry, far: BaseGeometry) -> bool:
    """Tells whether a piece lies nearer to the first of two lines."""
    spot = piece.representative_point()
    return bool(spot.distance(near) < spot.distance(far))


def _give_crumbs(faces: Faces, name: str, takers: tuple[str, str], cut: BaseGeometry) -> None:
    """Gives crumbs that the cut broke off to the taker they touch most."""
    parts = sorted(_polygons(faces[name]), key=lambda part: -float(part.area))
    crumbs = [part for part in parts[1:] if part.area < CRUMB and part.distance(cut) < GRID * 4]
    faces[name] = shapely.MultiPolygon([part for part in parts if part not in crumbs])
    for crumb in crumbs:
        around = crumb.buffer(GRID * 4)
        taker = max(takers, key=lambda name: float(faces[name].boundary.intersection(around).length))
        faces[taker] = _union(faces[taker], crumb)


def _attach(faces: Faces, change: AttachedIsland, named: frozenset[str]) -> set[str]:
    island, to = change
    around = [
        name for name in sorted(named) if name not in (island, to) and _shared_borders(faces[name], faces[island])
    ]
    through = next((name for name in around if _shared_borders(faces[name], faces[to])), "")
    if not through:
        raise KeyError(f"nothing lies between {island} and {to}")
    others = shapely.union_all([area for name, area in faces.items() if name in named - {island, through, to}])
    land = build_isthmus(faces[island], faces[through], faces[to], others)
    if land is None:
        raise KeyError(f"no way through {through}")
    faces[through] = _difference(faces[through], land)
    faces[island] = _union(faces[island], land)
    _give_crumbs(faces, through, (island, to), land)
    return {island, through, to}


def _redraw(geometry: Geometry, faces: Mapping[str, BaseGeometry], changed: frozenset[str], outside: str) -> Geometry:
    """Returns the board with the arcs of the changed faces drawn anew."""
    box = shapely.box(0, 0, geometry.width, geometry.height)
    areas = {**faces, outside: _intersection(faces[outside], box)}
    old = {face for face in geometry.faces if (_contact_name(geometry, face, outside) or face) in changed}
    kept = [arc for arc in geometry.arcs if not old.intersection(arc[:2])]
    border = shapely.unary_union([areas[name].boundary for name in sorted(changed)], grid_size=GRID)
    fresh = _label_lines(border, areas, geometry.scale)
    grounds = dict(geometry.grounds) | {outside: geometry.grounds.get(outside, LAND)}
    anchors = {name: _move_anchor(anchor, areas, name, geometry.token) for name, anchor in geometry.anchors.items()}
    return replace(geometry, arcs=(*kept, *fresh), grounds=grounds, anchors=anchors)


def _move_anchor(anchor: Anchor, areas: Mapping[str, BaseGeometry], name: str, token: float) -> Anchor:
    """Returns the anchor, moved to the roomiest place of its province if the token has too little room."""
    area = areas.get(name)
    if area is None or anchor.unit is None or shapely.Point(anchor.unit).buffer(token * ROOM).within(area):
        return anchor
    best = shapely.maximum_inscribed_circle(area)
    if best.length <= area.boundary.distance(shapely.Point(anchor.unit)) + 1:
        return anchor
    x, y = best.coords[0]
    return anchor._replace(unit=(round(x, 1), round(y, 1)))


def _label_lines(border: BaseGeometry, areas: Mapping[str, BaseGeometry], scale: float) -> list[Arc]:
    """Turns lines into arcs: finds the two faces beside each segment, and joins segments with the same two."""
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
    left, right = _area_names(middle + aside, areas), _area_names(middle - aside, areas)
    beside: dict[tuple[str, str], list[shapely.LineString]] = {}
    for a, b, west, east in zip(starts, stops, left, right, strict=True):
        if west != east:
            key, pair = ((west, east), (a, b)) if west <= east else ((east, west), (b, a))
            beside.setdefault(key, []).append(shapely.LineString(pair))
    return [arc for key, parts in sorted(beside.items()) for arc in _arcs(key, parts, scale)]


def _area_names(points: np.ndarray, areas: Mapping[str, BaseGeometry]) -> list[str]:
    """Returns the name of the area in which each point lies."""
    area_names = list(areas)
    tree = shapely.STRtree([areas[name] for name in area_names])
    found_names = [BEYOND] * len(points)
    for point, area in tree.query(shapely.points(points), predicate="within").T:
        found_names[point] = area_names[area]
    return found_names


def _arcs(key: tuple[str, str], parts: list[shapely.LineString], scale: float) -> list[Arc]:
    merged = linemerge(parts, directed=True) if len(parts) > 1 else shapely.MultiLineString(parts)
    arcs = []
    for line in shapely.get_parts(merged):
        points = tuple(dict.fromkeys((round(x / scale), round(y / scale)) for x, y in line.coords))
        if line.is_ring:
            points = (*points, points[0])
        if len(points) > 1:
            arcs.append(Arc(*key, points))
    return arcs

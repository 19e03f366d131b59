"""Faces of a drawn board that no rule knows: islets, satellites, lakes, scenery.

Each counts as part of a province beside it. Where moved borders run through one, it is cut off or dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely.geometry.base import BaseGeometry

from gm.maps.drawing.geometry import Arc
from gm.maps.drawing.lines import Corner
from gm.maps.redrawing.lines import Line, Segment, segments

SPECK = 400.0
"""Square units of the arcs: a smaller remainder is dropped."""
SHORE = 12.0
"""Units of the arcs between a moved border and what is left of a piece of scenery."""

GAP = 1.5
"""The same between two pieces of scenery."""


class SceneryPiece(Struct, frozen=True, eq=False):
    """`owner` is the province that it counts as part of. `arcs` lie inside of the owner; `edge` are the segments where
    the piece touches other provinces, with the piece on the right.
    """

    face: str
    owner: str
    arcs: tuple[Arc, ...]
    area: BaseGeometry
    edge: frozenset[Segment] = frozenset()


def find_scenery(arcs: Iterable[Arc], province: Callable[[str], str]) -> list[SceneryPiece]:
    """Returns the pieces of scenery. `province` returns the province that a face shows, "" for scenery."""
    groups: dict[Corner, list[Arc]] = {}
    inner: list[Arc] = []
    for arc in arcs:
        shown = [bool(province(face)) for face in arc[:2]]
        if shown == [False, False]:
            inner.append(arc)
        elif not all(shown):
            ends = (arc.points[0], arc.points[-1])
            group = [arc, *groups.get(ends[0], ())]
            if groups.get(ends[1]) is not groups.get(ends[0]):
                group += groups.get(ends[1], ())
            groups.update({end: group for other in group for end in (other.points[0], other.points[-1])})
    pieces = [_piece(group, province) for group in {id(group): group for group in groups.values()}.values()]
    return _with_ponds(pieces, inner)


def _with_ponds(pieces: list[SceneryPiece], inner: list[Arc]) -> list[SceneryPiece]:
    """Adds ponds to the pieces that they lie in: arcs between two pieces of scenery, and rings in other rings."""
    ponds = {at: [piece] for at, piece in enumerate(pieces)}
    areas = [piece.area for piece in pieces]
    tree = shapely.STRtree(areas)
    for at, host in tree.query(areas, predicate="within").T.tolist():
        if at != host and at in ponds and host in ponds:
            ponds[host] += ponds.pop(at)
    for arc in inner:
        for host in tree.query(shapely.LineString(arc.points), predicate="within").tolist()[:1]:
            ponds[host].append(replace(pieces[host], arcs=(arc,)))
    return [
        replace(host, arcs=tuple(arc for piece in (host, *wet) for arc in piece.arcs)) for host, *wet in ponds.values()
    ]


def _piece(group: list[Arc], province: Callable[[str], str]) -> SceneryPiece:
    face = next(name for name in group[0][:2] if not province(name))
    lengths: dict[str, float] = {}
    for arc in group:
        name = province(arc.left) or province(arc.right)
        lengths[name] = lengths.get(name, 0.0) + shapely.LineString(arc.points).length
    owner = max(lengths, key=lambda name: lengths[name])
    own = [arc for arc in group if owner in (province(arc.left), province(arc.right))]
    edge = [
        segment
        for arc in group
        if arc not in own
        for segment in segments(arc.points if arc.right == face else arc.points[::-1])
    ]
    area = shapely.union_all(shapely.get_parts(shapely.polygonize([shapely.LineString(arc.points) for arc in group])))
    return SceneryPiece(face, owner, tuple(own), area, frozenset(edge))


def speck_piece(loop: Line) -> SceneryPiece:
    """Returns an islet or a pond that has the name of a province, as a piece of scenery."""
    owner = loop.left if loop.inner == loop.right else loop.right
    return SceneryPiece(loop.inner, owner, (Arc(loop.left, loop.right, loop.points),), shapely.Polygon(loop.points))


def clear_scenery(
    pieces: Sequence[SceneryPiece],
    ground: BaseGeometry,
    lines: BaseGeometry,
    owners: Mapping[str, BaseGeometry],
    is_land: Callable[[str], bool],
) -> tuple[SceneryPiece, ...]:
    """Returns the pieces after some ground has changed hands. `lines` are the new borders, `owners` the faces of those
    who took the ground. What lies at the new borders is dropped; an islet stays in a sea, a lake in a land.
    """
    moved = ground.buffer(SHORE)
    shapely.prepare(moved)
    touched = shapely.intersects(moved, [piece.area for piece in pieces])
    kept = [piece for piece, hit in zip(pieces, touched, strict=True) if not hit]
    rim = lines.buffer(SHORE) if touched.any() else lines
    for piece in (piece for piece, hit in zip(pieces, touched, strict=True) if hit):
        clear = shapely.difference(piece.area, rim)
        if piece.edge:
            clear = shapely.difference(clear, shapely.MultiLineString([*piece.edge]).buffer(SHORE))
        areas = {piece.owner: shapely.difference(clear, ground)}
        for owner, face in owners.items():
            inside = shapely.intersection(shapely.intersection(clear, ground), face)
            areas[owner] = shapely.union(areas[owner], inside) if owner in areas else inside
        for owner, area in areas.items():
            if is_land(owner) != is_land(piece.face):
                kept += _loops(piece.face, owner, area)
    return tuple(kept)


def _loops(face: str, owner: str, area: BaseGeometry) -> Iterator[SceneryPiece]:
    for part in shapely.get_parts(shapely.set_precision(area.buffer(-GAP), 1.0)):
        if isinstance(part, shapely.Polygon) and part.area >= SPECK:
            shore = shapely.orient_polygons(shapely.Polygon(part.exterior))
            points = tuple((int(x), int(y)) for x, y in shore.exterior.coords)
            yield SceneryPiece(face, owner, (Arc(owner, face, points),), shore)

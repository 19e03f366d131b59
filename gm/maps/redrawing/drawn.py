"""Turns a PlanarPicture into the Geometry that is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from msgspec.structs import replace

from gm.maps.drawing.geometry import BEYOND, LAND, Anchor, Arc, Geometry, Point
from gm.maps.redrawing.lines import Line, Segment, segments
from gm.maps.redrawing.picture import RIM, PlanarPicture

Faces: TypeAlias = Mapping[Segment, str]
"""The face on the right of a segment, where its name is not that of the province."""


def drawn_geometry(picture: PlanarPicture, anchors: Mapping[str, Anchor]) -> Geometry:
    """Returns the board that a picture shows. If borders of the outside have moved, a rim shows the outside."""
    base = picture.base
    scenery = {segment: piece.face for piece in picture.scenery for segment in piece.edge}
    loops = [arc for piece in picture.scenery for arc in piece.arcs]
    outer = dict(_outer_faces(base))
    if outer.keys() >= set(_outer_segments(picture)):
        frame = [arc for arc in base.arcs if _is_outside(base, arc.left) and _is_outside(base, arc.right)]
        return replace(base, arcs=(*_arcs(picture, scenery | outer), *loops, *frame), anchors=anchors)
    corners = tuple((round(x), round(y)) for x, y in picture.rim.exterior.coords)
    rim = Arc(*((BEYOND, base.outside) if picture.rim.exterior.is_ccw else (base.outside, BEYOND)), corners)
    grounds = {**base.grounds, base.outside: LAND}
    return _shifted(replace(base, arcs=(*_arcs(picture, scenery), *loops, rim), grounds=grounds, anchors=anchors))


def _outer_faces(geometry: Geometry) -> Iterator[tuple[Segment, str]]:
    """Yields all segments of the border of the outside, with the face on their right."""
    for arc in geometry.arcs:
        left, right = _is_outside(geometry, arc.left), _is_outside(geometry, arc.right)
        if right and not left:
            yield from ((segment, arc.right) for segment in segments(arc.points))
        elif left and not right:
            yield from ((segment, arc.left) for segment in segments(arc.points[::-1]))


def _is_outside(geometry: Geometry, face: str) -> bool:
    return geometry.province(face, (geometry.outside,)) != ""


def _outer_segments(picture: PlanarPicture) -> Iterator[Segment]:
    outside = picture.base.outside
    for line in picture.lines.values():
        if outside in (line.right, line.left):
            yield from segments(line.along(outside))


def _arcs(picture: PlanarPicture, faces: Faces) -> Iterator[Arc]:
    for line in picture.lines.values():
        yield from _split(line, faces)


def _split(line: Line, faces: Faces) -> Iterator[Arc]:
    """Cuts a line where the faces beside it change."""
    points = [line.points[0]]
    beside: tuple[str, str] | None = None
    for start, end in segments(line.points):
        here = faces.get((end, start), line.left), faces.get((start, end), line.right)
        if beside is not None and here != beside:
            yield Arc(*beside, tuple(points))
            points = [start]
        beside = here
        points.append(end)
    assert beside is not None
    yield Arc(*beside, tuple(points))


def _shifted(geometry: Geometry) -> Geometry:
    """Returns the picture with room for the rim on all sides."""
    off = RIM * geometry.scale

    def moved(place: Point) -> Point:
        return place[0] + off, place[1] + off

    return replace(
        geometry,
        width=geometry.width + 2 * off,
        height=geometry.height + 2 * off,
        arcs=tuple(
            Arc(left, right, tuple((x + RIM, y + RIM) for x, y in points)) for left, right, points in geometry.arcs
        ),
        anchors={
            name: Anchor(*(place and moved(place) for place in anchor)) for name, anchor in geometry.anchors.items()
        },
        boxes={
            name: box._replace(corner=moved(box.corner), arrow=tuple(map(moved, box.arrow)))
            for name, box in geometry.boxes.items()
        },
        lines=tuple(tuple(map(moved, line)) for line in geometry.lines),
        signs=tuple(replace(sign, points=tuple(map(moved, sign.points))) for sign in geometry.signs),
    )

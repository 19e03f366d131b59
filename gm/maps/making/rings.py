"""The faces of a drawn board: their borders, neighbours, and the order of these."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from gm.maps.drawing.geometry import Geometry, Point
from gm.maps.drawing.lines import Corner, close_rings

TENTH = 0.1


class Side(NamedTuple):
    """A border between two names of the map; what lies beyond the frame is a name too."""

    left: str
    right: str
    points: tuple[Corner, ...]

    @property
    def length(self) -> float:
        return TENTH * sum(math.dist(a, b) for a, b in zip(self.points, self.points[1:], strict=False))

    @property
    def middle(self) -> Point:
        x, y = self.points[len(self.points) // 2]
        return x * TENTH, y * TENTH


class Ring(Struct, frozen=True):
    """The border of a face, clockwise on the screen. `others` are the faces met, one per arc."""

    face: str
    others: tuple[str, ...]
    points: tuple[Corner, ...]
    length: float


def map_borders(geometry: Geometry) -> list[Side]:
    """Returns all arcs, with what lies beyond the frame. A round-the-world board is joined at its edges."""
    borders = []
    seam: dict[tuple[int, int], list[tuple[str, tuple[Corner, ...]]]] = defaultdict(list)
    for arc in geometry.arcs:
        if "" not in (arc.left, arc.right):
            borders.append(Side(arc.left, arc.right, arc.points))
            continue
        edge = _edge(arc.points, geometry)
        if geometry.wrap and edge in ("left", "right"):
            low, high = sorted((arc.points[0][1], arc.points[-1][1]))
            downwards = arc.points[0][1] == low
            face = arc.left or arc.right
            seam[low, high].append((face, arc.points if downwards else arc.points[::-1]))
            continue
        beyond = geometry.beyond.get(edge, "")
        borders.append(Side(arc.left or beyond, arc.right or beyond, arc.points))
    for pair in seam.values():
        if len(pair) == 2 and pair[0][0] != pair[1][0]:
            # The face at the left edge of the picture lies to the east, which is the left hand going down.
            (east, points), (west, _) = sorted(pair, key=lambda half: half[1][0][0])
            borders.append(Side(east, west, points))
    return borders


def _edge(points: Sequence[Corner], geometry: Geometry) -> str:
    right, bottom = round(geometry.width / TENTH), round(geometry.height / TENTH)
    for name, at, value in (("left", 0, 0), ("right", 0, right), ("top", 1, 0), ("bottom", 1, bottom)):
        if all(point[at] == value for point in points):
            return name
    return ""


def drawn_sides(geometry: Geometry) -> list[Side]:
    """Returns all arcs as drawn: the edges of the picture are borders too."""
    return [Side(*arc) for arc in geometry.arcs]


def rings(geometry: Geometry, borders: Sequence[Side], face: str, joined: bool = True) -> list[Ring]:
    """Returns all closed rings of the faces of this name. `joined`: across the edges of the picture."""
    around = round(geometry.width / TENTH) if geometry.wrap and joined else 0

    def key(corner: Corner) -> Corner:
        return (0, corner[1]) if around and corner[0] == around else corner

    pieces = []
    for side in borders:
        if side.left == side.right or face not in (side.left, side.right):
            continue
        points = side.points if side.right == face else side.points[::-1]
        other = side.left if side.right == face else side.right
        pieces.append((key(points[0]), key(points[-1]), (other, points, side.length)))
    return [
        Ring(
            face,
            tuple(other for other, _, _ in ring),
            tuple(point for _, points, _ in ring for point in points[:-1]),
            sum(length for _, _, length in ring),
        )
        for ring in close_rings(pieces)
    ]


def names_met(geometry: Geometry, ring: Ring) -> tuple[str, ...]:
    """Returns the names met along a ring, without scenery and satellites."""
    return drop_repeats(name for other in ring.others if (name := geometry.contact(other)))


def drop_repeats(names: Iterator[str] | Sequence[str]) -> tuple[str, ...]:
    """Removes repeats in a row, also across the end."""
    kept: list[str] = []
    for name in names:
        if not kept or kept[-1] != name:
            kept.append(name)
    if len(kept) > 1 and kept[0] == kept[-1]:
        kept.pop()
    return tuple(kept)

"""PlanarPicture: a drawn board whose borders can move, and the move of a border on it.

Every stretch of the board's rotation system has one line. A change of borders cuts lines and joins their parts anew, so
lines share their junctions by construction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

import numpy as np
import shapely
from msgspec import Struct
from shapely.geometry.base import BaseGeometry

from gm.judge.board.rotation import InvalidMap, RotationSystem
from gm.maps.drawing.geometry import LAND, Arc, Geometry
from gm.maps.drawing.lines import Points
from gm.maps.redrawing.lines import Line, join_arcs, read_rotation
from gm.maps.redrawing.scenery import SceneryPiece, find_scenery, speck_piece

RIM = 300
"""Width of the strip round the picture that stands for the outside, in units of the arcs."""


class CannotRedraw(ValueError):
    """The picture cannot show the borders. The text is one line."""


class PlanarPicture(Struct, frozen=True, eq=False, dict=True):
    """`lines` by stretch of `rotation`. `base` is the board as it was read."""

    base: Geometry
    rotation: RotationSystem
    lines: Mapping[int, Line]
    scenery: tuple[SceneryPiece, ...]

    @cached_property
    def rim(self) -> shapely.Polygon:
        width, height = (round(side / self.base.scale) for side in (self.base.width, self.base.height))
        return shapely.box(-RIM, -RIM, width + RIM, height + RIM)

    @cached_property
    def _areas(self) -> dict[str, shapely.Polygon]:
        return {}

    def area(self, province: str) -> shapely.Polygon:
        """Returns the face of a province, with the scenery that counts as part of it."""
        if province not in self._areas:
            self._areas[province] = self._area(province)
        return self._areas[province]

    def ground(self, province: str) -> BaseGeometry:
        """Returns the face of a province without lakes and islets: where its tokens may stand."""
        other = [piece.area for piece in self.scenery if piece.owner == province != self.base.name(piece.face)]
        return shapely.difference(self.area(province), shapely.union_all(other)) if other else self.area(province)

    def _area(self, province: str) -> shapely.Polygon:
        rings = [
            shapely.linearrings(np.array(self.ring_points(province, ring))) for ring in self.rotation.rings[province]
        ]
        if province == self.base.outside:
            return shapely.polygons(self.rim.exterior, holes=rings)
        shell = int(np.argmax(shapely.area(shapely.polygons(rings))))
        return shapely.polygons(rings[shell], holes=[*rings[:shell], *rings[shell + 1 :]] or None)

    def is_land(self, face: str) -> bool:
        return self.base.ground(face) == LAND

    def ring_points(self, province: str, ring: Iterable[int]) -> Points:
        return tuple(point for stretch in ring for point in self.lines[stretch].along(province)[:-1])

    def line(self, province: str, stretch: int) -> Points:
        return self.lines[stretch].along(province)


def read_picture(geometry: Geometry, provinces: Collection[str]) -> PlanarPicture:
    """Reads the lines of a drawn board. Raises CannotRedraw if they do not fit together."""
    scenery = find_scenery(geometry.arcs, lambda face: geometry.province(face, provinces))
    try:
        lines = join_arcs(_owned_arcs(geometry, provinces, scenery))
        specks = [line for line in lines if line.closed and _is_speck(line, lines)]
        kept = dict(enumerate(line for line in lines if line not in specks))
        return PlanarPicture(geometry, read_rotation(kept), kept, (*scenery, *map(speck_piece, specks)))
    except InvalidMap as error:
        raise CannotRedraw(str(error)) from None


def _owned_arcs(geometry: Geometry, provinces: Collection[str], scenery: Iterable[SceneryPiece]) -> Iterable[Arc]:
    """Yields the arcs between provinces; scenery counts as part of its owner."""
    owners = {segment: piece.owner for piece in scenery for segment in piece.edge}
    for arc in geometry.arcs:
        first = arc.points[:2]
        left = geometry.province(arc.left, provinces) or owners.get((first[1], first[0]), "")
        right = geometry.province(arc.right, provinces) or owners.get((first[0], first[1]), "")
        if left and right:
            yield Arc(left, right, arc.points)


def _is_speck(loop: Line, lines: Iterable[Line]) -> bool:
    """Tells whether a closed line surrounds only an islet or a pond of a province that lies elsewhere."""
    inside, inner = shapely.Polygon(loop.points), loop.inner
    others = [line for line in lines if line is not loop and inner in (line.right, line.left)]
    return any(
        inside.area < shapely.Polygon(line.points).area
        if line.closed and line.inner == inner
        else not inside.covers(shapely.Point(line.points[0]))
        for line in others
    )

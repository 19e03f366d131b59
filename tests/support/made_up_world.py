"""A made-up world of two lands in a sea, small enough to be drawn in a second."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
from shapely.geometry import Polygon, box
from shapely.geometry.base import BaseGeometry

MAP = """
[coastal]
Eas = { name = "East", centre = true }
Wes = { name = "West", coasts = ["nc", "sc"] }
Isl = { name = "Island", centre = true }
[sea]
NOR = { name = "North Sea" }
SOU = { name = "South Sea" }
[impassable]
Out = { name = "Outside" }
[army]
Eas = "Wes"
[fleet]
NOR = "Eas Wes/nc SOU Isl"
SOU = "Eas Wes/sc Isl"
"Wes/nc" = "Eas"
"Wes/sc" = "Eas"
[clockwise]
Eas = "NOR SOU Wes"
Wes = "NOR Eas SOU Out"
Isl = "NOR SOU"
NOR = "Out SOU Isl SOU Eas Wes"
SOU = "Out Wes Eas NOR Isl NOR"
Out = "NOR Wes SOU"
"""

SITES = """
width: 400
token: 8
text: 9
projection: {kind: azimuthal, centre: [0, 0], x: [-1600, 1600], y: [-1200, 1200]}
coastline:
  - {scale: 10m, box: [-30, -30, 30, 30]}
growth: {seed: 1, noise: 0.2}
land:
  Eas: [[0, 5]]
  Wes: [[0, -6]]
  Isl: [[0, 11.7]]
water:
  NOR: [[6, 0], [6, -8], [6, 8], [2, 13.6], [2, 10]]
  SOU: [[-6, 0], [-6, -8], [-6, 8], [-2, 13.6], [-2, 10]]
barriers: [[1, 2]]
cities: {Eas: [0, 6], Isl: [0, 11.7]}
"""


class World:
    """An atlas: a land that reaches beyond the frame in the west, an island, an islet, and a border between 1 and 2."""

    def land(self, coastlines: object, turns: object) -> Iterator[BaseGeometry]:
        yield box(-20, -3, 9, 3)
        yield box(10.8, -1.5, 12.8, 1.5)
        yield Polygon([(-5, -5), (-4.8, -5), (-4.9, -4.7)])

    def borders(self) -> Iterator[tuple[tuple[int, int], npt.NDArray[np.float64]]]:
        yield (1, 2), np.array([[0.0, -4.0], [0.0, 4.0]])


def folder(at: Path, sites: str = SITES, board: str = MAP) -> Path:
    """A variant's folder as a map maker has it before variant.toml is written."""
    (at / "sites.yaml").write_text(sites, encoding="utf-8")
    (at / "map.toml").write_text(board, encoding="utf-8")
    return at

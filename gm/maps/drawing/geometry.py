"""The drawn board: borders as arcs, each once, with the two faces beside it, and places for tokens and labels.

This is the content of a variant's geometry.json. Points of arcs are whole numbers, `scale` of a picture unit each;
everything else is in picture units. y points down. The left face of an arc is on the left hand of who walks it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from msgspec import Struct, convert, field

Point = tuple[float, float]

LAND = "land"
WATER = "water"
DEEP = "deep"
BEYOND = ""
"""Stands for a face on the frame of the picture."""
SATELLITE = "*"
"""Ends the name of an island that is drawn in a province's colour and touches nobody."""

SECOND = "#"
"""Stands before the number of a province's further faces."""
LETTER, TALL = 0.62, 0.8
"""Width of a letter and height of a line, as shares of the text size."""
OCEAN = (8.6, 2.8)
"""Width and height of an ocean's label with its name, as shares of the text size."""


class GeometryError(ValueError):
    """The document is no geometry. The text is one line."""


class Arc(NamedTuple):
    left: str
    right: str
    points: tuple[tuple[int, int], ...]


class Anchor(NamedTuple):
    """Where the tokens and labels of a province stand; None where it has none of that kind."""

    unit: Point | None = None
    label: Point | None = None
    centre: Point | None = None
    air: Point | None = None

    @property
    def pieces(self) -> dict[str, Point]:
        """The places that there are, under their names in geometry.json."""
        named = {"unit": self.unit, "label": self.label, "air": self.air, "sc": self.centre}
        return {piece: place for piece, place in named.items() if place is not None}


class Box(NamedTuple):
    """A space off the board, drawn as a box. `near` is the space that contains it, `arrow` a line to it."""

    corner: Point
    size: Point
    text: str
    near: str
    links: tuple[str, ...]
    arrow: tuple[Point, ...] = ()


class BorderSign(Struct, frozen=True):
    """A sign on a border: a corner where four spaces meet, a bridge or a ferry; `names` are the spaces."""

    kind: str
    points: tuple[Point, ...]
    names: tuple[str, ...] = ()


class Geometry(Struct, frozen=True, eq=False, dict=True):
    """`token` is a token's radius, `text` the height of a code. `parts` maps faces to the name they belong to: islets,
    pieces of the outside. `beyond` names what lies at each edge of the picture. `shores` are waters without a name that
    are open to fleets. `wrap`: the left and the right edge of the picture are the same line.
    """

    width: float
    height: float
    arcs: tuple[Arc, ...]
    grounds: Mapping[str, str]
    anchors: Mapping[str, Anchor]
    parts: Mapping[str, str] = field(default_factory=dict)
    beyond: Mapping[str, str] = field(default_factory=dict)
    boxes: Mapping[str, Box] = field(default_factory=dict)
    lines: tuple[tuple[Point, ...], ...] = ()
    signs: tuple[BorderSign, ...] = field(default=(), name="marks")
    scale: float = 0.1
    token: float = 12.5
    text: float = 13.0
    wrap: bool = False
    shores: tuple[str, ...] = ()
    source: Mapping[str, Any] = field(default_factory=dict)

    @property
    def around(self) -> float:
        """The way round the board to the same place; 0 if nothing leads over its left and right edges."""
        return self.width if self.wrap or self.boxes else 0.0

    def name(self, face: str) -> str:
        """Returns the province or piece of scenery that a face belongs to."""
        return self.parts.get(face) or face.rstrip("*")

    def contact(self, face: str) -> str:
        """Returns the name under which a face counts for borders; "" for satellites."""
        return "" if face.endswith(SATELLITE) else self.parts.get(face, face)

    @property
    def outside(self) -> str:
        """The province that lies beyond the edges of the picture; "" if there are several, or none."""
        names = set(self.beyond.values())
        return names.pop() if len(names) == 1 else ""

    def province(self, face: str, provinces: Collection[str]) -> str:
        """Returns the one of these provinces that a face shows; "" for scenery."""
        name = self.outside if face == BEYOND else self.contact(face)
        return name if name in provinces else ""

    def ground(self, face: str) -> str:
        return self.grounds.get(face) or self.grounds.get(self.name(face), LAND)

    @cached_property
    def faces(self) -> tuple[str, ...]:
        """All faces, in the order of the arcs."""
        names = dict.fromkeys(name for arc in self.arcs for name in (arc.left, arc.right))
        return tuple(name for name in names if name != BEYOND)

    def anchor(self, province: str, coast: str = "") -> Anchor:
        """Returns the anchor of a coast, or else of its province."""
        coast_anchor = self.anchors.get(f"{province}/{coast}") if coast else None
        return coast_anchor or self.anchors.get(province) or Anchor()


def label_size(text: float, name: str, grounds: Mapping[str, str]) -> tuple[float, float]:
    """Returns half the width and height of a code's label; an ocean's name stands below its code."""
    code = name.split(SECOND)[0]
    if grounds.get(code) == DEEP:
        return OCEAN[0] * text / 2, OCEAN[1] * text / 2
    return LETTER * text * len(code) / 2, TALL * text / 2


def read_geometry(document: object) -> Geometry:
    """Reads a parsed geometry.json. Unknown keys are ignored. Raises GeometryError."""
    if not isinstance(document, Mapping):
        raise GeometryError("a geometry must be an object")
    try:
        return _parse_geometry(document)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise GeometryError(f"no geometry: {type(error).__name__} {error}") from None


def _parse_geometry(table: Mapping[str, Any]) -> Geometry:
    readers: Mapping[str, Callable[[Any], object]] = {
        "arcs": lambda arcs: [(left, right, decode_arc(deltas)) for left, right, deltas in arcs],
        "anchors": lambda anchors: {name: read_anchor(row) for name, row in anchors.items()},
        "boxes": lambda boxes: {name: read_box(row) for name, row in boxes.items()},
    }
    return convert({**table, **{key: read(table[key]) for key, read in readers.items() if key in table}}, Geometry)


def decode_arc(deltas: list[int]) -> tuple[tuple[int, int], ...]:
    """Returns the points for x, y, dx, dy, dx, dy, …"""
    if len(deltas) < 4 or len(deltas) % 2:
        raise GeometryError(f"an arc has {len(deltas)} numbers")
    x = y = 0
    points: list[tuple[int, int]] = []
    for step_x, step_y in zip(deltas[::2], deltas[1::2], strict=True):
        x, y = x + int(step_x), y + int(step_y)
        points.append((x, y))
    return tuple(points)


def read_anchor(table: Mapping[str, Any]) -> Anchor:
    places = convert(table, dict[str, Point])
    return Anchor(*(places.get(key) for key in ("unit", "label", "sc", "air")))


def read_box(table: Mapping[str, Any]) -> Box:
    x, y, width, height = table["rect"]
    row = (x, y), (width, height), table["text"], table["near"], table["links"], table.get("arrow", ())
    return convert(row, Box)

"""The drawn board: arcs from junction to junction, each once, with the two names beside it, and the places of tokens.

This is what a variant's geometry.json holds. Points of arcs are whole numbers, `scale` of a picture unit each; all
other places are in picture units. y points down. On an arc's way its left name is on the left hand of the walker.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from msgspec import Struct, field

Point = tuple[float, float]

LAND = "land"
WATER = "water"
DEEP = "deep"
BEYOND = ""
"""The name beside an arc that lies on the frame of the picture."""


class GeometryError(ValueError):
    """A document that is no geometry. Its text is one line."""


class Arc(NamedTuple):
    left: str
    right: str
    points: tuple[tuple[int, int], ...]


class Anchor(NamedTuple):
    """Where the tokens and signs of a province stand; None where it has none of that kind."""

    unit: Point | None = None
    label: Point | None = None
    centre: Point | None = None
    air: Point | None = None


class Box(NamedTuple):
    """A space off the board, drawn as a box. `near` is the space that contains it, `arrow` a line that leads there."""

    corner: Point
    size: Point
    text: str
    near: str
    links: tuple[str, ...]
    arrow: tuple[Point, ...] = ()


class BorderSign(NamedTuple):
    """Something drawn on a border: a corner where four spaces meet, a bridge or a ferry from shore to shore."""

    kind: str
    points: tuple[Point, ...]


class Geometry(Struct, frozen=True, eq=False, dict=True):
    """`token` is the radius a token may have, `text` the height of a code. `parts` are faces that belong to another
    name: islets in its colour, pieces of what lies outside. `wrap`: the left and the right edge are one line."""

    width: float
    height: float
    arcs: tuple[Arc, ...]
    grounds: Mapping[str, str]
    anchors: Mapping[str, Anchor]
    parts: Mapping[str, str] = field(default_factory=dict)
    boxes: Mapping[str, Box] = field(default_factory=dict)
    lines: tuple[tuple[Point, ...], ...] = ()
    signs: tuple[BorderSign, ...] = ()
    scale: float = 0.1
    token: float = 12.5
    text: float = 13.0
    wrap: bool = False

    def name(self, face: str) -> str:
        """The province or piece of scenery a face belongs to."""
        return self.parts.get(face) or face.rstrip("*")

    def ground(self, face: str) -> str:
        return self.grounds.get(face) or self.grounds.get(self.name(face), LAND)

    @cached_property
    def faces(self) -> tuple[str, ...]:
        """Every name beside an arc, in the order of the arcs."""
        names = dict.fromkeys(name for arc in self.arcs for name in (arc.left, arc.right))
        return tuple(name for name in names if name != BEYOND)

    def anchor(self, province: str, coast: str = "") -> Anchor:
        """A coast without an anchor of its own has its province's."""
        at = self.anchors.get(f"{province}/{coast}") if coast else None
        return at or self.anchors.get(province) or Anchor()


def read(document: object) -> Geometry:
    """GeometryError, one line, for anything that is no geometry. Keys that nobody knows are passed over."""
    if not isinstance(document, Mapping):
        raise GeometryError("a geometry must be an object")
    try:
        return _read(document)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise GeometryError(f"no geometry: {type(error).__name__} {error}") from None


def _read(told: Mapping[str, Any]) -> Geometry:
    return Geometry(
        width=float(told["width"]),
        height=float(told["height"]),
        arcs=tuple(Arc(str(left), str(right), _unwound(deltas)) for left, right, deltas in told["arcs"]),
        grounds=dict(told["grounds"]),
        anchors={str(name): _anchor(one) for name, one in told["anchors"].items()},
        parts=dict(told.get("parts", {})),
        boxes={str(name): _box(one) for name, one in told.get("boxes", {}).items()},
        lines=tuple(_points(line) for line in told.get("lines", ())),
        signs=tuple(BorderSign(str(one["kind"]), _points(one["points"])) for one in told.get("marks", ())),
        scale=float(told.get("scale", 0.1)),
        token=float(told.get("token", 12.5)),
        text=float(told.get("text", 13)),
        wrap=bool(told.get("wrap", False)),
    )


def _unwound(deltas: list[int]) -> tuple[tuple[int, int], ...]:
    if len(deltas) < 4 or len(deltas) % 2:
        raise GeometryError(f"an arc has {len(deltas)} numbers")
    x = y = 0
    found: list[tuple[int, int]] = []
    for step_x, step_y in zip(deltas[::2], deltas[1::2], strict=True):
        x, y = x + int(step_x), y + int(step_y)
        found.append((x, y))
    return tuple(found)


def _point(told: Any) -> Point:
    x, y = told
    return float(x), float(y)


def _points(told: Iterable[Any]) -> tuple[Point, ...]:
    return tuple(_point(one) for one in told)


def _anchor(told: Mapping[str, Any]) -> Anchor:
    places = (told.get(key) for key in ("unit", "label", "sc", "air"))
    return Anchor(*(_point(place) if place else None for place in places))


def _box(told: Mapping[str, Any]) -> Box:
    x, y, width, height = map(float, told["rect"])
    return Box(
        (x, y),
        (width, height),
        str(told["text"]),
        str(told["near"]),
        tuple(map(str, told["links"])),
        _points(told.get("arrow", ())),
    )

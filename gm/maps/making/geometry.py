"""geometry.json: the drawn board, as it is kept beside the map. Its form is told in variants/README.md."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct, field

from gm.maps.making.errors import Point, SurveyError

FILE = "geometry.json"
SATELLITE, SECOND = "*", "#"


class DrawnArc(NamedTuple):
    """A border from junction to junction: the faces on both hands, and its points in tenths of picture units."""

    left: str
    right: str
    points: tuple[tuple[int, int], ...]


class DrawnGeometry(Struct, frozen=True):
    width: int
    height: int
    wrap: bool
    token: float
    text: float
    grounds: Mapping[str, str]
    parts: Mapping[str, str]
    beyond: Mapping[str, str]
    shores: tuple[str, ...]
    arcs: tuple[DrawnArc, ...]
    anchors: Mapping[str, Mapping[str, Point]]
    boxes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    lines: tuple[Sequence[Point], ...] = ()
    marks: tuple[Mapping[str, Any], ...] = ()
    source: Mapping[str, Any] = field(default_factory=dict)

    def contact(self, name: str) -> str:
        """The name on the map that a face stands for when borders are counted; "" for satellites."""
        return "" if name.endswith(SATELLITE) else self.parts.get(name, name)


def read_geometry(path: Path) -> DrawnGeometry:
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SurveyError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise SurveyError(f"{path}: not valid JSON: {error}") from None
    try:
        return _from_table(table)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SurveyError(f"{path}: is no geometry: {type(error).__name__} {error}") from None


def _from_table(table: Any) -> DrawnGeometry:
    return DrawnGeometry(
        width=table["width"],
        height=table["height"],
        wrap=table.get("wrap", False),
        token=table["token"],
        text=table["text"],
        grounds=table["grounds"],
        parts=table.get("parts", {}),
        beyond=table.get("beyond", {}),
        shores=tuple(table.get("shores", ())),
        arcs=tuple(DrawnArc(left, right, _points(deltas)) for left, right, deltas in table["arcs"]),
        anchors={name: {piece: (x, y) for piece, (x, y) in found.items()} for name, found in table["anchors"].items()},
        boxes=table.get("boxes", {}),
        lines=tuple(table.get("lines", ())),
        marks=tuple(table.get("marks", ())),
        source=table.get("source", {}),
    )


def _points(deltas: Sequence[int]) -> tuple[tuple[int, int], ...]:
    x = y = 0
    points = []
    for dx, dy in zip(deltas[::2], deltas[1::2], strict=True):
        x, y = x + dx, y + dy
        points.append((x, y))
    return tuple(points)


def written(geometry: DrawnGeometry) -> str:
    """The file: short lines for people who compare versions, the same bytes for the same board."""
    head: dict[str, Any] = {"width": geometry.width, "height": geometry.height, "scale": 0.1, "wrap": geometry.wrap}
    head |= {"token": geometry.token, "text": geometry.text, "grounds": dict(geometry.grounds)}
    head |= {"parts": dict(geometry.parts), "beyond": dict(geometry.beyond), "shores": list(geometry.shores)}
    tail = {"boxes": geometry.boxes, "lines": geometry.lines, "marks": geometry.marks, "source": geometry.source}
    arcs = [_short([arc.left, arc.right, _deltas(arc.points)]) for arc in geometry.arcs]
    anchors = [f"{_short(name)}:{_short(found)}" for name, found in geometry.anchors.items()]
    rows = [f"{_short(key)}:{_short(value)}" for key, value in head.items()]
    rows.append('"arcs":[\n' + ",\n".join(arcs) + "\n]")
    rows.append('"anchors":{\n' + ",\n".join(anchors) + "\n}")
    rows += [f"{_short(key)}:{_short(value)}" for key, value in tail.items()]
    return "{\n" + ",\n".join(rows) + "\n}\n"


def _deltas(points: Sequence[tuple[int, int]]) -> list[int]:
    x = y = 0
    found = []
    for px, py in points:
        found += [px - x, py - y]
        x, y = px, py
    return found


def _short(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

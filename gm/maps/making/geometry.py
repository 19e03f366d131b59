"""Reads and writes geometry.json as the map maker's tool needs it. variants/README.md describes the format."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from gm.errors import GmError
from gm.maps.drawing.geometry import Arc, Point, decode_arc

GEOMETRY_FILE = "geometry.json"
SATELLITE, SECOND = "*", "#"


class SurveyError(GmError):
    """The board cannot be drawn or read. The text names the file, the key and the fault."""


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
    arcs: tuple[Arc, ...]
    anchors: Mapping[str, Mapping[str, Point]]
    boxes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    lines: tuple[Sequence[Point], ...] = ()
    marks: tuple[Mapping[str, Any], ...] = ()
    source: Mapping[str, Any] = field(default_factory=dict)

    def contact(self, name: str) -> str:
        """Returns the name under which a face counts for borders; "" for satellites."""
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
        arcs=tuple(Arc(left, right, decode_arc(deltas)) for left, right, deltas in table["arcs"]),
        anchors={
            name: {piece: (x, y) for piece, (x, y) in places.items()} for name, places in table["anchors"].items()
        },
        boxes=table.get("boxes", {}),
        lines=tuple(table.get("lines", ())),
        marks=tuple(table.get("marks", ())),
        source=table.get("source", {}),
    )


def geometry_to_text(geometry: DrawnGeometry) -> str:
    """Returns the content of geometry.json: short lines for diffs, the same bytes for the same board."""
    head: dict[str, Any] = {"width": geometry.width, "height": geometry.height, "scale": 0.1, "wrap": geometry.wrap}
    head |= {"token": geometry.token, "text": geometry.text, "grounds": dict(geometry.grounds)}
    head |= {"parts": dict(geometry.parts), "beyond": dict(geometry.beyond), "shores": list(geometry.shores)}
    tail = {"boxes": geometry.boxes, "lines": geometry.lines, "marks": geometry.marks, "source": geometry.source}
    arcs = [_compact_json([arc.left, arc.right, _deltas(arc.points)]) for arc in geometry.arcs]
    anchors = [f"{_compact_json(name)}:{_compact_json(places)}" for name, places in geometry.anchors.items()]
    rows = [f"{_compact_json(key)}:{_compact_json(value)}" for key, value in head.items()]
    rows.append('"arcs":[\n' + ",\n".join(arcs) + "\n]")
    rows.append('"anchors":{\n' + ",\n".join(anchors) + "\n}")
    rows += [f"{_compact_json(key)}:{_compact_json(value)}" for key, value in tail.items()]
    return "{\n" + ",\n".join(rows) + "\n}\n"


def _deltas(points: Sequence[tuple[int, int]]) -> list[int]:
    x = y = 0
    deltas = []
    for px, py in points:
        deltas += [px - x, py - y]
        x, y = px, py
    return deltas


def _compact_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

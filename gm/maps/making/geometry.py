"""Reads and writes the file geometry.json. variants/README.md describes the format."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gm.errors import GmError
from gm.maps.drawing import geometry as drawing
from gm.maps.drawing.geometry import Box, Geometry, GeometryError

GEOMETRY_FILE = "geometry.json"


class SurveyError(GmError):
    """The board cannot be drawn or read. The text names the file, the key and the fault."""


def read_geometry(path: Path) -> Geometry:
    try:
        return drawing.read_geometry(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise SurveyError(f"{path}: cannot be read ({error.strerror})") from None
    except GeometryError as error:
        raise SurveyError(f"{path}: is {error}") from None
    except ValueError as error:
        raise SurveyError(f"{path}: not valid JSON: {error}") from None


def geometry_to_text(geometry: Geometry) -> str:
    """Returns the content of geometry.json: short lines for diffs, the same bytes for the same board."""
    head: dict[str, Any] = {"width": int(geometry.width), "height": int(geometry.height)}
    head |= {"scale": geometry.scale, "wrap": geometry.wrap}
    head |= {"token": geometry.token, "text": geometry.text, "grounds": dict(geometry.grounds)}
    head |= {"parts": dict(geometry.parts), "beyond": dict(geometry.beyond), "shores": list(geometry.shores)}
    tail: dict[str, Any] = {"boxes": {name: _box_table(box) for name, box in geometry.boxes.items()}}
    marks = [{"kind": sign.kind, "names": sign.names, "points": sign.points} for sign in geometry.signs]
    tail |= {"lines": geometry.lines, "marks": marks, "source": geometry.source}
    arcs = [_compact_json([arc.left, arc.right, _deltas(arc.points)]) for arc in geometry.arcs]
    anchors = [f"{_compact_json(name)}:{_compact_json(anchor.pieces)}" for name, anchor in geometry.anchors.items()]
    rows = [f"{_compact_json(key)}:{_compact_json(value)}" for key, value in head.items()]
    rows.append('"arcs":[\n' + ",\n".join(arcs) + "\n]")
    rows.append('"anchors":{\n' + ",\n".join(anchors) + "\n}")
    rows += [f"{_compact_json(key)}:{_compact_json(value)}" for key, value in tail.items()]
    return "{\n" + ",\n".join(rows) + "\n}\n"


def _box_table(box: Box) -> dict[str, Any]:
    table = {"text": box.text, "rect": [*box.corner, *box.size], "near": box.near, "links": box.links}
    return table | ({"arrow": box.arrow} if box.arrow else {})


def _deltas(points: Sequence[tuple[int, int]]) -> list[int]:
    x = y = 0
    deltas = []
    for px, py in points:
        deltas += [px - x, py - y]
        x, y = px, py
    return deltas


def _compact_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

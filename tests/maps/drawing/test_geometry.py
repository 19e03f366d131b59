"""Reads geometry.json, and draws outlines of sets of faces."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from support.small_board import DOCUMENT

from gm.maps.drawing.geometry import GeometryError, read_geometry
from gm.maps.drawing.outline import arc_lines, is_border, outline_data, rings


def test_outline_of_two_faces_omits_their_border() -> None:
    geometry = read_geometry(DOCUMENT)
    apart = [outline_data(geometry, frozenset({name})) for name in ("Wes", "Eas")]
    together = outline_data(geometry, frozenset({"Wes", "Eas"}))
    assert together.count("M") == 1
    assert "l0 700" in apart[0] + apart[1]
    assert "l0 700" in arc_lines(geometry, lambda arc: is_border(geometry, arc))
    border = {(700, 300), (700, 1000)}
    edges = [set(pair) for ring in rings(geometry, frozenset({"Wes", "Eas"})) for pair in itertools.pairwise(ring)]
    assert border not in edges


def test_no_outline_runs_along_the_frame() -> None:
    geometry = read_geometry(DOCUMENT)
    for ring in rings(geometry, frozenset({"Wes"})):
        along = [(a, b) for a, b in itertools.pairwise(ring) if a[0] == b[0] == 0 or a[1] == b[1] == 1000]
        assert all(a == b for a, b in along)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"arcs": [["Wes", "Eas", [1, 2, 3]]]}, "an arc has 3 numbers"),
        ({"arcs": [["Wes", "Eas"]]}, "no geometry"),
        ({"width": None}, "no geometry"),
        ({"anchors": {"Wes": {"unit": [1]}}}, "no geometry"),
        ({"boxes": {"A": {}}}, "no geometry"),
    ],
)
def test_a_wrong_geometry_is_an_error_of_one_line(change: dict[str, Any], message: str) -> None:
    with pytest.raises(GeometryError, match=message) as error:
        read_geometry(json.loads(json.dumps(DOCUMENT | change)))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("document", [None, [], "", 3])
def test_only_an_object_is_a_geometry(document: object) -> None:
    with pytest.raises(GeometryError):
        read_geometry(document)


def test_a_coast_without_an_anchor_uses_the_provinces() -> None:
    geometry = read_geometry(DOCUMENT)
    assert geometry.anchor("Eas", "nc") == geometry.anchor("Eas")
    assert geometry.anchor("Nowhere").unit is None

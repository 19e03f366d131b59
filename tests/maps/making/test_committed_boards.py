"""The boards in the repository: no faults, small, and made from the sites.yaml beside them."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from support.paths import VARIANTS

from gm.maps.making.check import find_faults
from gm.maps.making.geometry import geometry_to_text, read_geometry
from gm.maps.making.map_facts import read_facts

BOARDS = sorted(path.parent for path in VARIANTS.glob("*/geometry.json"))
WITH_MAPS = [board for board in BOARDS if (board / "map.toml").is_file()]
LARGEST = 250_000
"""In bytes."""


def test_there_are_boards() -> None:
    assert {board.name for board in BOARDS} >= {"standard", "locarno", "youngstown"}


@pytest.mark.parametrize("board", WITH_MAPS, ids=lambda board: board.name)
def test_board_agrees_with_its_map(board: Path) -> None:
    geometry = read_geometry(board / "geometry.json")
    assert find_faults(geometry, read_facts(board, geometry.source["map"])) == []


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_board_was_made_from_its_sites(board: Path) -> None:
    geometry = read_geometry(board / "geometry.json")
    digest = hashlib.sha256((board / "sites.yaml").read_bytes()).hexdigest()
    assert geometry.source["sites"] == digest, "sites.yaml was changed: draw the board anew with `gm survey`"


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_board_is_small_and_normalised(board: Path) -> None:
    text = (board / "geometry.json").read_text(encoding="utf-8")
    assert len(text.encode()) < LARGEST
    assert geometry_to_text(read_geometry(board / "geometry.json")) == text

"""The drawn boards in the repository: without faults, readable in size, and made from the sites.yaml beside them."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from support.paths import VARIANTS

from gm.maps.making.check import faults
from gm.maps.making.geometry import read_geometry, written
from gm.maps.making.map_facts import read_facts

BOARDS = sorted(path.parent for path in VARIANTS.glob("*/geometry.json"))
WITH_MAPS = [board for board in BOARDS if (board / "map.toml").is_file()]
LARGEST = 250_000
"""Bytes."""


def test_there_are_boards() -> None:
    assert {board.name for board in BOARDS} >= {"standard", "locarno", "youngstown"}


@pytest.mark.parametrize("board", WITH_MAPS, ids=lambda board: board.name)
def test_a_board_shows_its_map(board: Path) -> None:
    geometry = read_geometry(board / "geometry.json")
    assert faults(geometry, read_facts(board, geometry.source["map"])) == []


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_a_board_is_the_one_its_sites_make(board: Path) -> None:
    geometry = read_geometry(board / "geometry.json")
    digest = hashlib.sha256((board / "sites.yaml").read_bytes()).hexdigest()
    assert geometry.source["sites"] == digest, "sites.yaml was changed: draw the board anew with `gm survey`"


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_a_board_is_small_and_written_in_one_way(board: Path) -> None:
    text = (board / "geometry.json").read_text(encoding="utf-8")
    assert len(text.encode()) < LARGEST
    assert written(read_geometry(board / "geometry.json")) == text

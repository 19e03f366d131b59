"""Makes boards of a made-up world."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.made_up_world import SITES, World, folder

from gm.maps.drawing.geometry import Geometry
from gm.maps.making.arcs import find_crossings, trace_arcs
from gm.maps.making.check import find_faults
from gm.maps.making.geometry import geometry_to_text, read_geometry
from gm.maps.making.grid_repairs import repair_grid
from gm.maps.making.label_placement import WantedLabels
from gm.maps.making.make_map import add_places, draw_faces
from gm.maps.making.map_facts import read_facts
from gm.maps.making.province_growth import GrowthSeed, grow_provinces
from gm.maps.making.regions import LabelNames
from gm.maps.making.sites import read_sites


def make_board(at: Path, sites: str = SITES) -> tuple[Geometry, list[str]]:
    reports: list[str] = []
    home = folder(at, sites)
    facts = read_facts(home, ["map.toml"])
    read = read_sites(home / "sites.yaml")
    wanted = WantedLabels(facts.centres, facts.waters, frozenset({"Out"}))
    return add_places(read, draw_faces(read, World(), reports.append), wanted), reports


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> tuple[Geometry, Path]:
    home = tmp_path_factory.mktemp("board")
    return make_board(home)[0], home


def test_a_new_board_has_no_faults(board: tuple[Geometry, Path]) -> None:
    assert find_faults(board[0], read_facts(board[1], ["map.toml"])) == []


def test_making_a_board_is_reproducible(board: tuple[Geometry, Path], tmp_path: Path) -> None:
    assert geometry_to_text(make_board(tmp_path)[0]) == geometry_to_text(board[0])


def test_geometry_survives_writing_and_reading(board: tuple[Geometry, Path], tmp_path: Path) -> None:
    (tmp_path / "geometry.json").write_text(geometry_to_text(board[0]), encoding="utf-8")
    assert read_geometry(tmp_path / "geometry.json").arcs == board[0].arcs


def test_a_barrier_follows_the_atlas(board: tuple[Geometry, Path]) -> None:
    between = [arc for arc in board[0].arcs if {arc.left, arc.right} == {"Eas", "Wes"}]
    xs = [x / 10 for arc in between for x, _ in arc.points]
    assert np.ptp(xs) < 6
    assert abs(np.mean(xs) - 200) < 4, "the meridian 0 is the middle of the picture"


def test_a_fleet_on_a_named_coast_stands_by_its_sea(board: tuple[Geometry, Path]) -> None:
    north, south = (board[0].anchors[f"Wes/{coast}"].unit for coast in ("nc", "sc"))
    assert north[1] < 145 < 155 < south[1]


def test_a_label_avoids_foreign_land(board: tuple[Geometry, Path]) -> None:
    x, _ = board[0].anchors["Eas"].label
    assert x > 200


def test_a_manual_anchor_is_kept(tmp_path: Path) -> None:
    by_hand, _ = make_board(tmp_path, SITES + "anchors:\n  Eas: {unit: [0, 3]}\n")
    x, y = by_hand.anchors["Eas"].unit
    assert (round(x), round(y)) == (242, 150)


def test_strokes_make_land_and_water(tmp_path: Path) -> None:
    bridge = "fill:\n  - {pts: [[0, 8], [0, 11.5]], km: 100}\n"
    joined, _ = make_board(tmp_path, SITES + bridge)
    assert any({arc.left, arc.right} == {"Eas", "Isl"} for arc in joined.arcs)
    parted, _ = make_board(tmp_path, SITES + bridge + "cut:\n  - {pts: [[-3, 9.9], [3, 9.9]], km: 60}\n")
    assert not any({arc.left, arc.right} == {"Eas", "Isl"} for arc in parted.arcs)


def test_a_misplaced_site_is_reported(tmp_path: Path) -> None:
    _, reports = make_board(tmp_path, SITES.replace("Isl: [[0, 11.7]]", "Isl: [[0, 11.7], [20, 20], [3, 12]]"))
    assert any("a site of Isl lies outside of the frame" in line for line in reports)
    assert any("a site of Isl was moved by" in line for line in reports)


def test_cells_go_to_the_nearest_site() -> None:
    mask = np.ones((20, 30), bool)
    mask[:, 15] = False
    mask[0, 15] = True
    sites = [GrowthSeed(1, "A", 2, 10, 0), GrowthSeed(2, "B", 28, 10, 0)]
    labels, _ = grow_provinces(mask, sites, np.ones(mask.shape), False)
    assert set(labels[:, :15].ravel()) == {1}
    assert (labels[1:, 16:] == 2).all()
    round_the_world, _ = grow_provinces(mask, sites[:1], np.ones(mask.shape), True)
    assert (round_the_world[mask] == 1).all()


def test_arcs_have_the_labels_of_both_sides() -> None:
    grid = np.array([[1, 1, 2], [1, 3, 2], [3, 3, 2]], np.int16)
    arcs = trace_arcs(grid, False)
    inner = {frozenset((left, right)) for _, left, right in arcs if -1 not in (left, right)}
    assert inner == {frozenset((1, 2)), frozenset((1, 3)), frozenset((2, 3))}


def test_find_crossings() -> None:
    cross = [np.array([[0.0, 0.0], [10.0, 10.0]]), np.array([[0.0, 10.0], [10.0, 0.0]])]
    touch = [np.array([[0.0, 0.0], [10.0, 10.0]]), np.array([[10.0, 10.0], [20.0, 0.0]])]
    assert find_crossings(cross) == {0, 1}
    assert find_crossings(touch) == set()


def test_repair_grid_removes_pinches() -> None:
    register = LabelNames(["-", "A", "B"], ["", "land", "land"])
    grid = np.ones((12, 12), np.int16)
    grid[:6, :6] = grid[6:, 6:] = 2
    tidied = repair_grid(grid, register, False)
    same = (tidied[:-1, :-1] == tidied[1:, 1:]) & (tidied[:-1, 1:] != tidied[:-1, :-1])
    assert not (same & (tidied[1:, :-1] != tidied[:-1, :-1])).any()

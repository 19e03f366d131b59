"""Faults are one line: with place and length in a board, with file, line and key in a YAML file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from support.made_up_world import SITES, folder
from support.paths import VARIANTS

from gm.__main__ import main
from gm.maps.drawing.geometry import Anchor, Arc, Geometry
from gm.maps.making.check import BoardFault, find_faults
from gm.maps.making.geometry import geometry_to_text, read_geometry
from gm.maps.making.map_facts import read_facts
from gm.maps.making.sites import read_sites
from gm.variant_files.toml_source import VariantError

STANDARD = VARIANTS / "standard"

SQUARE = Geometry(
    width=100,
    height=50,
    wrap=False,
    token=6,
    text=6,
    grounds={"A": "land", "B": "land"},
    parts={},
    beyond={},
    shores=(),
    arcs=(
        Arc("B", "A", ((500, 0), (500, 500))),
        Arc("", "A", ((500, 500), (0, 500), (0, 0), (500, 0))),
        Arc("B", "", ((500, 500), (1000, 500), (1000, 0), (500, 0))),
    ),
    anchors={"A": Anchor((25, 20), (25, 35)), "B": Anchor((75, 20), (75, 35))},
    source={"map": ["map.toml"]},
)
INLAND = '[inland]\nA = { name = "A" }\nB = { name = "B" }\n'
JOINED = INLAND + '[army]\nA = "B"\n'


def faults_of(tmp_path: Path, board: str = JOINED, **changes: object) -> list[BoardFault]:
    (tmp_path / "map.toml").write_text(board, encoding="utf-8")
    return find_faults(replace(SQUARE, **changes), read_facts(tmp_path, ["map.toml"]))  # type: ignore[arg-type]


def test_a_correct_board_has_no_faults(tmp_path: Path) -> None:
    assert faults_of(tmp_path) == []


def test_a_border_that_the_map_lacks(tmp_path: Path) -> None:
    assert list(map(str, faults_of(tmp_path, INLAND))) == ["border too many: A and B at (50, 50), length 50.0"]


def test_a_border_that_the_picture_lacks(tmp_path: Path) -> None:
    board = JOINED.replace("B = {", 'C = { name = "C" }\nB = {').replace('"B"\n', '"B C"\n')
    assert "border missing: A and C" in map(str, faults_of(tmp_path, board))


def test_a_common_coast_that_the_map_lacks(tmp_path: Path) -> None:
    board = """
    [coastal]
    A = { name = "A" }
    B = { name = "B" }
    [sea]
    S = { name = "S" }
    [army]
    A = "B"
    [fleet]
    S = "A B"
    """
    arcs = (
        Arc("B", "A", ((500, 0), (500, 400))),
        Arc("", "A", ((0, 400), (0, 0), (500, 0))),
        Arc("B", "", ((1000, 400), (1000, 0), (500, 0))),
        Arc("A", "S", ((0, 400), (500, 400))),
        Arc("B", "S", ((500, 400), (1000, 400))),
        Arc("", "S", ((1000, 400), (1000, 500), (0, 500), (0, 400))),
    )
    anchors = SQUARE.anchors | {"S": Anchor((50, 45), (20, 45))}
    faults = faults_of(tmp_path, board, arcs=arcs, anchors=anchors, grounds=SQUARE.grounds | {"S": "water"})
    assert "common coast too many: A and B at (50, 40), length 40.0" in map(str, faults)


def test_a_wrong_order_of_neighbours() -> None:
    facts = read_facts(STANDARD, ["map.toml"])
    turned = dict(facts.clockwise) | {"Mun": tuple(reversed(facts.clockwise["Mun"]))}
    faults = find_faults(read_geometry(STANDARD / "geometry.json"), replace(facts, clockwise=turned))
    assert [(fault.kind, fault.what[:3]) for fault in faults] == [("order of neighbours", "Mun")]


def test_a_border_too_short_to_be_seen(tmp_path: Path) -> None:
    arcs = (Arc("B", "A", ((500, 0), (500, 40))), *SQUARE.arcs[1:])
    assert "border too short to be seen: A and B at (50, 4), length 4.0" in map(str, faults_of(tmp_path, arcs=arcs))


def test_a_unit_outside_or_on_the_border(tmp_path: Path) -> None:
    outside = SQUARE.anchors | {"A": Anchor((60, 20), (25, 35))}
    assert "anchor outside: the unit of A lies outside of it at (60, 20)" in map(
        str, faults_of(tmp_path, anchors=outside)
    )
    crowded = SQUARE.anchors | {"A": Anchor((49, 20), (25, 35))}
    assert any(fault.kind == "anchor crowded" and fault.length == 1.0 for fault in faults_of(tmp_path, anchors=crowded))


def test_a_label_over_a_unit(tmp_path: Path) -> None:
    anchors = SQUARE.anchors | {"A": Anchor((25, 20), (25, 20))}
    assert [fault.kind for fault in faults_of(tmp_path, anchors=anchors)] == ["overlap"]


def test_a_missing_anchor(tmp_path: Path) -> None:
    assert [str(fault) for fault in faults_of(tmp_path, anchors={"A": Anchor((25, 20), (25, 35))})] == [
        "anchor missing: B has no place for its label",
        "anchor missing: B has no place for its unit",
    ]


def test_lines_that_cross(tmp_path: Path) -> None:
    islet = Arc("B", "A", ((450, 100), (550, 100), (550, 200), (450, 200), (450, 100)))
    kinds = [fault.kind for fault in faults_of(tmp_path, arcs=(*SQUARE.arcs, islet))]
    assert "lines cross" in kinds


def test_a_loose_end(tmp_path: Path) -> None:
    stub = Arc("A", "A", ((200, 200), (300, 300)))
    assert any(fault.kind == "loose end" for fault in faults_of(tmp_path, arcs=(*SQUARE.arcs, stub)))


def test_a_round_the_world_board_is_joined_at_its_edges(tmp_path: Path) -> None:
    arcs = (
        SQUARE.arcs[0],
        Arc("", "A", ((0, 500), (0, 0))),
        Arc("", "A", ((0, 0), (500, 0))),
        Arc("", "A", ((500, 500), (0, 500))),
        Arc("", "B", ((1000, 0), (1000, 500))),
        Arc("", "B", ((500, 0), (1000, 0))),
        Arc("", "B", ((1000, 500), (500, 500))),
    )
    assert faults_of(tmp_path, arcs=arcs, wrap=True) == []
    assert [str(f) for f in faults_of(tmp_path, INLAND, arcs=arcs, wrap=True)] == [
        "border too many: A and B at (50, 50), length 100.0"
    ]


BROKEN = {
    "land:\n  Eas: [[0, 5]]": (
        "land:\n  Eas: [[0, 5], [1]]",
        "sites.yaml:10: land.Eas: must be [latitude, longitude], not [1]",
    ),
    "width: 400": ("width: wide", "sites.yaml:2: width: must be a whole number"),
    "token: 8": ("tokens: 8", "sites.yaml:3: tokens: is not known here; known are"),
    "  Isl: [[0, 11.7]]": ("  Isl: [[-97, 5]]", "sites.yaml:12: land.Isl: [-97, 5] is no place on the earth"),
    "  Wes: [[0, -6]]": ("  Eas: [[0, -8]]", "sites.yaml:10: land.Eas: stands twice, in lines 10 and 11"),
    "cities: {Eas": ("cities: {Oos", "sites.yaml:17: cities.Oos: Oos has no points"),
    "barriers: [[1, 2]]": ("barriers: [[1, 2]", "sites.yaml:17: not valid YAML"),
    "kind: azimuthal": ("kind: flat", "projection.kind: must be one of azimuthal, cylinder, not flat"),
    "growth: {seed: 1, noise: 0.2}": ("growth: {noise: 0.2}", "growth.seed: is missing"),
    "coastline:\n  - {scale: 10m": ("coastline:\n  - {scale: 20m", "coastline: must be one of 10m, 50m, not 20m"),
}


@pytest.mark.parametrize("right", BROKEN, ids=lambda right: right.split(":")[0].strip())
def test_an_error_in_sites_yaml_names_file_and_key(tmp_path: Path, right: str) -> None:
    wrong, line = BROKEN[right]
    assert right in SITES
    home = folder(tmp_path, SITES.replace(right, wrong))
    with pytest.raises(VariantError) as error:
        read_sites(home / "sites.yaml")
    assert line in str(error.value)
    assert "\n" not in str(error.value)


def test_survey_counts_faults(tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text(JOINED, encoding="utf-8")
    (tmp_path / "geometry.json").write_text(geometry_to_text(SQUARE), encoding="utf-8")
    good = CliRunner().invoke(main, ["survey", "--check", str(tmp_path)])
    assert (good.exit_code, good.output) == (0, "0 faults in 1 borders and 2 places\n")
    (tmp_path / "map.toml").write_text(INLAND, encoding="utf-8")
    bad = CliRunner().invoke(main, ["survey", "--check", str(tmp_path)])
    assert bad.exit_code == 1
    assert bad.output.splitlines()[0] == "border too many: A and B at (50, 50), length 50.0"


def test_checking_and_serving_import_no_heavy_packages() -> None:
    heavy = "{'numpy', 'scipy', 'shapely', 'yaml', 'PIL'}"
    check = f"import sys, gm.maps.making.survey; assert not {heavy} & set(sys.modules)"
    server = "import sys, gm.__main__, gm.server.service; assert 'gm.maps.making' not in sys.modules"
    for program in (check, server):
        subprocess.run([sys.executable, "-c", program], check=True)


def test_survey_names_the_missing_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder(tmp_path)
    for name in [
        name for name in sys.modules if name.startswith("gm.maps.making.") and name != "gm.maps.making.survey"
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "shapely", None)
    done = CliRunner().invoke(main, ["survey", str(tmp_path)])
    assert (done.exit_code, done.output) == (1, "gm: drawing needs shapely: pip install 'gm-by-mail[maps]'\n")


def test_survey_writes_a_preview(tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text(JOINED, encoding="utf-8")
    (tmp_path / "geometry.json").write_text(geometry_to_text(SQUARE), encoding="utf-8")
    picture = tmp_path / "board.png"
    done = CliRunner().invoke(main, ["survey", "--check", "--preview", str(picture), str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("nowhere", "", "there is no folder with sites.yaml"),
        ("{folder}", "{", "geometry.json: not valid JSON"),
        ("{folder}", "{}", "geometry.json: is no geometry: ValidationError Object missing required field `width`"),
    ],
)
def test_survey_names_what_it_cannot_read(tmp_path: Path, name: str, text: str, line: str) -> None:
    (tmp_path / "geometry.json").write_text(text, encoding="utf-8")
    done = CliRunner().invoke(main, ["survey", "--check", name.format(folder=tmp_path)])
    assert done.exit_code == 1
    assert line in done.output
    assert done.output.count("\n") == 1


def test_survey_refuses_another_atlas(tmp_path: Path) -> None:
    folder(tmp_path)
    (tmp_path / "other.tgz").write_bytes(b"no atlas")
    done = CliRunner().invoke(main, ["survey", "--atlas", str(tmp_path / "other.tgz"), str(tmp_path)])
    assert done.exit_code == 1
    assert "is not world-atlas 2.0.2" in done.output


def test_survey_names_provinces_without_points(tmp_path: Path) -> None:
    folder(tmp_path, SITES.replace("  Isl: [[0, 11.7]]\n", "").replace(", Isl: [0, 11.7]", ""))
    done = CliRunner().invoke(main, ["survey", str(tmp_path)])
    assert done.exit_code == 1
    assert "Isl of the map has no points here" in done.output

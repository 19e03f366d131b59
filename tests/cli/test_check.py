"""`gm check`: all files of a variant's folder, and all ways to name the folder."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from support.paths import VARIANTS

from gm.cli.check import check_variant
from gm.errors import GmError
from gm.variant_files.library import builtin_library

SHELF = VARIANTS
BOARD, COLOURS, SITES = "geometry.json", "palette.toml", "sites.yaml"

# (file, text to replace, "" for all of it, replacement, what the one line must hold)
FAULTS = [
    (BOARD, "", "{", ["line 1"]),
    (BOARD, "", "[]", ["must be an object"]),
    (BOARD, "", "{}", ["width"]),
    (BOARD, "", f"{'[' * 20000}", ["cannot be read"]),
    (BOARD, '"width":1200', '"width":"wide"', ["no geometry", "width"]),
    (BOARD, '"Boh":{"unit"', '"Boh":{"label"', ["anchors.Boh", "no place for a unit"]),
    (COLOURS, "", "[[[", ["not valid TOML"]),
    (COLOURS, "[Austria]", "[Austriaz]", [":3: Austriaz", "no power", "Austria, England"]),
    (COLOURS, "#A8322A", "red", [":4: Austria.colour", "'red'"]),
    (COLOURS, "colour =", "color =", [":3: Austria", "colour, land, minor"]),
    (COLOURS, "land = [", 'land = ["Xyz", ', ["Austria.land", "'Xyz'"]),
    (COLOURS, "land = [", "land = 3 # [", ["Austria.land", "list of provinces"]),
    (COLOURS, "land = [", "land = [[], ", ["Austria.land", "list of provinces"]),
    (COLOURS, "land = [", 'minor = "no" # [', [":5: Austria.minor", "true or false"]),
    (SITES, "", "a: [b", ["not valid YAML"]),
    (SITES, "", f"a: {'[' * 150}{']' * 150}", ["nested too deep"]),
    (SITES, "", f"a: {'[' * 3000}", ["nest"]),  # from 0.2.6 on libyaml has a limit, and a sentence, of its own
    (SITES, "", f"a: 1{'0' * 5000}", ["not valid YAML"]),
    (SITES, "token: 12.5", "tokne: 12.5", [":5: tokne", "not known"]),
    (SITES, "Rom: [41.9, 12.5]", 'Rom: "\\n"', ["cities.Rom", "latitude"]),
    (SITES, "  Boh: [[", "  Bhh: [[", ["Boh"]),
]


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return shutil.copytree(SHELF / "standard", tmp_path / "mine")


@pytest.mark.parametrize(("file", "old", "new", "parts"), FAULTS)
def test_an_error_in_any_file(mine: Path, file: str, old: str, new: str, parts: list[str]) -> None:
    path = mine / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1) if old else new, encoding="utf-8")
    with pytest.raises(GmError) as raised:
        list(check_variant(builtin_library(), str(mine)))
    line = str(raised.value)
    assert "\n" not in line
    assert str(path) in line
    for part in parts:
        assert part in line


def test_remarks_on_missing_files(mine: Path) -> None:
    assert [line.split(": ")[1] for line in check_variant(builtin_library(), str(mine))] == ["clean. Standard"]
    for file in ("README.md", BOARD):
        (mine / file).unlink()
    path = mine / "variant.toml"
    path.write_text(path.read_text(encoding="utf-8").replace('home = ["Bud", "Tri", "Vie"]\n', ""), encoding="utf-8")
    clean, *remarks = check_variant(builtin_library(), str(mine))
    assert "mine: clean. Standard" in clean
    assert [line.removeprefix(f"remark: {mine}").split(";")[0].split(", ")[0] for line in remarks] == [
        "/variant.toml:28: powers.Austria.home: is missing or empty",
        "/README.md: is missing",
        "/geometry.json: is missing",
    ]


def test_sites_are_not_checked_without_the_package(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "gm.maps.making.sites", raising=False)
    monkeypatch.delitem(sys.modules, "gm.maps.making.yaml_source", raising=False)
    monkeypatch.setitem(sys.modules, "yaml", None)
    assert next(line for line in check_variant(builtin_library(), str(mine)) if "sites.yaml" in line).endswith(
        "'gm-by-mail[maps]'"
    )
    assert len(list(check_variant(builtin_library(), "standard"))) == 1, "operators need no remark"


def test_a_folder_is_named_by_any_path(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(mine)
    for name in (".", "../mine", str(mine), f"{mine}/", "./"):
        assert next(check_variant(builtin_library(), name)).startswith("mine: clean.")
    monkeypatch.chdir(mine.parent)
    assert next(check_variant(builtin_library(), "mine")).startswith("mine: clean.")
    (mine.parent / "standard").mkdir()
    assert next(check_variant(builtin_library(), "standard")).startswith("standard: clean."), (
        "the id wins over the folder"
    )


def test_a_folder_without_a_variant(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (mine / "variant.toml").unlink()
    monkeypatch.chdir(mine)
    for name in (str(mine), "."):
        with pytest.raises(GmError, match=r"mine/variant.toml: there is no such file"):
            list(check_variant(builtin_library(), name))
    with pytest.raises(GmError, match=r"map.toml: is a file; name the variant's folder"):
        list(check_variant(builtin_library(), "map.toml"))
    with pytest.raises(GmError, match=r"no variant 'atlantis'; there are standard"):
        list(check_variant(builtin_library(), "atlantis"))

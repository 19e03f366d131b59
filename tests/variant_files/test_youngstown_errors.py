"""Broken settings, parts and maps in several files: one line that names the file, its line, the key and the fault."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from support.paths import VARIANTS

from gm.variant_files.library import Library
from gm.variant_files.toml_source import VariantError

SHELF = VARIANTS
CENSUSES = "[settings.stalemate_draw.when.off.stalemate]\ncensuses = "

# (file, text to replace, replacement, what the one line must hold)
FAULTS = [
    ("variant.toml", 'default = "automatic"', 'default = "often"', ["settings.stalemate_draw.default", "offer"]),
    (
        "variant.toml",
        "when.offer.stalemate]",
        "when.ofer.stalemate]",
        ["stalemate_draw.when.ofer", "nobody can choose"],
    ),
    ("variant.toml", 'ends = "offer"', 'ends = "ofer"', ["stalemate.ends", "draw or offer"]),
    ("variant.toml", 'ends = "offer"', 'end = "offer"', ["stalemate.end", "not known"]),
    ("variant.toml", f"{CENSUSES}0", f"{CENSUSES}-1", ["stalemate.censuses", "0 (never) or more"]),
    ("variant.toml", f"{CENSUSES}0", f'{CENSUSES}"0"', ["stalemate.censuses", "whole number"]),
    ("variant.toml", "[stalemate]", "stalemate = 3\n[other]", ["other", "not known"]),
    ("variant.toml", 'without = ["icebreakers"]', 'without = ["ice"]', ["without", "no part 'ice'"]),
    ("variant.toml", 'without = ["icebreakers"]', 'witout = ["icebreakers"]', ["when.false.witout", "without"]),
    ("variant.toml", 'convoy_path = "binding"', 'convoy_path = "binds"', ["convoy_path", "advisory or binding"]),
    ("variant.toml", 'files = "boxes-*.toml"', 'files = "boxes.toml"', ["settings.boxes.files", "one *"]),
    (
        "variant.toml",
        'files = "boxes-*.toml"',
        'files = "boxen-*.toml"',
        ["settings.boxes.files", "no file boxen-*.toml"],
    ),
    ("variant.toml", '"boxes-judge.toml"]', '"boxes-other.toml"]', []),
    ("variant.toml", "victory = 37", "victory = 73", ["victory", "72"]),
    ("map.toml", 'icebreakers = ["Oms"]', 'icebreakers = ["Mos"]', ["parts.icebreakers", "'Mos'"]),
    ("map.toml", 'icebreakers = ["Oms"]', "icebreakers = []", ["parts.icebreakers", "must list"]),
    ("map.toml", "centres = 72", "centres = 71", ["census.centres", "71", "72"]),
    ("boxes-judge.toml", 'ObA = "NAT', 'ObA = "NAX', ["fleet.ObA", "'NAX'"]),
    ("boxes-judge.toml", 'ObA = "NAT', 'ObA = "Mos', ["fleet.ObA", "no fleet stands there"]),
    ("boxes-judge.toml", "fleet = 25", "fleet = 26", ["census.fleet", "26", "25"]),
    ("boxes-judge.toml", '"box a"', '"berlin"', ["sea.ObA", "'berlin'", "already means Ber"]),
    ("boxes-judge.toml", "ObA = {", "NAT = {", ["sea.NAT", "two tables"]),
    ("boxes-judge.toml", 'ObE = "ObG Sah"', 'ObE = "ObG ObD Sah"', ["army.ObE", "ObD"]),
]


@pytest.mark.parametrize(("file", "old", "new", "parts"), FAULTS)
def test_one_clear_line(tmp_path: Path, file: str, old: str, new: str, parts: list[str]) -> None:
    shutil.copytree(SHELF / "youngstown", tmp_path / "mine")
    path = tmp_path / "mine" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    library = Library([tmp_path])
    if not parts:  # every choice lays a file of its own over the one that is not there
        assert library.checked("mine").victory == 37
        return
    with pytest.raises(VariantError) as raised:
        library.checked("mine")
    line = str(raised.value)
    assert "\n" not in line
    match = re.match(rf"{re.escape(str(path))}:(\d+): ", line)
    assert match, line
    for part in parts:
        assert part in line
    shown = path.read_text(encoding="utf-8").splitlines()[int(match[1]) - 1]
    assert any(word in shown for word in (new.splitlines()[-1][:12], new[:3])), (line, shown)


def test_a_map_file_that_is_missing(tmp_path: Path) -> None:
    shutil.copytree(SHELF / "youngstown", tmp_path / "mine")
    (tmp_path / "mine" / "map.toml").unlink()
    with pytest.raises(VariantError, match=r"map\.toml: cannot be read"):
        Library([tmp_path]).variant("mine")

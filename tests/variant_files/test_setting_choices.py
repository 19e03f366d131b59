"""What a setting can change: numbers, parts of the map, steps; laid over a variant of one's own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.paths import VARIANTS
from support.shipped import LIBRARY

from gm.judge.board.board import Board, Location, Use
from gm.variant_files.library import Library
from gm.variant_files.toml_source import VariantError

SHELF = VARIANTS
SETTINGS = """
[settings.goal]
default = "18"
low = 10
high = 30
meaning = "centres that win"
[settings.goal.when."*"]
victory = "*"
special = ["* centres win."]

[settings.winter]
default = "kind"
choices = ["kind", "hard"]
meaning = "whether ships sail in the north"
needs = "goal=18"
[settings.winter.when.hard]
without = ["north", "pass"]
calendar = ["Moves Spring", "Retreats Spring", "Census Spring"]
"""
PARTS = """
[parts]
north = ["StP/nc", "Lvp"]
pass = ["Pie-Tyr"]
"""


@pytest.fixture
def library(tmp_path: Path) -> Library:
    shutil.copytree(SHELF / "standard", tmp_path / "mine")
    for name, more in (("variant.toml", SETTINGS), ("map.toml", PARTS)):
        path = tmp_path / "mine" / name
        path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")
    return Library([tmp_path])


def test_a_number_goes_where_the_star_stands(library: Library) -> None:
    assert library.variant("mine").victory == 18
    assert library.variant("mine").special == ("18 centres win.",)
    other = library.variant("mine", {"goal": " +20"})
    assert (other.victory, other.special, other.options) == (20, ("20 centres win.",), {"goal": "20"})
    with pytest.raises(VariantError, match="the setting goal is a whole number from 10 to 30, not '31'"):
        library.variant("mine", {"goal": "31"})


def test_a_setting_needs_another_that_there_is(library: Library, tmp_path: Path) -> None:
    needs = {setting.key: setting.needs for setting in library.variant("mine").settings}
    assert (needs["goal"], needs["winter"]) == (None, ("goal", "18"))
    path = tmp_path / "mine" / "variant.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("goal=18", "gaol=18"), encoding="utf-8")
    with pytest.raises(VariantError, match="must be another setting, = and its value"):
        Library([tmp_path]).variant("mine")


def test_choices_add_up(library: Library) -> None:
    both = library.variant("mine", {"goal": "12", "winter": "HARD"})
    assert both.victory == 12
    assert [step.season for step in both.calendar] == ["Spring", "Spring", "Spring"]
    assert library.checked("mine").victory == 18


def joined(board: Board, use: Use) -> set[tuple[Location, Location]]:
    return {(b.start, b.end) for b in board.borders if use in b.uses}


def test_a_coast_goes_with_all_that_it_is_good_for(library: Library) -> None:
    plain = library.variant("mine").start.board
    hard = library.variant("mine", {"winter": "hard", "goal": "18"}).start.board
    assert hard.provinces["StP"].slots == ("land", "sc")
    assert hard.provinces["Lvp"].slots == ("land",)
    gone = joined(plain, Use.MOVE) - joined(hard, Use.MOVE)
    coasts = {Location("StP", "nc"), Location("Lvp", "coast")}
    passes = {Location("Pie", "land"), Location("Tyr", "land")}
    assert all({start, end} & coasts or {start, end} == passes for start, end in gone)
    landings = joined(plain, Use.CONVOY) - joined(hard, Use.CONVOY)
    ends = {frozenset((start.province, end.province)) for start, end in landings}
    assert ends == {frozenset(pair) for pair in (("BAR", "StP"), ("IRI", "Lvp"), ("NAO", "Lvp"))}


def test_variants_asked_for_last_are_kept_and_the_others_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gm.variant_files.library.MOST_KEPT", 2)
    library = LIBRARY
    plain = library.variant("youngstown")
    library.variant("youngstown", {"omsk_fleets": "false"})
    assert library.variant("youngstown") is plain
    other = library.variant("standard")
    assert library.variant("youngstown") is plain
    assert library.variant("standard") is other
    library.variant("youngstown", {"omsk_fleets": "false"})
    assert library.variant("youngstown") is not plain

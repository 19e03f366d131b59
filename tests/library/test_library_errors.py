"""A broken variant is answered with one line that names the file, the line, the key and the fault."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gm.library import Library, VariantError

SHELF = Path(__file__).parents[2] / "variants"

# (file, text to replace, replacement, what the one line must hold)
FAULTS = [
    ("map.toml", 'Alb = "Gre Ser Tri"', 'Alb = "Grr Ser Tri"', ["map.toml:", "army.Alb", "'Grr'"]),
    ("map.toml", 'Alb = "Gre Ser Tri"', 'Alb = "Gre Ser Tri Bud"', ["clockwise.Alb", "Bud"]),
    ("map.toml", "Bud Tri Tyr", "Bud Tri Tyr Xxx", ["map.toml:276", "clockwise.Vie", "'Xxx'"]),
    ("map.toml", "Bud Tri Tyr", "Bud Tri", ["clockwise.Tyr", "clockwise.Vie names Tyr 0 times"]),
    ("map.toml", "army = 111", "army = 112", ["census.army", "112", "111"]),
    ("map.toml", 'AEG = "Bul/sc', 'AEG = "Bul', ["fleet.AEG", "which coast"]),
    ("map.toml", 'AEG = "Bul/sc', 'AEG = "Bul/wc', ["fleet.AEG", "'wc'"]),
    ("map.toml", '"angora"', '"paris"', ["coastal.Ank", "'paris'", "already means"]),
    ("map.toml", "[army]", "[army", ["not valid TOML"]),
    ("map.toml", 'Boh = { name = "Bohemia" }', 'Boh = { nmae = "Bohemia" }', ["inland.Boh.nmae", "name"]),
    ("variant.toml", 'home = ["Bud"', 'home = ["Bux"', ["powers.Austria.home", "'Bux'"]),
    ("variant.toml", 'home = ["Bud"', 'home = ["Gal"', ["powers.Austria.home", "no supply centre"]),
    ("variant.toml", '"A Bud"', '"F Bud"', ["powers.Austria.units", "'F Bud'"]),
    ("variant.toml", '"A Bud"', '"A Swi"', ["powers.Austria.units", "no army can stand there"]),
    ("variant.toml", '"A Bud"', '"A Vie"', ["powers.Austria.units", "two units"]),
    ("variant.toml", '"F StP/sc"', '"F StP"', ["powers.Russia.units", "coast"]),
    ("variant.toml", "victory = 18", "victory = 99", ["victory", "34"]),
    ("variant.toml", "victory = 18", 'victory = "18"', ["victory", "whole number"]),
    ("variant.toml", '"Moves Fall"', '"Mooves Fall"', ["calendar", "'Mooves'"]),
    ("variant.toml", 'start = "S1901M"', 'start = "S1901X"', ["start", "S1901X"]),
    ("variant.toml", 'letter = "E"', 'letter = "A"', ["powers.", "letter"]),
    ("variant.toml", 'ENG = "ECH"', 'ENG = "Ech"', ["daide.ENG", "three capital letters"]),
    ("variant.toml", 'ENG = "ECH"', 'ENG = "GOB"', ["daide", "one word twice"]),
    ("variant.toml", 'ENG = "ECH"', 'ENX = "ECH"', ["daide.ENX", "not known"]),
    ("variant.toml", "victory = 18", f"victory = 1{'0' * 5000}", ["variant.toml:5", "too many digits"]),
    ("variant.toml", "victory = 18", f"x = {'[' * 3000}{']' * 3000}", ["nested too deep"]),
    ("variant.toml", 'title = "Standard"', 'titel = "Standard"', ["titel", "title"]),
]


@pytest.mark.parametrize(("file", "old", "new", "said"), FAULTS, ids=lambda one: one if isinstance(one, str) else None)
def test_one_clear_line(tmp_path: Path, file: str, old: str, new: str, said: list[str]) -> None:
    shutil.copytree(SHELF / "standard", tmp_path / "mine")
    path = tmp_path / "mine" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(VariantError) as raised:
        Library([tmp_path]).variant("mine")
    line = str(raised.value)
    assert "\n" not in line
    assert str(path) in line
    for part in said:
        assert part in line


def test_rules_that_end_the_program(tmp_path: Path) -> None:
    shutil.copytree(SHELF / "standard", tmp_path / "mine")
    rules = tmp_path / "mine" / "rules.py"
    rules.write_text("import sys\n\nsys.exit()\n", encoding="utf-8")
    with pytest.raises(VariantError, match=r"rules.py:3: ends the program"):
        Library([tmp_path]).variant("mine")


def test_a_missing_map_and_an_unreadable_one(tmp_path: Path) -> None:
    shutil.copytree(SHELF / "standard", tmp_path / "mine")
    (tmp_path / "mine" / "map.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(VariantError, match="UTF-8"):
        Library([tmp_path]).variant("mine")
    (tmp_path / "mine" / "map.toml").unlink()
    with pytest.raises(VariantError, match="cannot be read"):
        Library([tmp_path]).variant("mine")


def test_a_broken_variant_hides_no_other(tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "variant.toml").write_text("title = ", encoding="utf-8")
    library = Library([SHELF, tmp_path])
    assert library.ids()[0] == "standard"
    assert "broken" in library.ids()
    assert "broken" in library
    assert "missing" not in library
    assert library.variant("standard").title == "Standard"
    with pytest.raises(KeyError):
        library.variant("nowhere")


def test_a_variant_of_ones_own_shares_a_map(tmp_path: Path) -> None:
    shutil.copytree(SHELF / "standard", tmp_path / "mine")
    path = tmp_path / "mine" / "variant.toml"
    text = path.read_text(encoding="utf-8").replace("victory = 18", 'victory = 20\nmap = "other.toml"')
    path.write_text(text, encoding="utf-8")
    (tmp_path / "mine" / "map.toml").rename(tmp_path / "mine" / "other.toml")
    assert Library([tmp_path]).variant("mine").victory == 20

"""A broken variant is answered with one line that names the file, the line, the key and the fault."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.paths import VARIANTS

from gm.variant_files.library import Library
from gm.variant_files.toml_source import VariantError

SHELF = VARIANTS

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
    ("variant.toml", "victory = 18", f"victory = 1{'0' * 5000}", ["variant.toml:5", "too many digits"]),
    ("variant.toml", "victory = 18", f"x = {'[' * 3000}{']' * 3000}", ["nested too deep"]),
    ("variant.toml", "victory = 18", 'like = "atlantis"', ["variant.toml:5: like", "atlantis/variant.toml"]),
    ("variant.toml", 'title = "Standard"', 'titel = "Standard"', ["titel", "title"]),
]


ALONE = '[isles]\nZed = { name = "Zed" }\n\n'

# the same for what `gm check` alone finds: the variant can be played, but this cannot be meant
SUSPECT = [
    (
        "variant.toml",
        'adjective = "English"',
        'adjective = "Austrian"',
        ["toml:37: powers.England.adjective", "Austria"],
    ),
    ("variant.toml", '"UK"]', '"Russia"]', ["toml:38: powers.England.aliases", "'Russia'"]),
    ("variant.toml", '["Austria-Hungary", ', '["England", ', ["toml:31: powers.Austria.aliases", "'England'"]),
    ("variant.toml", "[powers.Turkey]", "[powers.GM]", ["toml:66: powers.GM", "somebody else"]),
    ("variant.toml", "[powers.Turkey]", '[powers.""]', ["toml:66: powers.", "is no name"]),
    ("variant.toml", "[powers.Turkey]", '[powers."Tur\\nkey"]', ["toml:66: powers.Tur\\nkey", "line break"]),
    ("variant.toml", '"UK"]', '"U\\u001bK"]', ["toml:38: powers.England.aliases", "control character"]),
    ("variant.toml", 'letter = "E"', 'letter = "1"', ["toml:36: powers.England.letter", "no letter"]),
    ("variant.toml", 'letter = "E"', 'letter = "a"', ["toml:36: powers.England.letter", "Austria"]),
    ("variant.toml", '["Bud", "Tri", "Vie"]', '["Bud", "Tri", "Tri"]', ["toml:32: powers.Austria.home", "Tri twice"]),
    (
        "variant.toml",
        "units = [",
        'colonies = ["Vie"]\nunits = [',
        ["toml:33: powers.Austria.colonies", "Vie is a home"],
    ),
    ("variant.toml", "convoyed = true", "cost = 0", ["toml:21: kinds.A.cost", "1 or more"]),
    ("variant.toml", "convoyed = true", "strength = -2", ["toml:21: kinds.A.strength", "0 or more"]),
    ("variant.toml", "convoyed = true", "reach = 0", ["toml:21: kinds.A.reach", "1 or more"]),
    ("variant.toml", "convoyed = true", 'layer = "moon"', ["toml:21: kinds.A.layer", "ground or air"]),
    ("variant.toml", "convoyed = true", "support.moon = 1", ["kinds.A.support.moon", "no layer"]),
    ("variant.toml", "convoyed = true", "support.ground = -1", ["kinds.A.support.ground", "0 or more"]),
    ("variant.toml", 'name = "fleet"', 'name = "Army"', ["toml:24: kinds.F.name", "'Army'"]),
    ("variant.toml", "Retreats Spring", "Retreats Sprnig", ["toml:11: calendar", "'Sprnig'", "Spring, Summer"]),
    ("variant.toml", "Moves Fall", "Moves Fal", ["toml:12: calendar", "no season 'Fal'"]),
    ("variant.toml", "Moves Fall", "Moves Spring", ["calendar", "'Moves Spring' stands twice"]),
    ("variant.toml", "Moves Fall", "Moves Summer", ["toml:12: calendar", "'Moves Summer' would have one name"]),
    ("variant.toml", "special = []", f"special = {['one'] * 6}", ["toml:6: special", "6 lines", "room for 5"]),
    ("variant.toml", "special = []", 'special = ["{nothing}"]', ["toml:6: special", "{victory}", "'{nothing}'"]),
    ("variant.toml", "special = []", 'special = ["of {victory"]', ["toml:6: special", "'{victory'"]),
    ("variant.toml", "special = []", 'special = ["one\\ntwo"]', ["toml:6: special", "line break"]),
    ("variant.toml", "rank = 1 ", 'rank = "one" ', ["toml:3: rank", "whole number"]),
    ("variant.toml", "special = []", 'special = []\nlike = "mine"', ["toml:7: like", "this folder itself"]),
    ("map.toml", '"Bohemia"', '"Bohe\\nmia"', ["toml:15: inland.Boh", "line break"]),
    ("map.toml", '"angora"', '"ang\\u0007ora"', ["coastal.Ank", "control character"]),
    ("map.toml", "[census]\nprovinces = 75", f"{ALONE}[census]\nprovinces = 76", ["toml:7: isles.Zed", "no border"]),
    ("names.de.toml", '"Türkei", ', '"Türkei", "deutsch", ', ["powers.Turkey", "'deutsch'", "Germany"]),
    ("names.de.toml", '"Böhmen"', '"Böh\\nmen"', ["provinces.Boh", "line break"]),
]


def broken(folder: Path, file: str, old: str, new: str) -> Path:
    """The file in which a copy of Standard, "mine", reads otherwise."""
    shutil.copytree(SHELF / "standard", folder / "mine")
    path = folder / "mine" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


def one_line(error: VariantError, path: Path, parts: list[str]) -> None:
    line = str(error)
    assert "\n" not in line
    assert str(path) in line
    for part in parts:
        assert part in line


def named(value: object) -> str | None:
    return value[:60] if isinstance(value, str) else None


@pytest.mark.parametrize(("file", "old", "new", "parts"), FAULTS, ids=named)
def test_one_clear_line(tmp_path: Path, file: str, old: str, new: str, parts: list[str]) -> None:
    path = broken(tmp_path, file, old, new)
    with pytest.raises(VariantError) as raised:
        Library([tmp_path]).variant("mine")
    one_line(raised.value, path, parts)


@pytest.mark.parametrize(("file", "old", "new", "parts"), SUSPECT, ids=named)
def test_check_names_a_mistake_that_stops_no_game(
    tmp_path: Path, file: str, old: str, new: str, parts: list[str]
) -> None:
    path = broken(tmp_path, file, old, new)
    library = Library([tmp_path])
    assert library.variant("mine").id == "mine", "a game that runs is not stopped by it"
    with pytest.raises(VariantError) as raised:
        library.checked("mine")
    one_line(raised.value, path, parts)


def test_variants_that_are_like_each_other(tmp_path: Path) -> None:
    shutil.copytree(SHELF / "standard", tmp_path / "mine")
    for name, other in (("mine", "yours"), ("yours", "mine")):
        shutil.copytree(SHELF / "standard", tmp_path / name, dirs_exist_ok=True)
        path = tmp_path / name / "variant.toml"
        path.write_text(f'like = "{other}"\n{path.read_text(encoding="utf-8")}', encoding="utf-8")
    with pytest.raises(VariantError, match=r"mine/variant.toml:1: like: yours is itself like another"):
        Library([tmp_path]).checked("mine")


def test_check_reads_the_calendar_of_rules_py(tmp_path: Path) -> None:
    shutil.copytree(SHELF / "locarno", tmp_path / "mine")
    rules = tmp_path / "mine" / "rules.py"
    text = rules.read_text(encoding="utf-8").replace('RetreatStep("Fall")', 'RetreatStep("Spring")')
    rules.write_text(text, encoding="utf-8")
    with pytest.raises(VariantError, match=r"rules.py: calendar: 'Retreats Spring' stands twice"):
        Library([tmp_path]).checked("mine")


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

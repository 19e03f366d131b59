"""The census of Locarno, what its settings change, and folders with a rules.py of their own."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest
from support.paths import VARIANTS
from support.shipped import LIBRARY

from gm.judge.board.board import LAND, SEA, Location, Use
from gm.judge.mechanics.diplomacy_points import DiplomacyPoints
from gm.judge.model.variant import Variant
from gm.variant_files.library import Library
from gm.variant_files.setting_choices import single_choices
from gm.variant_files.toml_source import VariantError

SHELF = VARIANTS
CENTRES = set(
    """Alg Ank Aus Bei Bel Ber Bre Bul Col Cze Den Edi Egy Fin Gdy Gre Hun Ira Ist Izm Kie Kra Lat Len Lit Liv Lon
Mar Mil Mor Mos Mun Nap Net Nwy Par Per Por Rom Rum Spa Sta Sue Swe Swi Tri War Yug""".split()  # noqa: SIM905
)
"""The starred names of the author's list, and Suez."""
FLEETS = {"Denmark", "Greece", "Netherlands", "Norway", "Portugal", "Sweden"}


@pytest.fixture(scope="module")
def locarno() -> Variant:
    return LIBRARY.variant("locarno")


def test_provinces_and_centres(locarno: Variant) -> None:
    provinces = locarno.start.board.provinces
    kinds = Counter(p.slots if len(p.slots) < 3 else ("coasts",) for p in provinces.values())
    assert kinds == {(LAND,): 24, (LAND, "coast"): 56, ("coasts",): 5, (SEA,): 22, (LAND, SEA): 2, (): 2}
    assert {p.code for p in provinces.values() if p.centre} == CENTRES
    assert {p.code: p.coasts for p in provinces.values() if p.coasts} == {
        "Egy": ("ec", "nc"),
        "Per": ("nc", "sc"),
        "Rom": ("ec", "wc"),
        "Spa": ("nc", "wc", "ec"),
        "Sta": ("ec", "wc"),
    }
    assert {p.code for p in provinces.values() if p.colony} == {"Alg", "Bei", "Tri", "Sue"}
    assert {p.code for p in provinces.values() if p.slots == (LAND, SEA)} == {"Gib", "DOD"}


def test_borders(locarno: Variant) -> None:
    borders = locarno.start.board.borders
    passages = [b for b in borders if Use.MOVE in b.uses]
    assert sum(b.start.slot == LAND for b in passages) == 2 * 181
    assert sum(b.start.slot != LAND for b in passages) == 2 * 204
    assert {(b.end, b.start, b.uses) for b in borders} == {(b.start, b.end, b.uses) for b in borders}
    pairs = {(b.start.province, b.end.province) for b in passages}
    points = ["Edi Ire NAO IRI", "Gib Mor MAO IND", "Gre AEG EAS ION", "Swe GOB GOD BAL"]
    for point in points:
        areas = point.split()
        assert all((a, b) in pairs for a in areas for b in areas if a != b), point
    assert {("ARA", "IND"), ("Sic", "Nap"), ("Gib", "Spa"), ("DOD", "Izm")} <= pairs
    assert ("Sic", "Nap") in {(b.start.province, b.end.province) for b in passages if b.start.slot == LAND}


def test_coasts_of_spain_meet_at_gibraltar(locarno: Variant) -> None:
    board = locarno.start.board
    ends = {
        slot: {at.province for at in board.neighbours(Location("Spa", slot), Use.MOVE)} for slot in ("nc", "wc", "ec")
    }
    assert ends == {"nc": {"Gas", "MAO", "Por"}, "wc": {"Gib", "MAO", "Por"}, "ec": {"Gib", "GOL", "Mar", "WES"}}


def test_the_start(locarno: Variant) -> None:
    start = locarno.start
    assert locarno.phase_name(start) == "S1926M"
    own = {power.name: len(start.centres_of(power.name)) for power in locarno.powers}
    assert own == {
        "Britain": 4, "France": 5, "Germany": 4, "Italy": 4, "Poland": 3, "Soviet Union": 3, "Turkey": 3,
    }  # fmt: skip
    britain = {f"{u.kind} {u.at.place}" for u in start.units_of("Britain")}
    assert britain == {"F Edi", "F Lon", "F Gib", "F Sue"}
    awake = [minor for minor in locarno.minors if not minor.dormant]
    assert len(awake) == 22
    assert {minor.name for minor in awake if minor.kind == "F"} == FLEETS
    assert all(start.units_of(minor.name)[0].at.province == minor.home for minor in awake)
    asleep = {minor.home for minor in locarno.minors if minor.dormant}
    assert asleep == set(start.centres)
    assert not asleep & {minor.home for minor in awake}


def test_settings_act_when_the_game_is_composed() -> None:
    shelf = LIBRARY
    plain = shelf.variant("locarno", {"suez_is_centre": "false"})
    assert not plain.start.board.provinces["Sue"].centre
    assert "Sue" not in plain.start.centres
    assert len(plain.start.units_of("Britain")) == 3
    assert not [minor for minor in plain.minors if minor.home == "Sue"]
    assert not shelf.variant("locarno").revealed
    assert shelf.variant("locarno", {"reveal_dp_after_game": "true"}).revealed
    strict = shelf.variant("locarno", {"dp_overallocation": "reject", "dp_max_per_order": "2"})
    assert getattr(strict.calendar[0], "rights", None) == DiplomacyPoints("DP", 3, per_order=2, over="reject")
    for options in single_choices(strict.settings):
        assert shelf.variant("locarno", options).victory == int(options.get("victory", 18))
    for key, value in (("dp_max_per_order", "4"), ("dp_overallocation", "no"), ("suez", "true")):
        with pytest.raises(VariantError):
            shelf.variant("locarno", {key: value})


# (file, text to replace, replacement, what the one line must hold)
FAULTS = [
    ("rules.py", "def rules(", "def rulez(", ["rules.py", "rules"]),
    ("rules.py", "return Rules(", "return Rules((", ["rules.py:", "'('"]),
    ("rules.py", 'options["dp_max_per_order"]', 'options["nothing"]', ["rules.py:", "nothing"]),
    (
        "rules.py",
        "from gm.judge.mechanics.diplomacy_points import DiplomacyPoints",
        "from gm.judge.mechanics.diplomacy_points import Pints",
        ["rules.py:", "Pints"],
    ),
    ("variant.toml", 'unit = "A Aus"', 'unit = "F Aus"', ["minors.Austria.unit", "'F Aus'"]),
    ("variant.toml", 'unit = "A Aus"', 'unit = "A Cze"', ["minors.", "Cze"]),
    ("variant.toml", 'unit = "A Aus"', 'unit = "A Alb"', ["minors.Austria.unit", "no supply centre"]),
    ("variant.toml", 'unit = "A Aus"', 'unit = "A Par"', ["minors.", "Par"]),
    ("variant.toml", "[minors.Austria]", "[minors.Germany]", ["minors.Germany", "seat"]),
    ("variant.toml", 'adjective = "Austrian"', 'adjektive = "Austrian"', ["minors.Austria.adjektive"]),
    ("variant.toml", 'unstarred = ["Sue"]', 'unstarred = ["Alb"]', ["unstarred", "'Alb'"]),
    ("variant.toml", 'colonies = ["Tri"]', 'colonies = ["Tun"]', ["powers.Italy.colonies", "Tun"]),
]


def every(shelf: Library) -> None:
    for options in ({}, {"suez_is_centre": "false"}):
        shelf.variant("mine", options)


@pytest.mark.parametrize(
    ("file", "old", "new", "parts"), FAULTS, ids=lambda value: value if isinstance(value, str) else None
)
def test_one_clear_line(tmp_path: Path, file: str, old: str, new: str, parts: list[str]) -> None:
    shutil.copytree(SHELF / "locarno", tmp_path / "mine")
    path = tmp_path / "mine" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(VariantError) as raised:
        every(Library([tmp_path]))
    line = str(raised.value)
    assert "\n" not in line
    for part in (str(path), *parts):
        assert part in line


def test_an_operators_own_folder_may_bring_its_statements(tmp_path: Path) -> None:
    """rules.py is found by its path, whatever stands beside it and wherever."""
    shutil.copytree(SHELF / "standard", tmp_path / "mine")
    (tmp_path / "mine" / "rules.py").write_text(
        '"""Two springs a year."""\n'
        "from __future__ import annotations\n"
        "from dataclasses import dataclass\n"
        "from gm.judge.movement.movement_step import MovementStep\n"
        "from gm.judge.steps.retreats import RetreatStep\n"
        "from gm.judge.model.variant import Rules\n"
        "@dataclass(frozen=True, slots=True)\n"
        "class Shout:\n"
        "    word: str\n"
        "    @property\n"
        "    def slot(self) -> tuple[str, str]:\n"
        "        return ('shout', self.word)\n"
        "def rules(options):\n"
        "    return Rules((MovementStep('Spring'), RetreatStep('Spring')), statements=(Shout,))\n",
        encoding="utf-8",
    )
    with pytest.raises(VariantError, match=r"calendar: is for rules\.py"):
        Library([tmp_path]).variant("mine")
    path = tmp_path / "mine" / "variant.toml"
    before, _, after = path.read_text(encoding="utf-8").partition("calendar = [")
    path.write_text(before + after.partition("]\n")[2], encoding="utf-8")
    mine = Library([tmp_path]).variant("mine")
    assert [step.letter for step in mine.calendar] == ["M", "R"]
    assert not list((tmp_path / "mine").glob("__pycache__"))


def test_an_operators_own_step_is_made_as_those_of_the_judge_are(tmp_path: Path) -> None:
    shutil.copytree(SHELF / "standard", tmp_path / "mine")
    path, rules = tmp_path / "mine" / "variant.toml", tmp_path / "mine" / "rules.py"
    before, _, after = path.read_text(encoding="utf-8").partition("calendar = [")
    path.write_text(before + after.partition("]\n")[2], encoding="utf-8")
    page = (
        "from dataclasses import dataclass\n"
        "from gm.judge.movement.movement_step import MovementStep\n"
        "from gm.judge.model.variant import Rules\n"
        "{}\n"
        "    bonus: int = 1\n"
        "def rules(options):\n"
        "    return Rules((Mine('Spring', bonus=2),))\n"
    )
    rules.write_text(page.format("@dataclass(frozen=True)\nclass Mine(MovementStep):"), encoding="utf-8")
    with pytest.raises(VariantError, match=r"rules\.py:4: .* class Mine\(MovementStep, frozen=True\)"):
        Library([tmp_path]).variant("mine")
    rules.write_text(page.format("class Mine(MovementStep, frozen=True):"), encoding="utf-8")
    (step,) = Library([tmp_path]).variant("mine").calendar
    assert (step.season, getattr(step, "bonus", 0)) == ("Spring", 2)

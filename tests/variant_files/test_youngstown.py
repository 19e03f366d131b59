"""The census of Youngstown: what its map must hold, and what its settings change."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from support.opening_orders import count_legal
from support.paths import VARIANTS
from support.shipped import LIBRARY

from gm.judge.board.board import SEA, Location, Use
from gm.judge.model.variant import Variant
from gm.variant_files.library import Library
from gm.variant_files.toml_source import VariantError

SHELF = VARIANTS

# Counted from the list of edges the map was made from, by a script that knows nothing of this program.
SEA_TO_SEA = 148
SHORES = 178
OPENING = {
    "Austria-Hungary": 55,
    "China": 33,
    "England": 31,
    "France": 37,
    "Germany": 44,
    "India": 34,
    "Italy": 43,
    "Japan": 25,
    "Russia": 64,
    "Turkey": 40,
}
"""Holds, moves and supports that each power may order in Spring 1901."""


@pytest.fixture(scope="module")
def library() -> Library:
    return LIBRARY


@pytest.fixture(scope="module")
def youngstown(library: Library) -> Variant:
    return library.variant("youngstown")


def test_spaces_and_centres(youngstown: Variant) -> None:
    provinces = youngstown.start.board.provinces.values()
    kinds = Counter(
        "sea" if p.slots == (SEA,) else "inland" if p.slots == ("land",) else "coastal" if p.slots else "dead"
        for p in provinces
    )
    assert kinds == {"sea": 50, "inland": 34, "coastal": 96, "dead": 4}
    assert len(provinces) == 184
    assert sum(p.centre for p in provinces) == 72
    assert {p.code: p.coasts for p in provinces if p.coasts} == {
        "Bul": ("ec", "sc"),
        "Egy": ("nc", "ec"),
        "Jor": ("nc", "wc"),
        "Nej": ("ec", "wc"),
        "Spa": ("nc", "sc"),
        "StP": ("nc", "sc"),
        "Tha": ("ec", "wc"),
    }
    assert youngstown.victory == 37


def test_powers(youngstown: Variant) -> None:
    letters = {power.letter: power.name for power in youngstown.powers}
    assert "".join(sorted(letters)) == "ACEFGIJNRT"
    assert letters["N"] == "India"
    homes = Counter(p.home for p in youngstown.start.board.provinces.values() if p.home)
    assert homes == {
        "Austria-Hungary": 4,
        "China": 3,
        "England": 4,
        "France": 4,
        "Germany": 4,
        "India": 3,
        "Italy": 4,
        "Japan": 3,
        "Russia": 6,
        "Turkey": 4,
    }
    units = Counter(unit.power for unit in youngstown.start.units)
    assert units == homes
    assert {u.at.province for u in youngstown.start.units} == set(youngstown.start.centres)


def test_borders_by_use(youngstown: Variant) -> None:
    borders = youngstown.start.board.borders
    passages = [b for b in borders if Use.MOVE in b.uses]
    assert all(Use.SUPPORT in b.uses for b in passages)
    assert sum(b.start.slot == "land" for b in passages) == 2 * 248
    assert sum(b.start.slot != "land" for b in passages) == 2 * 350
    convoys = {(b.start, b.end) for b in borders if Use.CONVOY in b.uses}
    at_sea = {pair for pair in convoys if pair[0].slot == pair[1].slot == SEA}
    assert len(at_sea) == SEA_TO_SEA
    assert len(convoys) - len(at_sea) == 2 * SHORES
    assert {(b.end, b.start, b.uses) for b in borders} == {(b.start, b.end, b.uses) for b in borders}


def test_boxes(youngstown: Variant) -> None:
    """The table of the rules, box by box."""
    board = youngstown.start.board

    def near(code: str, *slots: str) -> set[str]:
        return {at.province for slot in slots for at in board.neighbours(Location(code, slot), Use.MOVE)}

    assert near("ObA", "sea") == {"NAT", "ObB", "ObL"}
    assert near("ObB", "sea") == {"MAO", "ObA", "ObC", "ObK", "ObL"}
    assert near("ObC", "sea") == {"SAT", "ObB", "ObD", "ObH", "ObI", "ObJ", "ObK"}
    assert near("ObD", "land") == {"Mor", "ObE", "ObF", "ObG"}
    assert near("ObD", "coast") == {"Mor", "ObC", "ObG"}
    assert near("ObE", "land") == {"Sah", "ObD", "ObG"}
    assert near("ObF", "land") == {"Sud", "ObD", "ObG"}
    assert near("ObG", "land") == {"EAf", "ObD", "ObE", "ObF"}
    assert near("ObG", "coast") == {"EAf", "ObD", "ObH"}
    assert near("ObH", "sea") == {"SOM", "ObC", "ObG", "ObI"}
    assert near("ObI", "sea") == {"WIO", "ObC", "ObH"}
    assert near("ObJ", "sea") == {"TIM", "ObC", "ObK"}
    assert near("ObK", "sea") == {"SPO", "ObB", "ObC", "ObJ", "ObL"}
    assert near("ObL", "sea") == {"NPO", "ObA", "ObB", "ObK"}


def test_legal_orders_of_the_opening(youngstown: Variant) -> None:
    assert count_legal(youngstown) == OPENING


def test_the_first_letter_names_the_special_rules(youngstown: Variant) -> None:
    assert 0 < len(youngstown.special) <= 5
    own = [setting for setting in youngstown.settings if setting.fixed]
    assert {s.key: s.default for s in own} == {
        "stalemate_draw": "automatic",
        "omsk_fleets": "true",
        "convoy_path": "advisory",
        "boxes": "judge",
    }
    assert all(s.choices and s.default in s.choices for s in own)


# ---- settings


def test_without_fleets_in_omsk(library: Library) -> None:
    closed = library.variant("youngstown", {"omsk_fleets": "False"})
    board = closed.start.board
    assert board.provinces["Oms"].slots == ("land",)
    assert not [b for b in board.borders if "Oms" in (b.start.province, b.end.province) and b.start.slot != "land"]
    assert {at.province for at in board.neighbours(Location("Oms", "land"), Use.MOVE)} == {"Mos", "Sib", "StP", "Tur"}
    assert closed.options == {"omsk_fleets": "false"}
    assert library.variant("youngstown").start.board.provinces["Oms"].slots == ("land", "coast")


def test_the_others(library: Library) -> None:
    assert library.variant("youngstown", {"convoy_path": "binding"}).rulebook.binding
    assert not library.variant("youngstown").rulebook.binding
    plain = library.variant("youngstown").start.board
    judge = library.variant("youngstown", {"boxes": "judge"}).start.board
    assert judge.borders == plain.borders


def test_another_edition_of_the_boxes(tmp_path: Path) -> None:
    home = tmp_path / "mine"
    home.mkdir()
    for path in (SHELF / "youngstown").glob("*.toml"):
        (home / path.name).write_bytes(path.read_bytes())
    text = (home / "boxes-judge.toml").read_text(encoding="utf-8")
    text = text.replace("fleet = 25", "fleet = 24").replace("ObH ObI ObJ ObK SAT", "ObH ObI ObJ SAT")
    (home / "boxes-lowe.toml").write_text(text, encoding="utf-8")
    library = Library([tmp_path])
    board = library.checked("mine").start.board
    other = library.variant("mine", {"boxes": "lowe"}).start.board
    assert len(board.borders) - len(other.borders) == 2
    assert [s.choices for s in library.variant("mine").settings if s.key == "boxes"] == [("judge", "lowe")]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"omsk_fleets": "maybe"}, "the setting omsk_fleets is true or false, not 'maybe'"),
        ({"stalemate_draw": ""}, "automatic or offer or off, not ''"),
        ({"boxes": "../../etc/passwd"}, "is judge, not"),
        ({"omsk": "true"}, "no setting 'omsk'; there are stalemate_draw, omsk_fleets, convoy_path, boxes"),
    ],
)
def test_an_unknown_choice_is_refused(library: Library, options: dict[str, str], error: str) -> None:
    with pytest.raises(VariantError) as raised:
        library.variant("youngstown", options)
    assert error in str(raised.value)
    assert "\n" not in str(raised.value)

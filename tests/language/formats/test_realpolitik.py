"""Realpolitik's saved games and reports, word by word; as its own source writes and reads them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from gm import resources
from gm.judge.model.variant import Variant
from gm.language.formats.common import Exported
from gm.language.formats.json_position import ExchangeError, position_from_json, position_to_json
from gm.language.formats.realpolitik import reader as realpolitikreader
from gm.language.formats.realpolitik import writer as realpolitik
from gm.variant_files.library import Library

START = """\
1
ostend
Standard
Spring 1901
0
7
0
Bud, Tri, Vie
A Bud, A Vie, F Tri
0
Edi, Lon, Lvp
F Edi, F Lon, A Lvp
0
Bre, Mar, Par
F Bre, A Mar, A Par
0
Ber, Kie, Mun
A Ber, F Kie, A Mun
0
Nap, Rom, Ven
F Nap, A Rom, A Ven
0
Mos, Sev, StP, War
A Mos, F Sev, F StP(sc), A War
0
Ank, Con, Smy
F Ank, A Con, A Smy
0
v2
0
-1
"""
REPORT = """\
Status of the Retreat orders for Spring of 1901.  (ostend)

Austria: F Trieste - Albania.

The following units were dislodged:

Austrian F Trieste can retreat to Albania or Adriatic Sea.

Unit locations:

Austria:   A Budapest, A Vienna, F Trieste.
Italy:     F Naples, A Rome, A Trieste.
Russia:    A Moscow, F Sevastopol, F St Petersburg(sc),
           A Warsaw.

Ownership of supply centers:

Austria:   Budapest, Trieste, Vienna
Italy:     Naples, Rome, Venice
Russia:    Moscow, Sevastopol, St Petersburg, Warsaw
Unowned:   Belgium, Bulgaria, Denmark

Austria:    3 Supply centers,   3 Units:  Builds   0 units.
"""


@pytest.fixture(scope="module")
def standard() -> Variant:
    return Library([resources.folder("variants")]).variant("standard")


def written(variant: Variant, told: dict[str, Any], orders: dict[str, list[str]] | None = None) -> Exported:
    position = position_from_json(variant, position_to_json(variant, variant.start) | told)
    document = position_to_json(variant, position) | {"orders": orders or {}}
    return realpolitik.write(variant, position, document, "ostend")


def tail(exported: Exported) -> list[str]:
    """The orders."""
    return exported.text.partition("\n-1\n")[2].splitlines()


def read(variant: Variant, text: str) -> dict[str, Any]:
    return realpolitikreader.read_game(variant, variant.start, text)


def test_the_start_of_standard(standard: Variant) -> None:
    told = written(standard, {})
    assert told.text == START
    assert told.ranks == ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")


def test_orders(standard: Variant) -> None:
    units = {"England": ["A Lon", "F NTH", "F BAR"], "France": ["A Par", "A Mar"]}
    england = ["A Lon - NTH - Nwy", "F NTH C A Lon - Nwy", "F BAR - StP/nc"]
    told = written(standard, {"units": units}, {"England": england, "France": ["A Mar S A Par - Bur", "A Par H"]})
    assert tail(told) == [
        "England: A Lon - NTH - Nwy",
        "England: F NTH Convoys A Lon - Nwy",
        "England: F BAR - StP(nc)",
        "France: A Mar Supports A Par - Bur",
        "France: A Par Hold",
    ]


def test_retreats_and_builds(standard: Variant) -> None:
    driven = {
        "phase": "F1901R", "units": {"Italy": ["A Tri"]},
        "dislodged": {"Austria": [{"unit": "F Tri", "by": "A Ven", "retreats": ["Alb", "ADR"]}]},
    }  # fmt: skip
    told = written(standard, driven, {"Austria": ["F Tri D"]})
    assert "Autumn 1901\n0\n7\n" in told.text
    assert "\n1\nAustrian F Tri Alb ADR\nv2\n" in told.text
    assert tail(told) == ["Austria: F Tri DISBAND"]
    owned = {
        "phase": "W1901A", "units": {"Italy": ["F ION"], "Turkey": ["A Smy", "A Con"]},
        "centers": {"Italy": ["Nap", "Rom", "Ven", "Tun"], "Turkey": ["Smy"]},
    }  # fmt: skip
    told = written(standard, owned, {"Italy": ["Build F Nap", "Waive"], "Turkey": ["Remove A Con"]})
    assert "Winter 1901\n4\n7\n" in told.text
    assert "\n3\nNap, Rom, Ven, Tun\nF ION\n" in told.text or "\n3\nNap, Rom, Tun, Ven\nF ION\n" in told.text
    assert "\n-1\nSmy\nA Smy, A Con\n" in told.text
    assert told.text.endswith("Italy: Build F Nap\nItaly: Build waived\nItaly: Build waived\nTurkey: Remove A Con\n")


def test_lines_that_a_mail_program_lost_or_broke(standard: Variant) -> None:
    """Empty lines are gone, and a long one goes on in the next."""
    spare = START.replace("Bre, Mar, Par\nF Bre, A Mar, A Par\n", "\n\n").replace(
        "F StP(sc), A War", "F\nStP(sc),\nA War"
    )
    told = read(standard, "\n".join(line for line in spare.splitlines() if line))
    assert "France" not in told["units"]
    assert told["units"]["Russia"] == ["A Mos", "F Sev", "F StP/sc", "A War"]
    assert told["centers"]["Russia"] == ["Mos", "Sev", "StP", "War"]


def test_history_is_passed_over(standard: Variant) -> None:
    past = "v2\n1\n1 1901\nAaAaE\nAAAEEE\n0\n0 0 0 0 0 0 0\n0\nAustria: A Bud - Ser\n-1\nAustria: A Bud - Rum\n"
    told = read(standard, START.replace("v2\n0\n-1\n", past))
    assert told["orders"] == {"Austria": ["A Bud - Rum"]}


def test_what_the_program_says_about_orders_is_left_out(standard: Variant) -> None:
    text = START + (
        "Austria: A Bud - Gal (*bounce*)\nAustria: A Vienna, no move received\nAustria: F Trieste Hold\n"
        "Italy: disband A Rom\nItaly: Build waived\nItaly: Waive\n"
    )
    assert read(standard, text)["orders"] == {
        "Austria": ["A Bud - Gal", "F Trieste Hold"],
        "Italy": ["A Rom D", "Waive 2"],
    }


def test_a_report_is_read(standard: Variant) -> None:
    told = realpolitikreader.read_report(standard, standard.start, REPORT)
    assert told["phase"] == "S1901R"
    assert told["units"]["Russia"] == ["A Mos", "F Sev", "F StP/sc", "A War"]
    assert told["units"]["Austria"] == ["A Bud", "A Vie"]
    assert told["centers"]["Italy"] == ["Nap", "Rom", "Ven"]
    assert told["dislodged"] == {"Austria": [{"unit": "F Tri", "by": "A Ven", "retreats": ["Alb", "ADR"]}]}
    assert told["orders"] == {"Austria": ["F Trieste - Albania"]}


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("1\nostend", "2 17\nostend", "line 1: saved games of format 1 are read, not '2 17'"),
        ("Spring 1901", "Someday 1901", "line 4: no season; one is like Spring 1901, not 'Someday 1901'"),
        ("\n7\n", "\n6\n", "after the season come two numbers, and the second must be 7: the powers"),
        ("A Vie, F Tri", "A Xyz, F Tri", "line 9: no province 'Xyz'"),
        ("A Vie, F Tri", "A (, F Tri", "line 9: no province '('"),
        ("A Vie, F Tri", "A Vie, Q Tri", "line 9: no unit: 'Q Tri'"),
        ("Bud, Tri, Vie\n", "Bud, Tri, Xyz\n", "line 8: no province 'Xyz'"),
        ("0\nAnk, Con, Smy\nF Ank, A Con, A Smy\n0\n", "", "each of the 7 powers has its number"),
        ("\n0\nv2\n", "\n1\nNarnian F Tri Alb\nv2\n", "line 29: no unit that must retreat: 'Narnian F Tri Alb'"),
        (
            "-1\n",
            "-1\nNarnia: A Bud - Gal\n",
            "line 32: whose is 'Narnia: A Bud - Gal'? A power and a colon come first",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_line(standard: Variant, old: str, new: str, why: str) -> None:
    with pytest.raises(ExchangeError, match=re.escape(why)):
        read(standard, START.replace(old, new, 1))

"""Positions from other programs: names in any case, and one clear line for everything that is wrong."""

from __future__ import annotations

from typing import Any

import pytest
from support.shipped import LIBRARY

from gm.judge.model.position import LedgerKey, Unit
from gm.judge.model.variant import Variant
from gm.language.formats.json_position import position_from_json, position_to_json
from gm.language.formats.json_values import ExchangeError


@pytest.fixture(scope="module")
def standard() -> Variant:
    return LIBRARY.variant("standard")


def document(**changes: Any) -> dict[str, Any]:
    position: dict[str, Any] = {
        "variant": "standard",
        "phase": "F1901R",
        "units": {"Italy": ["A Tri", "F ION"], "Russia": ["F StP/nc"]},
        "centers": {"Italy": ["Tri"], "Russia": ["StP"]},
        "dislodged": {"Austria": [{"unit": "F Tri", "by": "A Ven", "retreats": ["Alb", "ADR"]}]},
    }
    return position | changes


def driven(*retreats: str, by: str = "A Ven") -> dict[str, Any]:
    return {"Austria": [{"unit": "F Tri", "by": by, "retreats": list(retreats)}]}


def test_a_position_survives_a_round_trip(standard: Variant) -> None:
    assert position_to_json(standard, position_from_json(standard, document())) == document()


def test_the_attacker_of_a_dislodged_unit_is_found_by_its_place(standard: Variant) -> None:
    position = position_from_json(standard, document())
    assert position.dislodged[0].by.power == "Italy"


def test_a_retreat_is_open_where_the_position_says_so(standard: Variant) -> None:
    """Also to where the attacker came from, and when nobody stands there any more: a game master may have said so."""
    position = document(dislodged=driven("Ven", by="F Ven"), units={"Italy": ["F ION"]})
    assert len(position_from_json(standard, position).dislodged[0].retreats) == 1


def test_names_are_read_in_any_case(standard: Variant) -> None:
    position = document(units={"ITALY": ["a trieste", "f Ionian Sea"], "russia": ["F stp/NC"]}, phase="f1901r")
    assert position_from_json(standard, position).units == position_from_json(standard, document()).units


@pytest.mark.parametrize("written", ["F ObA", "F Off-board A", "F Off Board A", "F offboard box a", "F Offboard A"])
def test_a_box_off_the_board_has_the_names_it_has_in_orders(written: str) -> None:
    youngstown = LIBRARY.variant("youngstown")
    position = {"phase": "S1901M", "units": {"England": [written]}}
    assert [str(unit.at.place) for unit in position_from_json(youngstown, position).units] == ["ObA"]


def test_points_in_a_name_may_be_left_out(standard: Variant) -> None:
    position = document(units={"Italy": ["A Tri", "F ION"], "Russia": ["F St. Petersburg/nc"]})
    assert position_from_json(standard, position) == position_from_json(standard, document())


def test_a_silent_step_is_named_by_the_next_phase(standard: Variant) -> None:
    from msgspec.structs import replace

    census = replace(standard.start, at=4)
    assert position_to_json(standard, census)["phase"] == "W1901A"


def test_a_seed_is_read_back(standard: Variant) -> None:
    position = position_from_json(standard, document(seed=5))
    assert position.seed == 5
    assert position_to_json(standard, position)["seed"] == 5


def test_a_ledger_is_read_back(standard: Variant) -> None:
    ledger = [{"purse": "still", "amount": 2}, {"purse": "DP", "power": "Italy", "subject": "A Mun", "amount": -1}]
    position = position_from_json(standard, document(ledger=ledger))
    assert position.ledger == {LedgerKey("still", ""): 2, LedgerKey("DP", "Italy", "A Mun"): -1}
    assert position_to_json(standard, position)["ledger"] == ledger


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"phase": "X1901M"}, "no phase"),
        ({"phase": 1901}, "phase must be a text"),
        ({"units": {"Narnia": ["A Bud"]}}, "no power 'Narnia'"),
        ({"units": {"Italy": ["A Bud", "A Bud"]}}, "two units in Bud"),
        ({"units": {"Italy": ["A Bud"], "Russia": ["A Budapest"]}}, "two units in Bud"),
        ({"units": {"Italy": ["A Atlantis"]}}, "no province 'Atlantis'"),
        ({"units": {"Italy": ["F Bud"]}}, "cannot stand there"),
        ({"units": {"Italy": ["F Spa"]}}, "which coast? Spa/nc or Spa/sc"),
        ({"units": {"Italy": ["X Bud"]}}, "no kind of unit 'X'"),
        ({"units": {"Italy": ["A"]}}, "no province ''"),
        ({"units": {"Italy": "A Bud"}}, "must be a list"),
        ({"units": {"Italy": [7]}}, "must be a text"),
        ({"units": []}, ""),
        ({"centers": {"Italy": ["Gal"]}}, "Gal is no supply centre"),
        ({"centers": {"Italy": ["Tri"], "Russia": ["tri"]}}, "Tri belongs to Italy and to Russia"),
        ({"dislodged": {"Austria": ["F Tri"]}}, "must be an object"),
        ({"dislodged": {"Austria": [{"unit": "F Tri", "by": "A Ven", "retreats": ["Bud"]}]}}, "cannot stand in 'Bud'"),
        ({"dislodged": {"Austria": [{"by": "A Ven"}]}}, "unit must be a text"),
        ({"phase": "F1901M"}, "nobody retreats in 'F1901M'"),
        ({"dislodged": driven("Alb", "Alb")}, "F Tri cannot retreat to Alb: it stands there twice"),
        ({"dislodged": driven("ADR", "Gre")}, "F Tri cannot retreat to Gre: it does not border Tri"),
        (
            {"dislodged": driven("Alb"), "units": {"Italy": ["A Tri"], "Turkey": ["A Alb"]}},
            "Turkey's A Alb stands there",
        ),
        ({"dislodged": {"Austria": driven("Alb")["Austria"] * 2}}, "two units of Tri"),
        ({"dislodged": driven("Alb") | {"Italy": driven("Alb")["Austria"]}}, "two units of Tri"),
        ({"ledger": {"still": 2}}, "ledger must be a list"),
        ({"ledger": [2]}, "must be an object"),
        ({"ledger": [{"amount": 2}]}, "purse must be a text"),
        ({"ledger": [{"purse": "still", "amount": True}]}, "amount must be a whole number"),
        ({"ledger": [{"purse": "DP", "power": "Narnia", "amount": 1}]}, "no power 'Narnia'"),
        ({"seed": "x"}, "seed must be a whole number"),
    ],
)
def test_an_error_is_one_line(standard: Variant, changes: dict[str, Any], error: str) -> None:
    if changes == {"units": []}:
        assert position_from_json(standard, document(**changes, dislodged={})).units == ()
        return
    with pytest.raises(ExchangeError) as raised:
        position_from_json(standard, document(**changes))
    assert error in str(raised.value)
    assert "\n" not in str(raised.value)


def test_text_that_is_no_document_is_refused(standard: Variant) -> None:
    with pytest.raises(ExchangeError, match="must be an object"):
        position_from_json(standard, [])


def test_units_keep_their_kind_and_place(standard: Variant) -> None:
    units = position_from_json(standard, document()).units
    assert all(isinstance(u, Unit) for u in units)
    assert units[2].at.slot == "nc"

"""The sentences of `gm adjudicate` are true, and name everybody who had a part in it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.shipped import LIBRARY

from gm.cli.adjudicate import Adjudicator

Sheets = dict[str, list[str]]


def answer(units: Sheets, orders: Sheets, phase: str = "S1905M", **more: object) -> dict[str, Any]:
    """Nobody owns a centre; `more` stands in the position too."""
    position: dict[str, object] = {"variant": "standard", "phase": phase, "units": units, "centers": {}, **more}
    line = json.dumps({"id": 1, "position": position, "orders": orders})
    return json.loads(next(iter(Adjudicator(LIBRARY).answers([line]))))  # type: ignore[no-any-return]


def row(reply: dict[str, Any], order: str) -> dict[str, Any]:
    return next(result for result in reply["results"] if result["order"] == order)


@pytest.mark.parametrize(
    ("variant", "order", "stand", "sea"),
    [
        ("standard", "F Spa/nc - WES", "Spa/nc", "Western Mediterranean"),
        ("standard", "F Bul/ec - AEG", "Bul/ec", "Aegean Sea"),
        ("youngstown", "F Egy/nc - RED", "Egy/nc", "Red Sea"),
        ("standard", "F Lon - ADR", "London", "Adriatic Sea"),
    ],
)
def test_the_sentence_names_the_coast_that_does_not_touch(variant: str, order: str, stand: str, sea: str) -> None:
    """A fleet on the other coast might go there."""
    reply = answer({"France": [order.split(" - ")[0]]}, {"France": [order]}, variant=variant)
    assert row(reply, order)["text"] == f"not possible: {stand} does not touch {sea} for a unit of this kind"


def test_an_impossible_convoy_order_is_named_as_the_reason() -> None:
    units = {"England": ["A Lon", "F IRI"], "France": ["F ENG", "F NTH"]}
    reply = answer(units, {"England": ["A Lon - Bel", "F IRI C A Lon - Bel"]})
    result = row(reply, "A Lon - Bel")
    assert result["by"] == ["F IRI"]
    assert result["text"] == "no route: the order of F IRI to convoy it was not possible"
    none = row(answer(units, {"England": ["A Lon - Bel"]}), "A Lon - Bel")
    assert none["text"] == "no route: no fleet was ordered to convoy it"


def test_convoying_fleets_that_were_dislodged() -> None:
    units = {"England": ["F ENG"], "France": ["F Bre", "F MAO"], "Germany": ["A Lon"]}
    orders = {
        "England": ["F ENG C A Lon - Bel"],
        "France": ["F Bre - ENG", "F MAO S F Bre - ENG"],
        "Germany": ["A Lon - Bel"],
    }
    result = row(answer(units, orders), "A Lon - Bel")
    assert result["text"] == "disrupted: England's F ENG, convoying it, was dislodged"


def test_all_who_cut_a_support_are_named() -> None:
    units = {"Germany": ["A Mun", "A Vie"], "Italy": ["A Boh"], "France": ["A Bur"], "Russia": ["A Kie"]}
    orders = {
        "Germany": ["A Mun S A Vie - Boh", "A Vie - Boh"],
        "Italy": ["A Boh - Mun"],
        "France": ["A Bur S A Boh - Mun"],
        "Russia": ["A Kie - Mun"],
    }
    result = row(answer(units, orders), "A Mun S A Vie - Boh")
    assert result["by"] == ["A Boh", "A Kie"]
    assert result["text"] == "cut, dislodged: by Italy's A Boh and Russia's A Kie; Italy's A Boh came in, 2 against 1"


def test_a_unit_in_the_way_of_its_own_power_is_named_beside_the_rival() -> None:
    orders = {"Austria": ["A Tri H", "A Vie - Tri"], "Italy": ["A Ven - Tri"]}
    result = row(answer({"Austria": ["A Tri", "A Vie"], "Italy": ["A Ven"]}, orders), "A Vie - Tri")
    assert result["by"] == ["A Tri", "A Ven"]
    assert result["text"] == "bounced: with A Tri and Italy's A Ven, 1 against 1"


def test_a_unit_with_nowhere_to_go_is_disbanded() -> None:
    units = {"England": ["F Cly", "F IRI"], "Russia": ["F NWG", "A Edi"], "France": ["A Lvp", "F NAO"]}
    orders = {"England": ["F Cly H"], "Russia": ["A Edi - Cly", "F NWG S A Edi - Cly"]}
    result = row(answer(units, orders), "F Cly H")
    assert result["dislodged"] is True
    assert result["text"] == "dislodged: Russia's A Edi came in, 2 against 1; disbanded: there was nowhere to go"
    open_ = row(answer({**units, "France": []}, orders), "F Cly H")
    assert open_["text"] == "dislodged: Russia's A Edi came in, 2 against 1"


FROM_TRIESTE = {"Austria": [{"unit": "F Tri", "by": "A Ven", "retreats": ["ADR", "Alb"]}]}
FROM_GREECE = {"Turkey": [{"unit": "F Gre", "by": "A Ser", "retreats": ["Alb", "ION"]}]}


def test_a_retreat_that_fails_disbands() -> None:
    both = {**FROM_TRIESTE, **FROM_GREECE}
    orders = {"Austria": ["F Tri - Alb"], "Turkey": ["F Gre - Alb"]}
    met = answer({"Italy": ["A Tri"], "Russia": ["A Gre"]}, orders, "S1905R", dislodged=both)
    assert row(met, "F Tri - Alb")["text"] == "bounced: with Turkey's F Gre: both wanted the same place; disbanded"
    barred = answer({"Italy": ["A Tri"]}, {"Austria": ["F Tri - Ven"]}, "S1905R", dislodged=FROM_TRIESTE)
    assert row(barred, "F Tri - Ven")["text"] == "not possible: Venice is not open to its retreat; disbanded"
    went = answer({"Italy": ["A Tri"]}, {"Austria": ["F Tri - Alb"]}, "S1905R", dislodged=FROM_TRIESTE)
    assert row(went, "F Tri - Alb")["text"] == "succeeded"


def test_a_unit_that_was_not_dislodged_may_not_retreat() -> None:
    reply = answer({"Italy": ["A Tri"]}, {"Italy": ["A Tri - Ven"]}, "S1905R", dislodged=FROM_TRIESTE)
    why = "its own unit in Trieste was not dislodged and may not move now"
    assert row(reply, "A Tri - Ven")["text"] == f"not possible: {why}"
    strange = answer({"Italy": ["A Tri"]}, {"Turkey": ["F Tri - Alb"]}, "S1905R", dislodged=FROM_TRIESTE)
    assert row(strange, "F Tri - Alb")["text"] == "not possible: the unit in Trieste belongs to another power"


def test_the_wrong_nation_of_a_unit_that_is_helped_is_overlooked() -> None:
    """DATC 3.0, 4.C.6, the second choice."""
    units = {"England": ["A Lon", "F Wal"], "France": ["F NTH"]}
    orders = {"England": ["A Lon - Bel"], "France": ["F NTH C French A Lon - Bel"]}
    reply = answer(units, orders)
    assert row(reply, "F NTH C A Lon - Bel")["outcome"] == "succeeds"
    assert row(reply, "A Lon - Bel")["outcome"] == "succeeds"


def test_the_nation_says_which_unit_is_meant_where_several_stand() -> None:
    helped = "F SAR S Russia F NAT - GSL"
    units = {"France": ["F SAR", "F NAT"], "Spain": ["F NAT"]}
    two = answer(units, {"France": [helped]}, "S1880M", variant="fin-de-siecle")
    assert row(two, helped)["text"] == "F NAT belongs to France, not to Russia."
    alone = answer({**units, "France": ["F SAR"]}, {"France": [helped]}, "S1880M", variant="fin-de-siecle")
    assert row(alone, "F SAR S F NAT - GSL")["outcome"] == "void"


def test_an_absent_coast_is_ignored_and_an_unreachable_one_is_refused() -> None:
    """DATC 3.0, 4.B.6 and 4.B.3."""
    first = answer({"France": ["F Gas"]}, {"France": ["F Gas - Spa/ec"]})
    assert row(first, "F Gas - Spa/nc")["outcome"] == "succeeds"
    second = answer({"France": ["F MAO"]}, {"France": ["F MAO - Spa/ec"]})
    why = "Spain has two coasts within reach, and the order names none of them"
    assert row(second, "F MAO - Spa")["text"] == f"not possible: {why}"
    wrong = answer({"France": ["F Gas"]}, {"France": ["F Gas - Spa/sc"]})
    assert row(wrong, "F Gas - Spa/sc")["text"] == "not possible: the coast Spa/sc cannot be reached from there"

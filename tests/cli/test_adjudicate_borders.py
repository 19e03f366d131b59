"""`gm adjudicate` where borders move: they come in and go out with the position, and bad ones get one line."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from support.shipped import LIBRARY

from gm.cli.adjudicate import Adjudicator
from gm.variant_files.library import Library

Row = dict[str, Any]


@pytest.fixture(scope="module")
def library() -> Library:
    return LIBRARY


def answer(library: Library, position: Row, **orders: list[str]) -> Row:
    line = json.dumps({"id": 1, "position": position, "orders": orders})
    reply: Row = json.loads(next(iter(Adjudicator(library).answers([line]))))
    return reply


def opening(phase: str = "S1901S", **units: list[str]) -> Row:
    return {"variant": "seismic", "phase": phase, "units": units, "centers": {"France": ["Bre"], "Russia": ["Sev"]}}


def test_borders_go_out_and_come_in(library: Library) -> None:
    first = answer(library, opening(), France=["Por and Spa separate; MAO and MAO connect"])
    assert first["results"] == [
        {
            "power": "France",
            "order": "Por & Spa separate, MAO & MAO connect",
            "outcome": "succeeds",
            "text": "succeeded: it takes place",
        }
    ]
    borders = first["position"]["borders"]
    assert borders["Por"] == [["MAO"]]
    assert borders["MAO"][0] == ["Por"]
    assert borders["MAO"][1][0] == "NAO"
    turned = deepcopy(borders)
    turned["MAO"] = [borders["MAO"][1][3:] + borders["MAO"][1][:3], ["Por"]]
    changes = {"phase": "W1901S", "units": {"France": ["F Bre"]}, "borders": {k.lower(): v for k, v in turned.items()}}
    second = answer(library, opening() | changes, France=["For & Bre connect", "F Bre coast Gas"])
    assert [row["outcome"] for row in second["results"]] == ["succeeds", "succeeds"]
    assert second["position"]["units"] == {"France": ["F Bre/c2"]}
    for name in ("F Bre/c2", "F Bre/Gas", "F Bre(Gas)", "f bre/gascony"):
        again = second["position"] | {"phase": "S1902M", "units": {"France": [name]}}
        third = answer(library, again, France=[f"{name} - Por"])
        assert third["results"][0]["order"] == "F Bre/c2 - Por", name
        assert third["results"][0]["outcome"] == "succeeds"
        assert third["position"]["borders"] == second["position"]["borders"]


def test_the_obstructing_unit_is_named(library: Library) -> None:
    reply = answer(
        library,
        opening(),
        France=["Bul & Gre separate, Ser & AEG connect"],
        Russia=["Bul & AEG separate, Gre & Con connect"],
    )
    row = reply["results"][0]
    assert row["outcome"] == "void"
    assert row["by"] == ["Bul & AEG separate, Gre & Con connect"]
    assert "Russia: Bul & AEG separate, Gre & Con connect" in row["text"]


@pytest.mark.parametrize(
    ("order", "text"),
    [
        ("Par & Mun separate, Bur & Ruh connect", "Par and Mun have no common border."),
        (
            "Spa & MAO separate, Gas & Gas connect",
            "Spa–MAO borders: #1 ends at Por and Gas, #2 at WES and Por. None ends at Gas and Gas.",
        ),
        (
            "Por & Bre connect",
            "Por is not an island in a province that borders Bre: joining them would divide MAO.",
        ),
        ("Por & Spa connect", "Por and Spa already lie on the same boundary."),
        ("Por & Spa separate", 'Say also which two provinces connect, e.g. "…, MAO & MAO connect".'),
        ("F Bre coast ENG", "You have no fleet in Bre."),
    ],
)
def test_an_order_that_cannot_be_says_why(library: Library, order: str, text: str) -> None:
    (row,) = answer(library, opening(), France=[order])["results"]
    assert row["outcome"] in ("void", "illegal")
    assert text in row["text"]


def test_a_trapped_fleet_stands_where_there_is_no_coast(library: Library) -> None:
    gone = answer(library, opening(Russia=["F Rum"]), France=["Rum & BLA separate, Sev & Bul connect"])
    assert gone["position"]["units"] == {"Russia": ["F Rum"]}
    reply = answer(library, gone["position"], Russia=["F Rum - BLA"])
    assert reply["results"][0]["text"].endswith("F Rum is trapped: Rum has no coast. It may only hold.")
    assert reply["position"]["units"] == {"Russia": ["F Rum"]}


@pytest.mark.parametrize(
    ("province", "rings"),
    [
        ("Por", [["MAO", "MAO"]]),
        ("Por", [["MAO"], ["Spa"]]),
        ("Por", [["MAO", "Xyz"]]),
        ("Por", [[]]),
        ("Por", "MAO"),
        ("Por", [["MAO", 7]]),
        ("Swi", [["Tyr", "Mun", "Pie", "Mar", "Bur"]]),
        ("Xyz", [["MAO"]]),
    ],
)
def test_bad_borders_get_one_line(library: Library, province: str, rings: object) -> None:
    borders = answer(library, opening())["position"]["borders"]
    reply = answer(library, opening() | {"borders": borders | {province: rings}})
    assert set(reply) == {"id", "error"}
    assert "\n" not in reply["error"]
    assert answer(library, opening() | {"borders": {}})["position"]["borders"] == borders
    del borders["Por"]
    assert "Por" in answer(library, opening() | {"borders": borders})["error"]


@pytest.mark.parametrize("units", [["F Bre"], 7, {"France": "F Bre"}, {"France": [None]}, {"France": ["F"]}])
def test_bad_units_get_one_line_too(library: Library, units: object) -> None:
    assert set(answer(library, opening() | {"units": units})) == {"id", "error"}


def test_no_borders_where_none_move(library: Library) -> None:
    standard = {"variant": "standard", "phase": "S1901M", "units": {}, "centers": {}}
    assert "borders" not in answer(library, standard)["position"]
    assert "error" in answer(library, standard | {"borders": {"Por": [["MAO"]]}})

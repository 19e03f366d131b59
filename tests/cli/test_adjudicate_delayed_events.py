"""`gm adjudicate` where events are written with the moves: they wait in the position until the borders move."""

from __future__ import annotations

import json
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


def opening(phase: str = "S1901M", **units: list[str]) -> Row:
    centres = {"France": ["Bre"], "Austria": ["Tri"], "Italy": ["Ven"], "Turkey": ["Con"]}
    options = {"seismic_collect": "with-moves"}
    return {"variant": "seismic", "phase": phase, "units": units, "centers": centres, "options": options}


def outcomes(reply: Row) -> list[tuple[str, str]]:
    return [(row["order"], row["outcome"]) for row in reply["results"]]


def test_an_event_happens_after_the_moves(library: Library) -> None:
    first = answer(
        library, opening(France=["F Bre"]), France=["F Bre - MAO", "Por and Spa separate; MAO and MAO connect"]
    )
    event = "Por & Spa separate, MAO & MAO connect"
    assert outcomes(first) == [("F Bre - MAO", "succeeds"), (event, "succeeds")]
    assert first["position"]["phase"] == "F1901M"
    assert first["position"]["borders"]["Por"] == [["MAO"]]
    second = answer(
        library, first["position"], France=["F MAO - Bre", "For & Bre connect", "if Por & Bre connect: F Bre coast Gas"]
    )
    waiting = ["Por & Bre connect", "If Por & Bre connect: F Bre coast Gas"]
    assert second["position"]["phase"] == "W1901A"
    assert second["position"]["ahead"] == {"France": waiting}
    third = answer(library, second["position"])
    assert third["position"]["phase"] == "S1902M"
    assert third["position"]["units"] == {"France": ["F Bre/c2"]}
    assert [row["order"] for row in third["results"][-2:]] == waiting
    assert "ahead" not in third["position"]


def test_it_waits_for_retreats(library: Library) -> None:
    units = {"Italy": ["A Ven", "A Tyr"], "Austria": ["F Tri"]}
    first = answer(
        library,
        opening(**units),
        Italy=["A Tyr - Tri", "A Ven S A Tyr - Tri", "ADR & ION separate, Apu & Alb connect"],
        Austria=["F Tri H", "F Alb coast Gre, ION", "seismic none"],
    )
    here = first["position"]
    assert here["phase"] == "S1901R"
    assert here["ahead"] == {
        "Austria": ["F Alb coast Gre, ION", "Seismic none"],
        "Italy": ["ADR & ION separate, Apu & Alb connect"],
    }
    second = answer(library, here, Austria=["F Tri - Alb"])
    assert second["position"]["units"] == {"Austria": ["F Alb/c1"], "Italy": ["A Ven", "A Tri"]}
    assert ("F Alb coast Gre, ION", "succeeds") in outcomes(second)


def test_the_map_is_that_of_the_start(library: Library) -> None:
    reply = answer(
        library,
        opening(),
        Austria=["Bul & Gre separate, Ser & AEG connect"],
        Turkey=["Bul & AEG separate, Gre & Con connect", "F Bre coast Gas"],
        Italy=["Por & Bre connect"],
    )
    rows = [row for row in reply["results"] if row["outcome"] != "succeeds"]
    assert [(row["power"], row["outcome"]) for row in rows] == [
        ("Austria", "void"), ("Italy", "void"), ("Turkey", "illegal"), ("Turkey", "void")
    ]  # fmt: skip
    assert "would divide MAO" in rows[1]["text"]


@pytest.mark.parametrize("ahead", [{"France": ["A Par - Bur"]}, {"France": [7]}, {"France": "x"}, {"Xyz": []}, 7])
def test_bad_lines_ahead_get_one_line(library: Library, ahead: object) -> None:
    reply = answer(library, opening("S1901R") | {"ahead": ahead})
    assert set(reply) == {"id", "error"}
    assert "\n" not in reply["error"]


def test_nothing_waits_where_events_have_a_phase(library: Library) -> None:
    separate = opening("S1901R") | {"options": {}, "ahead": {"France": ["seismic none"]}}
    assert "no lines wait" in answer(library, separate)["error"]

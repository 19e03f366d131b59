"""The cases of Seismic through `gm adjudicate`, fed back year by year as another program might write positions.

Each position goes in as it came out, but for what means nothing: where a clockwise list begins, which list of a
province comes first, the order of provinces, upper and lower case.
"""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any

import pytest
from support import case_file as casefile
from support import case_runner as caserun
from support.case_file import Case
from support.paths import CASES as CASES_FOLDER
from support.shipped import LIBRARY

from gm.cli.adjudicate import Adjudicator
from gm.language.formats.json_position import position_from_json, position_to_json
from gm.variant_files.library import Library

CASES = casefile.read(CASES_FOLDER / "seismic.case")
MOST_PHASES = 12
"""Phases that pass without orders between two stages of a case."""
Row = dict[str, Any]


@cache
def library() -> Library:
    return LIBRARY


@cache
def adjudicator() -> Adjudicator:
    return Adjudicator(library())


def answer(position: Row, orders: dict[str, list[str]]) -> Row:
    line = json.dumps({"id": 1, "position": position, "orders": orders})
    reply: Row = json.loads(next(iter(adjudicator().answers([line]))))
    assert "error" not in reply, reply
    return reply


def rewritten(position: Row, dice: Random) -> Row:
    """The same position in another's hand."""

    def name(text: str) -> str:
        return dice.choice((text, text.lower(), text.upper()))

    def turned(ring: list[str]) -> list[str]:
        cut = dice.randrange(len(ring))
        return [name(code) for code in ring[cut:] + ring[:cut]]

    codes = list(position["borders"])
    dice.shuffle(codes)
    borders = {
        name(code): [turned(ring) for ring in dice.sample(rings, len(rings))]
        for code, rings in ((code, position["borders"][code]) for code in codes)
    }
    units = {power: [name(unit) for unit in units] for power, units in position["units"].items()}
    return position | {"borders": borders, "units": units}


@cache
def played(number: int) -> tuple[Row, Row]:
    """A stage's position and the answer to it."""
    case = CASES[number]
    variant = library().variant(case.variant, case.options)
    if case.earlier is None:
        position = position_to_json(variant, caserun.start(case, variant))
    else:
        position = played(CASES.index(case.earlier))[1]["position"]
        for _ in range(MOST_PHASES):
            if position["phase"] == case.phase:
                break
            position = answer(position, {})["position"]
    assert position["phase"] == case.phase
    orders: dict[str, list[str]] = {}
    for line in case.lines:
        orders.setdefault(line.power, []).append(line.text)
    return position, answer(rewritten(position, Random(number)), orders)


@pytest.mark.parametrize("number", range(len(CASES)), ids=lambda at: f"{CASES[at].id}-{CASES[at].phase}")
def test_a_case_through_the_command_line(number: int) -> None:
    case = CASES[number]
    reply = played(number)[1]
    wanted = sorted((line.power, line.expected.split()[0]) for line in case.lines if line.expected[:2] != "no")
    given = [row for row in reply["results"] if row.get("given", True)]
    assert sorted((row["power"], row["outcome"]) for row in given) == wanted
    variant = library().variant(case.variant, case.options)
    for what, of, like in case.map:
        assert caserun.seen(position_from_json(variant, reply["position"]), variant, what, of, like) == like
    stays = not any(line.startswith("retreat ") for line in case.then)
    if stays and case.phase.endswith("S"):
        assert {who: sorted(units) for who, units in reply["position"]["units"].items()} == stands(case), case.place


def stands(case: Case) -> Row:
    """What stands afterwards, as `gm adjudicate` writes it."""
    standing: Row = {}
    for line in case.then:
        power, _, units = line.partition(" ")
        standing[power] = sorted(units.split(", "))
    return standing

"""On every board every name can be written: codes, names and aliases of all provinces, where from and where to.

What a name fits besides is asked, never guessed; nothing is taken for talk.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import pytest
from msgspec.structs import replace
from support.shipped import LIBRARY

from gm.judge.board.board import Location, Province, Use, locations
from gm.judge.model.orders import Move, UnitOrder
from gm.judge.model.position import Unit
from gm.judge.model.variant import Variant
from gm.language.i18n.place_names import words
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, LetterContext
from gm.language.orders.parsing.order_context import place_names

SHELF = LIBRARY
FROM = (
    "{code} {name} - {near}",
    "{code} {name} H",
    "{kind} {name} to {near}",
    "{name} - {near}",
    "{kind} in {name} holds",
)
INTO = ("{code} {near} - {name}", "{code} {near}-{name}", "{kind} {near} to {name}")


def spellings(province: Province) -> Iterator[str]:
    yield from (province.code, province.code.lower(), province.code.upper(), province.name, province.name.lower())
    yield from (alias for alias in province.aliases if "=" not in alias)


def ways(variant: Variant) -> Iterator[tuple[Province, str, str, Location, Location]]:
    """Every province, every kind of unit, where it stands there and a place it can go to."""
    board = variant.start.board
    for province in board.provinces.values():
        for kind in variant.kinds.values():
            for here in locations(board, kind, province.code):
                near = next((at for at in board.neighbours(here, Use.MOVE) if kind.stands(at.slot)), None)
                if near is not None:
                    yield province, kind.code, kind.name, here, near


def read(variant: Variant, kind: str, at: Location, line: str) -> LetterContents:
    return read_letter([(1, line)], context(variant.id, kind, at))


@lru_cache(maxsize=4)
def context(name: str, kind: str, at: Location) -> LetterContext:
    """Many lines are about the same unit in the same place."""
    variant = SHELF.variant(name)
    power = variant.powers[0].name
    moves = next(i for i, step in enumerate(variant.calendar) if step.letter == "M")
    return LetterContext(variant, replace(variant.start, units=(Unit(power, kind, at),), at=moves), power)


@pytest.mark.parametrize("name", SHELF.ids())
def test_every_name_identifies_the_unit(name: str) -> None:
    variant, wrong = SHELF.variant(name), []
    for province, code, kind, here, near in ways(variant):
        for spelling in spellings(province):
            for form in FROM:
                line = form.format(code=code, kind=kind, name=spelling, near=near.place)
                orders = read(variant, code, here, line).orders
                units = [o.statement.unit.at.province for o in orders if isinstance(o.statement, UnitOrder)]
                if units != [province.code]:
                    wrong.append(line)
    assert not wrong


@pytest.mark.parametrize("name", SHELF.ids())
def test_every_name_identifies_the_goal(name: str) -> None:
    variant, wrong = SHELF.variant(name), []
    for province, code, kind, here, near in ways(variant):
        for spelling in spellings(province):
            for form in INTO:
                line = form.format(code=code, kind=kind, name=spelling, near=near.place)
                reading = read(variant, code, near, line)
                goals = [o.statement.to.province for o in reading.orders if isinstance(o.statement, Move)]
                asked = {t.key for t in reading.troubles} <= {"which-place", "which-coast"} and reading.troubles
                offered = any(f"- {here.place}" in suggestion for t in reading.troubles for suggestion in t.suggestions)
                if goals != [province.code] and not (asked and offered):
                    wrong.append(line)
    assert not wrong


@pytest.mark.parametrize("name", SHELF.ids())
def test_two_words_may_begin_every_name_that_is_found(name: str) -> None:
    """The fast check passes over no name, nor one with its words cut short."""
    variant = SHELF.variant(name)
    names = place_names(variant.start.board, variant)
    provinces = variant.start.board.provinces.values()
    spoken = [words(spelling) for province in provinces for spelling in spellings(province)]
    for phrase in (phrase for phrase in spoken if len(phrase) > 1):
        for size in (1, 3, 4, 99):
            short = [phrase[0][:size], *(word[: max(size, 3)] for word in phrase[1:])]
            for past in range(2, len(phrase) + 1):
                if names.find(short[:past]) or names.written_apart(short[:past]):
                    assert names.may_begin(*short[:2]), short

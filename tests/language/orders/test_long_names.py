"""Names of several words, on every board, in English and German: apart, with dashes, in capitals."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from support.shipped import LIBRARY

from gm.judge.board.board import Location, UnitKind, Use, locations
from gm.judge.model.orders import Statement, UnitOrder
from gm.judge.model.position import Position, Unit
from gm.judge.model.variant import Variant
from gm.language.i18n.localized_variant import localized
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContext
from gm.language.rendering.order_text import statement

CONVERSATION = ("Can", "AND", "Den", "CAN", "DEN")
"""Codes that are words of talk: a line that begins with one needs the kind of unit."""


def spellings(name: str) -> set[str]:
    parts = name.replace("-", " ").split()
    if len(parts) < 2:
        return set()
    return {name, name.lower(), name.upper(), " ".join(parts), "-".join(parts)}


def read(variant: Variant, units: tuple[Unit, ...], reader: str, line: str) -> Statement | str:
    contents = read_letter([(1, line)], LetterContext(variant, movement(variant, units), reader))
    if len(contents.orders) == 1 and all(trouble.obeyed for trouble in contents.troubles):
        return contents.orders[0].statement
    return ", ".join(trouble.key for trouble in contents.troubles) or "prose"


def movement(variant: Variant, units: tuple[Unit, ...]) -> Position:
    at = next(at for at, step in enumerate(variant.calendar) if step.letter == "M")
    return replace(variant.start, at=at, units=units)


def called(variant: Variant, code: str) -> tuple[str, ...]:
    province = variant.start.board.provinces[code]
    local = variant.translation.provinces.get(code) if variant.translation is not None else None
    return (province.name, *province.aliases, *((local.name, *local.aliases) if local else ()))


def moves(variant: Variant) -> Iterator[tuple[UnitKind, Location, Location]]:
    """Yields for each province a unit that can stand there, its place, and a place it can move to."""
    board = variant.start.board
    for code in board.provinces:
        ways = (
            (kind, at, to)
            for kind in variant.kinds.values()
            for at in locations(board, kind, code)
            for to in board.neighbours(at, Use.MOVE)
            if kind.stands(to.slot)
        )
        way = next(ways, None)
        if way is not None:
            yield way


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", LIBRARY.ids())
def test_provinces_with_names_of_several_words_are_read(name: str, language: str) -> None:
    variant, wrong = localized(LIBRARY.variant(name), language), []
    me = variant.powers[0].name
    for kind, at, to in moves(variant):
        here, there = (Unit(me, kind.code, at),), (Unit(me, kind.code, to),)
        for spelling in {each for written in called(variant, at.province) for each in spellings(written)}:
            lines = [(here, f"{kind.code} {spelling} H"), (here, f"{spelling} - {to.place}")]
            lines += [(there, f"{kind.code} {to.place}{dash}{spelling}") for dash in (" - ", "-")]
            lines += [] if str(to.place) in CONVERSATION else [(there, f"{to.place} to {spelling}")]
            for units, line in lines:
                order = read(variant, units, me, line)
                meant = at.province in statement(order, "M") if isinstance(order, UnitOrder) else False
                wrong += [] if meant or order == "which-coast" else [f"{line}: {order}"]
    assert not wrong


def supports(variant: Variant) -> tuple[Unit, Unit, Location]:
    """An army, a neighbour of it and a place that both can reach, of two powers."""
    board, kind = variant.start.board, variant.kinds["A"]
    places = [at for code in board.provinces for at in locations(board, kind, code)[:1]]

    def near(at: Location) -> list[Location]:
        return [to for to in board.neighbours(at, Use.MOVE) if kind.stands(to.slot)]

    first, second, goal = next(
        (start, middle, to)
        for start in places
        for middle in near(start)
        for to in near(middle)
        if to != start and to in near(start)
    )
    return Unit("", "A", first), Unit("", "A", second), goal


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", LIBRARY.ids())
def test_powers_with_names_of_several_words_are_read(name: str, language: str) -> None:
    variant, wrong = localized(LIBRARY.variant(name), language), []
    mine, other, goal = supports(variant)
    for owner in (*variant.powers, *(minor for minor in variant.minors if minor.homes)):
        me = next(power.name for power in variant.powers if power.name != owner.name)
        units = replace(mine, power=me), replace(other, power=owner.name)
        start, path = f"A {mine.at.place} S", f"{other.at.place} - {goal.place}"
        for spelling in {each for written in (owner.name, *owner.aliases) for each in spellings(written)}:
            lines = [f"{start} {spelling} A {path}", f"{start} {spelling}'s A {path}", f"{start} A {path} ({spelling})"]
            for line in (*lines, f"A {mine.at.place} supports ({spelling}) army {other.at.place} to {goal.place}"):
                order = read(variant, units, me, line)
                wrong += [] if isinstance(order, UnitOrder) else [f"{line}: {order}"]
            for line in (f"{spelling} A {path}", f"{spelling}: A {path}"):
                order = read(variant, units, owner.name, line)
                wrong += [] if isinstance(order, UnitOrder) else [f"{line}: {order}"]
    assert not wrong

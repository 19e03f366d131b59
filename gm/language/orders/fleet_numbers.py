"""Which of several fleets in one place a line without a number means: the nth such line goes to the nth fleet.

Fleets that other lines name by their numbers are passed over. A line too many means none of them, and is asked about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from gm.judge.board.board import Place
from gm.judge.model.orders import OneMeaningStatement, Slot, Statement, UnitOrder
from gm.judge.model.position import Position
from gm.language.lines.letter_contents import LetterContext, LineError, OrderLine

Crowds = Mapping[tuple[str, str, Place], tuple[int, ...]]
"""The numbers of the units of one power and kind in one place, where there are several."""


def crowds(position: Position) -> Crowds:
    found: dict[tuple[str, str, Place], tuple[int, ...]] = {}
    if not position.board.adjacency.shared:
        return found
    for unit in position.units:
        if unit.number:
            key = unit.power, unit.kind, unit.at.place
            found[key] = tuple(sorted((*found.get(key, ()), unit.number)))
    return found


def dealt(power: str, known: Crowds, lines: Sequence[Statement | None]) -> list[Statement | None]:
    """The same lines with the numbers they mean; None for one too many (and for what was None before)."""
    left: dict[tuple[str, str, Place], list[int]] = {}
    for line in lines:
        if isinstance(line, UnitOrder) and (key := (power, line.unit.kind, line.unit.at)) in known:
            free = left.setdefault(key, list(known[key]))
            if line.unit.number in free:
                free.remove(line.unit.number)
    return [_number(power, left, line) for line in lines]


def _number(power: str, left: Mapping[tuple[str, str, Place], list[int]], line: Statement | None) -> Statement | None:
    if not isinstance(line, UnitOrder) or line.unit.number:
        return line
    free = left.get((power, line.unit.kind, line.unit.at))
    if free is None:
        return line
    return replace(line, unit=replace(line.unit, number=free.pop(0))) if free else None


def answered(
    power: str, known: Crowds, texts: Sequence[str], answers: Sequence[Statement | LineError]
) -> list[Statement | LineError]:
    """Of a sheet read line by line."""
    said = dealt(power, known, [None if isinstance(answer, LineError) else answer for answer in answers])
    return [
        one if isinstance(one, LineError) else meant or _too_many(0, text)
        for text, one, meant in zip(texts, answers, said, strict=True)
    ]


def settled(context: LetterContext, lines: list[OrderLine], troubles: list[LineError]) -> list[OrderLine]:
    """Of a letter; lines too many go to the troubles."""
    known = crowds(context.position)
    if not known:
        return lines
    said = dealt(context.power, known, [line.statement for line in lines])
    troubles += (_too_many(line.line, line.text) for line, meant in zip(lines, said, strict=True) if meant is None)
    return [replace(line, statement=meant) for line, meant in zip(lines, said, strict=True) if meant is not None]


def _too_many(number: int, text: str) -> LineError:
    return LineError(number, text, 0, len(text), "fleets-too-many")


def parted(orders: Sequence[OrderLine]) -> tuple[list[OrderLine], list[OrderLine]]:
    """Those that count, and those that void each other; each in the order of the letter."""
    said: dict[Slot, set[Statement]] = {}
    for order in orders:
        if isinstance(order.statement, OneMeaningStatement):
            said.setdefault(order.statement.slot, set()).add(order.statement)
    crowded = [order for order in orders if len(said.get(order.statement.slot, ())) > 1]
    return [order for order in orders if order not in crowded], crowded

"""Numbers for orders of fleets that lie in one place: the nth line without a number is for the nth fleet.

Fleets that other lines name by their numbers are skipped. A line too many is an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from gm.judge.board.board import Place
from gm.judge.model.orders import Statement, UnitOrder
from gm.judge.model.position import Position
from gm.language.lines.letter_contents import LetterContext, LineError, OrderLine

Crowds = Mapping[tuple[str, str, Place], tuple[int, ...]]
"""The numbers of the units of one power and kind in one place, where there are several."""


def crowds(position: Position) -> Crowds:
    numbers: dict[tuple[str, str, Place], tuple[int, ...]] = {}
    if not position.board.adjacency.shared:
        return numbers
    for unit in position.units:
        if unit.number:
            key = unit.power, unit.kind, unit.at.place
            numbers[key] = tuple(sorted((*numbers.get(key, ()), unit.number)))
    return numbers


def number_fleets(power: str, known: Crowds, lines: Sequence[Statement | None]) -> list[Statement | None]:
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


def number_sheet(
    power: str, known: Crowds, texts: Sequence[str], answers: Sequence[Statement | LineError]
) -> list[Statement | LineError]:
    """For a sheet that was read line by line."""
    numbered = number_fleets(power, known, [None if isinstance(answer, LineError) else answer for answer in answers])
    return [
        answer if isinstance(answer, LineError) else statement or _too_many(0, text)
        for text, answer, statement in zip(texts, answers, numbered, strict=True)
    ]


def number_letter(context: LetterContext, lines: list[OrderLine], errors: list[LineError]) -> list[OrderLine]:
    """For the orders of a letter; adds an error for each line too many."""
    known = crowds(context.position)
    if not known:
        return lines
    numbered = number_fleets(context.power, known, [line.statement for line in lines])
    pairs = list(zip(lines, numbered, strict=True))
    errors += (_too_many(line.line, line.text) for line, statement in pairs if statement is None)
    return [replace(line, statement=statement) for line, statement in pairs if statement is not None]


def _too_many(number: int, text: str) -> LineError:
    return LineError(number, text, 0, len(text), "fleets-too-many")

"""Which of several fleets in one place a line without a number means: the nth such line goes to the nth fleet.

Fleets that other lines name by their numbers are passed over. A line too many means none of them, and is asked about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gm.judge.board import Place
from gm.judge.position import Position
from gm.judge.statements import Statement, UnitOrder

Crowds = Mapping[tuple[str, str, Place], tuple[int, ...]]
"""The numbers of the units of one power and kind in one place, where there are several."""


def crowds(position: Position) -> Crowds:
    found: dict[tuple[str, str, Place], tuple[int, ...]] = {}
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
    return replace(line, unit=line.unit._replace(number=free.pop(0))) if free else None

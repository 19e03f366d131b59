"""Numbers units of the same power and kind in a shared province, from 1 in order of arrival.

A unit that is the only one has the number 0. Numbers are valid for one phase: afterwards the remaining units move up.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from gm.judge.board.board import Board, Location
from gm.judge.model.position import Unit

LAST = 1_000_000
"""The number of an arriving unit, which comes after all that stand there."""


def arriving(shared: frozenset[str], unit: Unit, at: Location) -> Unit:
    """The unit after a move. `shared` are the provinces that hold several units."""
    return Unit(unit.power, unit.kind, at, LAST if at.province in shared else 0)


def numbered(board: Board, units: Iterable[Unit]) -> tuple[Unit, ...]:
    """The same units in the same order, with new numbers."""
    units = tuple(units)
    shared = board.adjacency.shared
    if not shared:
        return units
    groups: dict[tuple[str, str, Location], list[int]] = {}
    for i, unit in enumerate(units):
        if unit.at.province in shared:
            groups.setdefault((unit.power, unit.kind, unit.at), []).append(i)
    numbers = [0] * len(units)
    for group in groups.values():
        if len(group) > 1:
            for number, i in enumerate(sorted(group, key=lambda i: units[i].number), 1):
                numbers[i] = number
    return tuple(u if u.number == n else replace(u, number=n) for u, n in zip(units, numbers, strict=True))

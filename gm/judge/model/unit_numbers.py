"""Units of one power and kind in one shared place: told apart by number, from 1 in order of arrival.

Who is the only one there has the number 0, as everybody has who stands where there is room for one. A number is good
for one phase: afterwards those who are left move up.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from gm.judge.board.board import Board, Location
from gm.judge.model.position import Unit

LAST = 1_000_000
"""The number of a unit on its way in: it comes behind all who stand there."""


def arriving(shared: frozenset[str], unit: Unit, at: Location) -> Unit:
    """`shared` are the board's provinces where several may stand."""
    return Unit(unit.power, unit.kind, at, LAST if at.province in shared else 0)


def numbered(board: Board, units: Iterable[Unit]) -> tuple[Unit, ...]:
    """The same units in the same order, with the numbers they have from now on."""
    found = tuple(units)
    shared = board.adjacency.shared
    if not shared:
        return found
    groups: dict[tuple[str, str, Location], list[int]] = {}
    for i, unit in enumerate(found):
        if unit.at.province in shared:
            groups.setdefault((unit.power, unit.kind, unit.at), []).append(i)
    numbers = [0] * len(found)
    for group in groups.values():
        if len(group) > 1:
            for number, i in enumerate(sorted(group, key=lambda i: found[i].number), 1):
                numbers[i] = number
    return tuple(u if u.number == n else replace(u, number=n) for u, n in zip(found, numbers, strict=True))

"""Random border orders: mostly possible, and often equal or conflicting."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from random import Random

from gm.judge.board.planar_board import PlanarBoard
from gm.judge.mechanics.moving_borders.border_orders import Event, NoEvent, Placement, Release, Separation
from gm.judge.mechanics.moving_borders.order_meaning import (
    BorderChange,
    BorderOrderRefusal,
    BorderOrderTerms,
    interpret_event,
)
from gm.judge.model.orders import Statement, UnitRef
from gm.judge.model.position import Position


def event(board: PlanarBoard, dice: Random) -> Event:
    """A separation of some border, or a release where the map has islands."""
    rotation = board.rotation
    islands = [code for code, rings in rotation.rings.items() if len(rings) > 1]
    if islands and dice.random() < 0.4:
        within = dice.choice(islands)
        rings = dice.sample(rotation.rings[within], 2)
        first, second = map(dice.choice, rings)
        joined = (rotation.other(first, within), rotation.other(second, within))
        return Release(joined, dice.choice((0, 0, 1, 2)), dice.choice(("", "", *(rotation.ends(within, first) or ()))))
    while True:
        stretch = dice.choice(tuple(rotation.sides))
        first, second = rotation.sides[stretch]
        ends = rotation.ends(first, stretch)
        if ends is None:
            continue
        apart = (first, second) if dice.random() < 0.5 else (second, first)
        number = next(border.number for border in board.numbered_borders(first, second) if border.stretch == stretch)
        return Separation(apart, ends, dice.choice((0, number)))


def near(board: PlanarBoard, dice: Random) -> Event:
    """An event near one of a few provinces, so that events often meet."""
    centre = dice.choice(("MAO", "Bre", "Spa", "BAR"))
    events = [event(board, dice) for _ in range(8)]
    beside = set(chain.from_iterable(board.lists[centre])) | {centre}
    return max(events, key=lambda candidate: len(beside.intersection(candidate.joined)))


def sheet(position: Position, power: str, dice: Random) -> Iterator[Statement]:
    """A random sheet: an event anywhere or in a crowded corner, often the same as another player's, and placements."""
    board = position.board
    assert isinstance(board, PlanarBoard)
    choice = dice.random()
    ordered = near(board, Random(dice.randint(0, 3))) if choice < 0.4 else event(board, dice)
    if choice < 0.9:
        yield ordered
    elif choice < 0.95:
        yield NoEvent()
    for unit in position.units_of(power):
        if board.plan.is_land(unit.at.province) and unit.kind == "F" and dice.random() < 0.5:
            beside = sorted(set(chain.from_iterable(board.lists[unit.at.province])))
            coasts = tuple(dice.sample(beside, min(len(beside), 2)))
            yield Placement(UnitRef(unit.kind, unit.at.place), coasts, ordered if dice.random() < 0.2 else None)


def meaning(board: PlanarBoard, ordered: Event) -> BorderChange | None:
    change = interpret_event(board, BorderOrderTerms(), ordered)
    return None if isinstance(change, BorderOrderRefusal) else change

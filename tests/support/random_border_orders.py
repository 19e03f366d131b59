"""Events on the map by dice: orders that mean something mostly, alike and contradicting each other often enough."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from random import Random

from gm.judge.board.planar_board import PlanarBoard
from gm.judge.mechanics.moving_borders.border_orders import Event, NoEvent, Placement, Release, Separation
from gm.judge.mechanics.moving_borders.order_meaning import BorderChange, BorderOrderRefusal, BorderOrderTerms, deed
from gm.judge.model.orders import Statement, UnitRef
from gm.judge.model.position import Position


def event(board: PlanarBoard, dice: Random) -> Event:
    """A separation of some border, or a release where the map has islands."""
    rotation = board.rotation
    islands = [code for code, rings in rotation.rings.items() if len(rings) > 1]
    if islands and dice.random() < 0.4:
        within = dice.choice(islands)
        one, two = dice.sample(rotation.rings[within], 2)
        first, second = dice.choice(one), dice.choice(two)
        joined = (rotation.other(first, within), rotation.other(second, within))
        return Release(joined, dice.choice((0, 0, 1, 2)), dice.choice(("", "", *(rotation.ends(within, first) or ()))))
    while True:
        stretch = dice.choice(tuple(rotation.sides))
        one, two = rotation.sides[stretch]
        ends = rotation.ends(one, stretch)
        if ends is None:
            continue
        apart = (one, two) if dice.random() < 0.5 else (two, one)
        number = next(found.number for found in board.numbered_borders(one, two) if found.stretch == stretch)
        return Separation(apart, ends, dice.choice((0, number)))


def near(board: PlanarBoard, dice: Random) -> Event:
    """An event about a province that keeps being chosen, so that several meet."""
    centre = dice.choice(("MAO", "Bre", "Spa", "BAR"))
    found = [event(board, dice) for _ in range(8)]
    beside = set(chain.from_iterable(board.lists[centre])) | {centre}
    return max(found, key=lambda said: len(beside.intersection(said.joined)))


def sheet(position: Position, power: str, dice: Random) -> Iterator[Statement]:
    """What a player may write who likes earthquakes: an event nobody else thinks of or one of a crowded corner, often
    one that he read about before, and placements of his fleets.
    """
    board = position.board
    assert isinstance(board, PlanarBoard)
    choice = dice.random()
    said = near(board, Random(dice.randint(0, 3))) if choice < 0.4 else event(board, dice)
    if choice < 0.9:
        yield said
    elif choice < 0.95:
        yield NoEvent()
    for unit in position.units_of(power):
        if board.plan.is_land(unit.at.province) and unit.kind == "F" and dice.random() < 0.5:
            beside = sorted(set(chain.from_iterable(board.lists[unit.at.province])))
            coasts = tuple(dice.sample(beside, min(len(beside), 2)))
            yield Placement(UnitRef(unit.kind, unit.at.place), coasts, said if dice.random() < 0.2 else None)


def meaning(board: PlanarBoard, said: Event) -> BorderChange | None:
    found = deed(board, BorderOrderTerms(), said)
    return None if isinstance(found, BorderOrderRefusal) else found

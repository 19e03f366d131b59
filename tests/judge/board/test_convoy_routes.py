"""Which fleets a convoy could need, against trying every set of fleets; and that a sea full of them costs little."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import combinations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from gm.judge.board.board import Border, Location, Province, TableBoard, Use
from gm.judge.board.convoy_routes import SeaRegion, has_route, shortest_route
from gm.judge.model.orders import Convoy, Move, UnitRef
from gm.judge.model.position import Unit
from gm.judge.model.variant import Variant
from gm.judge.movement.adjudicate import adjudicate
from gm.judge.movement.battle import Battle
from gm.judge.movement.legality import IllegalOrder, LegalityChecker

START, END = Location("Start", "land"), Location("End", "land")


def seas(dice: Random, size: int) -> dict[Location, tuple[Location, ...]]:
    """Seas in a grid with some borders missing and some diagonals, and two shores."""
    width = dice.randint(2, 4)
    spots = [Location(f"S{n}", "sea") for n in range(size)]
    near: dict[Location, set[Location]] = {at: set() for at in (*spots, START, END)}

    def join(first: Location, second: Location) -> None:
        near[first].add(second)
        near[second].add(first)

    for n, at in enumerate(spots):
        right = n + 1 if (n + 1) % width else size
        for other in (right, n + width, n + width + 1 if right < size else size):
            if other < size and dice.random() < (0.85 if other != n + width + 1 else 0.3):
                join(at, spots[other])
    for shore in (START, END):
        for at in dice.sample(spots, min(size, dice.randint(1, 3))):
            join(shore, at)
    return {at: tuple(sorted(neighbours)) for at, neighbours in near.items()}


def needed(near: dict[Location, tuple[Location, ...]], fleets: frozenset[Location], through: Location) -> bool:
    """Whether a set of fleets carries the army with this one and does not without it."""
    others = sorted(fleets - {through})
    for count in range(len(others) + 1):
        for some in combinations(others, count):
            chosen = frozenset(some)
            if shortest_route(near.__getitem__, START, END, chosen | {through}) is None:
                continue
            if shortest_route(near.__getitem__, START, END, chosen) is None:
                return True
    return False


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_there_is_a_route_where_there_is_a_shortest_one(seed: int) -> None:
    dice = Random(seed)
    near = seas(dice, dice.randint(2, 9))
    fleets = frozenset(at for at in near if at not in (START, END) and dice.random() < 0.6)
    for start, end in ((START, END), (END, START), (START, START), *((at, END) for at in sorted(fleets))):
        exists = shortest_route(near.__getitem__, start, end, fleets) is not None
        assert has_route(near.__getitem__, start, end, fleets) == exists


def drawn(
    seed: int, least: int, most: int
) -> tuple[Random, dict[Location, tuple[Location, ...]], frozenset[Location], SeaRegion]:
    """Seas with a fleet in each."""
    dice = Random(seed)
    near = seas(dice, dice.randint(least, most))
    fleets = frozenset(at for at in near if at.slot == "sea")
    return dice, near, fleets, SeaRegion(near.__getitem__, fleets)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_a_fleet_is_of_use_where_some_set_of_fleets_needs_it(seed: int) -> None:
    _, near, fleets, waters = drawn(seed, 2, 9)
    for through in fleets:
        assert waters.is_needed(START, END, through) == needed(near, fleets, through)


def clear(near: dict[Location, tuple[Location, ...]], path: tuple[Location, ...]) -> Iterator[tuple[Location, ...]]:
    """The routes on from here in which only neighbours in the chain touch each other."""
    here = path[-1]
    if END in near[here]:
        yield path[1:]
        return
    for at in near[here]:
        if at.slot == "sea" and at not in path and not any(at in near[before] for before in path[:-1]):
            yield from clear(near, (*path, at))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_in_larger_seas_the_fleets_of_use_are_those_of_all_routes_without_a_short_cut(seed: int) -> None:
    """Each is asked of new waters too: an answer does not hang on what was asked before."""
    dice, near, fleets, waters = drawn(seed, 12, 20)
    useful = {at for route in clear(near, (START,)) for at in route}
    for through in dice.sample(sorted(fleets), len(fleets)):
        assert waters.is_needed(START, END, through) == (through in useful)
        assert SeaRegion(near.__getitem__, fleets).is_needed(START, END, through) == (through in useful)


def ocean(width: int, height: int) -> TableBoard:
    """A mesh of seas between two shores, and a land behind each."""
    sea = {(x, y): Location(f"S{x}x{y}", "sea") for x in range(width) for y in range(height)}
    shores = [Location("West", "land"), Location("East", "land")]
    borders: list[Border] = []

    def join(first: Location, second: Location, uses: Use) -> None:
        name = f"{first.province}-{second.province}"
        borders.extend((Border(name, first, second, uses), Border(name, second, first, uses)))

    for (x, y), at in sea.items():
        for beside in ((x + 1, y), (x, y + 1), (x + 1, y + 1)):
            if beside in sea:
                join(at, sea[beside], Use.MOVE | Use.SUPPORT | Use.CONVOY)
        for shore, edge in zip(shores, (0, width - 1), strict=True):
            if x == edge:
                join(at, shore, Use.CONVOY)
    provinces = [Province(at.province, at.province, (at.slot,)) for at in (*sea.values(), *shores)]
    return TableBoard(provinces, borders)


def test_forty_fleets_in_one_mesh_cost_little(standard: Variant) -> None:
    """A second would already be ten times the allowance, for orders looked through and resolved together."""
    board = ocean(8, 5)
    fleets = [
        Unit("Blue" if number % 3 else "Red", "F", Location(code, "sea"))
        for number, code in enumerate(code for code in board.provinces if code.startswith("S"))
    ]
    armies = [Unit("Blue", "A", Location("West", "land")), Unit("Red", "A", Location("East", "land"))]
    units = (*fleets, *armies)
    begin = time.process_time()
    checker = LegalityChecker(board, standard.kinds, units)
    west, east = (UnitRef("A", army.at.place) for army in armies)
    orders = {armies[0]: Move(west, armies[1].at.place), armies[1]: Move(east, armies[0].at.place)}
    convoys = [
        Convoy(UnitRef("F", f.at.place), west, armies[1].at.place)
        if number % 2
        else Convoy(UnitRef("F", f.at.place), east, armies[0].at.place)
        for number, f in enumerate(fleets)
    ]
    checked = [checker.intent(unit, order) for unit, order in zip(units, (*convoys, *orders.values()), strict=True)]
    intents = tuple(intent for intent in checked if not isinstance(intent, IllegalOrder))
    assert len(intents) == len(units)
    resolution = adjudicate(Battle(board, standard.kinds, intents))
    assert time.process_time() - begin < 1
    assert len(resolution.outcomes) == len(units)


def chained(near: dict[Location, tuple[Location, ...]], through: Location, path: tuple[Location, ...]) -> bool:
    """Whether some chain without a repetition goes on from here to the end by way of that fleet."""
    here = path[-1]
    if through in path and END in near[here]:
        return True
    ahead = [at for at in near[here] if at.slot == "sea" and at not in path]
    return any(chained(near, through, (*path, at)) for at in ahead)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_a_fleet_is_on_a_way_where_some_chain_goes_through_it(seed: int) -> None:
    _, near, fleets, waters = drawn(seed, 2, 9)
    for through in fleets:
        assert waters.is_on_chain(START, END, through) == chained(near, through, (START,))

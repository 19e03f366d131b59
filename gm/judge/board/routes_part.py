"""Ways over water: whether fleets can carry an army from shore to shore, and over which seas.

A route is a chain of fleets' locations, each one convoy leg from the next, between the army's location and the shore.
"""

from __future__ import annotations

from collections.abc import Callable, Set

from gm.judge.board.board import Location

Legs = Callable[[Location], tuple[Location, ...]]


def shortest(legs: Legs, start: Location, end: Location, fleets: Set[Location]) -> tuple[Location, ...] | None:
    """The seas of a shortest route through these fleets' locations, or None."""
    before: dict[Location, Location] = {}
    edge = [start]
    while edge:
        ahead: list[Location] = []
        for here in edge:
            near = legs(here)
            if end in near and here != start:
                return _unwind(before, start, here)
            for there in near:
                if there in fleets and there not in before:
                    before[there] = here
                    ahead.append(there)
        edge = ahead
    return None


def joined(legs: Legs, start: Location, end: Location, fleets: Set[Location]) -> bool:
    """Whether there is a route: sooner known than which is the shortest."""
    left = set(fleets)
    edge = left.intersection(legs(start))
    while edge:
        left -= edge
        ahead: set[Location] = set()
        for here in edge:
            near = legs(here)
            if end in near and here != start:
                return True
            ahead.update(left.intersection(near))
        edge = ahead
    return False


def _unwind(before: dict[Location, Location], start: Location, last: Location) -> tuple[Location, ...]:
    route = [last]
    while before[route[-1]] != start:
        route.append(before[route[-1]])
    return tuple(reversed(route))

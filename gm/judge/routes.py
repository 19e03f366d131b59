"""Ways over water: whether fleets can carry an army from shore to shore, and which of them are of use.

A route is a chain of fleets' locations, each one convoy leg from the next, between the army's location and the shore.
"""

from __future__ import annotations

from collections.abc import Callable, Set

from gm.judge.board import Location

MOST_STEPS = 4000
"""How long to look for a route without detour through one fleet; beyond this the fleet is taken to be of use."""

Legs = Callable[[Location], tuple[Location, ...]]


def shortest(legs: Legs, start: Location, end: Location, fleets: Set[Location]) -> tuple[Location, ...] | None:
    """The seas of a shortest route through these fleets' locations, or None."""
    before: dict[Location, Location] = {}
    edge = [start]
    while edge:
        ahead: list[Location] = []
        for here in edge:
            for there in legs(here):
                if there == end and here != start:
                    return _unwind(before, start, here)
                if there in fleets and there not in before:
                    before[there] = here
                    ahead.append(there)
        edge = ahead
    return None


def _unwind(before: dict[Location, Location], start: Location, last: Location) -> tuple[Location, ...]:
    route = [last]
    while before[route[-1]] != start:
        route.append(before[route[-1]])
    return tuple(reversed(route))


def of_use(legs: Legs, start: Location, end: Location, fleets: Set[Location], through: Location) -> bool:
    """Whether some route needs this fleet: one that no fleet can be taken out of, with `through` on it."""
    if through not in fleets:
        return False
    route = shortest(legs, start, end, fleets)
    if route is None:
        return False
    return through in route or _without_detour(legs, start, end, fleets, through)


def on_a_way(legs: Legs, start: Location, end: Location, fleets: Set[Location], through: Location) -> bool:
    """Whether a chain of fleets, none of them twice, joins the shores by way of this one, be it with a detour.

    It does unless one stop, a fleet or a shore, stands between it and what else there is to reach (Menger).
    """
    if through not in fleets:
        return False
    shores = {start, end}
    nearest = _out(legs, through, shores, fleets)
    return nearest is not None and all(
        _out(legs, through, shores - {stop}, fleets - {stop}) is not None for stop in {*nearest, *shores}
    )


def _out(legs: Legs, start: Location, shores: Set[Location], fleets: Set[Location]) -> tuple[Location, ...] | None:
    """The fleets on a shortest way from this one to any of the shores; None where there is none."""
    before: dict[Location, Location] = {}
    edge = [start]
    while edge:
        ahead: list[Location] = []
        for here in edge:
            for there in legs(here):
                if there in shores:
                    return () if here == start else _unwind(before, start, here)
                if there in fleets and there not in before and there != start:
                    before[there] = here
                    ahead.append(there)
        edge = ahead
    return None


def _without_detour(legs: Legs, start: Location, end: Location, fleets: Set[Location], through: Location) -> bool:
    """Search chains in which only neighbours in the chain touch each other, and only the ends touch a shore."""
    first = {at for at in legs(start) if at in fleets}
    last = {at for at in fleets if end in legs(at)}
    paths: list[tuple[Location, ...]] = [(at,) for at in first]
    steps = 0
    while paths:
        path = paths.pop()
        steps += 1
        if steps > MOST_STEPS:
            return True
        here = path[-1]
        if here in last:
            if through in path:
                return True
            continue
        for there in legs(here):
            if there in fleets and there not in path and there not in first:
                touching = legs(there)
                if not any(old in touching for old in path[:-1]):
                    paths.append((*path, there))
    return False

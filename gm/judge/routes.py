"""Ways over water: whether fleets can carry an army from shore to shore, and which of them are of use.

A route is a chain of fleets' locations, each one convoy leg from the next, between the army's location and the shore.
"""

from __future__ import annotations

from collections.abc import Callable, Set

from gm.judge.board import Location

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


def of_use(legs: Legs, start: Location, end: Location, fleets: Set[Location], through: Location) -> bool:
    """Whether some route needs this fleet: one that no fleet can be taken out of, with `through` on it (DATC 6.G.19).

    In such a route only neighbours in the chain touch each other, the first fleet alone touches the start and the last
    alone the end. For a fleet at an end of it the shortest rest is one, if there is any. For a fleet within, finding
    two such arms that keep clear of each other is hard in general; the arms are grown as short as can be from every
    pair of its neighbours, and where they get in each other's way whatever the order, the fleet is taken to be of no
    use: on maps of seas, that is right.
    """
    if through not in fleets:
        return False
    first = {at for at in legs(start) if at in fleets}
    last = {at for at in fleets if end in legs(at)}
    if through in first or through in last:
        return _at_an_end(legs, fleets, first, last, through)
    inner = fleets - (first & last)
    near = [at for at in legs(through) if at in inner]
    for one in near:
        for other in near:
            if one == other or other in legs(one):
                continue
            for arms in (((one, first, last), (other, last, first)), ((other, last, first), (one, first, last))):
                if _two_arms(legs, inner, through, arms):
                    return True
    return False


def _at_an_end(legs: Legs, fleets: Set[Location], first: Set[Location], last: Set[Location], through: Location) -> bool:
    if through in first and through in last:
        return True
    mine, goal = (first, last) if through in first else (last, first)
    return _arm(legs, fleets - mine, through, goal, frozenset()) is not None


Arm = tuple[Location, Set[Location], Set[Location]]
"""Where an arm begins, where it has to arrive, and where it must not come: at the other shore."""


def _two_arms(legs: Legs, fleets: Set[Location], through: Location, arms: tuple[Arm, Arm]) -> bool:
    """Whether a route goes through this fleet, its first arm as short as can be and clear of the second's beginning."""
    (one, goal, shun), (other, other_goal, other_shun) = arms
    if one in shun or other in other_shun:
        return False
    taken = frozenset((through, other, *legs(through), *legs(other))) - {one}
    way = _arm(legs, fleets - shun, one, goal, taken)
    if way is None:
        return False
    barred = frozenset((through, *legs(through), *(near for at in way for near in (at, *legs(at))))) - {other}
    return other not in way and _arm(legs, fleets - other_shun, other, other_goal, barred) is not None


def _arm(
    legs: Legs, fleets: Set[Location], start: Location, goals: Set[Location], barred: Set[Location]
) -> tuple[Location, ...] | None:
    """The fleets of a shortest way from this one to any of the goals, both included, over unbarred fleets."""
    before: dict[Location, Location | None] = {start: None}
    edge = [start]
    while edge:
        ahead: list[Location] = []
        for here in edge:
            if here in goals:
                way = [here]
                while (back := before[way[-1]]) is not None:
                    way.append(back)
                return tuple(way)
            for there in legs(here):
                if there in fleets and there not in barred and there not in before:
                    before[there] = here
                    ahead.append(there)
        edge = ahead
    return None


def on_a_way(legs: Legs, start: Location, end: Location, fleets: Set[Location], through: Location) -> bool:
    """Whether a chain of fleets, none of them twice, joins the shores by way of this one, be it with a detour.

    It does unless one stop, a fleet or a shore, stands between it and what else there is to reach (Menger).
    """
    if through not in fleets:
        return False
    near = legs(through)
    if start in near and end in near:
        return True
    shores = {start, end}
    nearest = _out(legs, through, shores, fleets)
    return nearest is not None and all(
        _out(legs, through, shores - {stop}, fleets - {stop}) is not None for stop in {*nearest, *shores}
    )


def _out(legs: Legs, start: Location, shores: set[Location], fleets: Set[Location]) -> tuple[Location, ...] | None:
    """The fleets on a shortest way from this one to any of the shores; None where there is none."""
    before: dict[Location, Location] = {}
    edge = [start]
    while edge:
        ahead: list[Location] = []
        for here in edge:
            near = legs(here)
            if not shores.isdisjoint(near):
                return () if here == start else _unwind(before, start, here)
            for there in near:
                if there in fleets and there not in before and there != start:
                    before[there] = here
                    ahead.append(there)
        edge = ahead
    return None

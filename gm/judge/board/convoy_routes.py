"""Which fleets a convoy could use: the fleets where they lie, by number, asked about for one army after the other.

Sets of fleets are bits of an integer, so that a sea full of them is searched in steps of whole shores. What is found
out about one passage, from a shore to a shore, is kept: every fleet of a sea may be ordered to serve the same army.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set

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


Fleets = int
"""A set of fleets: the bits of their numbers."""


class SeaRegion:
    """`near` are the fleets beside each fleet; a convoy leg leads both ways."""

    __slots__ = ("_legs", "_near", "_numbers", "_passages", "_ways")

    def __init__(self, legs: Legs, fleets: Set[Location]) -> None:
        self._legs = legs
        self._numbers = {at: number for number, at in enumerate(sorted(fleets))}
        self._near = [self._touching(at) for at in self._numbers]
        self._passages: dict[tuple[Location, Location], MinimalRoutes] = {}
        self._ways: dict[tuple[Location, Location], Fleets] = {}

    def of_use(self, start: Location, end: Location, through: Location) -> bool:
        """Whether some route needs this fleet: one that no fleet can be taken out of, with it on it (DATC 6.G.19)."""
        number = self._numbers.get(through)
        if number is None:
            return False
        passage = self._passages.get((start, end))
        if passage is None:
            first, last = self._touching(start), self._touching(end)
            passage = self._passages[start, end] = MinimalRoutes(self._near, first, last)
        return passage.needs(number)

    def on_a_way(self, start: Location, end: Location, through: Location) -> bool:
        """Whether a chain of fleets, none of them twice, joins the shores by way of this one, be it with a detour."""
        number = self._numbers.get(through)
        if number is None:
            return False
        near = self._legs(through)
        if start in near and end in near:
            return True
        ways = self._ways.get((start, end))
        if ways is None:
            first, last = self._touching(start), self._touching(end)
            ways = self._ways[start, end] = between(self._near, first, last)
        return bool(ways >> number & 1)

    def _touching(self, at: Location) -> Fleets:
        found = 0
        for there in self._legs(at):
            number = self._numbers.get(there)
            if number is not None:
                found |= 1 << number
        return found


class MinimalRoutes:
    """The routes from one shore to another of which no fleet can be taken out.

    In such a route only neighbours in the chain touch each other, the first fleet alone touches the start and the last
    alone the end. For a fleet at an end of it the shortest rest is one, if there is any. For a fleet within, finding
    two such arms that keep clear of each other is hard in general; the arms are grown as short as can be from every
    pair of its neighbours, and where they get in each other's way whatever the order, the fleet is taken to be of no
    use: on maps of seas, that is right. All fleets of a route that was found are needed by it.
    """

    __slots__ = ("_first", "_inner", "_last", "_near", "_needed", "_open")

    def __init__(self, near: list[Fleets], first: Fleets, last: Fleets) -> None:
        """`open` are fleets of which it is not known yet; all that touch a shore are settled at once."""
        self._near = near
        both = first & last
        inner = (1 << len(near)) - 1 & ~both
        first, last = first & ~both, last & ~both
        to_start, to_end = self._flood(first, inner & ~last), self._flood(last, inner & ~first)
        self._needed = both | (first & self._beside(to_end)) | (last & self._beside(to_start))
        # Two that touch each other make a route by themselves: nobody is needed between them.
        self._first = sum(one for one in _each(first) if last & ~self._beside(one))
        self._last = sum(one for one in _each(last) if first & ~self._beside(one))
        self._inner = inner & ~(first & ~self._first) & ~(last & ~self._last)
        to_start, to_end = (
            self._flood(self._first, self._inner & ~self._last),
            self._flood(self._last, self._inner & ~self._first),
        )
        self._open = to_start & to_end & ~first & ~last

    def needs(self, number: int) -> bool:
        """All that are open are looked through at once: the answer must not hang on who was asked about before."""
        fleet = 1 << number
        if self._open & fleet:
            for one in _each(self._open):
                self._needed |= 0 if self._needed & one else self._route(one)
            self._open = 0
        return bool(self._needed & fleet)

    def _route(self, fleet: Fleets) -> Fleets:
        """The fleets of a route with this one within it; none where there is no such route."""
        near = self._beside(fleet)
        clear = self._inner & ~near & ~fleet
        to_start = self._first | self._beside(self._flood(self._first, clear & ~self._last))
        to_end = self._last | self._beside(self._flood(self._last, clear & ~self._first))
        ones, others = near & to_start & self._inner & ~self._last, near & to_end & self._inner & ~self._first
        for one in _each(ones):
            for other in _each(others & ~one & ~self._beside(one)):
                route = self._two_arms(fleet, one, self._first, other, self._last)
                route = route or self._two_arms(fleet, other, self._last, one, self._first)
                if route:
                    return route
        return 0

    def _two_arms(self, fleet: Fleets, one: Fleets, goal: Fleets, other: Fleets, other_goal: Fleets) -> Fleets:
        """A route through this fleet: the first arm as short as can be, and clear of where the other begins."""
        beside = self._beside(fleet | other)
        way = self._way(one, goal, self._inner & ~other_goal & ~beside & ~other & ~fleet)
        if not way:
            return 0
        rest = self._way(other, other_goal, self._inner & ~goal & ~self._beside(fleet | way) & ~way & ~fleet)
        return fleet | way | rest if rest else 0

    def _way(self, start: Fleets, goals: Fleets, within: Fleets) -> Fleets:
        """A shortest way from a fleet to any of the goals, both included, else over these fleets."""
        levels = [start]
        found = start
        while not levels[-1] & goals:
            ahead = self._beside(levels[-1]) & within & ~found
            if not ahead:
                return 0
            levels.append(ahead)
            found |= ahead
        last = levels.pop() & goals
        way = here = last & -last
        for level in reversed(levels):
            here = self._beside(here) & level
            here &= -here
            way |= here
        return way

    def _flood(self, edge: Fleets, within: Fleets) -> Fleets:
        """All that is joined to these over fleets within, those of these that are within included."""
        found = edge = edge & within
        while edge:
            edge = self._beside(edge) & within & ~found
            found |= edge
        return found

    def _beside(self, fleets: Fleets) -> Fleets:
        near, found = self._near, 0
        while fleets:
            lowest = fleets & -fleets
            found |= near[lowest.bit_length() - 1]
            fleets ^= lowest
        return found


def between(near: list[Fleets], first: Fleets, last: Fleets) -> Fleets:
    """The fleets on any chain from those first to those last, none of them twice.

    With the shores joined to each other they are all that no single fleet or shore cuts off from the two: the fleets
    of one block of the graph, found by a search in depth from the start over the end (Hopcroft and Tarjan).
    """
    start, end = len(near), len(near) + 1
    beside = [*near, first | 1 << end, last | 1 << start]
    for shore, fleets in ((start, first), (end, last)):
        for number in _numbers(fleets):
            beside[number] |= 1 << shore
    unseen = (1 << len(near)) - 1
    before, depth, low = {end: start}, {start: 0, end: 1}, {start: 0, end: 1}
    line = [end]
    while line:
        here = line[-1]
        ahead = beside[here] & unseen
        if ahead:
            there = (ahead & -ahead).bit_length() - 1
            unseen ^= 1 << there
            before[there], depth[there], low[there] = here, len(depth), len(depth)
            line.append(there)
        else:
            line.pop()
            back = before[here]
            low[here] = min([low[here], *(depth[other] for other in _numbers(beside[here]) if other != back)])
            low[back] = min(low[back], low[here])
    block = 1 << end
    for there, back in before.items():
        if block >> back & 1 and low[there] < depth[back]:
            block |= 1 << there
    return block & ~(1 << end)


def _numbers(fleets: Fleets) -> Iterator[int]:
    return (one.bit_length() - 1 for one in _each(fleets))


def _each(fleets: Fleets) -> Iterator[Fleets]:
    while fleets:
        lowest = fleets & -fleets
        yield lowest
        fleets ^= lowest

"""Searches convoy routes: the shortest route, whether there is any, and which fleets are of use to an army.

Sets of fleets are bits of an integer, so that a sea full of fleets is searched quickly. `SeaRegion` caches its results
per pair of shores, because every fleet of a sea may be ordered to convoy the same army.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set

from gm.judge.board.board import Location

ConvoySteps = Callable[[Location], tuple[Location, ...]]
"""Locations that a convoyed army reaches from a location in one step."""


def shortest_route(
    convoys: ConvoySteps, start: Location, end: Location, fleets: Set[Location]
) -> tuple[Location, ...] | None:
    """The seas of a shortest route through these fleets' locations; None if there is no route."""
    before: dict[Location, Location] = {}
    edge = [start]
    while edge:
        ahead: list[Location] = []
        for here in edge:
            near = convoys(here)
            if end in near and here != start:
                return _unwind(before, start, here)
            for there in near:
                if there in fleets and there not in before:
                    before[there] = here
                    ahead.append(there)
        edge = ahead
    return None


def has_route(convoys: ConvoySteps, start: Location, end: Location, fleets: Set[Location]) -> bool:
    """Faster than `shortest_route`."""
    edge = [at for at in convoys(start) if at in fleets]
    seen = {start, *edge}
    while edge:
        ahead: list[Location] = []
        for here in edge:
            near = convoys(here)
            if end in near:
                return True
            ahead += [at for at in near if at in fleets and at not in seen]
            seen.update(near)
        edge = ahead
    return False


def _unwind(before: dict[Location, Location], start: Location, last: Location) -> tuple[Location, ...]:
    route = [last]
    while before[route[-1]] != start:
        route.append(before[route[-1]])
    return tuple(reversed(route))


Fleets = int
"""A set of fleets: bit n stands for fleet n."""


class SeaRegion:
    """The fleets of a board, by number. `near` holds the fleets beside each fleet."""

    __slots__ = ("_chains", "_convoys", "_fleets", "_minimal", "_near", "_numbers")

    def __init__(self, convoys: ConvoySteps, fleets: Set[Location]) -> None:
        self._convoys = convoys
        self._fleets = fleets
        self._numbers: dict[Location, int] = {}
        self._near: list[Fleets] = []
        self._minimal: dict[tuple[Location, Location], MinimalRoutes] = {}
        self._chains: dict[tuple[Location, Location], Fleets] = {}

    def is_needed(self, start: Location, end: Location, fleet: Location) -> bool:
        """Whether some route from which no fleet can be removed contains this fleet (DATC 6.G.19)."""
        if fleet not in self._fleets:
            return False
        routes = self._minimal.get((start, end))
        if routes is None:
            self._number_fleets()
            routes = MinimalRoutes(self._near, self._touching(start), self._touching(end))
            self._minimal[start, end] = routes
        return routes.needs(self._numbers[fleet])

    def is_on_chain(self, start: Location, end: Location, fleet: Location) -> bool:
        """Whether a chain of fleets without repetition joins the shores through this fleet, even by a detour."""
        if fleet not in self._fleets:
            return False
        near = self._convoys(fleet)
        if start in near and end in near:
            return True
        chains = self._chains.get((start, end))
        if chains is None:
            self._number_fleets()
            chains = fleets_on_chains(self._near, self._touching(start), self._touching(end))
            self._chains[start, end] = chains
        return bool(chains >> self._numbers[fleet] & 1)

    def _number_fleets(self) -> None:
        """Done for the first question that needs more than one fleet."""
        if not self._numbers:
            self._numbers.update((at, number) for number, at in enumerate(sorted(self._fleets)))
            self._near += [self._touching(at) for at in self._numbers]

    def _touching(self, at: Location) -> Fleets:
        fleets = 0
        for there in self._convoys(at):
            number = self._numbers.get(there)
            if number is not None:
                fleets |= 1 << number
        return fleets


class MinimalRoutes:
    """The routes between two shores from which no fleet can be removed.

    In such a route only neighbours in the chain touch each other, only the first fleet touches the start and only the
    last touches the end. A fleet at an end of a route is needed if there is any rest of a route, because the shortest
    rest is minimal. For a fleet in the middle, finding two arms that keep clear of each other is hard in general: the
    arms are grown as short as possible from every pair of its neighbours. Where they collide in either order, the
    fleet counts as useless; on maps of seas this is right. All fleets of a route that was found are needed.
    """

    __slots__ = ("_first", "_inner", "_last", "_near", "_needed", "_open")

    def __init__(self, near: list[Fleets], first: Fleets, last: Fleets) -> None:
        """`_open` are the fleets not decided yet; those that touch a shore are decided here."""
        self._near = near
        both = first & last
        inner = (1 << len(near)) - 1 & ~both
        first, last = first & ~both, last & ~both
        to_start, to_end = self._flood(first, inner & ~last), self._flood(last, inner & ~first)
        self._needed = both | (first & self._beside(to_end)) | (last & self._beside(to_start))
        # A first and a last fleet that touch each other make a route by themselves, without fleets between them.
        self._first = sum(fleet for fleet in _each(first) if last & ~self._beside(fleet))
        self._last = sum(fleet for fleet in _each(last) if first & ~self._beside(fleet))
        self._inner = inner & ~(first & ~self._first) & ~(last & ~self._last)
        to_start, to_end = (
            self._flood(self._first, self._inner & ~self._last),
            self._flood(self._last, self._inner & ~self._first),
        )
        self._open = to_start & to_end & ~first & ~last

    def needs(self, number: int) -> bool:
        """Decides all open fleets at once: the answer must not depend on the order of the questions."""
        fleet = 1 << number
        if self._open & fleet:
            for candidate in _each(self._open):
                self._needed |= 0 if self._needed & candidate else self._route(candidate)
            self._open = 0
        return bool(self._needed & fleet)

    def _route(self, fleet: Fleets) -> Fleets:
        """The fleets of a minimal route with this fleet in its middle; 0 if there is none."""
        near = self._beside(fleet)
        clear = self._inner & ~near & ~fleet
        to_start = self._first | self._beside(self._flood(self._first, clear & ~self._last))
        to_end = self._last | self._beside(self._flood(self._last, clear & ~self._first))
        starts, ends = near & to_start & self._inner & ~self._last, near & to_end & self._inner & ~self._first
        for start in _each(starts):
            for end in _each(ends & ~start & ~self._beside(start)):
                route = self._two_arms(fleet, start, self._first, end, self._last)
                route = route or self._two_arms(fleet, end, self._last, start, self._first)
                if route:
                    return route
        return 0

    def _two_arms(self, fleet: Fleets, start: Fleets, goal: Fleets, other: Fleets, other_goal: Fleets) -> Fleets:
        """A route through this fleet: the first arm as short as possible, and clear of where the other begins."""
        beside = self._beside(fleet | other)
        arm = self._shortest_arm(start, goal, self._inner & ~other_goal & ~beside & ~other & ~fleet)
        if not arm:
            return 0
        rest = self._shortest_arm(other, other_goal, self._inner & ~goal & ~self._beside(fleet | arm) & ~arm & ~fleet)
        return fleet | arm | rest if rest else 0

    def _shortest_arm(self, start: Fleets, goals: Fleets, within: Fleets) -> Fleets:
        """A shortest chain from a fleet to any of the goals, both included, through the fleets `within`."""
        levels = [start]
        seen = start
        while not levels[-1] & goals:
            ahead = self._beside(levels[-1]) & within & ~seen
            if not ahead:
                return 0
            levels.append(ahead)
            seen |= ahead
        last = levels.pop() & goals
        arm = here = last & -last
        for level in reversed(levels):
            here = self._beside(here) & level
            here &= -here
            arm |= here
        return arm

    def _flood(self, edge: Fleets, within: Fleets) -> Fleets:
        """The fleets `within` that are connected to `edge` through each other, including those of `edge`."""
        reached = edge = edge & within
        while edge:
            edge = self._beside(edge) & within & ~reached
            reached |= edge
        return reached

    def _beside(self, fleets: Fleets) -> Fleets:
        near, beside = self._near, 0
        while fleets:
            lowest = fleets & -fleets
            beside |= near[lowest.bit_length() - 1]
            fleets ^= lowest
        return beside


def fleets_on_chains(near: list[Fleets], first: Fleets, last: Fleets) -> Fleets:
    """The fleets on any chain without repetition from the fleets `first` to the fleets `last`.

    With the two shores joined, these are the fleets in the shores' biconnected component, found by depth-first search
    from the start over the end (Hopcroft and Tarjan).
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
    return (fleet.bit_length() - 1 for fleet in _each(fleets))


def _each(fleets: Fleets) -> Iterator[Fleets]:
    while fleets:
        lowest = fleets & -fleets
        yield lowest
        fleets ^= lowest

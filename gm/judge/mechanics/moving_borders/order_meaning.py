"""Interprets an ordered border event on a board: which stretch to flip, or which two stretches to join (Seismic).

Every order of a phase is interpreted on the map at the start of the phase. An order without a meaning there, or with
several, is void: it neither helps nor hinders others.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from gm.judge.board.planar_board import PlanarBoard
from gm.judge.mechanics.moving_borders.border_orders import Event, Release, Separation


class BorderChange(NamedTuple):
    """A stretch to flip, or two stretches of the border of `within` whose far sides are joined."""

    stretches: tuple[int, ...]
    within: str = ""


class BorderOrderRefusal(NamedTuple):
    """Why an order is refused. `key` names a sentence, `places` are the codes of the provinces it mentions.

    `borders` are the borders to choose from: number and ends, "1:Por:Gas" ("1::" for a border without ends).
    """

    key: str
    places: tuple[str, ...] = ()
    borders: tuple[str, ...] = ()


class BorderOrderTerms(Struct, frozen=True):
    """Options of the rules. `unnamed`: provinces that no order may name. `groups`: an island need not be
    alone on its boundary to be released. `blocking`: a prevented event still prevents others (`conflicts`).
    """

    unnamed: frozenset[str] = frozenset()
    groups: bool = True
    blocking: bool = True


def named_provinces(event: Event) -> tuple[str, ...]:
    near = (event.near,) if event.near else ()
    return (*event.apart, *event.joined, *near) if isinstance(event, Separation) else (*event.joined, *near)


def interpret_event(board: PlanarBoard, terms: BorderOrderTerms, event: Event) -> BorderChange | BorderOrderRefusal:
    for code in named_provinces(event):
        if code not in board.provinces:
            return BorderOrderRefusal("unknown-place", (code,))
        if code in terms.unnamed:
            return BorderOrderRefusal("not-to-be-named", (code,))
    if isinstance(event, Separation):
        return _flip(board, event)
    return _join(board, terms, event)


# ---- separations


def _flip(board: PlanarBoard, separation: Separation) -> BorderChange | BorderOrderRefusal:
    first, second = separation.apart
    shared = board.numbered_borders(first, second) if first != second else ()
    if not shared:
        return BorderOrderRefusal("no-common-border", (first, second))
    joined = sorted(separation.joined)
    ending = [border for border in shared if sorted(board.rotation.ends(first, border.stretch) or ()) == joined]
    fitting = [border for border in ending if separation.number in (0, border.number)]
    if separation.near and separation.near not in joined:
        fitting = []
    if len(fitting) == 1:
        return BorderChange((fitting[0].stretch,))
    choices = tuple(
        _border_choice(board, first, border.number, border.stretch) for border in (fitting or ending or shared)
    )
    if fitting:
        return BorderOrderRefusal("ambiguous-border", (first, second, str(len(fitting))), choices)
    if ending:
        return BorderOrderRefusal("selects-none", (first, second), choices)
    key = "ends-elsewhere" if len(shared) > 1 else "ends-elsewhere-one"
    if len(shared) == 1 and board.rotation.ends(first, shared[0].stretch) is None:
        key = "ends-nowhere"
    return BorderOrderRefusal(key, (first, second, *separation.joined), choices)


def _border_choice(board: PlanarBoard, along: str, number: int, stretch: int) -> str:
    return ":".join((str(number), *(board.rotation.ends(along, stretch) or ("", ""))))


# ---- releases

Way: TypeAlias = tuple[str, int, int]
"""The province crossed, and the stretches of the first and of the second province named with it."""


def _join(board: PlanarBoard, terms: BorderOrderTerms, release: Release) -> BorderChange | BorderOrderRefusal:
    start, goal = release.joined
    ways = _ways(board, terms, start, goal) if start != goal else []
    if not ways:
        return _why_none(board, start, goal)
    if release.near:
        close = [way for way in ways if release.near in _ends(board, way)]
        if not close:
            return BorderOrderRefusal("near-nothing", (start, goal, release.near))
        ways = close
    if len(ways) == 1:
        return _border_change(ways[0])
    numbers = _numbers(board, start, goal, ways)
    chosen = [way for way, number in zip(ways, numbers, strict=True) if number == release.number]
    if len(chosen) == 1:
        return _border_change(chosen[0])
    return _ambiguous(board, start, goal, ways, numbers)


def _ways(board: PlanarBoard, terms: BorderOrderTerms, start: str, goal: str) -> list[Way]:
    rotation = board.rotation
    beyond = {rotation.other(s, goal) for s in chain.from_iterable(rotation.rings[goal])}
    ways: list[Way] = []
    for first in chain.from_iterable(rotation.rings[start]):
        within = rotation.other(first, start)
        if within not in beyond or within == goal:
            continue
        ways += [
            (within, first, second)
            for second in rotation.between(goal, within)
            if rotation.ring(within, first) != rotation.ring(within, second)
            and (terms.groups or _alone(board, within, (first, second)))
        ]
    return ways


def _alone(board: PlanarBoard, within: str, stretches: Iterable[int]) -> bool:
    """Whether either stretch belongs to a lone island, which is alone on its boundary of the province."""
    return any(len(board.rotation.ring(within, stretch)) == 1 for stretch in stretches)


def _border_change(way: Way) -> BorderChange:
    within, first, second = way
    return BorderChange(tuple(sorted((first, second))), within)


def _ends(board: PlanarBoard, way: Way) -> tuple[str, ...]:
    within, *stretches = way
    return tuple(end for s in stretches for end in board.rotation.ends(within, s) or ())


def _why_none(board: PlanarBoard, start: str, goal: str) -> BorderOrderRefusal:
    rotation = board.rotation
    if start == goal:
        return BorderOrderRefusal("same-province", (start,))
    if rotation.between(start, goal):
        return BorderOrderRefusal("same-boundary", (start, goal))
    beyond = [rotation.other(s, goal) for s in chain.from_iterable(rotation.rings[goal])]
    common = [
        other for s in chain.from_iterable(rotation.rings[start]) if (other := rotation.other(s, start)) in beyond
    ]
    if common:
        seas_first = sorted(dict.fromkeys(common), key=lambda code: (board.plan.is_land(code), code))
        return BorderOrderRefusal("no-island", (start, goal, seas_first[0]))
    return BorderOrderRefusal("nothing-between", (start, goal))


def _open(ways: list[Way]) -> int:
    """Returns 1 or 2 if only the first or only the second named province has several borders to choose from, else 0."""
    return next((at for at in (1, 2) if len({(way[0], way[3 - at]) for way in ways}) == 1), 0)


def _numbers(board: PlanarBoard, start: str, goal: str, ways: list[Way]) -> list[int]:
    """Returns a number for each way: of its border if only one province is open, else its place in the list."""
    at = _open(ways)
    if not at:
        return list(range(1, len(ways) + 1))
    numbers = {border.stretch: border.number for border in board.numbered_borders((start, goal)[at - 1], ways[0][0])}
    return [numbers[(first, second)[at - 1]] for _, first, second in ways]


def _ambiguous(board: PlanarBoard, start: str, goal: str, ways: list[Way], numbers: list[int]) -> BorderOrderRefusal:
    at, count = _open(ways), str(len(ways))
    if not at:
        choices = tuple(
            ":".join((str(number), way[0], *dict.fromkeys(_ends(board, way))))
            for way, number in zip(ways, numbers, strict=True)
        )
        return BorderOrderRefusal("ambiguous-ways", (start, goal, count), choices)
    province, within = (start, goal)[at - 1], ways[0][0]
    along = min((within, province), key=lambda code: (board.plan.is_land(code), code))
    stretches = sorted(zip(numbers, [(first, second)[at - 1] for _, first, second in ways], strict=True))
    choices = tuple(_border_choice(board, along, number, stretch) for number, stretch in stretches)
    return BorderOrderRefusal("ambiguous-border", (province, within, count), choices)

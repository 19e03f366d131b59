"""What an event that a player wrote means on a board: which stretch goes, or which two stretches are joined.

Every order of a phase is read on the map as it stands at the start of the phase. One that means nothing there, or
several things, is void: it neither helps nor hinders others.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from gm.judge.board.planar_board import PlanarBoard
from gm.judge.mechanics.moving_borders.border_orders import Event, Release, Separation


class BorderChange(NamedTuple):
    """One stretch to flip; or two of the border of `within`, whose far sides are joined. Equal deeds are one order."""

    stretches: tuple[int, ...]
    within: str = ""


class BorderOrderRefusal(NamedTuple):
    """Why an order means nothing. `key` names a sentence, `places` are the provinces it speaks of, by code.

    `borders` are those to choose from: number and ends, "1:Por:Gas" ("1::" for one without ends).
    """

    key: str
    places: tuple[str, ...] = ()
    borders: tuple[str, ...] = ()


class BorderOrderTerms(Struct, frozen=True):
    """What a game master may choose. `unnamed` are provinces that no order may name; `groups`: islands need not be
    alone to be released; `blocking`: an order stands in the way of others although it is beaten itself.
    """

    unnamed: frozenset[str] = frozenset()
    groups: bool = True
    blocking: bool = True


def named(said: Event) -> tuple[str, ...]:
    near = (said.near,) if said.near else ()
    return (*said.apart, *said.joined, *near) if isinstance(said, Separation) else (*said.joined, *near)


def deed(board: PlanarBoard, terms: BorderOrderTerms, said: Event) -> BorderChange | BorderOrderRefusal:
    for code in named(said):
        if code not in board.provinces:
            return BorderOrderRefusal("unknown-place", (code,))
        if code in terms.unnamed:
            return BorderOrderRefusal("not-to-be-named", (code,))
    if isinstance(said, Separation):
        return _flip(board, said)
    return _join(board, terms, said)


# ---- separations


def _flip(board: PlanarBoard, said: Separation) -> BorderChange | BorderOrderRefusal:
    one, two = said.apart
    shared = board.numbered_borders(one, two) if one != two else ()
    if not shared:
        return BorderOrderRefusal("no-common-border", (one, two))
    ending = [it for it in shared if sorted(board.rotation.ends(one, it.stretch) or ()) == sorted(said.joined)]
    fitting = [it for it in ending if said.number in (0, it.number)]
    if said.near and said.near not in said.joined:
        fitting = []
    if len(fitting) == 1:
        return BorderChange((fitting[0].stretch,))
    told = tuple(_told(board, one, found.number, found.stretch) for found in (fitting or ending or shared))
    if fitting:
        return BorderOrderRefusal("ambiguous-border", (one, two, str(len(fitting))), told)
    if ending:
        return BorderOrderRefusal("selects-none", (one, two), told)
    key = "ends-elsewhere" if len(shared) > 1 else "ends-elsewhere-one"
    if len(shared) == 1 and board.rotation.ends(one, shared[0].stretch) is None:
        key = "ends-nowhere"
    return BorderOrderRefusal(key, (one, two, *said.joined), told)


def _told(board: PlanarBoard, along: str, number: int, stretch: int) -> str:
    return ":".join((str(number), *(board.rotation.ends(along, stretch) or ("", ""))))


# ---- releases

Way: TypeAlias = tuple[str, int, int]
"""The province crossed, and the stretches of the first and of the second province named with it."""


def _join(board: PlanarBoard, terms: BorderOrderTerms, said: Release) -> BorderChange | BorderOrderRefusal:
    one, two = said.joined
    ways = _ways(board, terms, one, two) if one != two else []
    if not ways:
        return _why_none(board, one, two)
    if said.near:
        close = [way for way in ways if said.near in _ends(board, way)]
        if not close:
            return BorderOrderRefusal("near-nothing", (one, two, said.near))
        ways = close
    if len(ways) == 1:
        return _deed(ways[0])
    numbers = _numbers(board, one, two, ways)
    chosen = [way for way, number in zip(ways, numbers, strict=True) if number == said.number]
    if len(chosen) == 1:
        return _deed(chosen[0])
    return _ambiguous(board, one, two, ways, numbers)


def _ways(board: PlanarBoard, terms: BorderOrderTerms, one: str, two: str) -> list[Way]:
    rotation = board.rotation
    beyond = {rotation.other(s, two) for s in chain.from_iterable(rotation.rings[two])}
    found: list[Way] = []
    for first in chain.from_iterable(rotation.rings[one]):
        within = rotation.other(first, one)
        if within not in beyond or within == two:
            continue
        found += [
            (within, first, second)
            for second in rotation.between(two, within)
            if rotation.ring(within, first) != rotation.ring(within, second)
            and (terms.groups or _alone(board, within, (first, second)))
        ]
    return found


def _alone(board: PlanarBoard, within: str, stretches: Iterable[int]) -> bool:
    """Whether one of the two is an island by itself: all that lies on its boundary of the province."""
    return any(len(board.rotation.ring(within, stretch)) == 1 for stretch in stretches)


def _deed(way: Way) -> BorderChange:
    within, first, second = way
    return BorderChange(tuple(sorted((first, second))), within)


def _ends(board: PlanarBoard, way: Way) -> tuple[str, ...]:
    within, *stretches = way
    return tuple(end for s in stretches for end in board.rotation.ends(within, s) or ())


def _why_none(board: PlanarBoard, one: str, two: str) -> BorderOrderRefusal:
    rotation = board.rotation
    if one == two:
        return BorderOrderRefusal("same-province", (one,))
    if rotation.between(one, two):
        return BorderOrderRefusal("same-boundary", (one, two))
    beyond = [rotation.other(s, two) for s in chain.from_iterable(rotation.rings[two])]
    common = [other for s in chain.from_iterable(rotation.rings[one]) if (other := rotation.other(s, one)) in beyond]
    if common:
        seas_first = sorted(dict.fromkeys(common), key=lambda code: (board.plan.is_land(code), code))
        return BorderOrderRefusal("no-island", (one, two, seas_first[0]))
    return BorderOrderRefusal("nothing-between", (one, two))


def _open(ways: list[Way]) -> int:
    """Which of the two named provinces has several borders to choose from, where the other has not: 1, 2, or 0."""
    return next((at for at in (1, 2) if len({(way[0], way[3 - at]) for way in ways}) == 1), 0)


def _numbers(board: PlanarBoard, one: str, two: str, ways: list[Way]) -> list[int]:
    """The numbers of the borders, where those of one province are open; else the ways are simply counted."""
    at = _open(ways)
    if not at:
        return list(range(1, len(ways) + 1))
    numbers = {found.stretch: found.number for found in board.numbered_borders((one, two)[at - 1], ways[0][0])}
    return [numbers[(first, second)[at - 1]] for _, first, second in ways]


def _ambiguous(board: PlanarBoard, one: str, two: str, ways: list[Way], numbers: list[int]) -> BorderOrderRefusal:
    at, count = _open(ways), str(len(ways))
    if not at:
        told = tuple(
            ":".join((str(number), way[0], *dict.fromkeys(_ends(board, way))))
            for way, number in zip(ways, numbers, strict=True)
        )
        return BorderOrderRefusal("ambiguous-ways", (one, two, count), told)
    province, within = (one, two)[at - 1], ways[0][0]
    along = min((within, province), key=lambda code: (board.plan.is_land(code), code))
    stretches = sorted(zip(numbers, [(first, second)[at - 1] for _, first, second in ways], strict=True))
    told = tuple(_told(board, along, number, stretch) for number, stretch in stretches)
    return BorderOrderRefusal("ambiguous-border", (province, within, count), told)

"""Decides which border events of a phase conflict, and which of them take place.

Two events conflict if they cannot be applied one after the other in both orders: two separations whose borders share a
corner, a separation of a border that a release needs, or two releases between the same two boundaries of a province.
Three or more releases also conflict if they join boundaries of the same province in a circle, because the last would
divide the province. There are no other conflicts.

An event takes place unless it conflicts with events of the same or greater strength. The strength of an event is the
number of players who ordered it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeAlias

from gm.judge.board.rotation import Ring, RotationSystem
from gm.judge.mechanics.moving_borders.order_meaning import BorderChange

Strengths: TypeAlias = Mapping[BorderChange, int]


def blocked(
    rotation: RotationSystem, strengths: Strengths, *, blocking: bool = True
) -> Mapping[BorderChange, tuple[BorderChange, ...]]:
    """Returns for every event those that prevent it; it takes place if there are none.

    `blocking`: prevented events still prevent others. Otherwise the strongest events are applied first, then those of
    the rest that conflict with none of them, and so on.
    """
    if blocking:
        return {change: _against(rotation, change, _as_strong(strengths, own)) for change, own in strengths.items()}
    against: dict[BorderChange, tuple[BorderChange, ...]] = {}
    taken: list[BorderChange] = []
    for strength in sorted(set(strengths.values()), reverse=True):
        equal = [change for change in strengths if strengths[change] == strength]
        against |= {change: _against(rotation, change, taken) for change in equal}
        left = [change for change in equal if not against[change]]
        against |= {change: _against(rotation, change, [*taken, *left]) for change in left}
        taken += [change for change in left if not against[change]]
    return against


def _as_strong(strengths: Strengths, strength: int) -> list[BorderChange]:
    return [change for change, its in strengths.items() if its >= strength]


def _against(
    rotation: RotationSystem, change: BorderChange, others: Collection[BorderChange]
) -> tuple[BorderChange, ...]:
    pairs = [other for other in others if other != change and clash(rotation, change, other)]
    return tuple(dict.fromkeys((*pairs, *_circle(rotation, change, others))))


def clash(rotation: RotationSystem, change: BorderChange, other: BorderChange) -> bool:
    if change.within and other.within:
        return change.within == other.within and _nodes(rotation, change) == _nodes(rotation, other)
    if change.within or other.within:
        flip, release = (other, change) if change.within else (change, other)
        return flip.stretches[0] in release.stretches
    return bool(_corners(rotation, change) & _corners(rotation, other))


def _nodes(rotation: RotationSystem, release: BorderChange) -> frozenset[Ring]:
    return frozenset(rotation.ring(release.within, stretch) for stretch in release.stretches)


def _corners(rotation: RotationSystem, flip: BorderChange) -> frozenset[frozenset[int]]:
    stretch = flip.stretches[0]
    first, second = rotation.sides[stretch]
    mine, its = rotation.around(first, stretch), rotation.around(second, stretch)
    assert mine is not None
    assert its is not None
    return frozenset((frozenset((stretch, mine[1], its[0])), frozenset((stretch, mine[0], its[1]))))


def _circle(
    rotation: RotationSystem, change: BorderChange, others: Collection[BorderChange]
) -> tuple[BorderChange, ...]:
    """Returns the shortest chain of `others` that joins the same two boundaries as a release; () if there is none."""
    if not change.within:
        return ()
    ends = _nodes(rotation, change)
    start, goal = sorted(ends)
    links = [
        (other, nodes)
        for other in others
        if other.within == change.within and (nodes := _nodes(rotation, other)) != ends
    ]
    before: dict[Ring, tuple[Ring, BorderChange] | None] = {start: None}
    edge = [start]
    while edge and goal not in before:
        ahead: list[Ring] = []
        for here in edge:
            for other, nodes in links:
                there = next(iter(nodes - {here})) if here in nodes else here
                if there not in before:
                    before[there] = here, other
                    ahead.append(there)
        edge = ahead
    path: list[BorderChange] = []
    while (back := before.get(goal)) is not None:
        goal = back[0]
        path.append(back[1])
    return tuple(path)

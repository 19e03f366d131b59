"""Decides which border events of a phase conflict, and which of them take place.

Two events clash when they cannot be applied one after the other in both orders: two separations whose borders
share a corner, a separation of a border that a release needs, two releases between the same two boundaries of a
province. Three or more clash without any two of them doing so when they are releases that join boundaries of one
province round in a circle: the last of them would divide it. There are no other ways to clash.

An event does not take place if it clashes with others none of which is weaker. Its strength is how many players
ordered it.
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
    """Every event, with those that keep it from taking place (none: it takes place).

    `blocking`: events that are beaten themselves stand in the way of others nevertheless; if not, the strongest are
    carried out first, then those of the rest that clash with none of them, and so on.
    """
    if blocking:
        return {one: _against(rotation, one, _as_strong(strengths, strengths[one])) for one in strengths}
    found: dict[BorderChange, tuple[BorderChange, ...]] = {}
    taken: list[BorderChange] = []
    for strength in sorted(set(strengths.values()), reverse=True):
        equal = [one for one in strengths if strengths[one] == strength]
        found |= {one: _against(rotation, one, taken) for one in equal}
        left = [one for one in equal if not found[one]]
        found |= {one: _against(rotation, one, [*taken, *left]) for one in left}
        taken += [one for one in left if not found[one]]
    return found


def _as_strong(strengths: Strengths, strength: int) -> list[BorderChange]:
    return [one for one, its in strengths.items() if its >= strength]


def _against(rotation: RotationSystem, one: BorderChange, others: Collection[BorderChange]) -> tuple[BorderChange, ...]:
    pairs = [other for other in others if other != one and clash(rotation, one, other)]
    return tuple(dict.fromkeys((*pairs, *_circle(rotation, one, others))))


def clash(rotation: RotationSystem, one: BorderChange, other: BorderChange) -> bool:
    if one.within and other.within:
        return one.within == other.within and _nodes(rotation, one) == _nodes(rotation, other)
    if one.within or other.within:
        flip, release = (other, one) if one.within else (one, other)
        return flip.stretches[0] in release.stretches
    return bool(_corners(rotation, one) & _corners(rotation, other))


def _nodes(rotation: RotationSystem, release: BorderChange) -> frozenset[Ring]:
    return frozenset(rotation.ring(release.within, stretch) for stretch in release.stretches)


def _corners(rotation: RotationSystem, flip: BorderChange) -> frozenset[frozenset[int]]:
    stretch = flip.stretches[0]
    one, two = rotation.sides[stretch]
    mine, its = rotation.around(one, stretch), rotation.around(two, stretch)
    assert mine is not None
    assert its is not None
    return frozenset((frozenset((stretch, mine[1], its[0])), frozenset((stretch, mine[0], its[1]))))


def _circle(rotation: RotationSystem, one: BorderChange, others: Collection[BorderChange]) -> tuple[BorderChange, ...]:
    """The fewest releases that join, one after the other, the two boundaries that this one joins; () if none do."""
    if not one.within:
        return ()
    ends = _nodes(rotation, one)
    start, goal = sorted(ends)
    links = [
        (other, nodes) for other in others if other.within == one.within and (nodes := _nodes(rotation, other)) != ends
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

"""Coasts as they follow from borders: runs of sea stretches round a land province, their names, and what marks them.

A coast is a longest run of consecutive sea stretches in one ring of a land province; a ring that is all sea is one
coast. In a straits province the coasts on both named seas count as one while it has coasts on both.

Names follow from the present borders alone, so that a map that comes back to what it was has its old names. A stretch
carries the name of that coast of the opening map that touched its sea; where several did, of the one that had it with
the same neighbour at an end. A coast is called by a name if all of its stretches that carry any carry this one, and no
other coast has a stretch that does. All others are c1, c2 …, clockwise from the start of the province's ring.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct

from gm.judge.board.board import COAST, LAND, SEA, Province
from gm.judge.board.cached import Once
from gm.judge.board.rotation import Ring, Rings, RotationSystem


class Shore(NamedTuple):
    """One run: its seas clockwise, each stretch one, and the neighbours at its two ends (none: it is a whole ring)."""

    seas: tuple[str, ...]
    ends: tuple[str, ...]


class Coast(NamedTuple):
    """`slot` is "coast" for the only one. `stretches` are those of all its shores."""

    slot: str
    stretches: tuple[int, ...]
    shores: tuple[Shore, ...]

    @property
    def marks(self) -> frozenset[str]:
        """The seas it touches and the neighbours at its ends."""
        return frozenset(code for shore in self.shores for code in (*shore.seas, *shore.ends))


class NamedCoast(NamedTuple):
    """A stretch of a named coast of the opening map: its sea and the neighbours at its ends."""

    slot: str
    sea: str
    ends: tuple[str, str]


class OpeningCoasts(Struct, frozen=True, dict=True):
    """What an event never changes: the provinces as at the start, the straits, the opening's rings and named coasts.

    `straits` maps a province to the two seas whose coasts are one there; `ranks` a province to the places of its
    neighbours in its opening list.
    """

    provinces: Mapping[str, Province]
    straits: Mapping[str, frozenset[str]]
    ranks: Mapping[str, Mapping[str, int]]
    named: Mapping[str, tuple[NamedCoast, ...]]

    @Once
    def seas(self) -> frozenset[str]:
        return frozenset([code for code, area in self.provinces.items() if SEA in area.slots])

    @Once
    def lands(self) -> frozenset[str]:
        return frozenset([code for code, area in self.provinces.items() if LAND in area.slots])

    def is_sea(self, code: str) -> bool:
        return code in self.seas

    def is_land(self, code: str) -> bool:
        return code in self.lands

    def turned(self, rotation: RotationSystem, province: str) -> Rings:
        """Its rings with their beginnings and in the order in which they are written: each from the neighbour that
        stands first in the opening list, short rings before long ones.
        """
        ranks = self.ranks[province]

        def rank(stretch: int) -> tuple[int, str]:
            code = rotation.other(stretch, province)
            return ranks.get(code, len(ranks)), code

        def sizes(ring: Ring) -> tuple[int, list[tuple[int, str]]]:
            return len(ring), [rank(s) for s in ring]

        def least(ring: Ring) -> Ring:
            keys = [rank(s) for s in ring]
            first = min(keys)
            starts = [at for at, key in enumerate(keys) if key == first]
            at = min(starts, key=lambda at: keys[at:] + keys[:at])
            return ring[at:] + ring[:at]

        return tuple(sorted((least(ring) for ring in rotation.rings[province]), key=sizes))


def coasts(plan: OpeningCoasts, rotation: RotationSystem, province: str) -> tuple[Coast, ...]:
    """The coasts of a land province whose rings begin as they are written; none for any other."""
    if not plan.is_land(province):
        return ()
    runs = [run for ring in rotation.rings[province] for run in _runs(plan, rotation, province, ring)]
    groups = _merged(plan, rotation, province, runs)
    names = _names(plan, rotation, province, groups)
    return tuple(
        Coast(name, tuple(s for run in group for s in run), tuple(_shore(rotation, province, run) for run in group))
        for name, group in zip(names, groups, strict=True)
    )


def _runs(plan: OpeningCoasts, rotation: RotationSystem, province: str, ring: Ring) -> Iterator[Ring]:
    """Runs of sea, the one that holds the ring's first stretch first."""
    wet = [plan.is_sea(rotation.other(s, province)) for s in ring]
    if all(wet):
        yield ring
        return
    first = next((at for at in range(len(ring)) if not wet[at]), 0)
    turned, dry = ring[first:] + ring[:first], wet[first:] + wet[:first]
    found: list[list[int]] = []
    for at, stretch in enumerate(turned):
        if dry[at]:
            if at == 0 or not dry[at - 1]:
                found.append([])
            found[-1].append(stretch)
    if found and ring[0] in found[-1]:
        found.insert(0, found.pop())
    yield from map(tuple, found)


def _merged(plan: OpeningCoasts, rotation: RotationSystem, province: str, runs: list[Ring]) -> list[list[Ring]]:
    seas = plan.straits.get(province, frozenset())
    touching = [{rotation.other(s, province) for s in run} & seas for run in runs]
    if not seas or set().union(*touching) != seas:
        return [[run] for run in runs]
    through = [run for run, found in zip(runs, touching, strict=True) if found]
    return [through if run is through[0] else [run] for run in runs if run is through[0] or run not in through]


def _names(plan: OpeningCoasts, rotation: RotationSystem, province: str, groups: list[list[Ring]]) -> list[str]:
    if len(groups) == 1:
        return [COAST]
    carried = [
        {name for run in group for s in run if (name := _carries(plan, rotation, province, s))} for group in groups
    ]
    names: list[str] = []
    number = 0
    for mine in carried:
        name = next(iter(mine)) if len(mine) == 1 else ""
        if not name or sum(name in others for others in carried) > 1:
            number += 1
            name = f"c{number}"
        names.append(name)
    return names


def _carries(plan: OpeningCoasts, rotation: RotationSystem, province: str, stretch: int) -> str:
    sea = rotation.other(stretch, province)
    like = [one for one in plan.named.get(province, ()) if one.sea == sea]
    if len({one.slot for one in like}) <= 1:
        return like[0].slot if like else ""
    ends = rotation.ends(province, stretch) or ("", "")
    scores = {one.slot: 0 for one in like}
    for one in like:
        same = sum(mine == its for mine, its in zip(ends, one.ends, strict=True))
        scores[one.slot] = max(scores[one.slot], same)
    best = max(scores.values())
    leading = [slot for slot, score in scores.items() if score == best]
    return leading[0] if best and len(leading) == 1 else ""


def _shore(rotation: RotationSystem, province: str, run: Ring) -> Shore:
    seas = tuple(rotation.other(s, province) for s in run)
    if len(rotation.ring(province, run[0])) == len(run):
        return Shore(seas, ())
    first, last = rotation.ends(province, run[0]), rotation.ends(province, run[-1])
    assert first is not None
    assert last is not None
    return Shore(seas, (first[0], last[1]))

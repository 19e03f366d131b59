"""Coasts of land provinces, derived from a `RotationSystem`: runs of sea stretches, and their names.

A coast is a longest run of consecutive sea stretches in one ring of a land province; a ring that is all sea is one
coast. In a straits province the coasts on both named seas count as one while it has coasts on both.

Names depend on the present borders alone, so a map that returns to an earlier state has the same names again. A stretch
carries the name of the coast of the opening map that touched its sea; if several did, of the one that had the same
neighbour at an end. A coast has a name if all its stretches that carry a name carry this one, and no stretch of
another coast does. All others are c1, c2 …, clockwise from the start of the province's ring.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from gm.judge.board.board import COAST, LAND, SEA, Province
from gm.judge.board.rotation import Ring, Rings, RotationSystem


class Shore(NamedTuple):
    """A run of sea stretches: the sea of each, clockwise, and the neighbours at both ends (none for a whole ring)."""

    seas: tuple[str, ...]
    ends: tuple[str, ...]


class Coast(NamedTuple):
    """`slot` is "coast" for a province's only coast. `stretches` are those of all its shores."""

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
    """What border events never change: provinces as at the start, straits, and the opening's rings and named coasts.

    `straits` maps a province to the two seas whose coasts count as one there; `ranks` a province to the indices of its
    neighbours in its opening list.
    """

    provinces: Mapping[str, Province]
    straits: Mapping[str, frozenset[str]]
    ranks: Mapping[str, Mapping[str, int]]
    named: Mapping[str, tuple[NamedCoast, ...]]

    @cached_property
    def seas(self) -> frozenset[str]:
        return frozenset([code for code, area in self.provinces.items() if SEA in area.slots])

    @cached_property
    def lands(self) -> frozenset[str]:
        return frozenset([code for code, area in self.provinces.items() if LAND in area.slots])

    def is_sea(self, code: str) -> bool:
        return code in self.seas

    def is_land(self, code: str) -> bool:
        return code in self.lands

    def turned(self, rotation: RotationSystem, province: str) -> Rings:
        """The rings of a province in canonical order: each starts at the neighbour that is first in the opening list,
        and short rings come before long ones.
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
    """The coasts of a land province whose rings are in canonical order; none for other provinces."""
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
    """Runs of sea stretches; the run with the ring's first stretch comes first."""
    wet = [plan.is_sea(rotation.other(s, province)) for s in ring]
    if all(wet):
        yield ring
        return
    first = next((at for at in range(len(ring)) if not wet[at]), 0)
    turned, turned_wet = ring[first:] + ring[:first], wet[first:] + wet[:first]
    runs: list[list[int]] = []
    for at, stretch in enumerate(turned):
        if turned_wet[at]:
            if at == 0 or not turned_wet[at - 1]:
                runs.append([])
            runs[-1].append(stretch)
    if runs and ring[0] in runs[-1]:
        runs.insert(0, runs.pop())
    yield from map(tuple, runs)


def _merged(plan: OpeningCoasts, rotation: RotationSystem, province: str, runs: list[Ring]) -> list[list[Ring]]:
    seas = plan.straits.get(province, frozenset())
    touching = [{rotation.other(s, province) for s in run} & seas for run in runs]
    if not seas or set().union(*touching) != seas:
        return [[run] for run in runs]
    through = [run for run, straits in zip(runs, touching, strict=True) if straits]
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
    candidates = [coast for coast in plan.named.get(province, ()) if coast.sea == sea]
    scores = {coast.slot: 0 for coast in candidates}
    if len(scores) <= 1:
        return next(iter(scores), "")
    ends = rotation.ends(province, stretch) or ("", "")
    for coast in candidates:
        same = sum(mine == its for mine, its in zip(ends, coast.ends, strict=True))
        scores[coast.slot] = max(scores[coast.slot], same)
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

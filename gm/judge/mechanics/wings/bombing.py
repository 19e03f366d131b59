"""Bombings and interceptions: what comes of them follows from the orders alone, before any battle.

A bombing fails only where a wing stops it. A wing that intercepts stops one enemy bomber over a province next to its
own: the only one; of several, the one over the first of those provinces on its list; and where all of them are over
one province, the one from the province first by name. If none of several is on its list it is confused, and stops
none. Wings choose without regard to each other: two may meet the same bomber.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from gm.judge.board.board import Board
from gm.judge.mechanics.wings.options import WingOptions
from gm.judge.model.position import Position, Unit


class BombingRaid(NamedTuple):
    """One wing's bombing. `stopped_by`: the wings that met it; none: the bombs fell."""

    bomber: Unit
    target: str
    stopped_by: tuple[Unit, ...] = ()


class BombingRaids(NamedTuple):
    """`met` is the bomber that an intercepting wing stopped; `confused` are those that did not know which to meet."""

    raids: tuple[BombingRaid, ...]
    met: Mapping[Unit, Unit]
    confused: frozenset[Unit]

    @property
    def fallen(self) -> tuple[BombingRaid, ...]:
        return tuple(raid for raid in self.raids if not raid.stopped_by)


def flown(
    board: Board, doctrine: WingOptions, bombs: Mapping[Unit, str], patrols: Mapping[Unit, tuple[str, ...]]
) -> BombingRaids:
    """`bombs`: the target of every bomber. `patrols`: the list of every wing that intercepts."""
    near = board.adjacency.near
    met: dict[Unit, Unit] = {}
    confused: set[Unit] = set()
    for wing, wishes in patrols.items():
        here = wing.at.province
        guarded = {*near.get(here, ()), *([here] if doctrine.own_space else [])}
        coming = {
            bomber: target for bomber, target in bombs.items() if bomber.power != wing.power and target in guarded
        }
        target = _choose(coming.values(), wishes)
        if target:
            bombers = [bomber for bomber, aim in coming.items() if aim == target]
            met[wing] = min(bombers, key=lambda bomber: board.provinces[bomber.at.province].name.casefold())
        elif coming:
            confused.add(wing)
    raids = tuple(
        BombingRaid(bomber, target, tuple(wing for wing, other in met.items() if other == bomber))
        for bomber, target in bombs.items()
    )
    return BombingRaids(raids, met, frozenset(confused))


def _choose(targets: Iterable[str], wishes: tuple[str, ...]) -> str:
    """The province to guard; "" where nothing comes, or one does not know."""
    found = set(targets)
    if len(found) == 1:
        return found.pop()
    return next((code for code in wishes if code in found), "")


def struck(position: Position, raids: BombingRaids, doctrine: WingOptions) -> Mapping[str, tuple[Unit, ...]]:
    """The centres whose production bombs lower, anybody's and nobody's, each with its bombers."""
    found: dict[str, tuple[Unit, ...]] = {}
    for bomber, code, _ in raids.fallen:
        own = position.centres.get(code) == bomber.power
        if position.board.provinces[code].centre and (doctrine.own_centre or not own):
            found[code] = (*found.get(code, ()), bomber)
    return found

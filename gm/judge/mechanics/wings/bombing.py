"""Bombings and interceptions, decided from the orders alone, before any battle.

A bombing fails only if a wing intercepts it. An intercepting wing stops one enemy bomber over a province next to its
own: the only one; of several, one over the first of those provinces on its list; of several over the same province,
the one from the province first by name. If no target of several is on its list it is confused, and stops none. Wings
choose independently: two may intercept the same bomber.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from gm.judge.board.board import Board
from gm.judge.mechanics.wings.options import WingOptions
from gm.judge.model.position import Position, Unit


class BombingRaid(NamedTuple):
    """A wing's bombing. `stopped_by`: the wings that intercepted it; none: it succeeded."""

    bomber: Unit
    target: str
    stopped_by: tuple[Unit, ...] = ()


class BombingRaids(NamedTuple):
    """`met` is the bomber that each intercepting wing stopped; `confused` wings stopped none of several."""

    raids: tuple[BombingRaid, ...]
    met: Mapping[Unit, Unit]
    confused: frozenset[Unit]

    @property
    def successful(self) -> tuple[BombingRaid, ...]:
        return tuple(raid for raid in self.raids if not raid.stopped_by)


def resolve_raids(
    board: Board, options: WingOptions, bombs: Mapping[Unit, str], patrols: Mapping[Unit, tuple[str, ...]]
) -> BombingRaids:
    """`bombs`: the target of every bomber. `patrols`: the list of every wing that intercepts."""
    near = board.adjacency.near
    met: dict[Unit, Unit] = {}
    confused: set[Unit] = set()
    for wing, wishes in patrols.items():
        here = wing.at.province
        guarded = {*near.get(here, ()), *([here] if options.own_space else [])}
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
    """The province to guard; "" if there is no bomber, or no choice is on the list."""
    codes = set(targets)
    if len(codes) == 1:
        return codes.pop()
    return next((code for code in wishes if code in codes), "")


def bombed_centres(position: Position, raids: BombingRaids, options: WingOptions) -> Mapping[str, tuple[Unit, ...]]:
    """The centres, owned or not, whose production bombs lower, each with its bombers."""
    centres: dict[str, tuple[Unit, ...]] = {}
    for bomber, code, _ in raids.successful:
        own = position.centres.get(code) == bomber.power
        if position.board.provinces[code].centre and (options.own_centre or not own):
            centres[code] = (*centres.get(code, ()), bomber)
    return centres

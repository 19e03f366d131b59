"""Turning points of a game: units that attacked whom they had supported, and the largest gains of centres.

Both follow from public results alone.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from gm.game.views.chronicle.centre_history import CentreHistory
from gm.game.views.turns.turn_events import StepView, TurnView
from gm.judge.board.board import Place
from gm.judge.model.events import CentresCounted, OrderResult, Outcome
from gm.judge.model.orders import Move, Retreat, Support
from gm.judge.model.position import Unit

STABS_MOST, GAINS_MOST = 5, 3
GAIN_LEAST = 2
"""Centres that a power must win in a year."""
UnitKey: TypeAlias = tuple[str, str, str, int]
"""Power, kind, province, number: what tells a unit from the others of its phase."""
Supports: TypeAlias = dict[tuple[int, str], str]
"""Whom a unit has supported: (year, power) -> phase."""


class Stab(Struct, frozen=True):
    """In `phase` the `unit` attacked `victim` in the province `place`, a year after it supported a unit of `victim` in
    `supported`. `won`: it got there.
    """

    phase: str
    unit: Unit
    victim: str
    place: str
    supported: str
    won: bool


class Gain(Struct, frozen=True):
    """A power's centres at the end of the year before and of this one, and those that it took."""

    year: int
    power: str
    before: int
    after: int
    taken: tuple[str, ...]


def stabs(scenes: Sequence[TurnView]) -> tuple[Stab, ...]:
    """Those that succeeded first, at most STABS_MOST, in the order of the game."""
    every = list(_stabs(scenes))
    chosen = sorted(every, key=lambda stab: not stab.won)[:STABS_MOST]
    return tuple(stab for stab in every if stab in chosen)


def _stabs(scenes: Iterable[TurnView]) -> Iterator[Stab]:
    units: dict[UnitKey, Supports] = {}
    for scene in scenes:
        for leg in scene.legs:
            if leg.phase:
                units = yield from _follow(scene, leg, units)


def _follow(
    scene: TurnView, leg: StepView, units: Mapping[UnitKey, Supports]
) -> Generator[Stab, None, dict[UnitKey, Supports]]:
    """The stabs of a step; returns the units after it."""
    results = [(result, result.unit) for result in leg.of(OrderResult) if result.unit is not None]
    standing = {unit.at.province: (result, unit) for result, unit in results}
    year = int(leg.phase[1:-1])
    moved: dict[UnitKey, Supports] = {}
    for result, unit in results:
        supports = moved[_key(unit, _destination(result))] = units.get(_key(unit), {})
        order = result.order
        if result.given and isinstance(order, Support) and order.target.at.province in standing:
            supports[year, standing[order.target.at.province][1].power] = leg.phase
        elif result.given and isinstance(order, Move):
            for victim in _attacked(scene, standing, order, unit):
                if before := supports.get((year - 1, victim)):
                    won = result.outcome is Outcome.SUCCEEDS
                    yield Stab(leg.phase, unit, victim, order.to.province, before, won)
    ordered = {_key(unit) for _, unit in results}
    return {key: supports for key, supports in units.items() if key not in ordered} | moved


def _attacked(
    scene: TurnView, standing: Mapping[str, tuple[OrderResult, Unit]], order: Move, unit: Unit
) -> tuple[str, ...]:
    """The powers with a seat whose unit stays where this one moves, or whose centre it is."""
    place, powers = order.to.province, []
    if place in standing and _destination(standing[place][0]) is None:
        powers.append(standing[place][1].power)
    if scene.before is not None and place in scene.before.centres:
        powers.append(scene.before.centres[place])
    return tuple(
        power for power in dict.fromkeys(powers) if power in scene.reader.variant.seated and power != unit.power
    )


def _destination(result: OrderResult) -> Place | None:
    """Where the unit goes; None if it stays."""
    moves = isinstance(result.order, Move | Retreat) and result.outcome is Outcome.SUCCEEDS
    return result.order.to if moves and isinstance(result.order, Move | Retreat) else None


def _key(unit: Unit, to: Place | None = None) -> UnitKey:
    return unit.power, unit.kind, to.province if to is not None else unit.at.province, unit.number


def gains(history: CentreHistory, scenes: Iterable[TurnView]) -> tuple[Gain, ...]:
    """The largest gains of a year by powers with a seat, at most GAINS_MOST, the largest first."""
    every = [
        Gain(year, power, before, after, _taken(scenes, year, power))
        for power, row in history.counts.items()
        for year, before, after in zip(history.years, row, row[1:], strict=False)
        if after - before >= GAIN_LEAST
    ]
    return tuple(sorted(every, key=lambda gain: (gain.before - gain.after, gain.year, gain.power))[:GAINS_MOST])


def _taken(scenes: Iterable[TurnView], year: int, power: str) -> tuple[str, ...]:
    """The centres that the census of that year gave to the power."""
    censuses = (scene.all(CentresCounted) for scene in scenes if scene.snapshot.resolved[1:-1] == str(year))
    return next((count.gained for counts in censuses for count in counts if count.power == power), ())

"""Where wings are after the battles: those that moved, those carried by moving fleets, those that lost their base."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from gm.judge.board.board import AIR, GROUND, SEA, Board, Location, UnitKind
from gm.judge.mechanics.wings.air_board import AirBases
from gm.judge.model.events import Cause, Dislodgement, Outcome
from gm.judge.model.position import Unit
from gm.judge.movement.battle import Battle, Intent, IntentKind, OrderOutcome, Resolution


class LostWing(NamedTuple):
    """A wing that must retreat. `wing` is where it is now, `was` where it stood before the turn; `by` dislodged it or
    took its base (itself: nobody did). `barred` is the province of its attacker in the air, "" if none. `rides`: it
    waits for its fleet's retreat.
    """

    wing: Unit
    was: Unit
    by: Unit
    key: str
    barred: str = ""
    rides: bool = False


class WingsAfterTurn(NamedTuple):
    """`aloft` are the wings that stay, `rode` those of them that a fleet carried, as they were before."""

    aloft: Mapping[Unit, Unit]
    homeless: tuple[LostWing, ...]
    rode: tuple[tuple[Unit, str], ...]


def carrier(wing: Unit, intents: Mapping[Unit, Intent], kinds: Mapping[str, UnitKind]) -> Intent | None:
    """The intent of the fleet that carries a wing, if any."""
    return next(
        (
            intent
            for unit, intent in intents.items()
            if unit.at.province == wing.at.province and unit.power == wing.power and is_carrier(unit, kinds)
        ),
        None,
    )


def is_carrier(unit: Unit, kinds: Mapping[str, UnitKind]) -> bool:
    return unit.at.slot == SEA and kinds[unit.kind].layer == GROUND


def land_wings(battle: Battle, resolution: Resolution, bases: AirBases) -> WingsAfterTurn:
    """`bases` are those after the battles on the ground."""
    intents = {intent.unit: intent for intent in battle.intents}
    outcomes = dict(zip(intents, resolution.outcomes, strict=True))
    wings = [unit for unit in intents if battle.kinds[unit.kind].layer == AIR]
    at = {wing: _own_move(intents[wing], outcomes[wing]) for wing in wings if outcomes[wing].dislodged_by is None}
    ridden = {wing: end for wing, end in at.items() if end == wing.at}
    ridden = {wing: end for wing in ridden if (end := _carried_to(wing, intents, outcomes, battle.kinds)) is not None}
    taken = {at[wing].province: wing for wing in at if wing not in ridden}
    homeless = [lost_wing for wing in wings if (lost_wing := _dislodged(wing, outcomes[wing]))]
    aloft: dict[Unit, Unit] = {}
    for wing, end in (at | ridden).items():
        now = replace(wing, at=end)
        lost = None
        if wing in ridden and end.province in taken:
            there = taken[end.province]
            lost = LostWing(now, wing, replace(there, at=end), "air-taken")
        elif not bases.has(wing.power, end.province):
            lost = _lost_base(now, wing, bases, intents, outcomes, battle.kinds)
        if lost is None:
            aloft[wing] = now
        else:
            homeless.append(lost)
    rode = tuple((wing, end.province) for wing, end in ridden.items())
    return WingsAfterTurn(aloft, tuple(homeless), rode)


def _own_move(intent: Intent, outcome: OrderOutcome) -> Location:
    moved = intent.to is not None and outcome.outcome is Outcome.SUCCEEDS
    return intent.to if moved and intent.to is not None else intent.unit.at


def _carried_to(
    wing: Unit, intents: Mapping[Unit, Intent], outcomes: Mapping[Unit, OrderOutcome], kinds: Mapping[str, UnitKind]
) -> Location | None:
    fleet = carrier(wing, intents, kinds)
    if fleet is None or fleet.action is not IntentKind.MOVE or outcomes[fleet.unit].outcome is not Outcome.SUCCEEDS:
        return None
    return Location(fleet.to.province, AIR) if fleet.to else None


def _dislodged(wing: Unit, outcome: OrderOutcome) -> LostWing | None:
    by = outcome.dislodged_by
    return LostWing(wing, wing, by, "dislodged", by.at.province) if by is not None else None


def _lost_base(
    now: Unit,
    was: Unit,
    bases: AirBases,
    intents: Mapping[Unit, Intent],
    outcomes: Mapping[Unit, OrderOutcome],
    kinds: Mapping[str, UnitKind],
) -> LostWing:
    fleet = carrier(was, intents, kinds)
    sunk = outcomes[fleet.unit].dislodged_by if fleet is not None else None
    if sunk is not None:
        return LostWing(now, was, sunk, "carrier-dislodged", rides=True)
    taker = bases.below(now.at.province)
    came = (unit for unit, intent in intents.items() if taker and intent.to == taker.at and unit.power != was.power)
    by = next((unit for unit in came if taker and (unit.power, unit.kind) == (taker.power, taker.kind)), was)
    return LostWing(now, was, by, "no-base" if by == was else "base-taken")


def wing_retreats(
    board: Board, lost: LostWing, bases: AirBases, aloft: frozenset[str], contested: frozenset[tuple[str, str]]
) -> Dislodgement:
    """The bases within range to which a wing may retreat, and what bars the others. `aloft`: provinces with a wing."""
    wing = lost.wing

    def bar(province: str) -> str:
        if province == lost.barred:
            return "attacker"
        if province in aloft:
            return "occupied"
        return "contested" if (province, AIR) in contested else ""

    near = sorted((at for at in board.adjacency.moves[wing.at] if at.slot == AIR), key=lambda at: at.province)
    own = [(at, bar(at.province)) for at in near if bases.has(wing.power, at.province)]
    free = tuple(at for at, why in own if not why)
    return Dislodgement(wing, lost.by, free, tuple((at, why) for at, why in own if why))


def with_lost_wings(battle: Battle, resolution: Resolution, homeless: tuple[LostWing, ...]) -> Iterator[OrderOutcome]:
    """The outcomes, with the cause of each lost base."""
    lost_wings = {lost.was: lost for lost in homeless}
    for intent, outcome in zip(battle.intents, resolution.outcomes, strict=True):
        lost = lost_wings.get(intent.unit)
        if lost is None or outcome.dislodged_by is not None:
            yield outcome
        else:
            places = (lost.wing.at.province,)
            by = () if lost.by == lost.was else (lost.by,)
            yield replace(outcome, dislodged_by=lost.by, dislodged_cause=Cause(lost.key, by, places=places))

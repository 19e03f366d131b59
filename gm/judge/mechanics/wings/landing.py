"""Where wings are after the battles: those that fly on, those that ride on moving fleets, those whose base is gone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from gm.judge.board.board import AIR, GROUND, SEA, Board, Location, UnitKind
from gm.judge.mechanics.wings.air_bases import AirBases
from gm.judge.model.events import Cause, Dislodgement, Outcome
from gm.judge.model.position import Unit
from gm.judge.movement.battle import Battle, Intent, IntentKind, OrderOutcome, Resolution


class LostWing(NamedTuple):
    """A wing that must go. `wing` is where it is now; `was` as it stood before the turn; `by` who drove it out, or took
    its base (itself: nobody did). `barred` is the province that the attacker came from, "" where none attacked it in
    the air. `rides`: it waits for its fleet's retreat.
    """

    wing: Unit
    was: Unit
    by: Unit
    key: str
    barred: str = ""
    rides: bool = False


class WingsAfterTurn(NamedTuple):
    """Everyone's end. `aloft` are the wings that stay, `rode` those of them that a fleet took along, as they were."""

    aloft: Mapping[Unit, Unit]
    homeless: tuple[LostWing, ...]
    rode: tuple[tuple[Unit, str], ...]


def carrier(wing: Unit, intents: Mapping[Unit, Intent], kinds: Mapping[str, UnitKind]) -> Intent | None:
    """What the fleet of its own power tries that a wing stands on, if it does."""
    return next(
        (
            intent
            for unit, intent in intents.items()
            if unit.at.province == wing.at.province and unit.power == wing.power and carries(unit, kinds)
        ),
        None,
    )


def carries(unit: Unit, kinds: Mapping[str, UnitKind]) -> bool:
    return unit.at.slot == SEA and kinds[unit.kind].layer == GROUND


def landed(battle: Battle, resolution: Resolution, bases: AirBases) -> WingsAfterTurn:
    """`bases` are those after the battles on the ground."""
    intents = {intent.unit: intent for intent in battle.intents}
    outcomes = dict(zip(intents, resolution.outcomes, strict=True))
    wings = [unit for unit in intents if battle.kinds[unit.kind].layer == AIR]
    at = {wing: _flown(intents[wing], outcomes[wing]) for wing in wings if outcomes[wing].dislodged_by is None}
    ridden = {wing: end for wing, end in at.items() if end == wing.at}
    ridden = {wing: end for wing in ridden if (end := _ridden(wing, intents, outcomes, battle.kinds)) is not None}
    taken = {at[wing].province: wing for wing in at if wing not in ridden}
    homeless = [driven for wing in wings if (driven := _beaten(wing, outcomes[wing]))]
    aloft: dict[Unit, Unit] = {}
    for wing, end in (at | ridden).items():
        now = replace(wing, at=end)
        lost = None
        if wing in ridden and end.province in taken:
            there = taken[end.province]
            lost = LostWing(now, wing, replace(there, at=end), "air-taken")
        elif not bases.has(wing.power, end.province):
            lost = _without_base(now, wing, bases, intents, outcomes, battle.kinds)
        if lost is None:
            aloft[wing] = now
        else:
            homeless.append(lost)
    rode = tuple((wing, end.province) for wing, end in ridden.items())
    return WingsAfterTurn(aloft, tuple(homeless), rode)


def _flown(intent: Intent, order_outcome: OrderOutcome) -> Location:
    moved = intent.to is not None and order_outcome.outcome is Outcome.SUCCEEDS
    return intent.to if moved and intent.to is not None else intent.unit.at


def _ridden(
    wing: Unit, intents: Mapping[Unit, Intent], outcomes: Mapping[Unit, OrderOutcome], kinds: Mapping[str, UnitKind]
) -> Location | None:
    fleet = carrier(wing, intents, kinds)
    if fleet is None or fleet.action is not IntentKind.MOVE or outcomes[fleet.unit].outcome is not Outcome.SUCCEEDS:
        return None
    return Location(fleet.to.province, AIR) if fleet.to else None


def _beaten(wing: Unit, order_outcome: OrderOutcome) -> LostWing | None:
    """Driven out by a wing."""
    by = order_outcome.dislodged_by
    return LostWing(wing, wing, by, "dislodged", by.at.province) if by is not None else None


def _without_base(
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


def refuges(
    board: Board, one: LostWing, bases: AirBases, aloft: frozenset[str], contested: frozenset[tuple[str, str]]
) -> Dislodgement:
    """The bases within its range where a wing may go, and what keeps it from the others. `aloft`: provinces with a wing
    in the air above them.
    """
    wing = one.wing

    def bar(province: str) -> str:
        if province == one.barred:
            return "attacker"
        if province in aloft:
            return "occupied"
        return "contested" if (province, AIR) in contested else ""

    near = sorted((at for at in board.adjacency.moves[wing.at] if at.slot == AIR), key=lambda at: at.province)
    own = [(at, bar(at.province)) for at in near if bases.has(wing.power, at.province)]
    free = tuple(at for at, why in own if not why)
    return Dislodgement(wing, one.by, free, tuple((at, why) for at, why in own if why))


def marked(battle: Battle, resolution: Resolution, homeless: tuple[LostWing, ...]) -> Iterator[OrderOutcome]:
    """The fates, with what drove each wing out."""
    lost = {one.was: one for one in homeless}
    for intent, order_outcome in zip(battle.intents, resolution.outcomes, strict=True):
        one = lost.get(intent.unit)
        if one is None or order_outcome.dislodged_by is not None:
            yield order_outcome
        else:
            places = (one.wing.at.province,)
            by = () if one.by == one.was else (one.by,)
            yield replace(order_outcome, dislodged_by=one.by, dislodged_cause=Cause(one.key, by, places=places))

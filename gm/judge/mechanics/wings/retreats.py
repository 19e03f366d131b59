"""Retreats of wings: together with those on the ground, and after a census in which bases are lost.

A wing whose fleet was dislodged waits for it: the fleet carries it to a sea, or to a centre, where no other wing is or
retreats. Otherwise the wing's own retreat order counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from gm.judge.board.board import AIR, Location, Space
from gm.judge.mechanics.wings.air_board import AirBases
from gm.judge.mechanics.wings.landing import LostWing, is_carrier, wing_retreats
from gm.judge.mechanics.wings.options import CONTROL
from gm.judge.mechanics.wings.wing_events import BaseLost, Rode
from gm.judge.model.events import Cause, Event, OrderResult, Outcome
from gm.judge.model.orders import Retreat, Statement, UnitOrder
from gm.judge.model.position import Dislodged, Position, Unit, ref
from gm.judge.model.sheets import DueOrders, Submissions, Turn
from gm.judge.model.variant import AutomaticStep, Variant
from gm.judge.steps.retreats import RetreatStep, retreat_goals


class AirRetreats(RetreatStep, frozen=True):
    def missing(self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]) -> DueOrders:
        """A wing that waits for its fleet needs no order of its own once the fleet has one."""
        due = RetreatStep.missing(self, position, variant, power, sheet)
        fleets = _fleets(position, variant)
        return DueOrders(units=tuple(unit for unit in due.units if unit not in fleets or fleets[unit] in due.units))

    def resolve(self, position: Position, variant: Variant, book: Submissions) -> Turn:
        fleets = _fleets(position, variant)
        wings = {d.unit for d in position.dislodged if variant.kinds[d.unit.kind].layer == AIR}
        ground = replace(position, dislodged=tuple(d for d in position.dislodged if d.unit not in wings))
        below = RetreatStep.resolve(self, ground, variant, _submissions_for(book, variant, aloft=False))
        ended = {e.unit: e for e in below.events if isinstance(e, OrderResult) and e.unit is not None}
        air = replace(below.position, dislodged=tuple(d for d in position.dislodged if d.unit in wings))
        orders = _submissions_for(book, variant, aloft=True)
        along = self._carried_wings(air, variant, orders, {wing: ended[fleet] for wing, fleet in fleets.items()})
        left = replace(air, dislodged=tuple(d for d in air.dislodged if d.unit not in along))
        above = RetreatStep.resolve(self, left, variant, _without(orders, along))
        rode = tuple(replace(wing, at=at) for wing, at in along.items())
        results = tuple(_carried_result(wing, at, orders, fleets[wing]) for wing, at in along.items())
        events: tuple[Event, ...] = tuple(Rode(wing, at.province) for wing, at in along.items())
        after = replace(above.position, units=(*above.position.units, *rode))
        return Turn(after, (*below.events, *above.events, *results, *events))

    def _carried_wings(
        self, position: Position, variant: Variant, orders: Submissions, fleets: Mapping[Unit, OrderResult]
    ) -> Mapping[Unit, Location]:
        """The wings that their fleets carry along. `position` is after the retreats on the ground."""
        taken = {unit.at.province for unit in position.units if variant.kinds[unit.kind].layer == AIR}
        wanted: Mapping[Unit, Space] = retreat_goals(self, position, variant, orders)
        bases = AirBases.now(position, variant.kinds, CONTROL)
        along: dict[Unit, Location] = {}
        for wing, result in fleets.items():
            fleet = result.unit
            if fleet is None or result.outcome is not Outcome.SUCCEEDS or not isinstance(result.order, Retreat):
                continue
            goal = result.order.to.province, fleet.power, fleet.kind
            there = next(u.at.province for u in position.units if (u.at.province, u.power, u.kind) == goal)
            rivals = {space.province for other, space in wanted.items() if other not in fleets}
            if bases.has(wing.power, there) and there not in taken | rivals:
                along[wing] = Location(there, AIR)
        return along


def _fleets(position: Position, variant: Variant) -> Mapping[Unit, Unit]:
    """Every dislodged wing that waits for a fleet, with the fleet."""
    fleets = {
        (d.unit.at.province, d.unit.power): d.unit for d in position.dislodged if is_carrier(d.unit, variant.kinds)
    }
    return {
        d.unit: fleets[d.unit.at.province, d.unit.power]
        for d in position.dislodged
        if variant.kinds[d.unit.kind].layer == AIR
        and variant.kinds[d.by.kind].layer != AIR
        and (d.unit.at.province, d.unit.power) in fleets
    }


def _submissions_for(book: Submissions, variant: Variant, *, aloft: bool) -> Submissions:
    """The orders for wings, or all the others."""

    def fits(statement: Statement) -> bool:
        kind = variant.kinds.get(statement.unit.kind) if isinstance(statement, UnitOrder) else None
        return (kind is not None and kind.layer == AIR) == aloft

    decrees = tuple(d for d in book.decrees if (variant.kinds[d.unit.kind].layer == AIR) == aloft)
    return replace(book.only(fits), decrees=decrees)


def _without(book: Submissions, units: Iterable[Unit]) -> Submissions:
    """The orders of all others."""
    named = {ref(unit) for unit in units}
    return book.only(lambda line: not (isinstance(line, UnitOrder) and line.unit in named))


def _carried_result(wing: Unit, at: Location, orders: Submissions, fleet: Unit) -> OrderResult:
    """The wing's own order, if any, is void: it was for the case that the fleet is lost."""
    cause = Cause("went-along", (fleet,), places=(at.province,))
    own = next(
        (
            entry.statement
            for entries in orders.sheets.values()
            for entry in reversed(entries)
            if isinstance(entry.statement, UnitOrder) and entry.statement.unit == ref(wing)
        ),
        None,
    )
    if own is None:
        order = Retreat(ref(wing), at.place)
        return OrderResult(wing.power, order, Outcome.SUCCEEDS, cause, wing, given=False)
    return OrderResult(wing.power, own, Outcome.VOID, cause, wing)


class BaseCheck(AutomaticStep, frozen=True):
    """After a census: wings that lost their base must retreat, in a phase of their own."""

    base_lost: str = CONTROL

    def resolve(self, position: Position, variant: Variant, book: Submissions) -> Turn:
        bases = AirBases.now(position, variant.kinds, self.base_lost)
        wings = [unit for unit in position.units if variant.kinds[unit.kind].layer == AIR]
        homeless = [_lost(wing, bases) for wing in wings if not bases.has(wing.power, wing.at.province)]
        if not homeless:
            return Turn(position)
        gone = {lost.wing for lost in homeless}
        aloft = frozenset(wing.at.province for wing in wings if wing not in gone)
        dislodged = [wing_retreats(position.board, lost, bases, aloft, frozenset()) for lost in homeless]
        events = tuple(BaseLost(lost.wing, lost.by if lost.by != lost.wing else None) for lost in homeless)
        after = replace(
            position,
            units=tuple(unit for unit in position.units if unit not in gone),
            dislodged=tuple(Dislodged(d.unit, d.by, d.retreats) for d in dislodged if d.retreats),
        )
        return Turn(after, (*events, *dislodged))


def _lost(wing: Unit, bases: AirBases) -> LostWing:
    taker = bases.below(wing.at.province)
    return LostWing(wing, wing, taker if taker is not None and taker.power != wing.power else wing, "base-taken")

"""The retreat step: dislodged units retreat or are disbanded."""

from __future__ import annotations

from collections.abc import Mapping

from gm.judge.board.board import Location, Space
from gm.judge.model.events import Cause, OrderResult, Outcome
from gm.judge.model.orders import Disband, Entry, Hold, Move, Retreat, Statement, UnitOrder
from gm.judge.model.position import Dislodged, Position, Unit, ref
from gm.judge.model.sheets import DueOrders, Problem, ProblemEffect, Submissions, Turn
from gm.judge.model.unit_numbers import arriving, numbered
from gm.judge.model.variant import Variant
from gm.judge.movement.legality import IllegalOrder, LegalityChecker
from gm.judge.movement.order_rights import CollectedOrders, OrderRights, OrderStep, not_own_unit


class RetreatStep(OrderStep, frozen=True):
    letter: str = "R"
    grammar: str = "retreats"

    def due(self, position: Position, variant: Variant) -> Mapping[str, DueOrders]:
        waiting: dict[str, list[Unit]] = {}
        for dislodged in position.dislodged:
            if dislodged.retreats:
                waiting.setdefault(dislodged.unit.power, []).append(dislodged.unit)
        able = self.ordered_powers(position, variant) if waiting else ()
        return {power: DueOrders(units=tuple(waiting[power])) for power in able if power in waiting}

    def missing(self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]) -> DueOrders:
        checker = _checker(position, variant)
        ordered = {checker.find(s.unit, power) for s in sheet if isinstance(s, UnitOrder)}
        units = (d.unit for d in position.dislodged if d.retreats and d.unit.power == power)
        return DueOrders(units=tuple(u for u in units if u not in ordered))

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        checker = _checker(position, variant)
        problems: list[Problem] = []
        taken: dict[str, Statement] = {}
        for statement in sheet:
            end = _destination(checker, position, variant, power, statement)
            if isinstance(end, IllegalOrder):
                problems.append(end.problem(statement))
            elif end is not None and taken.setdefault(end.province, statement) != statement:
                problems.append(Problem("same-retreat", ProblemEffect.WARN, statement, (end.province,)))
        return tuple(problems)

    def resolve(self, position: Position, variant: Variant, book: Submissions) -> Turn:
        if not position.dislodged and not book.sheets:
            return Turn(position, self.rights.merge_events(position, variant, book))
        collected = _collect(self.rights, position, variant, book)
        goals = _goals(position, variant, collected)
        shared = position.board.adjacency.shared
        decrees = {d.unit: d.outcome for d in book.decrees}
        withdrawn: list[Unit] = []
        results: list[OrderResult] = []
        for dislodged in position.dislodged:
            unit = dislodged.unit
            entry = collected.orders.get(unit)
            others: tuple[Unit, ...] = ()
            if unit in goals and goals[unit].province not in shared:
                others = tuple(o for o, space in goals.items() if o != unit and space == goals[unit])
            end = retreat_destination(position, variant, unit, entry.statement) if entry else None
            result = _result(dislodged, entry, end, others, decrees)
            results.append(result)
            if result.outcome is Outcome.SUCCEEDS and isinstance(end, Location):
                withdrawn.append(arriving(shared, unit, end))
        after = position
        if results:
            after = position.having(units=numbered(position.board, (*position.units, *withdrawn)), dislodged=())
        merged = self.rights.merge_events(position, variant, book)
        return Turn(after, (*collected.events, *merged, *results, *collected.aside))


def retreat_goals(step: RetreatStep, position: Position, variant: Variant, book: Submissions) -> Mapping[Unit, Space]:
    """The goals of all units with a possible retreat order."""
    return _goals(position, variant, _collect(step.rights, position, variant, book))


def _collect(rights: OrderRights, position: Position, variant: Variant, book: Submissions) -> CollectedOrders:
    def fault(unit: Unit, statement: Statement) -> IllegalOrder | None:
        end = retreat_destination(position, variant, unit, statement)
        return end if isinstance(end, IllegalOrder) else None

    return rights.collect(position, variant, book, tuple(d.unit for d in position.dislodged), fault)


def _goals(position: Position, variant: Variant, collected: CollectedOrders) -> Mapping[Unit, Space]:
    goals: dict[Unit, Space] = {}
    for unit, entry in collected.orders.items():
        end = retreat_destination(position, variant, unit, entry.statement)
        if isinstance(end, Location):
            goals[unit] = Space(end.province, variant.kinds[unit.kind].layer)
    return goals


def _checker(position: Position, variant: Variant) -> LegalityChecker:
    return LegalityChecker(position.board, variant.kinds, tuple(d.unit for d in position.dislodged))


def _destination(
    checker: LegalityChecker, position: Position, variant: Variant, power: str, statement: Statement
) -> Location | IllegalOrder | None:
    if not isinstance(statement, UnitOrder):
        return IllegalOrder("wrong-phase")
    unit = checker.find(statement.unit, power)
    if unit is None:
        return IllegalOrder("no-unit-to-retreat", (statement.unit.at.province,))
    if unit.power != power:
        return not_own_unit(checker, position, power, statement.unit)
    return retreat_destination(position, variant, unit, statement)


def retreat_destination(
    position: Position, variant: Variant, unit: Unit, statement: Statement
) -> Location | IllegalOrder | None:
    """The location a retreat order leads to; None for a disband. A coast may be left out if only one is open."""
    if isinstance(statement, Disband):
        return None
    if isinstance(statement, Hold):
        return IllegalOrder("cannot-stay", (unit.at.province,))
    if not isinstance(statement, Retreat | Move):
        return IllegalOrder("wrong-phase")
    free = next((d.retreats for d in position.dislodged if d.unit == unit), ())
    return LegalityChecker.of(position, variant.kinds).retreat(unit, statement.to, free)


def _result(
    dislodged: Dislodged,
    entry: Entry | None,
    end: Location | IllegalOrder | None,
    others: tuple[Unit, ...],
    decrees: Mapping[Unit, Outcome],
) -> OrderResult:
    unit = dislodged.unit
    if entry is None:
        key = "no-retreat-order" if dislodged.retreats else "no-retreat"
        return OrderResult(unit.power, Disband(ref(unit)), Outcome.DESTROYED, Cause(key), unit, given=False)
    outcome, cause = Outcome.SUCCEEDS, None
    if isinstance(end, IllegalOrder):
        outcome, cause = Outcome.ILLEGAL, end.cause()
    elif others:
        outcome, cause = Outcome.BOUNCED, Cause("retreats-meet", others)
    decreed = unit in decrees
    if decreed:
        outcome, cause = decrees[unit], Cause("decreed")
    gone = outcome is not Outcome.SUCCEEDS
    return OrderResult(
        unit.power, entry.statement, outcome, cause, unit, forced=entry.forced, decreed=decreed, gone=gone
    )

"""The movement step: orders -> `Battle` -> the new position and the result of every order."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from gm.judge.board.board import Location, Use
from gm.judge.model.events import Cause, Dislodgement, Event, OrderResult, Outcome
from gm.judge.model.orders import Convoy, Entry, Hold, Statement, UnitOrder
from gm.judge.model.position import Dislodged, Position, Unit, ref
from gm.judge.model.sheets import Budget, Decree, DueOrders, Problem, Submissions, Turn
from gm.judge.model.unit_numbers import arriving, numbered
from gm.judge.model.variant import Variant
from gm.judge.movement.adjudicate import adjudicate
from gm.judge.movement.battle import Battle, Intent, Resolution
from gm.judge.movement.causes import SUCCEEDS, UNOPPOSED
from gm.judge.movement.legality import IllegalOrder, LegalityChecker
from gm.judge.movement.order_rights import CollectedOrders, OrderStep
from gm.judge.movement.order_warnings import check_moves
from gm.judge.movement.secret_support import leave_out_idle_supports
from gm.judge.movement.unnumbered_fleets import numbered_supports

POINTS = "points"
POINTS_ALONE = DueOrders(task=POINTS, optional=True)
"""The task of a power that has points to spend, and no units."""


class MovementAftermath(NamedTuple):
    """`waiting` are the dislodged units that can retreat."""

    resolution: Resolution
    standing: tuple[Unit, ...]
    driven: tuple[Dislodgement, ...]
    waiting: tuple[Dislodged, ...]
    events: tuple[Event, ...] = ()


class MovementStep(OrderStep, frozen=True):
    """A movement phase. Its `rights` also decide what was bought.

    `withdraw_to_shared`: a dislodged unit may retreat to where the attacker came from, if that province is shared.
    """

    letter: str = "M"
    grammar: str = "moves"
    withdraw_to_shared: bool = False

    @property
    def also(self) -> tuple[str, ...]:
        return self.rights.grammars

    def budgets(self, position: Position, variant: Variant, power: str) -> tuple[Budget, ...]:
        return self.rights.budgets(position, variant, power)

    def due(self, position: Position, variant: Variant) -> Mapping[str, DueOrders]:
        due: dict[str, DueOrders] = {}
        for power in self.ordered_powers(position, variant):
            if units := position.units_of(power):
                due[power] = DueOrders(units=units)
            elif self._has_points_alone(position, variant, power):
                due[power] = POINTS_ALONE
        return due

    def _has_points_alone(self, position: Position, variant: Variant, power: str) -> bool:
        """Whether a power without units has points to spend: it is in the game while it owns a centre."""
        budget = next(iter(self.budgets(position, variant, power)), None)
        return budget is not None and budget.amount > 0 and bool(position.centres_of(power))

    def missing(self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]) -> DueOrders:
        checker = LegalityChecker.of(position, variant.kinds, variant.rulebook)
        ordered = {checker.find(s.unit, power) for s in sheet if isinstance(s, UnitOrder)}
        if not position.units_of(power) and self._has_points_alone(position, variant, power):
            return DueOrders() if any(isinstance(s, self.rights.statements) for s in sheet) else POINTS_ALONE
        return DueOrders(units=tuple(u for u in position.units_of(power) if u not in ordered))

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        checker = LegalityChecker.of(position, variant.kinds, variant.rulebook)
        orders = tuple(statement for statement in sheet if not isinstance(statement, self.rights.statements))
        return check_moves(checker, power, orders) + self.rights.check(position, variant, power, sheet)

    def prepare_battle(
        self, position: Position, variant: Variant, book: Submissions
    ) -> tuple[Battle, CollectedOrders, dict[Unit, IllegalOrder]]:
        """The battle, the orders that count, and why orders were set aside as impossible."""
        checker = LegalityChecker.of(position, variant.kinds, variant.rulebook)

        def fault(unit: Unit, statement: Statement) -> IllegalOrder | None:
            intent = checker.intent(unit, statement)
            return intent if isinstance(intent, IllegalOrder) else None

        collected = self.rights.collect(position, variant, book, position.units, fault)
        orders = collected.orders
        supports = numbered_supports(checker, orders)
        intents: list[Intent] = []
        faults: dict[Unit, IllegalOrder] = {}
        for unit in position.units:
            entry = orders.get(unit)
            if entry is None:
                intents.append(Intent(unit))
                continue
            order = supports.get(unit, entry.statement) if supports else entry.statement
            intent = order if isinstance(order, IllegalOrder) else checker.intent(unit, order)
            if isinstance(intent, Intent):
                intents.append(intent)
                continue
            is_decreed = Decree(unit, Outcome.SUCCEEDS) in book.decrees
            instead = checker.decreed_move(unit, entry.statement) if is_decreed else None
            if instead is None:
                faults[unit] = intent
            intents.append(instead or Intent(unit, aside=True))
        decrees = tuple((d.unit, d.outcome) for d in book.decrees)
        battle = Battle(
            position.board, variant.kinds, tuple(intents), collected.bought_supports, collected.closed,
            collected.spoiled, collected.barred, decrees, variant.rulebook,
        )  # fmt: skip
        return battle, collected, faults

    def resolve(self, position: Position, variant: Variant, book: Submissions) -> Turn:
        battle, collected, faults = self.prepare_battle(position, variant, book)
        battle, collected = leave_out_idle_supports(battle, collected)
        end = self.resolve_battle(position, battle)
        gone = frozenset(d.unit for d in end.driven if not d.retreats)
        results = order_results(battle, end.resolution, collected, faults, gone)
        ledger = dict(position.ledger)
        for key, amount in collected.postings:
            ledger[key] = ledger.get(key, 0) + amount
            if not ledger[key]:
                del ledger[key]
        after = position.having(
            units=end.standing,
            dislodged=end.waiting,
            ledger=ledger if collected.postings else position.ledger,
            ahead=collected.ahead,
        )
        merge_events = self.rights.merge_events(position, variant, book)
        return Turn(after, (*collected.events, *merge_events, *results, *collected.aside, *end.driven, *end.events))

    def resolve_battle(self, position: Position, battle: Battle) -> MovementAftermath:
        resolution = adjudicate(battle)
        standing = left_standing(battle, resolution)
        driven = dislodgements(battle, resolution, standing, to_shared=self.withdraw_to_shared)
        waiting = tuple(Dislodged(d.unit, d.by, d.retreats) for d in driven if d.retreats)
        return MovementAftermath(resolution, standing, driven, waiting)


def left_standing(battle: Battle, resolution: Resolution) -> tuple[Unit, ...]:
    """The units that were not dislodged, where they are now."""
    shared = battle.board.adjacency.shared
    standing: list[Unit] = []
    for intent, result in zip(battle.intents, resolution.outcomes, strict=True):
        if result.dislodged_by is None:
            unit, to = intent.unit, intent.to
            standing.append(unit if to is None or result.outcome is not SUCCEEDS else arriving(shared, unit, to))
    return numbered(battle.board, standing)


def dislodgements(
    battle: Battle, resolution: Resolution, standing: tuple[Unit, ...], *, to_shared: bool = False
) -> tuple[Dislodgement, ...]:
    """The dislodged units, with where they may retreat and what bars the other neighbouring places."""
    if len(standing) == len(battle.intents):
        return ()
    driven = [
        (i.unit, f.dislodged_by) for i, f in zip(battle.intents, resolution.outcomes, strict=True) if f.dislodged_by
    ]
    adjacency, kinds = battle.board.adjacency, battle.kinds
    by_sea = {i.unit for i, result in zip(battle.intents, resolution.outcomes, strict=True) if result.convoyed}
    occupied = {(u.at.province, kinds[u.kind].layer) for u in standing if u.at.province not in adjacency.shared}

    def bar(unit: Unit, by: Unit, at: Location) -> str:
        space = (at.province, kinds[unit.kind].layer)
        if battle.closed and not _is_open(battle, unit, at):
            return "closed"
        if at.province == by.at.province and by not in by_sea:
            return "" if to_shared and at.province in adjacency.shared else "attacker"
        if space in occupied:
            return "occupied"
        return "contested" if space in resolution.contested else ""

    dislodged: list[Dislodgement] = []
    for unit, by in driven:
        near = (at for at in adjacency.moves[unit.at] if kinds[unit.kind].stands(at.slot))
        reasons = [(at, bar(unit, by, at)) for at in sorted(near, key=lambda at: str(at.place))]
        free = tuple(at for at, why in reasons if not why)
        dislodged.append(Dislodgement(unit, by, free, tuple((at, why) for at, why in reasons if why)))
    return tuple(dislodged)


def order_results(
    battle: Battle,
    resolution: Resolution,
    collected: CollectedOrders,
    faults: Mapping[Unit, IllegalOrder],
    gone: Collection[Unit],
) -> list[OrderResult]:
    """The result of every unit's order. `gone` are dislodged units that cannot retreat."""
    orders, verdicts, bought = collected.orders, collected.verdicts, collected.bought
    results: list[OrderResult] = []
    special = bool(verdicts or bought)
    for intent, result in zip(battle.intents, resolution.outcomes, strict=True):
        unit, aside = intent.unit, intent.aside
        entry = orders.get(unit)
        if result is UNOPPOSED and entry is not None and not (special or aside or entry.forced):
            results.append(OrderResult(unit.power, entry.statement, SUCCEEDS, None, unit))
            continue
        outcome, cause, decreed = result.outcome, result.cause, result.decreed
        if verdicts and not decreed and unit in verdicts:
            outcome, cause = verdicts[unit].outcome, verdicts[unit].cause or cause
        if faults and cause is not None and cause.key == "no-convoy":
            cause = _unfit_convoys(intent, orders, faults) or cause
        if aside and not decreed and unit in faults:
            outcome, cause = Outcome.ILLEGAL, faults[unit].cause()
        order, forced = (entry.statement, entry.forced) if entry is not None else (Hold(ref(unit)), False)
        paid = bought.get(unit, ()) if bought else ()
        results.append(
            OrderResult(
                unit.power, order, outcome, cause, unit, entry is not None, result.dislodged_by, result.dislodged_cause,
                forced, decreed, paid, unit in gone,
            )
        )  # fmt: skip
    return results


def _unfit_convoys(intent: Intent, orders: Mapping[Unit, Entry], faults: Mapping[Unit, IllegalOrder]) -> Cause | None:
    """Names fleets that were ordered to convoy this army where it went, and could not."""
    end = intent.to
    ordered = [(fleet, orders[fleet].statement) for fleet in faults if fleet in orders]
    fleets = [
        fleet
        for fleet, order in ordered
        if isinstance(order, Convoy)
        and end is not None
        and (order.target.at.province, order.to.province) == (intent.unit.at.province, end.province)
    ]
    return Cause("convoy-unfit", tuple(fleets)) if fleets else None


def _is_open(battle: Battle, unit: Unit, at: Location) -> bool:
    """Whether a border that is not closed leads there."""
    leaving = battle.board.leaving(unit.at)
    return any(b.end == at and Use.MOVE in b.uses and b.name not in battle.closed for b in leaving)

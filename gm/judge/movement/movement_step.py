"""The step in which units move: orders -> a contest -> the new position, with what happened to every order."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from gm.judge.board.board import Location, Use
from gm.judge.model.events import Cause, Dislodgement, Event, OrderResult, Outcome
from gm.judge.model.orders import Convoy, Entry, Hold, Statement, UnitOrder, UnitRef
from gm.judge.model.position import Dislodged, Position, Unit
from gm.judge.model.sheets import Budget, Decree, DueOrders, Problem, Submissions, Turn
from gm.judge.model.unit_numbers import arriving, numbered
from gm.judge.movement.battle import Battle, Intent, Resolution
from gm.judge.movement.causes import QUIET
from gm.judge.movement.legality import IllegalOrder, LegalityChecker
from gm.judge.movement.order_rights import OWN_WORD, CollectedOrders, OrderRights, ordered
from gm.judge.movement.order_warnings import check_moves
from gm.judge.movement.rounds import SURFACE, BattleRound, resolve

if TYPE_CHECKING:
    from gm.judge.model.variant import Variant


MOST_REFS = 8192
MOST_RESULTS = 16_384


class MovementAftermath(NamedTuple):
    """`waiting` are those of the `driven` who have a choice yet."""

    resolution: Resolution
    standing: tuple[Unit, ...]
    driven: tuple[Dislodgement, ...]
    waiting: tuple[Dislodged, ...]
    events: tuple[Event, ...] = ()


class MovementStep(Struct, frozen=True):
    """One movement phase. `muster` says whose word counts and what was bought; `rounds` are resolved one by one.

    `withdraw_to_shared`: who is dislodged may retreat to where the attacker came from, if that province is shared.
    """

    season: str
    rights: OrderRights = OWN_WORD
    letter: str = "M"
    grammar: str = "moves"
    rounds: tuple[BattleRound, ...] = (SURFACE,)
    withdraw_to_shared: bool = False

    @property
    def also(self) -> tuple[str, ...]:
        return self.rights.grammars

    def controlled(self, position: Position, variant: Variant, power: str) -> tuple[str, ...]:
        return self.rights.controlled(position, variant, power)

    def budgets(self, position: Position, variant: Variant, power: str) -> tuple[Budget, ...]:
        return self.rights.budgets(position, variant, power)

    def due(self, position: Position, variant: Variant) -> Mapping[str, DueOrders]:
        orders = ((name, position.units_of(name)) for name in ordered(self.rights, position, variant))
        return {power: DueOrders(units=units) for power, units in orders if units}

    def missing(self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]) -> DueOrders:
        checker = LegalityChecker.of(position, variant.kinds, variant.edition)
        ordered = {checker.find(s.unit, power) for s in sheet if isinstance(s, UnitOrder)}
        return DueOrders(units=tuple(u for u in position.units_of(power) if u not in ordered))

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        checker = LegalityChecker.of(position, variant.kinds, variant.edition)
        orders = tuple(one for one in sheet if not isinstance(one, self.rights.statements))
        return check_moves(checker, power, orders) + self.rights.check(position, variant, power, sheet)

    def contest(
        self, position: Position, variant: Variant, book: Submissions
    ) -> tuple[Battle, CollectedOrders, dict[Unit, IllegalOrder]]:
        """What the adjudicator is asked, and which orders were set aside as impossible, and why."""
        checker = LegalityChecker.of(position, variant.kinds, variant.edition)

        def fault(unit: Unit, statement: Statement) -> IllegalOrder | None:
            found = checker.intent(unit, statement)
            return found if isinstance(found, IllegalOrder) else None

        marshalled = self.rights.marshal(position, variant, book, position.units, fault)
        orders = marshalled.orders
        intents: list[Intent] = []
        faults: dict[Unit, IllegalOrder] = {}
        for unit in position.units:
            entry = orders.get(unit)
            found = checker.intent(unit, entry.statement) if entry else Intent(unit)
            if isinstance(found, Intent):
                intents.append(found)
                continue
            decreed = entry is not None and Decree(unit, Outcome.SUCCEEDS) in book.decrees
            instead = checker.by_decree(unit, entry.statement) if decreed and entry else None
            if instead is None:
                faults[unit] = found
            intents.append(instead or Intent(unit, aside=True))
        decrees = tuple((d.unit, d.outcome) for d in book.decrees)
        contest = Battle(
            position.board, variant.kinds, tuple(intents), marshalled.backings, marshalled.closed, marshalled.spoiled,
            marshalled.barred, decrees, variant.edition,
        )  # fmt: skip
        return contest, marshalled, faults

    def resolve(self, position: Position, variant: Variant, book: Submissions) -> Turn:
        contest, marshalled, faults = self.contest(position, variant, book)
        end = self.fight(position, contest)
        gone = frozenset(d.unit for d in end.driven if not d.retreats)
        results = told(contest, end.resolution, marshalled, faults, gone)
        ledger = dict(position.ledger)
        for key, amount in marshalled.postings:
            ledger[key] = ledger.get(key, 0) + amount
            if not ledger[key]:
                del ledger[key]
        after = position.having(
            units=end.standing,
            dislodged=end.waiting,
            ledger=ledger if marshalled.postings else position.ledger,
            ahead=marshalled.ahead,
        )
        answers = self.rights.answers(position, variant, book)
        return Turn(after, (*marshalled.events, *answers, *results, *marshalled.aside, *end.driven, *end.events))

    def fight(self, position: Position, contest: Battle) -> MovementAftermath:
        resolution = resolve(contest, self.rounds)
        standing = left_standing(contest, resolution)
        driven = dislodgements(contest, resolution, standing, to_shared=self.withdraw_to_shared)
        waiting = tuple(Dislodged(d.unit, d.by, d.retreats) for d in driven if d.retreats)
        return MovementAftermath(resolution, standing, driven, waiting)


def left_standing(contest: Battle, resolution: Resolution) -> tuple[Unit, ...]:
    """Everyone who was not driven out, where he is now."""
    succeeds, shared = Outcome.SUCCEEDS, contest.board.adjacency.shared
    standing: list[Unit] = []
    for intent, fate in zip(contest.intents, resolution.fates, strict=True):
        if fate.dislodged_by is None:
            unit, to = intent.unit, intent.to
            standing.append(unit if to is None or fate.outcome is not succeeds else arriving(shared, unit, to))
    return numbered(contest.board, standing)


def dislodgements(
    contest: Battle, resolution: Resolution, standing: tuple[Unit, ...], *, to_shared: bool = False
) -> tuple[Dislodgement, ...]:
    """Everyone driven out, with where they may go and what keeps them from the other neighbouring places."""
    driven = [
        (i.unit, f.dislodged_by) for i, f in zip(contest.intents, resolution.fates, strict=True) if f.dislodged_by
    ]
    if not driven:
        return ()
    board, kinds = contest.board.adjacency, contest.kinds
    by_sea = {i.unit for i, fate in zip(contest.intents, resolution.fates, strict=True) if fate.convoyed}
    occupied = {(u.at.province, kinds[u.kind].layer) for u in standing if u.at.province not in board.shared}

    def bar(unit: Unit, by: Unit, at: Location) -> str:
        space = (at.province, kinds[unit.kind].layer)
        if contest.closed and not _open(contest, unit, at):
            return "closed"
        if at.province == by.at.province and by not in by_sea:
            return "" if to_shared and at.province in board.shared else "attacker"
        if space in occupied:
            return "occupied"
        return "contested" if space in resolution.contested else ""

    found: list[Dislodgement] = []
    for unit, by in driven:
        near = sorted((at for at in board.moves[unit.at] if kinds[unit.kind].stands(at.slot)), key=_written)
        reasons = [(at, bar(unit, by, at)) for at in near]
        free = tuple(at for at, why in reasons if not why)
        found.append(Dislodgement(unit, by, free, tuple((at, why) for at, why in reasons if why)))
    return tuple(found)


def told(
    contest: Battle,
    resolution: Resolution,
    marshalled: CollectedOrders,
    faults: Mapping[Unit, IllegalOrder],
    gone: Collection[Unit],
) -> list[OrderResult]:
    """What became of every unit's order. `gone` are units driven out that had nowhere to go."""
    orders, verdicts, bought = marshalled.orders, marshalled.verdicts, marshalled.bought
    results: list[OrderResult] = []
    special = bool(verdicts or bought)
    for intent, fate in zip(contest.intents, resolution.fates, strict=True):
        unit, aside = intent.unit, intent.aside
        entry = orders.get(unit)
        if fate is QUIET and entry is not None and not (special or aside or entry.forced):
            results.append(_obeyed(unit, entry.statement))
            continue
        outcome, cause, decreed = fate.outcome, fate.cause, fate.decreed
        if verdicts and not decreed and unit in verdicts:
            outcome, cause = verdicts[unit].outcome, verdicts[unit].cause or cause
        if faults and cause is not None and cause.key == "no-convoy":
            cause = _uncarried(intent, orders, faults) or cause
        if aside and not decreed and unit in faults:
            outcome, cause = Outcome.ILLEGAL, faults[unit].cause()
        order, forced = (entry.statement, entry.forced) if entry is not None else (Hold(ref(unit)), False)
        paid = bought.get(unit, ()) if bought else ()
        results.append(
            OrderResult(
                unit.power, order, outcome, cause, unit, entry is not None, fate.dislodged_by, fate.dislodged_cause,
                forced, decreed, None, paid, unit in gone,
            )
        )  # fmt: skip
    return results


def _uncarried(intent: Intent, orders: Mapping[Unit, Entry], faults: Mapping[Unit, IllegalOrder]) -> Cause | None:
    """Fleets that were ordered to convoy this army where it went, and could not."""
    end = intent.to
    said = [(fleet, orders[fleet].statement) for fleet in faults if fleet in orders]
    fleets = [
        fleet
        for fleet, order in said
        if isinstance(order, Convoy)
        and end is not None
        and (order.target.at.province, order.to.province) == (intent.unit.at.province, end.province)
    ]
    return Cause("convoy-unfit", tuple(fleets)) if fleets else None


@lru_cache(maxsize=MOST_RESULTS)
def _obeyed(unit: Unit, order: Statement) -> OrderResult:
    """An order with which nothing interfered; the same value again and again, as `ref` is."""
    return OrderResult(unit.power, order, Outcome.SUCCEEDS, unit=unit)


def _written(at: Location) -> str:
    return str(at.place)


def _open(contest: Battle, unit: Unit, at: Location) -> bool:
    """Whether some border that is not closed leads there."""
    leaving = contest.board.leaving(unit.at)
    return any(b.end == at and Use.MOVE in b.uses and b.name not in contest.closed for b in leaving)


@lru_cache(maxsize=MOST_REFS)
def ref(unit: Unit) -> UnitRef:
    """A unit as an order names it; the same value again and again, so that orders are quickly compared."""
    return UnitRef(unit.kind, unit.at.place, unit.number)

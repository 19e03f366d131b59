"""Diplomacy Points: secret points of great powers for orders of minor powers' units (Locarno).

Per minor power, points for the same order add up; the order with most points is the unit's order, and in a tie the unit
holds. Nobody learns who paid: the published order has the same form whether it was bought or not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.board.board import Place
from gm.judge.mechanics.minor_powers import minor_named, recognised, unit_of_minor
from gm.judge.model.events import Allocated, Event, PointsOutcome
from gm.judge.model.orders import Allocate, Entry, Hold, NoPoints, Statement, Support, UnitRef
from gm.judge.model.position import Position, Unit
from gm.judge.model.sheets import Budget, Problem, ProblemEffect, Submissions
from gm.judge.model.variant import Variant
from gm.judge.movement.legality import IllegalOrder, LegalityChecker
from gm.judge.movement.order_rights import CollectedOrders, LegalityTest, OrderRights

UNREAL = frozenset({"points-not-minor", "points-not-its-unit", "points-hold-or-support"})
"""Problems for which a line is refused at once, and never counted."""
FORFEIT = "forfeit"
REJECT = "reject"


class PointsProblem(NamedTuple):
    """Why a line is void or refused: a problem's key, and the arguments of its sentence."""

    key: str
    places: tuple[str, ...] = ()


class CountedPoints(NamedTuple):
    """A line that counts, and the key of the problem that makes it void ("" for none)."""

    power: str
    line: Allocate
    fault: str


class DiplomacyPoints(OrderRights, Struct, frozen=True):
    """One point per centre, at most `most`; none is kept. `per_order`: the most points on one order (0: any number).

    `over` says what happens to a power that spends too many: `forfeit`, all its lines are void at the deadline;
    `reject`, the lines in excess are refused.
    """

    purse: str
    most: int
    per_order: int = 0
    over: str = FORFEIT
    grammars: tuple[str, ...] = ("diplomacy_points",)
    statements: tuple[type[Statement], ...] = (Allocate, NoPoints)

    def budgets(self, position: Position, variant: Variant, power: str) -> tuple[Budget, ...]:
        amount = self.entitlement(position, power)
        return (Budget(self.purse, amount, min(self.most, self.per_order or self.most)),)

    def entitlement(self, position: Position, power: str) -> int:
        """The points of a power this turn. They change only at a census."""
        return 0 if position.collapsed(power) else min(self.most, len(position.centres_of(power)))

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        checker = LegalityChecker.of(position, variant.kinds, variant.rulebook)
        amount, total = self.entitlement(position, power), 0
        problems: list[Problem] = []
        counted: list[Statement] = []
        for line in sheet:
            if not isinstance(line, Allocate):
                continue
            problem = self._problem(position, variant, checker, line)
            if problem is not None:
                problems.append(problem)
            if problem is not None and problem.effect is ProblemEffect.REFUSE_LINE:
                continue
            total += line.points
            counted.append(line)
            if total > amount and self.over == REJECT:
                sums = (str(total), str(amount), self.purse)
                problems.append(Problem("points-rejected", ProblemEffect.REFUSE_LINE, line, sums))
                total -= line.points
        if total > amount:
            sums = (str(total), str(amount), self.purse)
            problems.append(Problem("points-over", ProblemEffect.WARN, None, sums, together=tuple(counted)))
        return tuple(problems)

    def _problem(
        self, position: Position, variant: Variant, checker: LegalityChecker, line: Allocate
    ) -> Problem | None:
        if not 1 <= line.points <= (self.per_order or line.points):
            return Problem(
                "points-number", ProblemEffect.REFUSE_LINE, line, (self.purse, str(self.per_order or self.most))
            )

        flaw = _flaw(position, variant, line, lambda unit, order: _hindrance(checker, unit, order))
        if flaw is None:
            return None
        effect = ProblemEffect.REFUSE_LINE if flaw.key in UNREAL else ProblemEffect.VOID_LINE
        return Problem(flaw.key, effect, line, (line.minor, *flaw.places))

    def collect(
        self, position: Position, variant: Variant, book: Submissions, units: tuple[Unit, ...], fault: LegalityTest
    ) -> CollectedOrders:
        own = OrderRights.collect(self, position, variant, book, units, fault)
        bids = tuple(bid for power in variant.powers for bid in self._bids(position, variant, book, power.name, fault))
        orders = dict(own.orders)
        events: list[Event] = []
        for minor in variant.minors:
            mine = [bid for bid in bids if bid.line.minor == minor.name]
            unit = next((u for u in units if u.power == minor.name), None)
            leading = leading_orders(mine)
            chosen = winner(mine)
            order = published(position, variant, unit, chosen.order if chosen else None) if unit else None
            for bid in mine:
                same = unit is not None and published(position, variant, unit, bid.line.order) == order
                events += (self._allocated(bid, leading), _outcome(bid, same))
            if unit is not None and order is not None:
                orders[unit] = Entry(order)
        return replace(own, orders=orders, events=(*own.events, *events))

    def _bids(
        self, position: Position, variant: Variant, book: Submissions, power: str, fault: LegalityTest
    ) -> Iterator[CountedPoints]:
        """Every line but the refused ones, which counts as spent, with the problem that makes it void."""
        lines = [entry.statement for entry in book.entries(power) if isinstance(entry.statement, Allocate)]
        faults = [(line, _flaw(position, variant, line, fault)) for line in lines if line.points > 0]
        real = [(line, flaw.key if flaw else "") for line, flaw in faults if not flaw or flaw.key not in UNREAL]
        over = sum(line.points for line, _ in real) > self.entitlement(position, power)
        for line, key in real:
            capped = self.per_order and line.points > self.per_order
            yield CountedPoints(power, line, "points-over" if over else key or ("points-number" if capped else ""))

    def _allocated(self, bid: CountedPoints, leading: Sequence[Allocate]) -> Allocated:
        leads = not bid.fault and any(bid.line.aim == line.aim for line in leading)
        followed = leads and len(leading) == 1
        why = bid.fault or ("" if followed else "tied" if leads else "outbid")
        return Allocated(bid.power, self.purse, bid.line.points, bid.line.minor, bid.line.order, followed, why)


def _outcome(bid: CountedPoints, same: bool) -> PointsOutcome:
    """What the payer reads. `same`: the published order is that of the line."""
    reader, line = frozenset({bid.power}), bid.line
    return PointsOutcome(bid.power, line.points, line.order, same and not bid.fault, bid.fault, audience=reader)


def winner(bids: list[CountedPoints]) -> Allocate | None:
    """The order with most points; None in a tie. Void lines do not count."""
    leading = leading_orders(bids)
    return leading[0] if len(leading) == 1 else None


def leading_orders(bids: list[CountedPoints]) -> list[Allocate]:
    """The orders with most points: several in a tie. Void lines do not count."""
    totals: dict[tuple[str, ...], int] = {}
    lines: dict[tuple[str, ...], Allocate] = {}
    for bid in bids:
        if not bid.fault:
            totals[bid.line.aim] = totals.get(bid.line.aim, 0) + bid.line.points
            lines.setdefault(bid.line.aim, bid.line)
    best = max(totals.values(), default=0)
    return [lines[aim] for aim, total in totals.items() if total == best]


def published(position: Position, variant: Variant, unit: Unit, order: Statement | None) -> Statement:
    """The order in its published form, which does not depend on how it was written. None: no order won."""
    named = UnitRef(unit.kind, unit.at.place)
    if not isinstance(order, Support):
        return Hold(named)
    helped = LegalityChecker.of(position, variant.kinds, variant.rulebook).find(order.target)
    target = UnitRef(helped.kind, helped.at.place) if helped else order.target
    return Support(named, target, Place(order.to.province) if order.to else None)


def _hindrance(checker: LegalityChecker, unit: Unit, order: Statement) -> IllegalOrder | None:
    intent = checker.intent(unit, order)
    return intent if isinstance(intent, IllegalOrder) else None


def _flaw(position: Position, variant: Variant, line: Allocate, fault: LegalityTest) -> PointsProblem | None:
    """What is wrong with a line, whoever wrote it and however many points they have."""
    minor = minor_named(variant, line.minor)
    if minor is None or not recognised(position, minor):
        return PointsProblem("points-not-minor")
    if not isinstance(line.order, Hold | Support):
        return PointsProblem("points-hold-or-support")
    if line.order.unit.at.province != minor.home:
        return PointsProblem("points-not-its-unit", (line.order.unit.at.province,))
    unit = unit_of_minor(position, minor.name)
    if unit is None:
        return PointsProblem("points-no-unit")
    hindrance = fault(unit, line.order)
    return PointsProblem(hindrance.key, hindrance.places) if hindrance else None

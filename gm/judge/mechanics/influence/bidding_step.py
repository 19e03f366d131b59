"""The step in which great powers bid for minor powers, and the decay of influence before it.

A sheet holds the lines of one bid. An invalid line is refused alone; a bid of too many points is refused whole, and the
earlier bid stays. Whether a bid is refused depends only on what its writer knows, so that it reveals nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.mechanics.influence.bid_orders import Bid, Bidding, BoxFilled, BoxNumbers, ControlWon, NoBids
from gm.judge.mechanics.influence.influence_points import (
    BACKS,
    BANK,
    INFLUENCE,
    IP,
    SHARE,
    Influence,
    belligerent,
    boxes,
    controllers,
    stacks,
    supports,
    tallies,
    winners,
    with_controllers,
)
from gm.judge.model.events import NOBODY, Cause, Event, OrderResult, Outcome
from gm.judge.model.influence_boxes import BIDS, InfluenceStack
from gm.judge.model.orders import Entry, Statement
from gm.judge.model.position import LedgerKey, Position
from gm.judge.model.sheets import Budget, DueOrders, Problem, ProblemEffect, Submissions, Turn
from gm.judge.model.variant import AutomaticStep, Step, Variant

TASK = "bids"
EXAMPLES = 2


class InfluenceDecay(AutomaticStep, frozen=True):
    """The start of a year: stacks are halved."""

    season: str = "Spring"
    influence: Influence = INFLUENCE

    def resolve(self, position: Position, variant: Variant, book: Submissions) -> Turn:
        return Turn(self.influence.start_year(position, variant))


class BiddingStep(Step, Struct, frozen=True):
    season: str
    influence: Influence = INFLUENCE
    letter: str = BIDS
    grammar: str = "influence"

    def budgets(self, position: Position, variant: Variant, power: str) -> tuple[Budget, ...]:
        amount = self.influence.collected(position, power)
        cap = self.influence.most(position, power)
        return (Budget(IP, amount, amount if cap is None else min(amount, cap)),)

    def due(self, position: Position, variant: Variant) -> Mapping[str, DueOrders]:
        if not boxes(position, variant):
            return {}
        living = (power.name for power in variant.powers if position.survives(power.name))
        return {name: DueOrders(task=TASK) for name in living}

    def missing(self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]) -> DueOrders:
        return DueOrders() if any(isinstance(line, Bidding) for line in sheet) else DueOrders(task=TASK)

    def examples(self, position: Position, variant: Variant, power: str) -> tuple[Statement, ...]:
        """Example lines: a bid in two lines that spends all points, one in support, and NONE."""
        allowed = [m.name for m in boxes(position, variant) if not belligerent(position.ledger, power, m.name)]
        purse = self.budgets(position, variant, power)[0]
        first = min(purse.most, (purse.amount * 2 + 2) // 3)
        amounts = [amount for amount in (first, min(purse.most, purse.amount - first)) if amount > 0]
        examples: list[Statement] = [Bid(minor, n) for minor, n in zip(allowed, amounts, strict=False)]
        other = next((p.name for p in variant.powers if p.name != power and position.survives(p.name)), "")
        if allowed[EXAMPLES:] and other and purse.amount:
            examples.append(Bid(allowed[EXAMPLES], 1, other))
        return (*examples, NoBids())

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        problems: list[Problem] = []
        total = 0
        bids = [line for line in sheet if isinstance(line, Bid)]
        for line in sheet:
            if not isinstance(line, Bidding):
                problems.append(Problem("wrong-phase", ProblemEffect.REFUSE_LINE, line))
        for at, line in enumerate(bids):
            wrong = self._invalid(position, variant, power, line, bids[:at])
            if wrong is None:
                total += line.points
            else:
                problems.append(Problem(wrong.key, ProblemEffect.REFUSE_LINE, line, wrong.places))
        amount = self.influence.collected(position, power)
        for line in bids:
            if fault := self._lacking(position, power, line, bids):
                problems.append(Problem(fault.key, ProblemEffect.REFUSE_LINE, line, fault.places))
            elif both := _added(line, bids):
                problems.append(Problem("bids-added", ProblemEffect.WARN, line, both))
        if total > amount:
            problems.append(Problem("bids-over", ProblemEffect.REFUSE_SHEET, None, (str(total), str(amount))))
        return tuple(problems)

    def _invalid(self, position: Position, variant: Variant, power: str, line: Bid, before: list[Bid]) -> Cause | None:
        """Why a line is invalid, as far as its writer may know."""
        if line.minor not in {minor.name for minor in boxes(position, variant)}:
            return Cause("bids-not-minor", places=(line.minor,))
        year = belligerent(position.ledger, power, line.minor)
        if year:
            return Cause("bids-belligerent", places=(power, line.minor, str(year)))
        most = self.influence.most(position, power)
        put = line.points + sum(bid.points for bid in before if bid.minor == line.minor)
        if most is not None and put > most:
            return Cause("bids-cap", places=(power, str(most), str(position.year)))
        if line.backs and line.backs == power:
            return Cause("bids-own-support", places=(line.minor,))
        if line.backs and line.backs not in {seated.name for seated in variant.powers}:
            return Cause("bids-support-whom", places=(line.backs, line.minor))
        other = next((bid for bid in before if bid.minor == line.minor and bool(bid.backs) != bool(line.backs)), None)
        if other is not None and not (line.part or other.part):
            return Cause("bids-choose", places=(other.backs or line.backs, line.minor))
        return None

    def _lacking(self, position: Position, power: str, line: Bid, bids: list[Bid]) -> Cause | None:
        """Why a part of a stack is no support: it is more than the writer has in that box, with these bids."""
        there = position.ledger.get(LedgerKey(IP, power, line.minor), 0)
        there += sum(bid.points for bid in bids if bid.minor == line.minor)
        return Cause("bids-share", places=(line.minor, str(there), str(line.part))) if line.part > there else None

    def resolve(self, position: Position, variant: Variant, book: Submissions) -> Turn:
        results: list[OrderResult] = []
        ledger = {key: n for key, n in position.ledger.items() if key.purse not in (BACKS, SHARE, BANK)}
        for power in variant.powers:
            valid, rows = self._valid_bids(position, variant, power.name, book.entries(power.name))
            results += rows
            for line in valid:
                key = LedgerKey(IP, power.name, line.minor)
                ledger[key] = ledger.get(key, 0) + line.points
                if line.backs:
                    subject = f"{line.minor}/{line.backs}"
                    ledger[LedgerKey(BACKS, power.name, subject)] = 1
                    ledger[LedgerKey(SHARE, power.name, subject)] = line.part
            left = self.influence.collected(position, power.name) - sum(line.points for line in valid)
            if self.influence.bank and left > 0:
                ledger[LedgerKey(BANK, power.name)] = left
        ledger = {key: amount for key, amount in ledger.items() if amount}
        results = [self._check_support(result, ledger) for result in results]
        events: list[Event] = []
        for minor in boxes(position, variant):
            last = controllers(position.ledger, minor.name)
            keeps = last[0] if len(last) == 1 and position.survives(last[0]) else None
            rulers = winners(tallies(stacks(ledger, minor.name)), keeps)
            ledger = with_controllers(ledger, minor.name, rulers)
            events += self._box_events(ledger, minor.name, rulers)
        return Turn(replace(position, ledger=dict(sorted(ledger.items()))), (*results, *events))

    def _valid_bids(
        self, position: Position, variant: Variant, power: str, entries: tuple[Entry, ...]
    ) -> tuple[list[Bid], list[OrderResult]]:
        """The lines that count, and the result of every line; none count if they exceed the points available."""
        valid: list[Bid] = []
        results: list[OrderResult] = []
        slots = {entry.statement.slot: at for at, entry in enumerate(entries)}
        bids = [entry.statement for entry in entries if isinstance(entry.statement, Bid)]
        for at, entry in enumerate(entries):
            line = entry.statement
            outcome, cause = Outcome.SUCCEEDS, None
            if not isinstance(line, Bidding):
                outcome, cause = Outcome.ILLEGAL, Cause("wrong-phase")
            elif slots[line.slot] != at:
                outcome = Outcome.SUPERSEDED
            elif isinstance(line, Bid):
                cause = self._invalid(position, variant, power, line, valid)
                cause = cause or self._lacking(position, power, line, [bid for bid in bids if bid.minor == line.minor])
                outcome = Outcome.ILLEGAL if cause else outcome
                valid += [] if cause else [line]
            results.append(self._result(power, entry, outcome, cause))
        total, amount = sum(line.points for line in valid), self.influence.collected(position, power)
        if total <= amount:
            return valid, results
        over = Cause("bids-over", places=(str(total), str(amount)))
        fallen = [
            replace(result, outcome=Outcome.ILLEGAL, cause=over) if result.outcome is Outcome.SUCCEEDS else result
            for result in results
        ]
        return [], fallen

    def _result(self, power: str, entry: Entry, outcome: Outcome, cause: Cause | None) -> OrderResult:
        audience = frozenset({power}) if self.influence.hidden else None
        return OrderResult(power, entry.statement, outcome, cause, forced=entry.forced, audience=audience)

    def _check_support(self, result: OrderResult, ledger: Mapping[LedgerKey, int]) -> OrderResult:
        """A support for a power without points there is void; with hidden control its author is not informed."""
        line = result.order
        if not isinstance(line, Bid) or not line.backs or result.outcome is not Outcome.SUCCEEDS:
            return result
        box = {stack.power: stack for stack in stacks(ledger, line.minor)}
        if self.influence.hidden or (result.power in box and supports(box[result.power], box)):
            return result
        return replace(result, outcome=Outcome.VOID, cause=Cause("bids-unsupported", places=(line.backs, line.minor)))

    def _box_events(self, ledger: Mapping[LedgerKey, int], minor: str, rulers: tuple[str, ...]) -> Iterator[Event]:
        hidden = self.influence.hidden
        box = stacks(ledger, minor)
        by_power = {stack.power: stack for stack in box}
        rows = tuple(row for stack in box for row in _rows(stack, supported=supports(stack, by_power)))
        yield BoxFilled(minor, rows, rulers, audience=NOBODY if hidden else None)
        if not hidden:
            return
        if self.influence.numbers_after:
            yield BoxNumbers(minor, tuple((tally.own, tally.support) for tally in tallies(box)))
        for power in rulers:
            others = tuple(ruler for ruler in rulers if ruler != power) if self.influence.members_known else ()
            yield ControlWon(power, minor, len(rulers), others, audience=frozenset({power}))


def _rows(stack: InfluenceStack, *, supported: bool) -> Iterator[tuple[str, int, str]]:
    """A stack as (power, points, the power they count for): a part of it that supports stands apart."""
    if supported and stack.share and stack.share < stack.amount:
        yield stack.power, stack.amount - stack.share, ""
        yield stack.power, stack.share, stack.backs
    else:
        yield stack.power, stack.amount, stack.backs if supported else ""


def _added(line: Bid, bids: list[Bid]) -> tuple[str, ...]:
    """Where a support with a part brings points of its own beside another bid for that minor power: the minor power,
    the points of all its lines, and the part. () elsewhere.
    """
    total = sum(bid.points for bid in bids if bid.minor == line.minor)
    if not line.part or not line.points or total == line.points:
        return ()
    return line.minor, str(total), str(line.part)

"""Dips: diplomacy points, given each turn and spent or lost (Fin de Siècle). They buy supports and intercepts.

Lines about dips are checked in order: an impossible line, or one for which too few dips are left, is refused, and the
next are checked without it. A power's messages of the turn are paid first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.board.board import Place
from gm.judge.mechanics.dips.dip_orders import DipOrder, DipSupport, InterceptMail, NoDips, Protect
from gm.judge.mechanics.dips.interception import PLAIN, Interception, intercepted
from gm.judge.mechanics.dips.usage_windows import UsageWindow, turn_named, turn_of
from gm.judge.model.events import Cause, DipsCounted, Event, OrderResult, Outcome, WindowCounted
from gm.judge.model.orders import Entry, Move, Statement
from gm.judge.model.position import LedgerKey, Position, Unit
from gm.judge.model.press import Message
from gm.judge.model.sheets import Budget, Problem, ProblemEffect, Submissions
from gm.judge.model.variant import Variant
from gm.judge.movement.battle import BoughtSupport
from gm.judge.movement.legality import IllegalOrder, LegalityChecker
from gm.judge.movement.order_rights import CollectedOrders, LegalityTest, OrderRights
from gm.judge.movement.order_warnings import own_orders
from gm.judge.movement.unnumbered_fleets import Orders, goes_to, numbered_target, unclear_target

PURSE = "dips"
HOLDS = "dip-holds"
MOVES = "dip-moves"
FIVE_HOLDS = UsageWindow(HOLDS, most=5)
TWO_MOVES = UsageWindow(MOVES, most=2)


class DipRights(OrderRights, Struct, frozen=True):
    """`major` dips a turn for major powers, `minor` for others. `hold` and `move` are the least prices of supports;
    `holds` and `moves` limit how often a power may buy them. `show_payer`: results name who paid for a support.
    """

    major: int = 6
    minor: int = 4
    hold: int = 3
    move: int = 3
    holds: UsageWindow = FIVE_HOLDS
    moves: UsageWindow = TWO_MOVES
    show_payer: bool = False
    ears: Interception = PLAIN
    grammars: tuple[str, ...] = ("dips",)
    statements: tuple[type[Statement], ...] = (DipSupport, InterceptMail, Protect, NoDips, Message)

    def budgets(self, position: Position, variant: Variant, power: str) -> tuple[Budget, ...]:
        """The dips, and for major powers how many more supports of each kind they may buy this turn."""
        amount = self.income(position, variant, power)
        left = (
            Budget(window.purse, max(0, window.most - window.used(position, variant, power)), window.most)
            for window in (self.holds, self.moves)
        )
        return (Budget(PURSE, amount, amount), *(left if is_major(variant, power) else ()))

    def income(self, position: Position, variant: Variant, power: str) -> int:
        if position.collapsed(power):
            return 0
        return self.major if is_major(variant, power) else self.minor

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        account = _DipAccount(self, position, variant, power, {})
        orders = own_orders(account.checker, power, sheet)
        problems: list[Problem] = []
        for line in sheet:
            fault = account.take(line)
            if fault is not None:
                problems.append(Problem(fault.key, ProblemEffect.REFUSE_LINE, line, fault.places, fault.reach))
            elif isinstance(line, InterceptMail) and line.other in position.companions(line.one):
                problems.append(Problem("dips-one-human", ProblemEffect.SEAL, line, (line.one, line.other)))
            elif isinstance(line, DipSupport):
                problems += account.warnings(line, orders)
        return tuple(problems)

    def collect(
        self, position: Position, variant: Variant, book: Submissions, units: tuple[Unit, ...], fault: LegalityTest
    ) -> CollectedOrders:
        own = OrderRights.collect(self, position, variant, book, units, fault)
        orders = {unit: entry.statement for unit, entry in own.orders.items()}
        accounts = [self._account(position, variant, book, power.name, orders) for power in variant.powers]
        deals = tuple(_permitted_first(position, [deal for account in accounts for deal in account.deals]))
        used = {id(deal) for deal in counted(deals, own.orders, fault)}
        bought = {d.unit: (d.power if self.show_payer else "",) for d in deals if id(d) in used}
        postings = [posting for account in accounts for posting in account.postings()]
        results = tuple(result for account in accounts for result in account.results(used, own.orders, fault))
        pledged = {account.power: tuple(account.taken) for account in accounts}
        events: list[Event] = [*intercepted(position, variant, book.journal, pledged, self.ears)]
        events += (event for account in accounts for event in account.counts())
        return replace(
            own,
            aside=(*own.aside, *results),
            bought_supports=tuple(
                BoughtSupport(d.power, d.unit, d.line.to, single=True, secret=not self.show_payer) for d in deals
            ),
            postings=(*own.postings, *postings),
            events=(*own.events, *events),
            bought=bought,
        )

    def _account(
        self, position: Position, variant: Variant, book: Submissions, power: str, orders: Orders
    ) -> _DipAccount:
        account = _DipAccount(self, position, variant, power, orders)
        for message in book.journal:
            if isinstance(message, Message) and message.sender == power:
                account.take(message)
        for entry in book.entries(power):
            if isinstance(entry.statement, self.statements):
                account.enter(entry)
        return account


class AcceptedSupport(Struct, frozen=True):
    """An accepted line: the power that pays, and the supported unit."""

    power: str
    line: DipSupport
    unit: Unit


class _CheckedLine(Struct, frozen=True):
    """A line, what is wrong with it, and the support it bought. `gone`: it was withdrawn."""

    entry: Entry
    fault: IllegalOrder | None = None
    deal: AcceptedSupport | None = None
    gone: bool = False


class _DipAccount:
    """A power's dips of a turn, processed line by line. Only sent messages can make `left` negative.

    `orders` are those of all units at the deadline; none before it.
    """

    __slots__ = ("checker", "deals", "dips", "left", "lines", "orders", "position", "power", "taken", "variant")

    def __init__(self, dips: DipRights, position: Position, variant: Variant, power: str, orders: Orders) -> None:
        self.dips = dips
        self.position = position
        self.variant = variant
        self.power = power
        self.orders = orders
        self.left = dips.income(position, variant, power)
        self.taken: list[DipOrder] = []
        self.deals: list[AcceptedSupport] = []
        self.lines: list[_CheckedLine] = []
        self.checker = LegalityChecker.of(position, variant.kinds, variant.rulebook)

    def enter(self, entry: Entry) -> None:
        deals = len(self.deals)
        fault = self.take(entry.statement)
        if isinstance(entry.statement, NoDips):
            self.lines = [replace(line, gone=line.fault is None) for line in self.lines]
            deals = 0
        self.lines.append(_CheckedLine(entry, fault, self.deals[-1] if len(self.deals) > deals else None))

    def take(self, line: Statement) -> IllegalOrder | None:
        """Pays for a line; returns why it is impossible, or None. Lines that are not about dips are ignored."""
        if isinstance(line, Message):
            self.left -= line.cost
            return None
        if isinstance(line, NoDips):
            self.left += sum(line.cost for line in self.taken)
            self.taken, self.deals = [], []
            return None
        if not isinstance(line, DipOrder):
            return None
        fault = self._fault(line)
        if fault is not None:
            return fault
        self.left -= line.cost
        self.taken.append(line)
        if isinstance(line, DipSupport):
            unit = self._supported(line)
            assert isinstance(unit, Unit)
            self.deals.append(AcceptedSupport(self.power, line, unit))
        return None

    def _supported(self, line: DipSupport) -> Unit | IllegalOrder | None:
        target = numbered_target(self.checker, self.power, line, self.orders)
        return target if isinstance(target, IllegalOrder) else self.checker.find(target, self.power)

    def warnings(self, line: DipSupport, orders: Orders) -> Iterator[Problem]:
        """What is odd about an accepted support, with the writer's own `orders` on the same sheet."""
        unclear = unclear_target(self.checker, self.power, line, orders)
        if unclear is not None:
            yield unclear
            return
        unit = self._meant(line, orders)
        same = [deal.line for deal in self.deals[:-1] if self._meant(deal.line, orders) == unit]
        if same:
            yield Problem("dips-twice", ProblemEffect.WARN, line, (line.target.at.province,))
        if unit is not None and unit in orders and not _is_act(orders[unit], line.to):
            yield Problem("dips-differs", ProblemEffect.WARN, line, (line.target.at.province,))

    def _meant(self, line: DipSupport, orders: Orders) -> Unit | None:
        target = numbered_target(self.checker, self.power, line, orders)
        return self.checker.find(line.target if isinstance(target, IllegalOrder) else target, self.power)

    def _fault(self, line: DipOrder) -> IllegalOrder | None:
        match line:
            case DipSupport():
                fault = self._no_support(line)
            case InterceptMail() if line.one == line.other:
                fault = IllegalOrder("dips-two-countries")
            case InterceptMail() if self.power in (line.one, line.other):
                fault = IllegalOrder("dips-own-messages")
            case Protect(against=self.power):
                fault = IllegalOrder("dips-against-oneself")
            case _:
                fault = None
        if fault is None and line.cost > self.left:
            key = next(key for cls, key in COSTS.items() if isinstance(line, cls))
            return IllegalOrder(key, (str(max(0, self.left)), str(line.cost)))
        return fault

    def _no_support(self, line: DipSupport) -> IllegalOrder | None:
        dips = self.dips
        least = dips.hold if line.to is None else dips.move
        if not is_major(self.variant, self.power):
            return IllegalOrder("dips-major-only")
        if line.dips < least:
            return IllegalOrder("dips-price", (str(least),))
        unit = self._supported(line)
        if isinstance(unit, IllegalOrder):
            return unit
        if unit is None or unit.power != (line.target.power or self.power):
            owner = unit.power if unit else ""
            return IllegalOrder("dips-whose" if owner else "dips-no-unit", (line.target.at.province, owner))
        if unit.power in self.position.companions(self.power):
            return IllegalOrder("dips-companion")
        return self._impossible(line, unit) or self._used_up(line)

    def _impossible(self, line: DipSupport, unit: Unit) -> IllegalOrder | None:
        province = line.to.province if line.to else unit.at.province
        if province in self.checker.adjacency.shared:
            return IllegalOrder("support-ocean", (province,))
        if line.to is not None:
            end = self.checker.destination(unit, line.to)
            if isinstance(end, IllegalOrder) and end.key not in ("which-coast", "no-fleets"):
                return IllegalOrder("target-cannot", (str(unit.at.place), str(line.to)))
        return None

    def _used_up(self, line: DipSupport) -> IllegalOrder | None:
        window = self._window(line)
        now = turn_of(self.variant, self.position.year, self.position.at)
        mine = self._bought(window)
        used = window.used(self.position, self.variant, self.power) + mine
        if used < window.most:
            return None
        free = window.free(self.position, self.variant, self.power, mine, now + 1)
        key = "dips-holds-used" if line.to is None else "dips-moves-used"
        return IllegalOrder(key, (str(used), str(window.most), turn_named(self.variant, free)))

    def _window(self, line: DipSupport) -> UsageWindow:
        return self.dips.holds if line.to is None else self.dips.moves

    def _bought(self, window: UsageWindow) -> int:
        return sum(self._window(deal.line) == window for deal in self.deals)

    def postings(self) -> Iterator[tuple[LedgerKey, int]]:
        for window in (self.dips.holds, self.dips.moves):
            yield from window.postings(self.position, self.variant, self.power, self._bought(window))

    def results(self, used: set[int], orders: Mapping[Unit, Entry], fault: LegalityTest) -> Iterator[OrderResult]:
        """A result for every line about dips, for its writer only."""
        for line in self.lines:
            outcome, cause = self._outcome(line, used, orders, fault)
            statement, forced = line.entry.statement, line.entry.forced
            yield OrderResult(self.power, statement, outcome, cause, forced=forced, audience=frozenset({self.power}))

    def _outcome(
        self, line: _CheckedLine, used: set[int], orders: Mapping[Unit, Entry], fault: LegalityTest
    ) -> tuple[Outcome, Cause | None]:
        deal = line.deal
        if line.fault is not None:
            return Outcome.ILLEGAL, line.fault.cause()
        if line.gone:
            return Outcome.SUPERSEDED, None
        if deal is None:
            return Outcome.SUCCEEDS, None
        if not matches(deal, orders, fault):
            return Outcome.VOID, Cause("dips-wasted", (deal.unit,))
        others = not any(id(own) in used and own.unit == deal.unit for own in self.deals)
        if id(deal) in used or (others and not self.dips.show_payer):  # nobody learns that somebody else paid as well
            return Outcome.SUCCEEDS, Cause("dips-counted", (deal.unit,))
        return Outcome.VOID, Cause("dips-second", (deal.unit,))

    def counts(self) -> Iterator[Event]:
        """Events for the power about its dips of this turn, and what it may buy in the next."""
        mine = frozenset({self.power})
        income = self.dips.income(self.position, self.variant, self.power)
        yield DipsCounted(self.power, income - self.left, max(0, self.left), income, audience=mine)
        if not is_major(self.variant, self.power):
            return
        now = turn_of(self.variant, self.position.year, self.position.at)
        for window, kind in ((self.dips.holds, "holds"), (self.dips.moves, "moves")):
            bought = self._bought(window)
            used = window.used(self.position, self.variant, self.power) + bought
            later = window.used(self.position, self.variant, self.power, now + 1)
            later += bought if window.since(now + 1) <= now else 0
            free = window.free(self.position, self.variant, self.power, bought, now + 1)
            when = "" if free == now + 1 else turn_named(self.variant, free)
            yield WindowCounted(self.power, kind, used, window.most, window.most - later, when, audience=mine)


COSTS: Mapping[type[DipOrder], str] = {
    DipSupport: "dips-short-support",
    InterceptMail: "dips-short-intercept",
    Protect: "dips-short-protect",
}
"""Keys of the problem that too few dips are left."""


def is_major(variant: Variant, power: str) -> bool:
    return any(seated.major for seated in variant.powers if seated.name == power)


def matches(deal: AcceptedSupport, orders: Mapping[Unit, Entry], fault: LegalityTest) -> bool:
    """Whether the unit is ordered to do what was paid for. A unit with an impossible order holds."""
    entry = orders.get(deal.unit)
    order = entry.statement if entry is not None and fault(deal.unit, entry.statement) is None else None
    return _is_act(order, deal.line.to)


def _is_act(order: Statement | None, to: Place | None) -> bool:
    """Whether an order is the move to `to`; without `to`, whether the unit stays where it is."""
    return goes_to(order, to) if to is not None else not isinstance(order, Move)


def counted(
    deals: tuple[AcceptedSupport, ...], orders: Mapping[Unit, Entry], fault: LegalityTest
) -> Iterator[AcceptedSupport]:
    """The first matching support of each unit, which is the one shown as counted."""
    seen: set[Unit] = set()
    for deal in deals:
        if deal.unit not in seen and matches(deal, orders, fault):
            seen.add(deal.unit)
            yield deal


def _permitted_first(position: Position, deals: list[AcceptedSupport]) -> list[AcceptedSupport]:
    """Puts last the supports of powers whose own unit would be dislodged, because their dips do not count."""
    standing = {unit.at.province: unit.power for unit in position.units}
    return sorted(deals, key=lambda deal: bool(deal.line.to and standing.get(deal.line.to.province) == deal.power))


def _dips(position: Position, variant: Variant) -> DipRights | None:
    rights = getattr(variant.step(position), "rights", None)
    return rights if isinstance(rights, DipRights) else None


def allowance(position: Position, variant: Variant, power: str) -> int:
    """The dips a power has this turn; 0 in a phase without any."""
    dips = _dips(position, variant)
    return dips.income(position, variant, power) if dips else 0


def balance(position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]) -> int:
    """The dips left after the messages and lines of this sheet."""
    spent = sum(line.cost for line in sheet if isinstance(line, DipOrder | Message))
    return max(0, allowance(position, variant, power) - spent)

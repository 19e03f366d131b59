"""Dips: so many points for diplomacy each turn, used or lost. Supports that are bought with them are backings.

The part of a sheet that is about dips is judged line by line, in order: what a line may not do, or what is not left for
it, is refused, and the lines behind it are judged without it. A power's messages of the turn stand among its lines and
are paid before them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

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
from gm.judge.movement.order_rights import OWN_UNITS, CollectedOrders, LegalityTest, OrderRights

PURSE = "dips"
HOLDS = "dip-holds"
MOVES = "dip-moves"
FIVE_HOLDS = UsageWindow(HOLDS, most=5)
TWO_MOVES = UsageWindow(MOVES, most=2)


class DipRights(OrderRights, Struct, frozen=True):
    """`major` dips a turn for major powers, `minor` for the others. `hold` and `move` are what a support costs at
    least; `holds` and `moves` how often a power may buy one. `show_payer`: a bought support is told with who paid for
    it. `ears` say what intercepts bring.
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
        """The dips, and for who may buy supports how many more of either kind he may buy in this turn."""
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
        desk = _Desk(self, position, variant, power)
        found: list[Problem] = []
        for line in sheet:
            fault = desk.take(line)
            if fault is not None:
                found.append(Problem(fault.key, ProblemEffect.REFUSE_LINE, line, fault.places, fault.reach))
            elif isinstance(line, InterceptMail) and line.other in position.companions(line.one):
                found.append(Problem("dips-one-human", ProblemEffect.SEAL, line, (line.one, line.other)))
        return tuple(found)

    def collect(
        self, position: Position, variant: Variant, book: Submissions, units: tuple[Unit, ...], fault: LegalityTest
    ) -> CollectedOrders:
        sheets = {
            who: tuple(entry for entry in entries if not isinstance(entry.statement, self.statements))
            for who, entries in book.sheets.items()
        }
        own = OWN_UNITS.collect(position, variant, replace(book, sheets=sheets), units, fault)
        desks = [self._desk(position, variant, book, power.name) for power in variant.powers]
        deals = tuple(_permitted_first(position, [deal for desk in desks for deal in desk.deals]))
        used = {id(deal) for deal in counted(deals, own.orders, fault)}
        bought = {d.unit: (d.power if self.show_payer else "",) for d in deals if id(d) in used}
        postings = [posting for desk in desks for posting in desk.postings()]
        results = tuple(result for desk in desks for result in desk.results(used, own.orders, fault))
        pledged = {desk.power: tuple(desk.taken) for desk in desks}
        events: list[Event] = [*intercepted(position, variant, book.journal, pledged, self.ears)]
        events += (event for desk in desks for event in desk.counts())
        return replace(
            own,
            aside=(*own.aside, *results),
            bought_supports=tuple(BoughtSupport(d.power, d.unit, d.line.to, single=True) for d in deals),
            postings=(*own.postings, *postings),
            events=(*own.events, *events),
            bought=bought,
        )

    def _desk(self, position: Position, variant: Variant, book: Submissions, power: str) -> _Desk:
        desk = _Desk(self, position, variant, power)
        for said in book.journal:
            if isinstance(said, Message) and said.sender == power:
                desk.take(said)
        for entry in book.entries(power):
            if isinstance(entry.statement, self.statements):
                desk.enter(entry)
        return desk


class AcceptedSupport(Struct, frozen=True):
    """A support that was accepted: whose dips, for which unit."""

    power: str
    line: DipSupport
    unit: Unit


class _Judged(Struct, frozen=True):
    """A line, what is wrong with it, and the support it bought. `gone`: it was taken back."""

    entry: Entry
    fault: IllegalOrder | None = None
    deal: AcceptedSupport | None = None
    gone: bool = False


class _Desk:
    """One power's dips of a turn, taken line by line. `left` is less than nothing only by what can't be taken back."""

    __slots__ = ("checker", "deals", "dips", "judged", "left", "position", "power", "taken", "variant")

    def __init__(self, dips: DipRights, position: Position, variant: Variant, power: str) -> None:
        self.dips = dips
        self.position = position
        self.variant = variant
        self.power = power
        self.left = dips.income(position, variant, power)
        self.taken: list[DipOrder] = []
        self.deals: list[AcceptedSupport] = []
        self.judged: list[_Judged] = []
        self.checker = LegalityChecker.of(position, variant.kinds, variant.rulebook)

    # ---- taking

    def enter(self, entry: Entry) -> None:
        deals = len(self.deals)
        fault = self.take(entry.statement)
        if isinstance(entry.statement, NoDips):
            self.judged = [replace(line, gone=line.fault is None) for line in self.judged]
            deals = 0
        self.judged.append(_Judged(entry, fault, self.deals[-1] if len(self.deals) > deals else None))

    def take(self, line: Statement) -> IllegalOrder | None:
        """Set dips aside for a line, or say why not. Lines that are not about dips are left alone."""
        if isinstance(line, Message):
            self.left -= line.cost
            return None
        if isinstance(line, NoDips):
            self.left += sum(one.cost for one in self.taken)
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
            unit = self.checker.find(line.target, self.power)
            assert unit is not None
            self.deals.append(AcceptedSupport(self.power, line, unit))
        return None

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
        unit = self.checker.find(line.target, self.power)
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

    # ---- telling

    def postings(self) -> Iterator[tuple[LedgerKey, int]]:
        for window in (self.dips.holds, self.dips.moves):
            yield from window.postings(self.position, self.variant, self.power, self._bought(window))

    def results(self, used: set[int], orders: Mapping[Unit, Entry], fault: LegalityTest) -> Iterator[OrderResult]:
        """A row for every line about dips, which only its writer may see."""
        for line in self.judged:
            outcome, cause = self._fate(line, used, orders, fault)
            said, forced = line.entry.statement, line.entry.forced
            yield OrderResult(self.power, said, outcome, cause, forced=forced, audience=frozenset({self.power}))

    def _fate(
        self, line: _Judged, used: set[int], orders: Mapping[Unit, Entry], fault: LegalityTest
    ) -> tuple[Outcome, Cause | None]:
        deal = line.deal
        if line.fault is not None:
            return Outcome.ILLEGAL, line.fault.cause()
        if line.gone:
            return Outcome.SUPERSEDED, None
        if deal is None:
            return Outcome.SUCCEEDS, None
        if id(deal) in used:
            return Outcome.SUCCEEDS, Cause("dips-counted", (deal.unit,))
        return Outcome.VOID, Cause("dips-second" if matches(deal, orders, fault) else "dips-wasted", (deal.unit,))

    def counts(self) -> Iterator[Event]:
        """What the power is told of its dips: those of this turn, and what it may do in the next."""
        mine = frozenset({self.power})
        income = self.dips.income(self.position, self.variant, self.power)
        yield DipsCounted(self.power, income - self.left, max(0, self.left), income, mine)
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
            yield WindowCounted(self.power, kind, used, window.most, window.most - later, when, mine)


COSTS: Mapping[type[DipOrder], str] = {
    DipSupport: "dips-short-support",
    InterceptMail: "dips-short-intercept",
    Protect: "dips-short-protect",
}
"""What is said where too little is left."""


def is_major(variant: Variant, power: str) -> bool:
    return any(one.major for one in variant.powers if one.name == power)


def matches(deal: AcceptedSupport, orders: Mapping[Unit, Entry], fault: LegalityTest) -> bool:
    """Whether the unit is ordered to do exactly what was paid for. Who cannot do what he is told holds."""
    entry = orders.get(deal.unit)
    said = entry.statement if entry is not None and fault(deal.unit, entry.statement) is None else None
    to = deal.line.to
    if not isinstance(said, Move):
        return to is None
    return to is not None and said.to.province == to.province and (not to.coast or said.to.coast in ("", to.coast))


def counted(
    deals: tuple[AcceptedSupport, ...], orders: Mapping[Unit, Entry], fault: LegalityTest
) -> Iterator[AcceptedSupport]:
    """Of those that fit, the one for each unit that is called the one that counts: the first."""
    seen: set[Unit] = set()
    for deal in deals:
        if deal.unit not in seen and matches(deal, orders, fault):
            seen.add(deal.unit)
            yield deal


def _permitted_first(position: Position, deals: list[AcceptedSupport]) -> list[AcceptedSupport]:
    """Nobody's dips help to dislodge his own unit: whoever stands where a move goes is heard behind the others."""
    standing = {unit.at.province: unit.power for unit in position.units}
    return sorted(deals, key=lambda deal: bool(deal.line.to and standing.get(deal.line.to.province) == deal.power))


# ---- for whoever sells something else for dips


def _dips(position: Position, variant: Variant) -> DipRights | None:
    found = getattr(variant.step(position), "rights", None)
    return found if isinstance(found, DipRights) else None


def allowance(position: Position, variant: Variant, power: str) -> int:
    """The dips a power has this turn; 0 in a phase without any."""
    dips = _dips(position, variant)
    return dips.income(position, variant, power) if dips else 0


def balance(position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]) -> int:
    """What is left of them with this sheet, messages and all that was set aside."""
    spent = sum(one.cost for one in sheet if isinstance(one, DipOrder | Message))
    return max(0, allowance(position, variant, power) - spent)

"""Decides which player's order applies to each unit, and collects bought supports; `OrderStep` asks for both.

`OrderRights` turns submissions into one order per unit. In Standard a power's own sheet orders its own units.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from msgspec import Struct, field

from gm.judge.model.events import Cause, Event, OrderResult, Outcome
from gm.judge.model.orders import Entry, Statement, UnitOrder, UnitRef
from gm.judge.model.position import NOTHING, LedgerKey, Position, Unit
from gm.judge.model.sheets import Budget, Problem, Submissions
from gm.judge.model.variant import Step, Variant
from gm.judge.movement.battle import BoughtSupport
from gm.judge.movement.legality import IllegalOrder, LegalityChecker


class OrderRight(NamedTuple):
    outcome: Outcome
    cause: Cause | None = None


class CollectedOrders(Struct, frozen=True):
    """One entry per ordered unit; `aside` are results of entries that apply to no unit, with the reason.

    `bought` are the texts of `OrderResult.bought`. `verdicts` are outcomes of orders that take no part in the battle.
    `postings` are changes of the ledger. `ahead` are lines that the position keeps for a later step.
    """

    orders: dict[Unit, Entry]
    aside: tuple[OrderResult, ...] = ()
    bought_supports: tuple[BoughtSupport, ...] = ()
    closed: frozenset[str] = frozenset()
    spoiled: frozenset[Unit] = frozenset()
    barred: frozenset[Unit] = frozenset()
    postings: tuple[tuple[LedgerKey, int], ...] = ()
    verdicts: Mapping[Unit, OrderRight] = field(default_factory=dict)
    events: tuple[Event, ...] = field(default=())
    bought: Mapping[Unit, tuple[str, ...]] = field(default_factory=dict)
    ahead: Mapping[str, tuple[Entry, ...]] = field(default_factory=lambda: NOTHING)


LegalityTest: TypeAlias = Callable[[Unit, Statement], "IllegalOrder | None"]
"""Why a unit cannot do what a statement says in the present phase; None if it can."""


class OrderRights:
    """Decides which orders count. By default every power orders its own units, and nothing is bought."""

    __slots__ = ()

    @property
    def grammars(self) -> tuple[str, ...]:
        """Files in grammars/ for the lines that only these rights understand."""
        return ()

    @property
    def statements(self) -> tuple[type[Statement], ...]:
        """The classes of those lines."""
        return ()

    def controlled(self, position: Position, variant: Variant, power: str) -> tuple[str, ...]:
        """Powers without a seat whose sheets this power's player writes now."""
        return ()

    def merge_sheets(self, position: Position, variant: Variant, book: Submissions) -> Submissions:
        """The submissions with one own sheet for every power, made from the sheets of those who may write for it."""
        return book

    def merge_events(self, position: Position, variant: Variant, book: Submissions) -> tuple[Event, ...]:
        """Events that tell the players who write for the same power what became of their lines."""
        return ()

    def for_what_if(self) -> OrderRights:
        """The rights in a what-if trial, in which one player writes everybody's orders and no secrets count."""
        return self

    def budgets(self, position: Position, variant: Variant, power: str) -> tuple[Budget, ...]:
        return ()

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        """What is wrong with the lines of `statements` on a sheet."""
        return ()

    def collect(
        self, position: Position, variant: Variant, book: Submissions, units: tuple[Unit, ...], fault: LegalityTest
    ) -> CollectedOrders:
        """The last legal order of each unit counts (DATC 4.D.1, 4.E.1). Lines of `statements` order no unit.

        `units` are those that may be ordered now: all on the board, or the dislodged ones.
        """
        checker = (
            LegalityChecker.of(position, variant.kinds, variant.rulebook)
            if units is position.units
            else LegalityChecker(position.board, variant.kinds, units)
        )
        others = self.statements
        chosen: dict[Unit, Entry] = {}
        aside: list[OrderResult] = []
        for power in variant.owners:
            for entry in book.entries(power):
                statement = entry.statement
                if isinstance(statement, others):
                    continue
                unit = checker.find(statement.unit, power) if isinstance(statement, UnitOrder) else None
                if unit is None or unit.power != power:
                    ordered = _ordered_unit(checker, position, power, entry)
                    if isinstance(ordered, IllegalOrder):
                        aside.append(_impossible(power, entry, ordered))
                        continue
                    unit = ordered
                earlier = chosen.setdefault(unit, entry)
                if earlier is entry:
                    continue
                if _is_kept(unit, earlier, entry, fault):
                    why = fault(unit, entry.statement)
                    aside.append(_impossible(power, entry, why, unit) if why else _superseded(unit, entry))
                    continue
                aside.append(_superseded(unit, earlier))
                chosen[unit] = entry
        return CollectedOrders(chosen, tuple(aside))


def _ordered_unit(checker: LegalityChecker, position: Position, power: str, entry: Entry) -> Unit | IllegalOrder:
    statement = entry.statement
    if not isinstance(statement, UnitOrder):
        return IllegalOrder("wrong-phase")
    unit = checker.find(statement.unit, power)
    if unit is None:
        here = (u for u in position.units if u.at.province == statement.unit.at.province)
        standing = any(checker.same_layer(u.kind, statement.unit.kind) for u in here)
        return IllegalOrder("no-unit-to-retreat" if standing else "no-unit", (statement.unit.at.province,))
    return unit if unit.power == power else not_own_unit(checker, position, power, statement.unit)


def not_own_unit(checker: LegalityChecker, position: Position, power: str, named: UnitRef) -> IllegalOrder:
    """Why a power may not order another power's unit. Its own may stand where the other's has been dislodged."""
    mine = (u for u in position.units if u.power == power and u.at.province == named.at.province)
    stays = any(checker.same_layer(u.kind, named.kind) for u in mine)
    return IllegalOrder("not-dislodged" if stays else "not-yours", (named.at.province,))


def _is_kept(unit: Unit, earlier: Entry, later: Entry, fault: LegalityTest) -> bool:
    """Whether an earlier order counts before a later one: it was forced, or only the later one is impossible."""
    if earlier.forced != later.forced:
        return earlier.forced
    return fault(unit, earlier.statement) is None and fault(unit, later.statement) is not None


def _superseded(unit: Unit, entry: Entry) -> OrderResult:
    return OrderResult(unit.power, entry.statement, Outcome.SUPERSEDED, unit=unit, forced=entry.forced)


def _impossible(power: str, entry: Entry, fault: IllegalOrder, unit: Unit | None = None) -> OrderResult:
    return OrderResult(power, entry.statement, Outcome.ILLEGAL, fault.cause(), unit, forced=entry.forced)


OWN_UNITS = OrderRights()


class OrderStep(Step, Struct, frozen=True):
    """A step with orders for units. `rights` decide which of them count."""

    season: str
    rights: OrderRights = OWN_UNITS

    def controlled(self, position: Position, variant: Variant, power: str) -> tuple[str, ...]:
        return self.rights.controlled(position, variant, power)

    def ordered_powers(self, position: Position, variant: Variant) -> tuple[str, ...]:
        """The powers whose units somebody may order: those with a seat, and those they control."""
        if len(variant.owners) == len(variant.seated):
            return variant.seated
        controlled = {name for power in variant.seated for name in self.controlled(position, variant, power)}
        return (*variant.seated, *(name for name in variant.owners if name in controlled))

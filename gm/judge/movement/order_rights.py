"""Whose word counts for which unit, and what was bought for a battle.

A muster turns a book into one order per unit. Standard has only one way: a power's own sheet orders its own units.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, cast

from msgspec import Struct, field

from gm.judge.model.events import Cause, Event, OrderResult, Outcome
from gm.judge.model.orders import Entry, Statement, UnitOrder, UnitRef
from gm.judge.model.position import NOTHING, LedgerKey, Position, Unit
from gm.judge.model.sheets import Budget, Problem, Submissions
from gm.judge.movement.battle import BoughtSupport
from gm.judge.movement.legality import IllegalOrder, LegalityChecker

if TYPE_CHECKING:
    from gm.judge.model.variant import Variant


class OrderRight(NamedTuple):
    outcome: Outcome
    cause: Cause | None = None


class CollectedOrders(Struct, frozen=True):
    """One entry per ordered unit, entries that found no unit with the reason, and what was bought.

    `bought` is what is told with a unit's order: see `OrderResult`. `verdicts` say how orders ended that take no part
    in the battle. `ahead` are lines that the position keeps for a later step.
    """

    orders: dict[Unit, Entry]
    aside: tuple[OrderResult, ...] = ()
    backings: tuple[BoughtSupport, ...] = ()
    closed: frozenset[str] = frozenset()
    spoiled: frozenset[Unit] = frozenset()
    barred: frozenset[Unit] = frozenset()
    postings: tuple[tuple[LedgerKey, int], ...] = ()
    verdicts: Mapping[Unit, OrderRight] = field(default_factory=dict)
    events: tuple[Event, ...] = field(default=())
    bought: Mapping[Unit, tuple[str, ...]] = field(default_factory=dict)
    ahead: Mapping[str, tuple[Entry, ...]] = field(default_factory=lambda: NOTHING)


Faulting: TypeAlias = Callable[[Unit, Statement], "IllegalOrder | None"]
"""Why a unit cannot do what a statement says in the present phase; None where it can."""


class OrderRights(Protocol):
    @property
    def grammars(self) -> tuple[str, ...]:
        """Files in grammars/ for the lines that only this muster understands."""
        ...

    @property
    def statements(self) -> tuple[type[Statement], ...]:
        """The classes of those lines."""
        ...

    def controlled(self, position: Position, variant: Variant, power: str) -> tuple[str, ...]:
        """Powers without a seat whose sheets the player of this one writes now."""
        ...

    def hear(self, position: Position, variant: Variant, book: Submissions) -> Submissions:
        """The book with one sheet of its own for every power: what those who may write for it have said."""
        ...

    def answers(self, position: Position, variant: Variant, book: Submissions) -> tuple[Event, ...]:
        """What those who wrote together hear of what was made of it."""
        ...

    def supposing(self) -> OrderRights:
        """Whose word counts where one player supposes what everybody writes: nobody's secrets do."""
        ...

    def budgets(self, position: Position, variant: Variant, power: str) -> tuple[Budget, ...]: ...

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        """What is wrong with those lines of a sheet."""
        ...

    def marshal(
        self, position: Position, variant: Variant, book: Submissions, units: tuple[Unit, ...], fault: Faulting
    ) -> CollectedOrders:
        """`units` are those that may be ordered now: all on the board, or the dislodged ones."""
        ...


class OwnSheetRights:
    """What a muster answers where nobody writes for another power."""

    __slots__ = ()

    def controlled(self, position: Position, variant: Variant, power: str) -> tuple[str, ...]:
        return ()

    def hear(self, position: Position, variant: Variant, book: Submissions) -> Submissions:
        return book

    def answers(self, position: Position, variant: Variant, book: Submissions) -> tuple[Event, ...]:
        return ()

    def supposing(self) -> OrderRights:
        return cast("OrderRights", self)


class OwnUnitRights(OwnSheetRights):
    """Every power orders its own units. The last order of a unit that can be obeyed counts (DATC 4.D.1, 4.E.1)."""

    grammars: tuple[str, ...] = ()
    statements: tuple[type[Statement], ...] = ()

    def budgets(self, position: Position, variant: Variant, power: str) -> tuple[Budget, ...]:
        return ()

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        return ()

    def supposing(self) -> OrderRights:
        return OWN_WORD

    def marshal(
        self, position: Position, variant: Variant, book: Submissions, units: tuple[Unit, ...], fault: Faulting
    ) -> CollectedOrders:
        whole = units is position.units
        roll = (
            LegalityChecker.of(position, variant.kinds, variant.edition)
            if whole
            else LegalityChecker(position.board, variant.kinds, units)
        )
        chosen: dict[Unit, Entry] = {}
        aside: list[OrderResult] = []
        for power in variant.owners:
            for entry in book.entries(power):
                unit = roll.own(entry.statement, power)
                if unit is None:
                    found = _ordered(roll, position, power, entry)
                    if isinstance(found, IllegalOrder):
                        aside.append(_impossible(power, entry, found))
                        continue
                    unit = found
                earlier = chosen.setdefault(unit, entry)
                if earlier is entry:
                    continue
                if _outlives(unit, earlier, entry, fault):
                    why = fault(unit, entry.statement)
                    aside.append(_impossible(power, entry, why, unit) if why else _replaced(unit, entry))
                    continue
                aside.append(_replaced(unit, earlier))
                chosen[unit] = entry
        return CollectedOrders(chosen, tuple(aside))


def _ordered(roll: LegalityChecker, position: Position, power: str, entry: Entry) -> Unit | IllegalOrder:
    statement = entry.statement
    if not isinstance(statement, UnitOrder):
        return IllegalOrder("wrong-phase")
    unit = roll.find(statement.unit, power)
    if unit is None:
        here = (u for u in position.units if u.at.province == statement.unit.at.province)
        standing = any(roll.alike(u.kind, statement.unit.kind) for u in here)
        return IllegalOrder("no-unit-to-retreat" if standing else "no-unit", (statement.unit.at.province,))
    return unit if unit.power == power else foreign(roll, position, power, statement.unit)


def foreign(roll: LegalityChecker, position: Position, power: str, named: UnitRef) -> IllegalOrder:
    """Why a power may not order a unit that another one has on the roll: beside a dislodged one its own may stand."""
    mine = (u for u in position.units if u.power == power and u.at.province == named.at.province)
    stays = any(roll.alike(u.kind, named.kind) for u in mine)
    return IllegalOrder("not-dislodged" if stays else "not-yours", (named.at.province,))


def _outlives(unit: Unit, earlier: Entry, later: Entry, fault: Faulting) -> bool:
    """Whether an earlier order outlives a later one: it was forced, or only the later one is impossible."""
    if earlier.forced != later.forced:
        return earlier.forced
    return fault(unit, earlier.statement) is None and fault(unit, later.statement) is not None


def _replaced(unit: Unit, entry: Entry) -> OrderResult:
    return OrderResult(unit.power, entry.statement, Outcome.SUPERSEDED, unit=unit, forced=entry.forced)


def _impossible(power: str, entry: Entry, fault: IllegalOrder, unit: Unit | None = None) -> OrderResult:
    return OrderResult(power, entry.statement, Outcome.ILLEGAL, fault.cause(), unit, forced=entry.forced)


def ordered(rights: OrderRights, position: Position, variant: Variant) -> tuple[str, ...]:
    """The powers whose units somebody may order: those with a seat, and wards of theirs."""
    if len(variant.owners) == len(variant.seated):
        return variant.seated
    controlled = {ward for power in variant.seated for ward in rights.controlled(position, variant, power)}
    return (*variant.seated, *(name for name in variant.owners if name in controlled))


OWN_WORD = OwnUnitRights()

"""Orders of minor powers, written by their controllers.

A single controller's orders are the minor power's own. The orders of several are votes: unit by unit the order with
most votes is followed. No public result says who voted for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.board.board import Place
from gm.judge.mechanics.influence.bid_orders import CoalitionVote
from gm.judge.mechanics.influence.influence_points import controllers
from gm.judge.model.events import Event
from gm.judge.model.orders import Build, Disband, Entry, Hold, Passage, Slot, Statement, UnitOrder, UnitRef
from gm.judge.model.position import Position, Unit
from gm.judge.model.sheets import Problem, Submissions
from gm.judge.model.struct_fields import contents
from gm.judge.model.variant import Variant
from gm.judge.movement.legality import LegalityChecker
from gm.judge.movement.order_rights import OWN_UNITS, CollectedOrders, LegalityTest, OrderRights
from gm.judge.steps.build_rules import FULL, balance

Ballots: TypeAlias = Mapping[str, tuple[Entry, ...]]
"""The lines of each controller, by power."""


class ControlRights(OrderRights, Struct, frozen=True):
    """The controllers of a minor power order its units. `inner` are the rights of powers with sheets of their own."""

    inner: OrderRights = OWN_UNITS

    @property
    def grammars(self) -> tuple[str, ...]:
        return self.inner.grammars

    @property
    def statements(self) -> tuple[type[Statement], ...]:
        return self.inner.statements

    def controlled(self, position: Position, variant: Variant, power: str) -> tuple[str, ...]:
        return tuple(
            minor.name for minor in variant.minors if minor.homes and power in controllers(position.ledger, minor.name)
        )

    def merge_sheets(self, position: Position, variant: Variant, book: Submissions) -> Submissions:
        sheets = dict(book.sheets)
        for minor in variant.minors:
            if not minor.homes:
                continue
            sheets.pop((minor.name, minor.name), None)
            entries = minor_power_sheet(position, variant, minor.name, _ballots(position, book, minor.name))
            if entries:
                sheets[minor.name, minor.name] = entries
        return replace(book, sheets=sheets)

    def merge_events(self, position: Position, variant: Variant, book: Submissions) -> tuple[Event, ...]:
        return tuple(_votes(position, variant, book, self.merge_sheets(position, variant, book)))

    def for_what_if(self) -> OrderRights:
        return self.inner  # who controls a minor power may be a secret

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        return self.inner.check(position, variant, power, sheet)

    def collect(
        self, position: Position, variant: Variant, book: Submissions, units: tuple[Unit, ...], fault: LegalityTest
    ) -> CollectedOrders:
        return self.inner.collect(position, variant, self.merge_sheets(position, variant, book), units, fault)


def _ballots(position: Position, book: Submissions, minor: str) -> Ballots:
    sheets = {power: book.sheets.get((power, minor), ()) for power in controllers(position.ledger, minor)}
    return {power: entries for power, entries in sheets.items() if entries}


def _votes(position: Position, variant: Variant, book: Submissions, merged: Submissions) -> Iterator[CoalitionVote]:
    """What every member of a coalition wrote, and whether it was followed; for that member only."""
    for minor in variant.minors:
        if len(controllers(position.ledger, minor.name)) < 2:
            continue
        checker = _checker(position, variant)
        followed = {order_meaning(checker, minor.name, entry.statement) for entry in merged.entries(minor.name)}
        for power, entries in _ballots(position, book, minor.name).items():
            for entry in entries:
                same = order_meaning(checker, minor.name, entry.statement) in followed
                yield CoalitionVote(power, minor.name, entry.statement, same, audience=frozenset({power}))


def minor_power_sheet(position: Position, variant: Variant, minor: str, ballots: Ballots) -> tuple[Entry, ...]:
    """A minor power's own sheet: its single controller's, or the majority's orders."""
    rulers = controllers(position.ledger, minor)
    if len(rulers) < 2:
        return next(iter(ballots.values()), ())
    return tuple(_majority_orders(position, variant, minor, ballots))


def _majority_orders(position: Position, variant: Variant, minor: str, ballots: Ballots) -> Iterator[Entry]:
    checker = _checker(position, variant)
    votes: dict[Slot, dict[object, list[Entry]]] = {}
    for entries in ballots.values():
        for slot, entry in {_slot(checker, minor, entry.statement): entry for entry in entries}.items():
            votes.setdefault(slot, {}).setdefault(order_meaning(checker, minor, entry.statement), []).append(entry)
    adjustments: list[tuple[Slot, list[Entry]]] = []
    for slot, choices in votes.items():
        chosen = _most_votes(choices.values())
        kind = next(iter(next(iter(choices.values())))).statement
        if isinstance(kind, Passage) and 2 * len(chosen) <= len(ballots):
            continue  # a member whose orders do not give permission denies it
        adjusts = isinstance(kind, Build) or (isinstance(kind, Disband) and not position.dislodged)
        if adjusts and chosen:
            adjustments.append((slot, chosen))
        elif chosen:
            yield chosen[0]
        elif isinstance(kind, UnitOrder):
            yield Entry(Disband(kind.unit) if position.dislodged else Hold(kind.unit))
    yield from _affordable(checker, minor, adjustments, balance(position, variant, minor))


def _most_votes(choices: Iterable[list[Entry]]) -> list[Entry]:
    """The entries of the choice with most votes; none in a tie."""
    ranked = sorted(choices, key=len, reverse=True)
    tie = len(ranked) > 1 and len(ranked[0]) == len(ranked[1])
    return [] if tie else ranked[0]


def _affordable(
    checker: LegalityChecker, minor: str, voted: list[tuple[Slot, list[Entry]]], spare: int
) -> Iterator[Entry]:
    """Removals until production suffices, then builds with what is left, by their votes. `spare`: half points.

    Of lines with equal votes, all are dropped if not all are needed, or not all can be afforded.
    """
    removals = [item for item in voted if isinstance(item[1][0].statement, Disband)]
    builds = [item for item in voted if isinstance(item[1][0].statement, Build)]
    for tied in _by_votes(removals):
        costs = [_cost(checker, minor, entry.statement) for entry in tied]
        if spare + sum(costs) - min(costs) >= 0:
            break
        yield from tied
        spare += sum(costs)
    for tied in _by_votes(builds):
        spare -= sum(_cost(checker, minor, entry.statement) for entry in tied)
        if spare < 0:
            break
        yield from tied


def _by_votes(voted: list[tuple[Slot, list[Entry]]]) -> Iterator[list[Entry]]:
    """The lines with most votes first; those with equal votes together."""
    ranked = sorted(voted, key=lambda item: (-len(item[1]), item[0]))
    for _, tied in groupby(ranked, key=lambda item: len(item[1])):
        yield [entries[0] for _, entries in tied]


def _cost(checker: LegalityChecker, minor: str, statement: Statement) -> int:
    """The cost of the unit that is built or removed, in half points."""
    assert isinstance(statement, Build | Disband)
    unit = checker.find(statement.unit, minor) if isinstance(statement, Disband) else None
    kind = unit.kind if unit else statement.unit.kind
    return checker.kinds[kind].cost if kind in checker.kinds else FULL


def _checker(position: Position, variant: Variant) -> LegalityChecker:
    units = tuple(dislodged.unit for dislodged in position.dislodged) or position.units
    return LegalityChecker(position.board, variant.kinds, units)


def _slot(checker: LegalityChecker, minor: str, statement: Statement) -> Slot:
    """The same slot for all orders of a unit, however it is named."""
    if isinstance(statement, UnitOrder) and (unit := checker.find(statement.unit, minor)):
        return ("unit", f"{unit.kind} {unit.at.province}")
    return statement.slot


def order_meaning(checker: LegalityChecker, minor: str, statement: Statement) -> object:
    """An order's meaning, however it is written: units by location, coasts only where a unit has a choice."""

    def plain(part: object) -> object:
        if isinstance(part, UnitRef):
            unit = checker.find(part, minor)
            return (unit.kind, unit.at) if unit else part
        if isinstance(part, Place):
            province = checker.board.provinces.get(part.province)
            return part if province and province.coasts else part.province
        return part

    return type(statement).__name__, tuple(plain(part) for part in contents(statement).values())

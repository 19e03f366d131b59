"""Minor powers' orders, written by whoever controls them.

One controller's word is the minor power's own. Of several each writes it, and they are counted as votes: unit by unit
the order with most of them is followed. Whose word it was stands in no public result.
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
from gm.judge.model.sheets import Submissions
from gm.judge.model.struct_fields import contents
from gm.judge.model.variant import Variant
from gm.judge.movement.legality import LegalityChecker
from gm.judge.movement.order_rights import OWN_UNITS, CollectedOrders, LegalityTest, OrderRights
from gm.judge.steps.build_rules import FULL, balance

Ballots: TypeAlias = Mapping[str, tuple[Entry, ...]]
"""What each of several controllers wrote, by his power."""


class ControlRights(OrderRights, Struct, frozen=True):
    """Every power orders its own units, and the controllers of a minor power order that one's."""

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
            entries = heard(position, variant, minor.name, _ballots(position, book, minor.name))
            if entries:
                sheets[minor.name, minor.name] = entries
        return replace(book, sheets=sheets)

    def merge_events(self, position: Position, variant: Variant, book: Submissions) -> tuple[Event, ...]:
        return tuple(_votes(position, variant, book, self.merge_sheets(position, variant, book)))

    def for_what_if(self) -> OrderRights:
        return OWN_UNITS  # who controls a minor power may be a secret

    def collect(
        self, position: Position, variant: Variant, book: Submissions, units: tuple[Unit, ...], fault: LegalityTest
    ) -> CollectedOrders:
        return OWN_UNITS.collect(position, variant, self.merge_sheets(position, variant, book), units, fault)


def _ballots(position: Position, book: Submissions, minor: str) -> Ballots:
    found = {power: book.sheets.get((power, minor), ()) for power in controllers(position.ledger, minor)}
    return {power: entries for power, entries in found.items() if entries}


def _votes(position: Position, variant: Variant, book: Submissions, told: Submissions) -> Iterator[CoalitionVote]:
    """What every member of a coalition wrote, and whether it was followed; told to himself."""
    for minor in variant.minors:
        if len(controllers(position.ledger, minor.name)) < 2:
            continue
        roll = _roll(position, variant)
        followed = {meaning(roll, minor.name, entry.statement) for entry in told.entries(minor.name)}
        for power, entries in _ballots(position, book, minor.name).items():
            for entry in entries:
                same = meaning(roll, minor.name, entry.statement) in followed
                yield CoalitionVote(power, minor.name, entry.statement, same, audience=frozenset({power}))


def heard(position: Position, variant: Variant, minor: str, ballots: Ballots) -> tuple[Entry, ...]:
    """A minor power's own sheet: its one controller's, or what most of several have written."""
    rulers = controllers(position.ledger, minor)
    if len(rulers) < 2:
        return next(iter(ballots.values()), ())
    return tuple(_counted(position, variant, minor, ballots))


def _counted(position: Position, variant: Variant, minor: str, ballots: Ballots) -> Iterator[Entry]:
    roll = _roll(position, variant)
    said: dict[Slot, dict[object, list[Entry]]] = {}
    for entries in ballots.values():
        for slot, entry in {_slot(roll, minor, entry.statement): entry for entry in entries}.items():
            said.setdefault(slot, {}).setdefault(meaning(roll, minor, entry.statement), []).append(entry)
    adjustments: list[tuple[Slot, list[Entry]]] = []
    for slot, choices in said.items():
        chosen = _plural(choices.values())
        kind = next(iter(next(iter(choices.values())))).statement
        if isinstance(kind, Passage) and 2 * len(chosen) <= len(ballots):
            continue  # who wrote orders without giving leave has not given it
        adjusts = isinstance(kind, Build) or (isinstance(kind, Disband) and not position.dislodged)
        if adjusts and chosen:
            adjustments.append((slot, chosen))
        elif chosen:
            yield chosen[0]
        elif isinstance(kind, UnitOrder):
            yield Entry(_idle(position, kind.unit))
    yield from _adjusted(roll, minor, adjustments, balance(position, variant, minor))


def _plural(choices: Iterable[list[Entry]]) -> list[Entry]:
    """The entries of the one choice that most have made; none in a tie."""
    ranked = sorted(choices, key=len, reverse=True)
    tie = len(ranked) > 1 and len(ranked[0]) == len(ranked[1])
    return [] if tie else ranked[0]


def _adjusted(roll: LegalityChecker, minor: str, voted: list[tuple[Slot, list[Entry]]], spare: int) -> Iterator[Entry]:
    """Removals until units take no more than there is, then builds of what is left. `spare`: half points.

    By their votes; equal ones of which not all are needed, or not all can be paid, fall together.
    """
    gone = [one for one in voted if isinstance(one[1][0].statement, Disband)]
    built = [one for one in voted if isinstance(one[1][0].statement, Build)]
    for alike in _ranked(gone):
        costs = [_cost(roll, minor, one.statement) for one in alike]
        if spare + sum(costs) - min(costs) >= 0:
            break
        yield from alike
        spare += sum(costs)
    for alike in _ranked(built):
        spare -= sum(_cost(roll, minor, one.statement) for one in alike)
        if spare < 0:
            break
        yield from alike


def _ranked(voted: list[tuple[Slot, list[Entry]]]) -> Iterator[list[Entry]]:
    """Those with most votes first, and together."""
    ranked = sorted(voted, key=lambda one: (-len(one[1]), one[0]))
    for _, alike in groupby(ranked, key=lambda one: len(one[1])):
        yield [entries[0] for _, entries in alike]


def _cost(roll: LegalityChecker, minor: str, statement: Statement) -> int:
    """Of the unit that is built or removed, in half points."""
    assert isinstance(statement, Build | Disband)
    unit = roll.find(statement.unit, minor) if isinstance(statement, Disband) else None
    kind = unit.kind if unit else statement.unit.kind
    return roll.kinds[kind].cost if kind in roll.kinds else FULL


def _idle(position: Position, unit: UnitRef) -> Statement:
    """What a unit does whose orders are tied: a dislodged one is disbanded."""
    return Disband(unit) if position.dislodged else Hold(unit)


def _roll(position: Position, variant: Variant) -> LegalityChecker:
    units = tuple(one.unit for one in position.dislodged) or position.units
    return LegalityChecker(position.board, variant.kinds, units)


def _slot(roll: LegalityChecker, minor: str, statement: Statement) -> Slot:
    """Orders for one unit meet, however it is named."""
    if isinstance(statement, UnitOrder) and (unit := roll.find(statement.unit, minor)):
        return ("unit", f"{unit.kind} {unit.at.province}")
    return statement.slot


def meaning(roll: LegalityChecker, minor: str, statement: Statement) -> object:
    """What is ordered, however it is written: units by where they stand, coasts only where a unit has a choice."""

    def plain(part: object) -> object:
        if isinstance(part, UnitRef):
            unit = roll.find(part, minor)
            return (unit.kind, unit.at) if unit else part
        if isinstance(part, Place):
            province = roll.board.provinces.get(part.province)
            return part if province and province.coasts else part.province
        return part

    return type(statement).__name__, tuple(plain(part) for part in contents(statement).values())

"""The step in which units move: orders -> a contest -> the new position, with what happened to every order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from gm.judge.atlas import atlas
from gm.judge.board import Location
from gm.judge.contest import Contest, Intent, Resolution
from gm.judge.events import Dislodgement, OrderResult, Outcome
from gm.judge.legality import Fault, Theatre
from gm.judge.muster import OWN_WORD, Marshalled, Muster
from gm.judge.position import Dislodged, Position, Unit
from gm.judge.rounds import SURFACE, Round, resolve
from gm.judge.sheets import check_moves
from gm.judge.statements import Hold, Statement, UnitOrder, UnitRef
from gm.judge.steps import Book, Decree, Owed, Problem, Purse, Turn

if TYPE_CHECKING:
    from gm.judge.variant import Variant


MOST_REFS = 8192


@dataclass(frozen=True, slots=True)
class Moves:
    """One movement phase. `muster` says whose word counts and what was bought; `rounds` are resolved one by one."""

    season: str
    muster: Muster = OWN_WORD
    letter: str = "M"
    grammar: str = "moves"
    rounds: tuple[Round, ...] = (SURFACE,)

    @property
    def also(self) -> tuple[str, ...]:
        return self.muster.grammars

    def purses(self, position: Position, variant: Variant, power: str) -> tuple[Purse, ...]:
        return self.muster.purses(position, variant, power)

    def due(self, position: Position, variant: Variant) -> Mapping[str, Owed]:
        owed = {p.name: Owed(units=position.units_of(p.name)) for p in variant.powers}
        return {power: what for power, what in owed.items() if what}

    def missing(self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]) -> Owed:
        theatre = Theatre.of(position, variant.kinds, variant.edition)
        ordered = {theatre.find(s.unit, power) for s in sheet if isinstance(s, UnitOrder)}
        return Owed(units=tuple(u for u in position.units_of(power) if u not in ordered))

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        theatre = Theatre.of(position, variant.kinds, variant.edition)
        orders = tuple(one for one in sheet if not isinstance(one, self.muster.statements))
        return check_moves(theatre, power, orders) + self.muster.check(position, variant, power, sheet)

    def contest(
        self, position: Position, variant: Variant, book: Book
    ) -> tuple[Contest, Marshalled, dict[Unit, Fault]]:
        """What the adjudicator is asked, and which orders were set aside as impossible, and why."""
        theatre = Theatre.of(position, variant.kinds, variant.edition)

        def fault(unit: Unit, statement: Statement) -> Fault | None:
            found = theatre.intent(unit, statement)
            return found if isinstance(found, Fault) else None

        marshalled = self.muster.marshal(position, variant, book, position.units, fault)
        orders = marshalled.orders
        intents: list[Intent] = []
        faults: dict[Unit, Fault] = {}
        for unit in position.units:
            entry = orders.get(unit)
            found = theatre.intent(unit, entry.statement) if entry else Intent(unit)
            if isinstance(found, Fault):
                decreed = entry is not None and Decree(unit, Outcome.SUCCEEDS) in book.decrees
                instead = theatre.by_decree(unit, entry.statement) if decreed and entry else None
                if instead is None:
                    faults[unit] = found
                found = instead or Intent(unit, aside=True)
            intents.append(found)
        decrees = tuple((d.unit, d.outcome) for d in book.decrees)
        contest = Contest(
            position.board, variant.kinds, tuple(intents), marshalled.backings, marshalled.closed, marshalled.spoiled,
            marshalled.barred, decrees, variant.edition,
        )  # fmt: skip
        return contest, marshalled, faults

    def resolve(self, position: Position, variant: Variant, book: Book) -> Turn:
        contest, marshalled, faults = self.contest(position, variant, book)
        resolution = resolve(contest, self.rounds)
        orders, succeeds = marshalled.orders, Outcome.SUCCEEDS
        results: list[OrderResult] = []
        stay: list[Unit] = []
        for intent, fate in zip(contest.intents, resolution.fates, strict=True):
            unit, _, to, _, _, _, _, _ = intent
            outcome, cause, by, how, _, decreed = fate
            entry = orders.get(unit)
            if intent.aside and not decreed and unit in faults:
                outcome, cause = Outcome.ILLEGAL, faults[unit].cause()
            order, forced = entry or (Hold(ref(unit)), False)
            results.append(
                OrderResult(unit.power, order, outcome, cause, unit, entry is not None, by, how, forced, decreed)
            )
            if by is None:
                stay.append(unit if to is None or outcome is not succeeds else Unit(unit.power, unit.kind, to))
        standing = tuple(stay)
        driven = dislodgements(contest, resolution, standing)
        ledger = dict(position.ledger)
        for key, amount in marshalled.postings:
            ledger[key] = ledger.get(key, 0) + amount
        after = replace(
            position,
            units=standing,
            dislodged=tuple(Dislodged(d.unit, d.by, d.retreats) for d in driven if d.retreats),
            ledger=ledger if marshalled.postings else position.ledger,
        )
        return Turn(after, (*marshalled.events, *results, *marshalled.aside, *driven))


def dislodgements(contest: Contest, resolution: Resolution, standing: tuple[Unit, ...]) -> tuple[Dislodgement, ...]:
    """Everyone driven out, with where they may go and what keeps them from the other neighbouring places."""
    driven = [
        (i.unit, f.dislodged_by) for i, f in zip(contest.intents, resolution.fates, strict=True) if f.dislodged_by
    ]
    if not driven:
        return ()
    board, kinds = atlas(contest.board), contest.kinds
    by_sea = {i.unit for i, fate in zip(contest.intents, resolution.fates, strict=True) if fate.convoyed}
    occupied = {(u.at.province, kinds[u.kind].layer) for u in standing if u.at.province not in board.shared}

    def bar(unit: Unit, by: Unit, at: Location) -> str:
        space = (at.province, kinds[unit.kind].layer)
        if at.province == by.at.province and by not in by_sea:
            return "attacker"
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


def _written(at: Location) -> str:
    return str(at.place)


@lru_cache(maxsize=MOST_REFS)
def ref(unit: Unit) -> UnitRef:
    """A unit as an order names it; the same value again and again, so that orders are quickly compared."""
    return UnitRef(unit.kind, unit.at.place)

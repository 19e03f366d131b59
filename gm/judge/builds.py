"""The step in which powers build in their home centres, or remove units they cannot keep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gm.judge.atlas import atlas
from gm.judge.board import Location, locations
from gm.judge.events import Cause, OrderResult, Outcome
from gm.judge.legality import Fault, Theatre
from gm.judge.muster import OWN_WORD, Muster
from gm.judge.position import Position, Unit
from gm.judge.statements import Build, Disband, Statement, UnitRef, Waive
from gm.judge.steps import Book, Effect, Entry, Owed, Problem, Purse, Turn

if TYPE_CHECKING:
    from gm.judge.variant import Variant


@dataclass(frozen=True, slots=True)
class Builds:
    season: str
    muster: Muster = OWN_WORD
    letter: str = "A"
    grammar: str = "builds"
    also: tuple[str, ...] = ()

    def purses(self, position: Position, variant: Variant, power: str) -> tuple[Purse, ...]:
        return ()

    def due(self, position: Position, variant: Variant) -> Mapping[str, Owed]:
        found: dict[str, Owed] = {}
        for power in variant.powers:
            count = allowance(position, variant, power.name)
            if count > 0:
                found[power.name] = Owed(builds=count, optional=True)
            elif count < 0:
                found[power.name] = Owed(removals=-count)
        return found

    def missing(self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]) -> Owed:
        work = _Work(position, variant, power)
        for statement in sheet:
            work.take(statement)
        if work.left > 0:
            return Owed(builds=work.left, optional=True)
        return Owed(removals=-work.left)

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        work = _Work(position, variant, power)
        found: list[Problem] = []
        for statement in sheet:
            fault = work.take(statement)
            if fault is not None:
                effect = (
                    Effect.REFUSE_LINE if fault.key in ("wrong-phase", "no-unit", "not-yours") else Effect.VOID_LINE
                )
                found.append(Problem(fault.key, effect, statement, fault.places, fault.reach))
        return tuple(found)

    def resolve(self, position: Position, variant: Variant, book: Book) -> Turn:
        units = list(position.units)
        results: list[OrderResult] = []
        for power in variant.powers:
            work = _Work(position, variant, power.name)
            for entry in book.entries(power.name):
                results.append(_result(work, entry))
            results.extend(_by_rule(work))
            units = [u for u in units if u not in work.removed] + work.built
        return Turn(replace(position, units=tuple(units)), tuple(results))


def sites(position: Position, variant: Variant, power: str) -> tuple[str, ...]:
    """Home centres a power may build in: its own, still or again, and empty. Sorted."""
    if position.collapsed(power):
        return ()
    gone = {d.unit.at.province for d in position.dislodged}
    homes, standing, centres = atlas(position.board).homes.get(power, ()), position.standing, position.centres
    return tuple(c for c in homes if centres.get(c) == power and c not in standing and c not in gone)


def allowance(position: Position, variant: Variant, power: str) -> int:
    """Units to build (as many as there is room for), or to remove (negative)."""
    difference = len(position.centres_of(power)) - len(position.units_of(power))
    return min(difference, len(sites(position, variant, power))) if difference > 0 else difference


def removals(position: Position, variant: Variant, power: str, count: int, gone: set[Unit]) -> tuple[Unit, ...]:
    """Whom the rules take: farthest from the power's own centres, over land and sea alike; then those that sail before
    those that march; then by the English name of the province (DATC 3.0, 4.D.8). Rulebooks before 2023 count from the
    home centres, and for a fleet only the ways it can sail.
    """
    provinces = position.board.provinces
    far_from, board = variant.edition.far, atlas(position.board)
    homes = board.homes.get(power, ())
    targets = frozenset(homes if far_from.home else position.centres_of(power))
    steps = board.distances(targets)

    def rank(unit: Unit) -> tuple[int, bool, str]:
        sails = far_from.afloat and not variant.kinds[unit.kind].convoyed
        far = board.voyage(unit.at, targets) if sails else steps.get(unit.at.province)
        far = len(provinces) if far is None else far
        return -far, variant.kinds[unit.kind].convoyed, provinces[unit.at.province].name.casefold()

    return tuple(sorted((u for u in position.units_of(power) if u not in gone), key=rank)[:count])


class _Work:
    """One power's adjustments, taken line by line. `left` counts builds (positive) or removals (negative) to come."""

    __slots__ = ("built", "left", "position", "power", "removed", "roll", "sites", "variant")

    def __init__(self, position: Position, variant: Variant, power: str) -> None:
        self.position = position
        self.variant = variant
        self.power = power
        self.left = allowance(position, variant, power)
        self.sites = list(sites(position, variant, power))
        self.built: list[Unit] = []
        self.removed: set[Unit] = set()
        self.roll = Theatre.of(position, variant.kinds)

    def take(self, statement: Statement) -> Fault | None:
        """Carry out one line, or say why not."""
        match statement:
            case Build():
                return self._build(statement.unit)
            case Disband():
                return self._remove(statement.unit)
            case Waive():
                return self._waive(statement)
            case _:
                return Fault("wrong-phase")

    def _build(self, wanted: UnitRef) -> Fault | None:
        at = self._site(wanted)
        if isinstance(at, Fault):
            return at
        if self.left <= 0:
            return Fault("no-build-left" if self.built else "no-build-due", (wanted.at.province,))
        self.left -= 1
        self.sites.remove(wanted.at.province)
        self.built.append(Unit(self.power, wanted.kind, at))
        return None

    def _site(self, wanted: UnitRef) -> Location | Fault:
        province = self.position.board.provinces.get(wanted.at.province)
        kind = self.variant.kinds.get(wanted.kind)
        if province is None or kind is None:
            return Fault("unknown-place", (wanted.at.province,))
        where, free = (province.code,), tuple(self.sites)
        if province.home != self.power:
            return Fault("colonial" if province.colony else "not-home", where, free)
        if any(u.at.province == province.code for u in self.built):
            return Fault("built-already", where, free)
        if province.code not in self.sites:
            lost = self.position.centres.get(province.code) != self.power
            return Fault("home-lost" if lost else "home-occupied", where, free)
        ends = locations(self.position.board, kind, province.code)
        if not ends:
            return Fault("cannot-build-there", where, free)
        if len(ends) == 1:
            return ends[0]
        exact = next((at for at in ends if at.slot == wanted.at.coast), None)
        return exact or Fault("which-coast", where, tuple(str(at.place) for at in ends))

    def _remove(self, wanted: UnitRef) -> Fault | None:
        unit = self.roll.find(wanted, self.power)
        if unit is None or unit.power != self.power:
            return Fault("no-unit" if unit is None else "not-yours", (wanted.at.province,))
        if unit in self.removed:
            return Fault("removed-already", (wanted.at.province,))
        if self.left >= 0:
            return Fault("no-removal-left" if self.removed else "no-removal-due", (wanted.at.province,))
        self.left += 1
        self.removed.add(unit)
        return None

    def _waive(self, statement: Waive) -> Fault | None:
        if self.left <= 0:
            return Fault("nothing-to-waive")
        self.left -= min(self.left, statement.count or self.left)
        return None


def _result(work: _Work, entry: Entry) -> OrderResult:
    unit = work.roll.find(entry.statement.unit, work.power) if isinstance(entry.statement, Disband) else None
    fault = work.take(entry.statement)
    outcome = Outcome.SUCCEEDS if fault is None else Outcome.ILLEGAL
    if fault is not None and fault.key in ("no-build-left", "no-removal-left", "removed-already", "built-already"):
        outcome = Outcome.VOID
    return OrderResult(
        work.power, entry.statement, outcome, fault.cause() if fault else None, unit, forced=entry.forced
    )


def _by_rule(work: _Work) -> Iterator[OrderResult]:
    """What the rules do with what the power left open."""
    if work.left > 0:
        yield OrderResult(work.power, Waive(work.left), Outcome.SUCCEEDS, Cause("unused"), given=False)
    elif work.left < 0:
        for unit in removals(work.position, work.variant, work.power, -work.left, work.removed):
            work.removed.add(unit)
            order = Disband(UnitRef(unit.kind, unit.at.place))
            yield OrderResult(work.power, order, Outcome.SUCCEEDS, Cause("removed-by-rule"), unit, given=False)

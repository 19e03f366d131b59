"""The adjustment step: powers build units, or remove units they cannot keep.

Everything is counted in half points (`gm.judge.steps.build_rules`): an ordinary unit costs 2, and a centre gives 2.
Removals on a sheet are processed before its builds: a removed unit may leave half a point for a cheaper one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gm.judge.board.board import GROUND, STRANDED, Location, locations
from gm.judge.model.events import Cause, OrderResult, Outcome
from gm.judge.model.orders import Build, Disband, Entry, Statement, UnitRef, Waive
from gm.judge.model.position import Position, Unit
from gm.judge.model.sheets import DueOrders, Problem, Submissions, Turn
from gm.judge.model.unit_numbers import numbered
from gm.judge.model.variant import Variant
from gm.judge.movement.legality import IllegalOrder, LegalityChecker
from gm.judge.movement.order_rights import OrderStep
from gm.judge.steps.build_rules import FULL, balance, holder, without_bombings


class AdjustmentStep(OrderStep, frozen=True):
    letter: str = "A"
    grammar: str = "adjustments"

    def due(self, position: Position, variant: Variant) -> Mapping[str, DueOrders]:
        due: dict[str, DueOrders] = {}
        for power in self.ordered_powers(position, variant):
            count = allowance(position, variant, power)
            if count > 0:
                due[power] = DueOrders(builds=count, optional=True)
            elif count < 0:
                due[power] = DueOrders(removals=-count)
        return due

    def missing(self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]) -> DueOrders:
        adjustments = _Adjustments(position, variant, power)
        for statement in sorted(sheet, key=_processing_order):
            adjustments.take(statement)
        if adjustments.left > 0:
            return DueOrders(builds=_units_for(adjustments.usable()), optional=True)
        return DueOrders(removals=_fewest_removals(variant, adjustments.staying(), -adjustments.left))

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        adjustments = _Adjustments(position, variant, power)
        faults = {statement: adjustments.take(statement) for statement in sorted(sheet, key=_processing_order)}
        return tuple(fault.problem(statement) for statement in sheet if (fault := faults.get(statement)) is not None)

    def resolve(self, position: Position, variant: Variant, book: Submissions) -> Turn:
        units = list(position.units)
        results: list[OrderResult] = []
        merged = self.rights.merge_events(position, variant, book)
        book = self.rights.merge_sheets(position, variant, book)
        for power in variant.owners:
            adjustments = _Adjustments(position, variant, power)
            entries = book.entries(power)
            order = sorted(range(len(entries)), key=lambda at: _processing_order(entries[at].statement))
            ended = {at: adjustments.result(entries[at]) for at in order}
            results += [ended[at] for at in range(len(entries))]
            results.extend(adjustments.results_by_rule())
            units = [u for u in units if u not in adjustments.removed] + adjustments.built
        after = position.having(units=numbered(position.board, units), ledger=without_bombings(position))
        return Turn(after, (*merged, *results))


NO_YARDS: frozenset[str] = frozenset()


def sites(position: Position, variant: Variant, power: str, layer: str = GROUND) -> tuple[str, ...]:
    """Where a power may build in this layer, sorted: its own empty sites; on the ground its yards too."""
    if position.collapsed(power):
        return ()
    kinds, held, standing = variant.kinds, position.centres, position.standing
    yards = position.board.adjacency.yards if layer == GROUND else NO_YARDS
    gone = {d.unit.at.province for d in position.dislodged if kinds[d.unit.kind].layer == layer}
    codes: list[str] = []
    for code in variant.build_rule.grounds(position, power):
        if held.get(code) != power and not (code in yards and holder(position, code) == power):
            continue
        if code not in gone and layer not in [kinds[unit.kind].layer for unit in standing.get(code, ())]:
            codes.append(code)
    return tuple(codes)


def allowance(position: Position, variant: Variant, power: str) -> int:
    """Units to build (as many as there is room for; half a point counts as one), or to remove at least (negative).

    Cached with the position, only for speed.
    """
    cache = position.__dict__.setdefault("_allowances", {})
    count: int | None = cache.get((variant, power))
    if count is None:
        count = cache[variant, power] = _allowance(position, variant, power)
    return count


def _allowance(position: Position, variant: Variant, power: str) -> int:
    left = balance(position, variant, power)
    if not left:
        return 0
    if left < 0:
        return -_fewest_removals(variant, position.units_of(power), -left)
    return _units_for(_usable(variant, _free_sites(position, variant, power), left))


def _free_sites(position: Position, variant: Variant, power: str) -> dict[str, list[str]]:
    return {layer: list(sites(position, variant, power, layer)) for layer in variant.layers}


def _usable(variant: Variant, free: Mapping[str, Sequence[str]], left: int) -> int:
    """How many of the half points left there is room for, the most expensive kinds first."""
    used = 0
    for layer, each in variant.highest_costs:
        used += each * min(len(free[layer]), (left - used) // each)
    return used


def _units_for(points: int) -> int:
    return (points + 1) // FULL


def _fewest_removals(variant: Variant, units: Iterable[Unit], excess: int) -> int:
    """How many of these units must be removed at least."""
    if excess <= 0:
        return 0
    count = 0
    for cost in sorted((variant.kinds[unit.kind].cost for unit in units), reverse=True):
        if excess <= 0:
            break
        excess, count = excess - cost, count + 1
    return count


def _processing_order(statement: Statement) -> int:
    """Removals come first, because they make room for builds; a WAIVE without a number comes last."""
    if isinstance(statement, Disband):
        return 0
    return 2 if isinstance(statement, Waive) and statement.count is None else 1


def removals(position: Position, variant: Variant, power: str, excess: int, gone: set[Unit]) -> tuple[Unit, ...]:
    """The units that the rules remove until `excess` half points are free (DATC 3.0, 4.D.8).

    Wings first; then the units farthest from the power's own centres, over land and sea alike; then fleets before
    armies; then by the English name of the province. Rulebooks before 2023 count from the home centres, and for a fleet
    only routes it can sail.
    """
    provinces = position.board.provinces
    distance, adjacency = variant.rulebook.far, position.board.adjacency
    homes = adjacency.homes.get(power, ())
    targets = frozenset(homes if distance.home else position.centres_of(power))
    steps = adjacency.distances(targets)

    def rank(unit: Unit) -> tuple[bool, int, bool, str]:
        sails = distance.afloat and not variant.kinds[unit.kind].convoyed
        far = adjacency.moves_needed(unit.at, targets) if sails else steps.get(unit.at.province)
        far = len(provinces) if far is None else far
        kind = variant.kinds[unit.kind]
        return kind.layer == GROUND, -far, kind.convoyed, provinces[unit.at.province].name.casefold()

    removed: list[Unit] = []
    for unit in sorted((u for u in position.units_of(power) if u not in gone), key=rank):
        if excess <= 0:
            break
        removed.append(unit)
        excess -= variant.kinds[unit.kind].cost
    return tuple(removed)


class _Adjustments:
    """A power's adjustments, processed line by line.

    `left` counts half points for builds for which there is room, or by which units exceed production (negative).
    `sites` are the free ones, by layer. `waived`: a line has left all other builds unused.
    """

    __slots__ = ("built", "checker", "kinds", "left", "position", "power", "removed", "sites", "variant", "waived")

    def __init__(self, position: Position, variant: Variant, power: str) -> None:
        self.position = position
        self.variant = variant
        self.power = power
        self.kinds = variant.kinds
        self.sites = _free_sites(position, variant, power)
        self.left = balance(position, variant, power)
        self.left = self.usable() if self.left > 0 else self.left
        self.built: list[Unit] = []
        self.removed: set[Unit] = set()
        self.waived = False
        self.checker = LegalityChecker.of(position, variant.kinds, variant.rulebook)

    def usable(self) -> int:
        return _usable(self.variant, self.sites, self.left)

    def staying(self) -> list[Unit]:
        return [unit for unit in self.position.units_of(self.power) if unit not in self.removed]

    def take(self, statement: Statement) -> IllegalOrder | None:
        """Processes a line; returns why it is impossible, or None."""
        match statement:
            case Build():
                return self._build(statement.unit)
            case Disband():
                return self._remove(statement.unit)
            case Waive():
                return self._waive(statement)
            case _:
                return IllegalOrder("wrong-phase")

    def _build(self, wanted: UnitRef) -> IllegalOrder | None:
        at = self._site(wanted)
        if isinstance(at, IllegalOrder):
            return at
        kind = self.kinds[wanted.kind]
        if self.left < 0 and kind.cost < FULL:
            return IllegalOrder("removal-first", (wanted.at.province,))
        if self.left <= 0:
            return IllegalOrder("no-build-left" if self.built else "no-build-due", (wanted.at.province,))
        if self.left < kind.cost:
            return IllegalOrder("half-a-build", (wanted.at.province,))
        self.left -= kind.cost
        self.sites[kind.layer].remove(wanted.at.province)
        self.built.append(Unit(self.power, wanted.kind, at))
        return None

    def _site(self, wanted: UnitRef) -> Location | IllegalOrder:
        province = self.position.board.provinces.get(wanted.at.province)
        kind = self.variant.kinds.get(wanted.kind)
        if province is None or kind is None:
            return IllegalOrder("unknown-place", (wanted.at.province,))
        where, free = (province.code,), tuple(self.sites[kind.layer])
        rule = self.variant.build_rule
        if province.code not in rule.grounds(self.position, self.power):
            return IllegalOrder("colonial" if province.colony else rule.refusal, where, free)
        if kind.layer != GROUND and not province.centre:
            return IllegalOrder("not-in-yard", where, free)
        if any(u.at.province == province.code and self.kinds[u.kind].layer == kind.layer for u in self.built):
            return IllegalOrder("built-already", where, free)
        if province.code not in self.sites[kind.layer]:
            lost = (holder(self.position, province.code) or self.position.centres.get(province.code)) != self.power
            occupied = "home-occupied" if kind.layer == GROUND else "air-occupied"
            return IllegalOrder("home-lost" if lost else occupied, where, free)
        ends = [at for at in locations(self.position.board, kind, province.code) if at.slot != STRANDED]
        if not ends:
            return IllegalOrder("cannot-build-there", where, free)
        if len(ends) == 1:
            return ends[0]
        exact = next((at for at in ends if at.slot == wanted.at.coast), None)
        return exact or IllegalOrder("which-coast", where, tuple(str(at.place) for at in ends))

    def _remove(self, wanted: UnitRef) -> IllegalOrder | None:
        unit = self.checker.find(wanted, self.power)
        if unit is None or unit.power != self.power:
            return IllegalOrder("no-unit" if unit is None else "not-yours", (wanted.at.province,))
        if unit in self.removed:
            return IllegalOrder("removed-already", (wanted.at.province,))
        if self.left >= 0:
            return IllegalOrder("no-removal-left" if self.removed else "no-removal-due", (wanted.at.province,))
        self.left += self.kinds[unit.kind].cost
        self.removed.add(unit)
        return None

    def _waive(self, statement: Waive) -> IllegalOrder | None:
        """A WAIVE without a number may be repeated."""
        if self.left <= 0 and not (self.waived and statement.count is None):
            return IllegalOrder("nothing-to-waive")
        self.left -= min(self.left, FULL * (statement.count or self.left))
        self.waived |= statement.count is None
        return None

    def result(self, entry: Entry) -> OrderResult:
        unit = self.checker.find(entry.statement.unit, self.power) if isinstance(entry.statement, Disband) else None
        fault = self.take(entry.statement)
        outcome = Outcome.SUCCEEDS if fault is None else Outcome.ILLEGAL
        if fault is not None and fault.key in ("no-build-left", "no-removal-left", "removed-already", "built-already"):
            outcome = Outcome.VOID
        return OrderResult(
            self.power, entry.statement, outcome, fault.cause() if fault else None, unit, forced=entry.forced
        )

    def results_by_rule(self) -> Iterator[OrderResult]:
        """What the rules do with builds and removals that the power left open."""
        left = self.usable() if self.left > 0 and not self.removed else 0
        if left > 0:
            key = "unused" if left >= FULL else "unused-half"
            yield OrderResult(self.power, Waive(left // FULL or None), Outcome.SUCCEEDS, Cause(key), given=False)
        elif self.left < 0:
            for unit in removals(self.position, self.variant, self.power, -self.left, self.removed):
                self.removed.add(unit)
                order = Disband(UnitRef(unit.kind, unit.at.place, unit.number))
                yield OrderResult(self.power, order, Outcome.SUCCEEDS, Cause("removed-by-rule"), unit, given=False)

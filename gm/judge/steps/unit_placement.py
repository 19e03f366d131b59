"""The step before the first turn in which every power chooses the kind of unit in each of its home centres.

A line is a `Build` for a centre. The choices of others are secret until all are made; the default is an army.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.board.board import Location, Place, locate, locations
from gm.judge.model.events import Cause, OrderResult, Outcome
from gm.judge.model.orders import Build, Statement, UnitRef
from gm.judge.model.position import Position, Unit
from gm.judge.model.sheets import DueOrders, Problem, ProblemEffect, Submissions, Turn
from gm.judge.model.variant import Step, Variant
from gm.judge.movement.legality import IllegalOrder

TASK = "setup"
GRAMMAR = "unit_placement"


class UnitPlacementStep(Step, Struct, frozen=True):
    """Due once, at the variant's start. `default` is the kind of unit in centres without a choice."""

    season: str
    default: str = "A"
    letter: str = "U"
    grammar: str = GRAMMAR

    def due(self, position: Position, variant: Variant) -> Mapping[str, DueOrders]:
        if (position.year, position.at) != (variant.start.year, variant.start.at):
            return {}
        return {power.name: DueOrders(task=TASK) for power in variant.powers if homes(position, power.name)}

    def may_be_due(self, position: Position, variant: Variant) -> bool:
        return bool(self.due(position, variant))

    def missing(self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]) -> DueOrders:
        named = {line.unit.at.province for line in sheet if isinstance(line, Build)}
        return DueOrders() if named.issuperset(homes(position, power)) else DueOrders(task=TASK)

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        locations = ((line, chosen_location(position, variant, power, line)) for line in sheet)
        return tuple(
            Problem(end.key, ProblemEffect.REFUSE_LINE, line, end.places, end.reach)
            for line, end in locations
            if isinstance(end, IllegalOrder)
        )

    def examples(self, position: Position, variant: Variant, power: str) -> tuple[Statement, ...]:
        """A line for each centre, with alternating kinds of units where possible."""
        examples: list[Statement] = []
        kinds = tuple(variant.kinds.values())
        for turn, code in enumerate(homes(position, power)):
            kind = kinds[turn % len(kinds)]
            ends = locations(position.board, kind, code) or locations(position.board, variant.kinds[self.default], code)
            chosen_kind = kind.code if locations(position.board, kind, code) else self.default
            examples.append(Build(UnitRef(chosen_kind, ends[0].place)))
        return tuple(examples)

    def resolve(self, position: Position, variant: Variant, book: Submissions) -> Turn:
        if not self.due(position, variant):
            return Turn(position)
        units: list[Unit] = []
        results: list[OrderResult] = []
        for power in variant.powers:
            ends = self._chosen_units(position, variant, book, power.name, results)
            for code in homes(position, power.name):
                if code not in ends:
                    at = locate(position.board, variant.kinds[self.default], Place(code))
                    assert at is not None
                    ends[code] = Unit(power.name, self.default, at)
                    order = Build(UnitRef(self.default, at.place))
                    results.append(
                        OrderResult(
                            power.name, order, Outcome.SUCCEEDS, Cause("setup-default"), ends[code], given=False
                        )
                    )
                units.append(ends[code])
        return Turn(replace(position, units=tuple(units)), tuple(results))

    def _chosen_units(
        self, position: Position, variant: Variant, book: Submissions, power: str, results: list[OrderResult]
    ) -> dict[str, Unit]:
        """The units chosen, by province; a later line replaces an earlier one, unless that was forced."""
        ends: dict[str, Unit] = {}
        rows: dict[str, int] = {}
        forced: set[str] = set()
        for entry in book.entries(power):
            line = entry.statement
            end = chosen_location(position, variant, power, line)
            if isinstance(end, IllegalOrder):
                results.append(OrderResult(power, line, Outcome.ILLEGAL, end.cause(), forced=entry.forced))
                continue
            code = end.province
            if code in forced and not entry.forced:
                results.append(OrderResult(power, line, Outcome.SUPERSEDED))
                continue
            if code in rows:
                results[rows[code]] = replace(results[rows[code]], outcome=Outcome.SUPERSEDED, unit=None)
            rows[code] = len(results)
            assert isinstance(line, Build)
            ends[code] = Unit(power, line.unit.kind, end)
            forced |= {code} if entry.forced else set()
            results.append(OrderResult(power, line, Outcome.SUCCEEDS, unit=ends[code], forced=entry.forced))
        return ends


def homes(position: Position, power: str) -> tuple[str, ...]:
    """The home centres that a power owns, in the map's order."""
    codes = (p.code for p in position.board.provinces.values() if p.home == power)
    return tuple(code for code in codes if position.centres.get(code) == power)


def chosen_location(position: Position, variant: Variant, power: str, line: Statement) -> Location | IllegalOrder:
    """Where the unit of this line will stand, or why it is impossible."""
    if not isinstance(line, Build):
        return IllegalOrder("wrong-phase")
    kind, place = variant.kinds.get(line.unit.kind), line.unit.at
    own = homes(position, power)
    if kind is None or place.province not in position.board.provinces:
        return IllegalOrder("unknown-place", (place.province,))
    if place.province not in own:
        return IllegalOrder("setup-not-home", (place.province,), own)
    ends = locations(position.board, kind, place.province)
    if not ends:
        return IllegalOrder("setup-inland", (place.province,))
    exact = next((at for at in ends if at.slot == place.coast), ends[0] if len(ends) == 1 else None)
    return exact or IllegalOrder("which-coast", (place.province,), tuple(str(at.place) for at in ends))

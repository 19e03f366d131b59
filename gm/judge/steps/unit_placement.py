"""The step before the first turn in which every power says what kind of unit stands in each of its home centres.

A line is a `Build` for a centre. Nothing is known of others' choices before all are made; who makes none has armies.
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


class UnitPlacementStep(Step, Struct, frozen=True):
    """Due once, where the variant starts. `default` is the kind of unit of whoever names none."""

    season: str
    default: str = "A"
    letter: str = "U"
    grammar: str = "setup"

    def due(self, position: Position, variant: Variant) -> Mapping[str, DueOrders]:
        if (position.year, position.at) != (variant.start.year, variant.start.at):
            return {}
        return {power.name: DueOrders(task=TASK) for power in variant.powers if homes(position, power.name)}

    def missing(self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]) -> DueOrders:
        """The sheet is complete when every centre is spoken for."""
        named = {one.unit.at.province for one in sheet if isinstance(one, Build)}
        return DueOrders() if named.issuperset(homes(position, power)) else DueOrders(task=TASK)

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        found = ((one, chosen(position, variant, power, one)) for one in sheet)
        return tuple(
            Problem(end.key, ProblemEffect.REFUSE_LINE, one, end.places, end.reach)
            for one, end in found
            if isinstance(end, IllegalOrder)
        )

    def examples(self, position: Position, variant: Variant, power: str) -> tuple[Statement, ...]:
        """A line for each of its centres, of the kinds by turns, as far as they can stand there."""
        found: list[Statement] = []
        kinds = tuple(variant.kinds.values())
        for turn, code in enumerate(homes(position, power)):
            kind = kinds[turn % len(kinds)]
            ends = locations(position.board, kind, code) or locations(position.board, variant.kinds[self.default], code)
            chosen_kind = kind.code if locations(position.board, kind, code) else self.default
            found.append(Build(UnitRef(chosen_kind, ends[0].place)))
        return tuple(found)

    def resolve(self, position: Position, variant: Variant, book: Submissions) -> Turn:
        if not self.due(position, variant):
            return Turn(position)
        units: list[Unit] = []
        results: list[OrderResult] = []
        for power in variant.powers:
            ends = self._wishes(position, variant, book, power.name, results)
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

    def _wishes(
        self, position: Position, variant: Variant, book: Submissions, power: str, results: list[OrderResult]
    ) -> dict[str, Unit]:
        """The units asked for, by province; a later line replaces an earlier one, unless that was forced."""
        ends: dict[str, Unit] = {}
        told: dict[str, int] = {}
        forced: set[str] = set()
        for entry in book.entries(power):
            said = entry.statement
            end = chosen(position, variant, power, said)
            if isinstance(end, IllegalOrder):
                results.append(OrderResult(power, said, Outcome.ILLEGAL, end.cause(), forced=entry.forced))
                continue
            code = end.province
            if code in forced and not entry.forced:
                results.append(OrderResult(power, said, Outcome.SUPERSEDED))
                continue
            if code in told:
                results[told[code]] = replace(results[told[code]], outcome=Outcome.SUPERSEDED, unit=None)
            told[code] = len(results)
            assert isinstance(said, Build)
            ends[code] = Unit(power, said.unit.kind, end)
            forced |= {code} if entry.forced else set()
            results.append(OrderResult(power, said, Outcome.SUCCEEDS, unit=ends[code], forced=entry.forced))
        return ends


def homes(position: Position, power: str) -> tuple[str, ...]:
    """The centres that a power starts in, in the map's order."""
    found = (p.code for p in position.board.provinces.values() if p.home == power)
    return tuple(code for code in found if position.centres.get(code) == power)


def chosen(position: Position, variant: Variant, power: str, said: Statement) -> Location | IllegalOrder:
    """Where the unit of this line will stand, or why it cannot."""
    if not isinstance(said, Build):
        return IllegalOrder("wrong-phase")
    kind, place = variant.kinds.get(said.unit.kind), said.unit.at
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

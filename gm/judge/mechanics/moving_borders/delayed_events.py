"""Events on the map that are written with the moves: kept with the position, carried out after retreats or adjustments.

`Foretold` collects them on the sheets of a movement phase, `Afterwards` is the step in which they happen: nobody is
asked then. Both hold the same `Upheaval`, which knows the rules. Nothing of what was kept is shown before it happens.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.mechanics.moving_borders.border_events import LinesKept
from gm.judge.mechanics.moving_borders.border_orders import NoEvent, Placement, Release, Separation
from gm.judge.mechanics.moving_borders.border_step import BorderStep
from gm.judge.mechanics.moving_borders.order_meaning import BorderOrderRefusal
from gm.judge.model.orders import Statement
from gm.judge.model.position import Position, Unit
from gm.judge.model.sheets import DueOrders, Problem, ProblemEffect, Submissions, Turn
from gm.judge.model.variant import Variant
from gm.judge.movement.order_rights import OWN_UNITS, CollectedOrders, LegalityTest, OrderRights


class DelayedEvents(OrderRights, Struct, frozen=True):
    """Every power orders its own units, and may write beside them what `later` understands.

    A fleet may be placed where none lies yet: what counts is who lies there when the borders move.
    """

    later: BorderStep
    grammars: tuple[str, ...] = ("delayed_events",)
    statements: tuple[type[Statement], ...] = (Separation, Release, NoEvent, Placement)

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        found: list[Problem] = []
        for said in sheet:
            refusal = self._refusal(position, power, said)
            if refusal is not None:
                found.append(Problem(refusal.key, ProblemEffect.REFUSE_LINE, said, refusal.places, refusal.borders))
        return tuple(found)

    def _refusal(self, position: Position, power: str, said: Statement) -> BorderOrderRefusal | None:
        if isinstance(said, Placement):
            return self.later.unmet(position, said)
        return self.later.refusal(position, power, said) if isinstance(said, self.statements) else None

    def collect(
        self, position: Position, variant: Variant, book: Submissions, units: tuple[Unit, ...], fault: LegalityTest
    ) -> CollectedOrders:
        kept = {
            power.name: tuple(one for one in book.entries(power.name) if isinstance(one.statement, self.statements))
            for power in variant.powers
        }
        orders = {
            who: tuple(entry for entry in entries if not isinstance(entry.statement, self.statements))
            for who, entries in book.sheets.items()
        }
        own = OWN_UNITS.collect(position, variant, replace(book, sheets=orders), units, fault)
        ahead = {power: entries for power, entries in kept.items() if entries}
        told = tuple(
            LinesKept(tuple(one.statement for one in entries), frozenset((power,))) for power, entries in ahead.items()
        )
        return replace(own, events=(*own.events, *told), ahead=ahead)


class DelayedBorderStep(BorderStep, frozen=True):
    """The step in which what was kept happens. A sheet of its own, where there is one, takes a power's place."""

    def due(self, position: Position, variant: Variant) -> Mapping[str, DueOrders]:
        return {}

    def resolve(self, position: Position, variant: Variant, book: Submissions) -> Turn:
        kept = {(power, power): entries for power, entries in position.ahead.items()}
        whole = replace(book, sheets={**kept, **book.sheets})
        return BorderStep.resolve(self, replace(position, ahead={}), variant, whole)

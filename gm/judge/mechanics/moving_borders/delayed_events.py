"""Border events written with the moves, and applied after the retreats or adjustments (Seismic).

`DelayedEvents` collects them in a movement phase and stores them, secretly, in the position. `DelayedBorderStep`
applies them without asking for new orders.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.mechanics.moving_borders.border_events import LinesKept
from gm.judge.mechanics.moving_borders.border_orders import NoEvent, Placement, Release, Separation
from gm.judge.mechanics.moving_borders.border_step import BorderStep, refused_lines
from gm.judge.mechanics.moving_borders.order_meaning import BorderOrderRefusal
from gm.judge.model.orders import Statement
from gm.judge.model.position import Position, Unit
from gm.judge.model.sheets import DueOrders, Problem, Submissions, Turn
from gm.judge.model.variant import Variant
from gm.judge.movement.order_rights import CollectedOrders, LegalityTest, OrderRights


class DelayedEvents(OrderRights, Struct, frozen=True):
    """Every power orders its own units, and may add lines for the `later` step.

    A placement is accepted for a province without a fleet: what counts is the units when the borders move.
    """

    later: BorderStep
    grammars: tuple[str, ...] = ("delayed_events",)
    statements: tuple[type[Statement], ...] = (Separation, Release, NoEvent, Placement)

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        return refused_lines(sheet, lambda statement: self._refusal(position, power, statement))

    def _refusal(self, position: Position, power: str, statement: Statement) -> BorderOrderRefusal | None:
        if isinstance(statement, Placement):
            return self.later.unmet(position, statement)
        return self.later.refusal(position, power, statement) if isinstance(statement, self.statements) else None

    def collect(
        self, position: Position, variant: Variant, book: Submissions, units: tuple[Unit, ...], fault: LegalityTest
    ) -> CollectedOrders:
        later = book.only(lambda line: isinstance(line, self.statements))
        ahead = {power.name: entries for power in variant.powers if (entries := later.entries(power.name))}
        own = OrderRights.collect(self, position, variant, book, units, fault)
        events = tuple(
            LinesKept(tuple(entry.statement for entry in entries), audience=frozenset((power,)))
            for power, entries in ahead.items()
        )
        return replace(own, events=(*own.events, *events), ahead=ahead)


class DelayedBorderStep(BorderStep, frozen=True):
    """Applies the stored lines. A power's orders for this step replace its stored lines."""

    def due(self, position: Position, variant: Variant) -> Mapping[str, DueOrders]:
        return {}

    def may_be_due(self, position: Position, variant: Variant) -> bool:
        return False

    def resolve(self, position: Position, variant: Variant, book: Submissions) -> Turn:
        kept = {(power, power): entries for power, entries in position.ahead.items()}
        whole = replace(book, sheets={**kept, **book.sheets})
        return BorderStep.resolve(self, replace(position, ahead={}), variant, whole)

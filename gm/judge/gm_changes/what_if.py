"""WHAT IF: resolves a movement phase for a player, with their own orders and the orders they suppose others give.

All other units hold. Other powers' secret accounts, their lines for later steps and the seed of draws by lot are left
out, so that a trial reveals nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from gm.judge.model.orders import Entry, Statement
from gm.judge.model.position import COLLAPSED, Position
from gm.judge.model.sheets import Submissions, Turn
from gm.judge.model.variant import Variant
from gm.judge.movement.movement_step import MovementStep


def try_orders(
    position: Position,
    variant: Variant,
    power: str,
    sheets: Mapping[str, tuple[Statement, ...]],
    journal: tuple[Statement, ...] = (),
) -> Turn | None:
    """The outcome of these sheets, by power; None if the open phase is not a movement phase."""
    step = variant.step(position)
    if not isinstance(step, MovementStep):
        return None
    trial = replace(step, rights=step.rights.for_what_if())
    book = Submissions({(name, name): tuple(map(Entry, sheet)) for name, sheet in sheets.items()}, journal)
    return trial.resolve(without_secrets(position, variant, power), variant, book)


def without_secrets(position: Position, variant: Variant, power: str) -> Position:
    """The position without other powers' secrets."""
    public = {"", power, *(minor.name for minor in variant.minors)}
    ledger = {key: n for key, n in position.ledger.items() if key.power in public or key.purse == COLLAPSED}
    ahead = {name: entries for name, entries in position.ahead.items() if name == power}
    return replace(position, ledger=ledger, ahead=ahead, seed=0)

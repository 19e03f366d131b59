"""A movement phase tried out for one player: his orders against what he supposes, and nothing that he can't know.

Whoever is not supposed to do anything holds. What others own in secret, what they have written for later and the seed
of draws by lot are left out, so that a trial tells nothing of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from gm.judge.model.orders import Entry, Statement
from gm.judge.model.position import COLLAPSED, Position
from gm.judge.model.sheets import Submissions, Turn
from gm.judge.model.variant import Variant
from gm.judge.movement.movement_step import MovementStep


def tried(
    position: Position,
    variant: Variant,
    power: str,
    sheets: Mapping[str, tuple[Statement, ...]],
    journal: tuple[Statement, ...] = (),
) -> Turn | None:
    """What would come of these sheets, by power; None where the open phase is none of movement."""
    step = variant.step(position)
    if not isinstance(step, MovementStep):
        return None
    alone = replace(step, rights=step.rights.for_what_if())
    book = Submissions({(one, one): tuple(map(Entry, sheet)) for one, sheet in sheets.items()}, journal)
    return alone.resolve(known(position, variant, power), variant, book)


def known(position: Position, variant: Variant, power: str) -> Position:
    """The position without what is others' secret."""
    public = {"", power, *(minor.name for minor in variant.minors)}
    ledger = {key: n for key, n in position.ledger.items() if key.power in public or key.purse == COLLAPSED}
    ahead = {one: entries for one, entries in position.ahead.items() if one == power}
    return replace(position, ledger=ledger, ahead=ahead, seed=0)

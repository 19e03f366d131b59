"""What centres produce, in half points, and what units take of it: a centre gives 2, an ordinary unit costs 2.

The ledger counts, about a centre, the turns of this year in which it lost half of that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gm.judge.model.position import LedgerKey, Position

if TYPE_CHECKING:
    from gm.judge.model.variant import Variant

FULL = 2
BOMBED = "bombed"
"""The purse of turns that lower what a centre produces."""
HINDERED = "hindered"
"""The purse of turns that lower what it gives for building, but never cost a unit."""


def left_of(position: Position, code: str, more: int = 0) -> int:
    """What a centre produces yet, after `more` such turns."""
    turns = sum(position.ledger.get(LedgerKey(purse, "", code), 0) for purse in (BOMBED, HINDERED))
    return max(0, FULL - turns - more)


def produced(position: Position, power: str, purse: str = BOMBED) -> int:
    """By all centres of a power."""
    if not position.ledger:
        return FULL * len(position.centres_of(power))
    return sum(max(0, FULL - position.ledger.get(LedgerKey(purse, "", code), 0)) for code in position.centres_of(power))


def upkeep(position: Position, variant: Variant, power: str) -> int:
    kinds = variant.kinds
    return sum([kinds[unit.kind].cost for unit in position.units_of(power)])


def balance(position: Position, variant: Variant, power: str) -> int:
    """Half points for building, or (negative) that units take too much."""
    spare = produced(position, power) - upkeep(position, variant, power)
    if spare <= 0:
        return spare
    hindered = FULL * len(position.centres_of(power)) - produced(position, power, HINDERED)
    return max(0, spare - hindered)


def restored(position: Position) -> Mapping[LedgerKey, int]:
    """The ledger of a new year."""
    if not position.ledger or not any(key.purse in (BOMBED, HINDERED) for key in position.ledger):
        return position.ledger
    return {key: amount for key, amount in position.ledger.items() if key.purse not in (BOMBED, HINDERED)}

"""Build centres: places that are no supply centre, where the power that starts with one may build while it holds it.

It holds one from the start, until another power's unit stands there when centres are counted; then that power holds it,
until it is counted for another. The ledger remembers holders other than the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gm.judge.atlas import atlas
from gm.judge.board import GROUND
from gm.judge.position import LedgerKey, Position

if TYPE_CHECKING:
    from gm.judge.variant import Variant

HOLDS = "holds"
"""The purse of (holder, build centre) for those held by another than the power that may build there."""


def holder(position: Position, code: str) -> str | None:
    """Who holds a build centre; None where the province is none."""
    province = position.board.provinces[code]
    if not province.yard:
        return None
    return next((key.power for key in position.ledger if key.purse == HOLDS and key.subject == code), province.home)


def counted_yards(position: Position, variant: Variant) -> Mapping[LedgerKey, int]:
    """The ledger after the units in build centres were counted."""
    ledger, yards = position.ledger, atlas(position.board).yards
    for unit in position.units if yards else ():
        if unit.at.province not in yards or variant.kinds[unit.kind].layer != GROUND:
            continue
        province = position.board.provinces[unit.at.province]
        ledger = {key: n for key, n in ledger.items() if (key.purse, key.subject) != (HOLDS, province.code)}
        if unit.power != province.home:
            ledger |= {LedgerKey(HOLDS, unit.power, province.code): 1}
    return ledger

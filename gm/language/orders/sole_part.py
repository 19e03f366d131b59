"""Lines of which a letter may hold one: two different ones of a kind leave it open which is meant, so none counts."""

from __future__ import annotations

from collections.abc import Sequence

from gm.judge.model.orders import OneMeaningStatement, Slot, Statement
from gm.language.lines.letter_contents import OrderLine


def parted(orders: Sequence[OrderLine]) -> tuple[list[OrderLine], list[OrderLine]]:
    """Those that count, and those that void each other; each in the order of the letter."""
    said: dict[Slot, set[Statement]] = {}
    for one in orders:
        if isinstance(one.statement, OneMeaningStatement):
            said.setdefault(one.statement.slot, set()).add(one.statement)
    crowded = [one for one in orders if len(said.get(one.statement.slot, ())) > 1]
    return [one for one in orders if one not in crowded], crowded

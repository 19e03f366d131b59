"""Orders written for another position than the open one: most of their units are not on the board."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from gm.judge.model.orders import Statement
from gm.language.lines.letter_contents import LineError, OrderLine
from gm.language.prose.memory import unit_of

NO_UNIT = "no-unit"
WRONG_KIND = "wrong-kind"
FEW = 2
"""Fewer orders of units that are nowhere are slips."""


def without_lucky_orders(
    orders: Sequence[OrderLine], troubles: Sequence[LineError], written: Callable[[Statement], str]
) -> tuple[list[OrderLine], list[LineError]]:
    """The orders and errors, where an order that names an army for a fleet does not count beside as many orders of
    units that are nowhere as good ones: "A Ruh - Bel, F Den - Swe, A Kie - Hol" before the first moves.
    """
    texts = {order: written(order.statement) for order in orders}
    nowhere = sum(not each.obeyed and each.key == NO_UNIT for each in troubles)
    amended = {dict(each.fields).get("unit", ""): each for each in troubles if each.obeyed and each.key == WRONG_KIND}
    lucky = [order for order, text in texts.items() if unit_of(text) in amended]
    if not lucky or nowhere < FEW or nowhere <= len(orders) - len(lucky):
        return list(orders), list(troubles)
    asked = {id(amended[unit_of(texts[order])]): texts[order] for order in lucky}
    doubted = [
        replace(each, key="not-taken", fields=(), suggestions=(asked[id(each)],), obeyed=False)
        if id(each) in asked
        else each
        for each in troubles
    ]
    return [order for order in orders if order not in lucky], doubted

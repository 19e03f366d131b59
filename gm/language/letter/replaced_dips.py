"""A unit profits from one support with dips a turn: a new one takes the place of an earlier one on file."""

from __future__ import annotations

from collections.abc import Sequence

from gm.judge.mechanics.dips.dip_orders import DipOrder, DipSupport, NoDips
from gm.judge.model.orders import Statement
from gm.language.lines.letter_contents import LetterContext, OrderLine


def with_dips_replaced(orders: Sequence[OrderLine], context: LetterContext) -> list[OrderLine]:
    """Lines about dips add up until one withdraws them all: those on file that stay are written anew."""
    new = [order for order in orders if isinstance(order.statement, DipSupport)]
    units = {order.statement.target for order in new if isinstance(order.statement, DipSupport)}
    slots = {order.statement.slot for order in new}
    before = [
        line for line in (context.on_file() if new else ()) if isinstance(line, DipOrder) and line.slot not in slots
    ]
    gone = {line.slot for line in before if isinstance(line, DipSupport) and line.target in units}
    if not gone or any(isinstance(order.statement, NoDips) for order in orders):
        return [*orders]
    first = new[0]
    stay: list[Statement] = [line for line in before if line.slot not in gone]
    anew = [OrderLine(first.line, first.text, line) for line in (NoDips(), *stay)]
    at = orders.index(first)
    return [*orders[:at], *anew, *orders[at:]]

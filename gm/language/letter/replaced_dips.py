"""Supports with dips beside the orders that stand: they are for the move of a unit that moves, and a new one takes the
place of an earlier one on file, as a unit profits from one a turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from gm.judge.mechanics.dips.dip_orders import DipOrder, DipSupport, NoDips
from gm.judge.model.orders import Move, Statement
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


def with_dips_for_moves(
    orders: Sequence[OrderLine], context: LetterContext, says_hold: Callable[[OrderLine], bool]
) -> list[OrderLine]:
    """ "3 dips for Constantinople": for its move, in the letter or on file, where no word says that it holds."""
    if not any(isinstance(order.statement, DipSupport) and order.statement.to is None for order in orders):
        return [*orders]
    lines = {line.slot: line for line in (*context.on_file(), *(order.statement for order in orders))}
    moves = {line.unit: line.to for line in lines.values() if isinstance(line, Move)}
    anew: list[OrderLine] = []
    for order in orders:
        dips = order.statement
        if isinstance(dips, DipSupport) and dips.to is None and dips.target in moves and not says_hold(order):
            order = replace(order, statement=replace(dips, to=moves[dips.target]))
        anew.append(order)
    return anew

"""What the answer asks about orders in doubt, and where their words stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from gm.judge.mechanics.influence.bid_orders import Bid
from gm.judge.model.orders import Allocate, Slot, Statement, slot_province
from gm.language.letter.doubts.doubt_context import DoubtContext
from gm.language.lines.letter_contents import LineError, OrderLine
from gm.language.lines.spans import Fate, LetterSpan
from gm.language.lines.trouble_keys import ALTERNATIVE, MAY_CHANGE

UNREAD_FATES = frozenset({Fate.TALK, Fate.NOT_TAKEN})
"""Fates of words of which nothing was understood that is an order."""
PASSED_OVER = UNREAD_FATES | {Fate.COMMENT}
"""The same, and of those understood to be no order."""


def waiting(trouble: LineError, doubted: Sequence[OrderLine], context: DoubtContext) -> LineError:
    """The error with the orders that wait."""
    last = {order.statement.slot: context.written(order.statement) for order in doubted}
    lines = "\n".join(dict.fromkeys(last.values()))
    return replace(trouble, key=MAY_CHANGE, suggestions=(lines,), obeyed=False)


def which_of(
    asked: OrderLine, orders: Iterable[OrderLine], context: DoubtContext, more: Iterable[str] = ()
) -> LineError:
    """The question at the words of an order which of several counts, or one of `more` lines."""
    lines = (context.written(order.statement) for order in orders)
    ways = tuple(dict.fromkeys((*lines, *more)))
    return LineError(asked.line, asked.text, 0, len(asked.text), ALTERNATIVE, (), ways)


def by_slot(orders: Iterable[OrderLine]) -> dict[Slot, list[OrderLine]]:
    """The orders of each unit, in the order of the letter."""
    slots: dict[Slot, list[OrderLine]] = {}
    for order in orders:
        slots.setdefault(order.statement.slot, []).append(order)
    return slots


def without_units_of(doubted: Iterable[OrderLine], orders: Iterable[OrderLine]) -> list[OrderLine]:
    """The orders for units other than those that the doubted ones are for."""
    slots = {order.statement.slot for order in doubted}
    return [order for order in orders if order.statement.slot not in slots]


def begins(order: OrderLine, context: DoubtContext) -> int:
    """The column in the text of its line where an order's words begin; the end, where the whole line tells of it."""
    words = context.words(order)
    return words.line.at + words.start if words is not None else len(order.text)


def place(order: OrderLine, context: DoubtContext) -> tuple[int, int]:
    """The line of an order and the column where it begins."""
    return order.line, begins(order, context)


def placed_spans(context: DoubtContext) -> Iterator[tuple[int, LetterSpan]]:
    """All spans, each with the column in which it begins."""
    line, column = -1, 0
    for span in context.spans:
        column = column if span.line == line else 0
        line = span.line
        yield column, span
        column += len(span.text)


def error_at(number: int, start: int, end: int, key: str, context: DoubtContext) -> LineError:
    """An error that marks these columns of a line."""
    text = "".join(span.text for span in context.spans if span.line == number)
    return LineError(number, text, start, end, key)


def about(statement: Statement, *, with_payee: bool) -> set[str]:
    """The province that an order is about, and the power that gets its points."""
    payee = {statement.minor} if with_payee and isinstance(statement, Allocate | Bid) else set()
    return payee if isinstance(statement, Bid) else {slot_province(statement.slot)} | payee

"""Orders that go where words behind them say that something does not go: "Madras to the Arabian Sea. Bay of Bengal
sorry, not Arabian".
"""

from __future__ import annotations

from collections.abc import Iterator

from gm.judge.model.orders import Move, slot_province
from gm.language.i18n.normalize import clean
from gm.language.letter.doubts.doubt_context import DoubtContext, Doubts
from gm.language.letter.doubts.questions import PASSED_OVER, error_at, place, placed_spans, waiting, without_units_of
from gm.language.lines.letter_contents import LineError, OrderLine
from gm.language.lines.trouble_keys import MAY_CHANGE

LONGEST_NAME = 3
"""Words of a place."""


def denied_goals_in_doubt(doubts: Doubts, context: DoubtContext) -> Doubts:
    left, errors = list(doubts.orders), list(doubts.troubles)
    for denial in _denials(context):
        last = {order.statement.slot: order for order in left}
        before = [order for order in last.values() if place(order, context) < (denial.line, denial.start)]
        nearest = sorted(before, key=lambda each: place(each, context))[-1:]
        if any(_goes_there(each, denial, context) for each in nearest):
            errors.append(waiting(denial, nearest, context))
            left = without_units_of(nearest, left)
    return Doubts(left, errors)


def _denials(context: DoubtContext) -> Iterator[LineError]:
    """Words that are no order, from those that deny to the end of the place right behind them."""
    for column, span in placed_spans(context):
        if span.fate not in PASSED_OVER:
            continue
        for match in context.phrases.not_there.finditer(clean(span.text).text.lower()):
            words = span.text[match.end() :].split()[:LONGEST_NAME]
            size = next((size for size in range(1, len(words) + 1) if context.places(" ".join(words[:size]))), 0)
            if size and not context.places(" ".join(words[1:size])):
                past = span.text.index(words[size - 1], match.end()) + len(words[size - 1])
                yield error_at(span.line, column + match.start(), column + past, MAY_CHANGE, context)


def _goes_there(order: OrderLine, denial: LineError, context: DoubtContext) -> bool:
    """Whether it goes where the denial, which names no other unit before, says that nothing goes."""
    statement = order.statement
    if not isinstance(statement, Move) or statement in context.on_file:
        return False
    named = context.places(denial.text[: denial.start].rpartition(".")[2]) & context.units
    others = named - {slot_province(statement.slot), statement.to.province}
    return statement.to.province in context.places(denial.marked) and (not others or order.line != denial.line)

"""Events that are to come beside the one on file, of which only one may count: "and also Sev and Rum should part"."""

from __future__ import annotations

from gm.judge.mechanics.moving_borders.border_orders import is_event
from gm.language.i18n.normalize import clean
from gm.language.letter.doubts.doubt_context import DoubtContext, Doubts
from gm.language.letter.doubts.questions import begins
from gm.language.lines.letter_contents import LineError, OrderLine
from gm.language.lines.trouble_keys import TWO_EVENTS
from gm.language.prose.clauses import sentence_start


def events_added_in_doubt(doubts: Doubts, context: DoubtContext) -> Doubts:
    if not any(is_event(statement) for statement in context.on_file):
        return doubts
    added = [order for order in doubts.orders if _is_added(order, context)]
    errors = [*doubts.troubles, *(_question(order, context) for order in added)]
    return Doubts([order for order in doubts.orders if order not in added], errors)


def _is_added(order: OrderLine, context: DoubtContext) -> bool:
    if not is_event(order.statement) or order.statement in context.on_file or context.words(order) is None:
        return False
    low = clean(order.text[sentence_start(order.text, begins(order, context) + 1) :]).text.lower()
    replaces = context.phrases.trading.search(low) or context.phrases.cancel.search(low)  # "swap my event for …"
    return not replaces and context.phrases.adding.search(low) is not None


def _question(order: OrderLine, context: DoubtContext) -> LineError:
    line, start = context.written(order.statement), begins(order, context)
    return LineError(order.line, order.text, start, len(order.text), TWO_EVENTS, (), (line,))

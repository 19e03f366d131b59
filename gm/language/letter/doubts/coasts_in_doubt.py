"""Orders with a coast behind which words that are no order name another one: they wait.

"The fleet in St Petersburg, north coast. My wife says south coast."
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gm.judge.model.orders import slot_province
from gm.language.letter.doubts.doubt_context import DoubtContext, Doubts
from gm.language.letter.doubts.questions import UNREAD_FATES, error_at, place, placed_spans, waiting, without_units_of
from gm.language.lines.letter_contents import LineError, OrderLine
from gm.language.lines.trouble_keys import MAY_CHANGE

COAST = re.compile(r"/(\wc)$")


def coasts_in_doubt(doubts: Doubts, context: DoubtContext) -> Doubts:
    last = {order.statement.slot: order for order in doubts.orders}
    asked = {order: doubt for order in last.values() if (doubt := next(_doubts_of(order, context), None)) is not None}
    return Doubts(without_units_of(asked, doubts.orders), [*doubts.troubles, *asked.values()])


def _doubts_of(order: OrderLine, context: DoubtContext) -> Iterator[LineError]:
    coast = COAST.search(context.written(order.statement))
    if coast is None or order.statement in context.on_file:
        return
    for column, span in placed_spans(context):
        if span.fate not in UNREAD_FATES or (span.line, column) <= place(order, context):
            continue
        named = context.may_name(span.text)
        about_others = named and slot_province(order.statement.slot) not in named
        if not about_others and context.coasts(span.text) - {coast[1]}:
            words = error_at(span.line, column, column + len(span.text.rstrip()), MAY_CHANGE, context)
            yield waiting(words, [order], context)

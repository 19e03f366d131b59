"""Sentences that tell another player what to do: what they say of the writer's units is none of the orders.

"I'll order Burgundy to Belgium, and you keep Munich well away": the writer tells a player of a plan.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from gm.language.i18n.normalize import clean
from gm.language.letter.doubts.doubt_context import DoubtContext, Doubts
from gm.language.letter.doubts.questions import UNREAD_FATES, begins, error_at, placed_spans, waiting
from gm.language.lines.letter_contents import LineError, OrderLine
from gm.language.prose.clauses import sentence_past, sentence_start
from gm.language.prose.stance import error_key


def sentences_for_players_in_doubt(doubts: Doubts, context: DoubtContext) -> Doubts:
    left, errors = list(doubts.orders), list(doubts.troubles)
    for words in _words_for_others(context):
        sentence = sentence_start(words.text, words.start + 1), sentence_past(words.text, words.end)
        orders = [order for order in left if order.line == words.line and _is_within(order, sentence, context)]
        if orders:
            errors.append(replace(waiting(words, orders, context), key=words.key))
            left = [order for order in left if order not in orders]
    return Doubts(left, errors)


def _words_for_others(context: DoubtContext) -> Iterator[LineError]:
    """Words that are not taken and tell somebody what to do at a place where no unit of the writer's stands."""
    for column, span in placed_spans(context):
        match = context.phrases.telling.search(clean(span.text).text.lower()) if span.fate in UNREAD_FATES else None
        if match is None:
            continue
        named = context.places(span.text[match.end() : sentence_past(span.text, match.end())])
        if named and not named & context.units:
            past = column + len(span.text.rstrip())
            yield error_at(span.line, column + match.start(), past, error_key("reported"), context)


def _is_within(order: OrderLine, sentence: tuple[int, int], context: DoubtContext) -> bool:
    return sentence[0] <= begins(order, context) < sentence[1]

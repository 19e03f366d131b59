"""Holds of a unit that the words before speak of by its whole order on file: the writer is asked which of them stays.

"Turkey wants me to cancel Sev - Bla. No. It stays."
"""

from __future__ import annotations

from msgspec.structs import replace

from gm.judge.model.orders import Hold, Move, slot_province
from gm.language.i18n.normalize import clean
from gm.language.letter.doubts.doubt_context import DoubtContext, Doubts
from gm.language.letter.doubts.questions import PASSED_OVER, error_at, place, placed_spans
from gm.language.letter.unread_words import MARKED
from gm.language.lines.letter_contents import LineError, OrderLine
from gm.language.lines.trouble_keys import ALTERNATIVE


def holds_in_doubt(doubts: Doubts, context: DoubtContext) -> Doubts:
    asked = {order: doubt for order in doubts.orders if (doubt := _doubt_of(order, context)) is not None}
    return Doubts([order for order in doubts.orders if order not in asked], [*doubts.troubles, *asked.values()])


def _doubt_of(order: OrderLine, context: DoubtContext) -> LineError | None:
    words, hold = context.words(order), order.statement
    if words is None or not isinstance(hold, Hold):
        return None
    low = clean(words.text).text.lower().strip(" .,:;!")
    if context.phrases.it_stays.fullmatch(low) is None:
        return None
    move = next((each for each in context.on_file if each.slot == hold.slot and isinstance(each, Move)), None)
    if move is None or not _is_spoken_of(move, order, context):
        return None
    start, end = words.line.at + words.start, words.line.at + words.end
    ways = context.written(move), context.written(hold)
    return replace(error_at(order.line, start, end, ALTERNATIVE, context), suggestions=ways)


def _is_spoken_of(move: Move, order: OrderLine, context: DoubtContext) -> bool:
    """Whether words before an order that are none name the unit of a move and its goal."""
    named = {slot_province(move.slot), move.to.province}
    return any(
        span.fate in PASSED_OVER and (span.line, column) < place(order, context) and named <= context.places(span.text)
        for column, span in placed_spans(context)
        if not span.text.lstrip().startswith(MARKED)
    )

"""Orders of a letter for whose unit its other words offer another one: the writer is asked which counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from gm.judge.model.orders import UnitOrder
from gm.language.i18n.normalize import clean
from gm.language.letter.doubts.doubt_context import DoubtContext, Doubts
from gm.language.letter.doubts.questions import by_slot, which_of, without_units_of
from gm.language.lines.letter_contents import LineError, OrderLine, lines_of
from gm.language.lines.trouble_keys import ALTERNATIVE, LATER, QUESTION
from gm.language.prose.clauses import first_word
from gm.language.prose.memory import unit_of
from gm.language.prose.stance import error_key

OFFERING = frozenset({QUESTION, LATER, error_key("reported")})
"""Keys of errors of words that may offer another order for a unit."""


def rival_orders_in_doubt(doubts: Doubts, context: DoubtContext) -> Doubts:
    left, errors = list(doubts.orders), list(doubts.troubles)
    for edits in _edited_above(left, context):
        errors.append(which_of(edits[0], edits, context))
        left = without_units_of(edits, left)
    for at, trouble in enumerate(errors):
        rivals = [order for order in left if _is_rival(trouble, order, context)]
        if rivals:
            lines = (context.written(order.statement) for order in rivals)
            ways = tuple(dict.fromkeys((*lines, *lines_of(trouble.suggestions))))
            errors[at] = replace(trouble, key=ALTERNATIVE, suggestions=ways)
            left = [order for order in left if order not in rivals]
    return Doubts(left, errors)


def _edited_above(orders: Sequence[OrderLine], context: DoubtContext) -> Iterator[list[OrderLine]]:
    """The orders of each unit that a line marked as an edit orders above another line: "EDIT: Lvp - Yor", and below it
    the letter as it was.
    """
    on_line = Counter(order.line for order in orders)
    for given in by_slot(orders).values():
        edited = context.phrases.edited.match(clean(given[0].text).text.lower(), first_word(given[0].text, 0))
        as_it_was = on_line[given[0].line] < on_line[given[-1].line]
        if edited and as_it_was and given[0].line < given[-1].line and given[0].statement != given[-1].statement:
            yield given


def _is_rival(trouble: LineError, order: OrderLine, context: DoubtContext) -> bool:
    """Whether words offer, or speak of, another order for the unit of one before them: "Or should Canton rather go to
    the South China Sea?", "and Munich rather to Burgundy, come to think of it".
    """
    if trouble.key not in OFFERING or trouble.obeyed or order.line > trouble.line:
        return False
    line, low = context.written(order.statement), clean(trouble.marked).text.lower()
    offered = [each for each in lines_of(trouble.suggestions) if unit_of(each) == unit_of(line)]
    if trouble.key == LATER:  # "Sorry, sent too soon: Russia is there, so Vienna to Budapest is smarter"
        corrects = context.phrases.correction.match(low, first_word(low, 0)) is not None
        return corrects and any(each != line for each in offered)
    if line in offered or not offered or not isinstance(order.statement, UnitOrder):
        return False
    offers = context.phrases.offering.match(low, first_word(low, 0)) is not None
    return offers or (trouble.key != QUESTION and context.phrases.unsettling.search(low) is not None)

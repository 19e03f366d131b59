"""Orders of a letter beside which its other words offer another one for the same unit, or leave an amount open: the
writer is asked which counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from gm.judge.mechanics.influence.bid_orders import Bid
from gm.judge.model.orders import Allocate, Build, Slot, UnitOrder, slot_province
from gm.language.i18n.joining_words import AND
from gm.language.i18n.normalize import clean
from gm.language.letter.doubts.doubt_context import DoubtContext, Doubts
from gm.language.lines.letter_contents import LineError, OrderLine, lines_of
from gm.language.lines.trouble_keys import ALTERNATIVE, NAMED_IN_PASSING, NOT_TAKEN, QUESTION
from gm.language.prose.clauses import first_word
from gm.language.prose.memory import CODES, unit_of
from gm.language.prose.stance import error_key

UNDECIDED = frozenset(map(error_key, ("hedge", "alternative")))
"""Keys of errors of words that leave something open."""
AMOUNT = re.compile(r"[1-9]")
"""In digits: words for amounts may be no amounts."""
ONE_MORE = re.compile(rf"(?:{AND})(?: \w+){{1,3}}", re.IGNORECASE)
"""A clause that only names one more place: "And in Rome."."""
OFFERING = frozenset({QUESTION, error_key("reported")})
"""Keys of errors of words that may offer another order for a unit."""


def rival_orders_in_doubt(doubts: Doubts, context: DoubtContext) -> Doubts:
    left, errors = list(doubts.orders), list(doubts.troubles)
    if (points := _points_in_doubt(left, errors, context)) is not None:
        errors.append(points)
        left = [order for order in left if not isinstance(order.statement, Allocate | Bid)]
    if (builds := _builds_in_doubt(left, errors, context)) is not None:
        errors.append(builds)
        left = [order for order in left if not isinstance(order.statement, Build)]
    for edits in _edited_above(left, context):
        errors.append(_which(edits[0], edits, context))
        left = [order for order in left if order.statement.slot != edits[0].statement.slot]
    for at, trouble in enumerate(errors):
        rivals = [order for order in left if _is_rival(trouble, order, context)]
        if rivals:
            lines = (context.written(order.statement) for order in rivals)
            ways = tuple(dict.fromkeys((*lines, *lines_of(trouble.suggestions))))
            errors[at] = replace(trouble, key=ALTERNATIVE, suggestions=ways)
            left = [order for order in left if order not in rivals]
    return Doubts(left, errors)


def _points_in_doubt(
    orders: Sequence[OrderLine], errors: Sequence[LineError], context: DoubtContext
) -> LineError | None:
    """The question about all points of the letter, where one order takes them all and leaves nothing for the others, or
    an amount is left open: "12 on Hungary. Hmm. 8 on Hungary and the other 4 on Spain or on Poland".
    """
    last = {order.statement.slot: order for order in orders if isinstance(order.statement, Allocate | Bid)}
    amounts = [order.statement.points for order in last.values() if isinstance(order.statement, Allocate)]
    open_words = (each for each in errors if each.key in UNDECIDED and not each.obeyed)
    low = (clean(each.marked or each.text).text.lower() for each in open_words)
    takes_all = any(context.phrases.all_points.search(clean(order.text).text.lower()) for order in last.values())
    too_many = takes_all and context.points in amounts and sum(amounts) > context.points
    if not last or not (too_many or any(AMOUNT.search(words) for words in low)):
        return None
    given = [*last.values()]
    return _which(given[-1], given, context)


def _builds_in_doubt(
    orders: Sequence[OrderLine], errors: Sequence[LineError], context: DoubtContext
) -> LineError | None:
    """The question which builds count, where the letter has as many as are due, and other words seem to want one more:
    "A fleet in Naples. No, an army. And in Rome."
    """
    builds = {slot_province(order.statement.slot): order for order in orders if isinstance(order.statement, Build)}
    if not builds or len(builds) < context.builds:
        return None
    last = max(order.line for order in builds.values())
    unread = [each for each in errors if each.key == NOT_TAKEN and not each.obeyed and each.line < last]
    offered = [line for each in unread for line in lines_of(each.suggestions)]
    more = [line for line in offered if line.startswith("Build ") and builds.keys().isdisjoint(CODES.findall(line))]
    asides = (clean(each.marked).text.strip(" .,;") for each in errors if each.key == NAMED_IN_PASSING)
    named = any(context.may_name(words) - builds.keys() for words in asides if ONE_MORE.fullmatch(words))
    if not (more or named):
        return None
    given = [*builds.values()]
    return _which(given[-1], given, context, more)


def _edited_above(orders: Sequence[OrderLine], context: DoubtContext) -> Iterator[list[OrderLine]]:
    """The orders of each unit that a line marked as an edit orders above another line: "EDIT: Lvp - Yor", and below it
    the letter as it was.
    """
    slots: dict[Slot, list[OrderLine]] = {}
    for order in orders:
        slots.setdefault(order.statement.slot, []).append(order)
    on_line = Counter(order.line for order in orders)
    for given in slots.values():
        edited = context.phrases.edited.match(clean(given[0].text).text.lower(), first_word(given[0].text, 0))
        as_it_was = on_line[given[0].line] < on_line[given[-1].line]
        if edited and as_it_was and given[0].line < given[-1].line and given[0].statement != given[-1].statement:
            yield given


def _which(asked: OrderLine, orders: Iterable[OrderLine], context: DoubtContext, more: Iterable[str] = ()) -> LineError:
    """The question at the words of an order which of several counts, or one of `more` lines."""
    lines = (context.written(order.statement) for order in orders)
    ways = tuple(dict.fromkeys((*lines, *more)))
    return LineError(asked.line, asked.text, 0, len(asked.text), ALTERNATIVE, (), ways)


def _is_rival(trouble: LineError, order: OrderLine, context: DoubtContext) -> bool:
    """Whether words offer, or speak of, another order for the unit of one before them: "Or should Canton rather go to
    the South China Sea?", "and Munich rather to Burgundy, come to think of it".
    """
    if trouble.key not in OFFERING or trouble.obeyed or order.line > trouble.line:
        return False
    line, low = context.written(order.statement), clean(trouble.marked).text.lower()
    offered = [each for each in lines_of(trouble.suggestions) if unit_of(each) == unit_of(line)]
    if line in offered or not offered or not isinstance(order.statement, UnitOrder):
        return False
    offers = context.phrases.offering.match(low, first_word(low, 0)) is not None
    return offers or (trouble.key != QUESTION and context.phrases.unsettling.search(low) is not None)

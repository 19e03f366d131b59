"""Units with several orders in a letter whose other words say which version counts: the writer is asked which does.

"Ignore whatever is under the line, that's Monday's version", "The first go was better, please run with that one": such
words are not understood, but the last order of each unit may be the wrong one. Where no unit has several, the orders
that the words may be about wait: those below words that disown them, or above words that choose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gm.judge.model.orders import slot_province
from gm.language.i18n.normalize import clean
from gm.language.letter.doubts.doubt_context import DoubtContext, Doubts
from gm.language.letter.doubts.questions import (
    PASSED_OVER,
    by_slot,
    error_at,
    place,
    placed_spans,
    waiting,
    which_of,
    without_units_of,
)
from gm.language.lines.letter_contents import LineError, OrderLine, lines_of
from gm.language.lines.trouble_keys import MAY_CHANGE
from gm.language.prose.memory import unit_of


def versions_in_doubt(doubts: Doubts, context: DoubtContext) -> Doubts:
    left, errors = list(doubts.orders), list(doubts.troubles)
    offered = [line for trouble in errors for line in lines_of(trouble.suggestions)]
    for words, disowned in _words_about_versions(context):
        named = context.places(words.marked) & context.units
        spoken_of = [order for order in left if not named or slot_province(order.statement.slot) in named]
        several = {tuple(given): _ways(given, offered, context) for given in by_slot(spoken_of).values()}
        several = {given: ways for given, ways in several.items() if len(ways) > 1}
        errors += (which_of(given[-1], (), context, ways) for given, ways in several.items())
        slots = {given[0].statement.slot for given in several}
        if all(len({order.statement for order in given}) == 1 for given in several):
            here = words.line, words.start
            single = (order for order in spoken_of if order.statement.slot not in slots)
            meant = [order for order in single if (place(order, context) > here) is disowned]
            errors += [waiting(words, meant, context)] if meant else []
            left = without_units_of(meant, left)
        left = [order for order in left if order.statement.slot not in slots]
    return Doubts(left, errors)


def _ways(given: Sequence[OrderLine], offered: Sequence[str], context: DoubtContext) -> tuple[str, ...]:
    """What the letter orders for a unit, the last first, and what is proposed for other words about it."""
    lines = [context.written(order.statement) for order in reversed(given)]
    return tuple(dict.fromkeys((*lines, *(line for line in offered if unit_of(line) == unit_of(lines[0])))))


def _words_about_versions(context: DoubtContext) -> Iterator[tuple[LineError, bool]]:
    """Sentences that nothing else was read from, and whether they disown what is below them."""
    for column, span in placed_spans(context):
        if span.fate not in PASSED_OVER:
            continue
        low = clean(span.text).text.lower()
        disowns = context.phrases.disowning_below.search(low)
        if match := disowns or context.phrases.choosing_version.search(low):
            start, end = column + match.start(), column + match.end()
            yield error_at(span.line, start, end, MAY_CHANGE, context), disowns is not None

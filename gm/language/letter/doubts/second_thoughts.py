"""Letters whose writer thinks again behind an order, in words that are not understood: their new orders wait for a YES.

"vie-gal, bud-ser, tri-alb. No sorry, the middle one is wrong, will send the right one in a minute": whatever such words
change, the orders are not certain. They are understood where another order follows for a unit that was named before:
"Vienna to Galicia. No wait, Vienna to Tyrolia".
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence

from gm.judge.model.orders import Build, Disband, Slot, Statement, UnitOrder, slot_province
from gm.language.i18n.normalize import clean
from gm.language.letter.doubts.doubt_context import DoubtContext, Doubts
from gm.language.letter.doubts.questions import UNREAD_FATES, error_at, place, placed_spans, waiting
from gm.language.letter.unread_words import MARKED
from gm.language.lines.letter_contents import LineError, OrderLine, lines_of
from gm.language.lines.spans import Fate
from gm.language.lines.trouble_keys import HEDGED, MAY_CHANGE, NOT_TAKEN
from gm.language.prose.clauses import sentence_past
from gm.language.prose.memory import province_of, unit_of
from gm.language.prose.phrases.prose_phrases import ProsePhrases

SENTENCE = re.compile(r"(?:^\W*|[.!?:]\s+| -+ )")
"""Behind it a sentence begins."""
CLAUSE = re.compile(r"(?:^\W*|[.,;!?:]\s+| -+ )")
"""Behind it a clause begins."""


def second_thoughts_in_doubt(doubts: Doubts, context: DoubtContext) -> Doubts:
    new = [order for order in doubts.orders if order.statement not in context.on_file]
    thoughts = _second_thoughts(doubts.orders, context) if new else iter(())
    thought = next((each for each in thoughts if not _is_understood(each, doubts.troubles, context)), None)
    if thought is None:
        return doubts
    offered = {_topic(line, context) for trouble in doubts.troubles for line in lines_of(trouble.suggestions)}
    asked = [
        order
        for order in (*_withdrawn_before(thought, doubts.orders, context), *new)
        if _topic(context.written(order.statement), context) not in offered
    ]
    left = [order for order in doubts.orders if order not in new]
    troubles = _asking(doubts.troubles, waiting(thought, asked, context)) if asked else doubts.troubles
    return Doubts(left, [*troubles, *_passed_over(thought, context)])


def _passed_over(thought: LineError, context: DoubtContext) -> Iterator[LineError]:
    """Words behind that were taken for remarks and name a unit: "Edit: the Channel is off. Brest to Mid-Atlantic"."""
    for column, span in placed_spans(context):
        behind = (span.line, column) > (thought.line, thought.start)
        marked = span.text.lstrip().startswith(MARKED)
        if behind and span.fate is Fate.COMMENT and not marked and context.places(span.text) & context.units:
            start = column + len(span.text) - len(span.text.lstrip())
            end = column + len(span.text.rstrip())
            yield error_at(span.line, start, end, NOT_TAKEN, context)


def _withdrawn_before(thought: LineError, orders: Sequence[OrderLine], context: DoubtContext) -> Iterator[OrderLine]:
    """Orders that words of correction have taken back without another in their place: these words may be no correction,
    "Oops, I forgot the fleet!".
    """
    there = {order.statement.slot for order in orders}
    for order in context.heard:
        if order.statement.slot not in there and _place(order, context) < (thought.line, thought.start):
            yield order


def _topic(line: str, context: DoubtContext) -> str:
    """The unit that an order line is about; the whole line of a build or of points."""
    unit = unit_of(line)
    return unit if province_of(unit) in context.units else line


def _is_understood(thought: LineError, troubles: Sequence[LineError], context: DoubtContext) -> bool:
    """Whether an order of a unit is proposed for its words, or for those before it that they make uncertain, or they
    stand in a bracket: "Italy asks for Tyrolia (no)".
    """
    for each in troubles:
        of_units = {province_of(unit_of(line)) for line in lines_of(each.suggestions)} & context.units
        if each.line == thought.line and of_units:
            around = each.key == HEDGED and each.start < thought.start and thought.end <= each.end + 1
            if around or each.marked.strip() in thought.marked:
                return True
    return thought.text[: thought.start].rstrip().endswith("(")


def _asking(troubles: Sequence[LineError], asked: LineError) -> list[LineError]:
    """The errors with the question, in place of one about the same words."""
    alike = (each for each in troubles if each.line == asked.line and not each.suggestions)
    if (old := next((each for each in alike if each.marked.strip() in asked.marked), None)) is None:
        return [*troubles, asked]
    return [asked if each is old else each for each in troubles]


def _second_thoughts(orders: Sequence[OrderLine], context: DoubtContext) -> Iterator[LineError]:
    """Words that are not understood, behind an order, in which the writer thinks again."""
    placed = [(_place(order, context), order.statement) for order in orders]
    for column, span in placed_spans(context):
        wanted = _wants_after_all(span.text, context.phrases)
        if not wanted and (span.fate not in UNREAD_FATES or not _thinks_again(span.text, context.phrases)):
            continue
        here = span.line, column
        before = {statement.slot: statement for at, statement in placed if at < here}
        behind = [statement for at, statement in placed if at >= here]
        near = (each.text for each in context.spans if each.line == span.line and each.fate in UNREAD_FATES)
        named = {name for words in near for name in context.places(words)}
        hesitates = context.phrases.hesitating.fullmatch(clean(span.text).text.lower().strip(" .,!?-")) is not None
        goes_on = hesitates and any(statement.slot not in before for statement in behind)
        gone = {order.statement.slot for order in context.heard if _place(order, context) < here} - before.keys()
        changes = (_is_changed(each, before, named) or each.slot in gone for each in behind)
        if before and not goes_on and not any(changes):
            start = column + len(span.text) - len(span.text.lstrip(" .,;"))
            end = column + len(span.text.rstrip())
            yield error_at(span.line, start, end, MAY_CHANGE, context)


def _place(order: OrderLine, context: DoubtContext) -> tuple[int, int]:
    """Where its words begin; of a line that is an order as a whole, its start."""
    return place(order, context) if context.words(order) is not None else (order.line, 0)


def _is_changed(behind: Statement, before: Mapping[Slot, Statement], named: Container[str]) -> bool:
    """Whether an order is another one of a unit that has one before, or that the words around it name."""
    if behind.slot in before:
        return before[behind.slot] != behind
    is_unit = isinstance(behind, UnitOrder) and not isinstance(behind, Build | Disband)
    return is_unit and slot_province(behind.slot) in named


def _wants_after_all(words: str, phrases: ProsePhrases) -> bool:
    """Whether words want what was taken back, which no reading of them gives back: "No, don't cancel it, it's fine"."""
    low = clean(words).text.lower()
    return any(phrases.uncancelling.match(low, match.end()) for match in CLAUSE.finditer(low))


def _thinks_again(words: str, phrases: ProsePhrases) -> bool:
    """Whether a sentence begins with words of correction, and not with some that also end an order, "sorry!", and is no
    small talk.
    """
    low = clean(words).text.lower()
    if any(phrases.thinking_again.match(low, match.end()) for match in CLAUSE.finditer(low)):
        return True
    for match in SENTENCE.finditer(low):
        at, past = match.end(), sentence_past(low, match.end())
        plain = phrases.mild.match(low, at) or phrases.small_talk.search(low, at, max(past, at))
        if phrases.correction.match(low, at) and not plain:
            return True
    return False

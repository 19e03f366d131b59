"""Orders that words which are not understood may change or take back: they wait for a YES.

"Liverpool to Yorkshire. … Let it go to Edinburgh then": whatever the second sentence means, the order before it is not
certain. Such a sentence is about the units before it that it names, or calls by their kind; one that names none and
speaks of "it" or "both" is about those of the last line before it; one that takes back an order, and does not say
which, may be about any. Orders behind it were written with it in mind, but an order that names no unit may be about the
one that it names: "Brest to the Channel. Saigon would rather stay in its bed, so hold there".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gm.judge.model.orders import Hold, Move, UnitOrder, WholeSetStatement, slot_province
from gm.language.i18n.normalize import clean
from gm.language.letter.doubts.doubt_context import DoubtContext, Doubts
from gm.language.letter.doubts.questions import UNREAD_FATES, about, begins, place, waiting, without_units_of
from gm.language.letter.unread_words import MARKED, clause_around, sentence_around
from gm.language.lines.letter_contents import LineError, OrderLine
from gm.language.lines.spans import Fate
from gm.language.lines.trouble_keys import (
    HEDGED,
    MAY_CHANGE,
    NAMED_IN_PASSING,
    NOT_TAKEN,
    OF_WHICH_UNIT,
    WHICH_TAKEN_BACK,
)
from gm.language.prose.stance import error_key

UNREAD = frozenset({NOT_TAKEN, WHICH_TAKEN_BACK})
"""Keys of errors of words that seem to be about orders, and of which nothing more is known."""
ALIKE_WORDS = 3
"""Most words before those that say that a unit does the same: "and my fleet too"."""
ASIDES = frozenset({NAMED_IN_PASSING, error_key("reported")})
"""Keys of errors of words that say nothing of the writer's orders, unless they speak of a change."""


def orders_in_doubt(orders: Sequence[OrderLine], troubles: Sequence[LineError], context: DoubtContext) -> Doubts:
    left, errors = list(orders), [*troubles, *_denials(orders, context)]
    for at, trouble in enumerate(errors):
        doubted = list(_doubted_by(trouble, left, context)) if _leaves_doubt(trouble, context) else []
        if doubted:
            sets = {order.statement.slot[0] for order in doubted if isinstance(order.statement, WholeSetStatement)}
            doubted += [order for order in left if order.statement.slot[0] in sets]  # part of a set is none
            errors[at] = waiting(trouble, doubted, context)
            left = without_units_of(doubted, left)
    astray = {order.statement.slot: order for order in left if _may_be_of_another(order, context)}
    errors += (_of_which_unit(order, left, context) for order in astray.values())
    rest = (order for order in left if order.statement.slot not in astray)
    alike = {order.statement.slot: order for order in rest if _does_as_unread(order, context)}
    errors += (_like_what(order, context) for order in alike.values())
    astray |= alike
    return Doubts([order for order in left if order.statement.slot not in astray], errors)


def _of_which_unit(order: OrderLine, orders: Sequence[OrderLine], context: DoubtContext) -> LineError:
    """The question about an order, with the others that the letter has for the unit that it may be about."""
    rivals = [each for each in orders if each.statement.slot == order.statement.slot]
    lines = dict.fromkeys(context.written(each.statement) for each in reversed(rivals))
    words, start = context.words(order), begins(order, context)
    past = start + (words.end - words.start if words is not None else len(order.text))
    return LineError(order.line, order.text, start, past, OF_WHICH_UNIT, (), tuple(lines))


def _like_what(order: OrderLine, context: DoubtContext) -> LineError:
    """The question about an order that does the same as words before it that are not taken."""
    start = begins(order, context)
    return waiting(LineError(order.line, order.text, start, len(order.text), MAY_CHANGE), [order], context)


def _does_as_unread(order: OrderLine, context: DoubtContext) -> bool:
    """Whether it was read from words like "Munich too", behind a clause that is not taken."""
    words = context.words(order)
    if words is None or order.statement in context.on_file or not isinstance(order.statement, UnitOrder):
        return False
    text = clean(words.text).text.lower().strip(" .,;:!")
    alike = context.phrases.alike.search(text)
    if alike is None or text[alike.end() :].strip() or not _unread_before(order, context).strip():
        return False
    unit = text[: alike.start()].split()
    return 0 < len(unit) <= ALIKE_WORDS and any(map(context.may_name, unit[-1:]))


def _denials(orders: Sequence[OrderLine], context: DoubtContext) -> Iterator[LineError]:
    """Words passed over that only say no to a unit that moves: "Vienna to Galicia, Budapest to Serbia. Budapest rather
    not."; but not those that say where it does not go.
    """
    last = {order.statement.slot: order.statement for order in orders}
    moving = {slot_province(slot) for slot, statement in last.items() if isinstance(statement, Move)}
    for span in context.spans:
        words = span.text.strip(" .,;:!")
        if span.fate is not Fate.COMMENT or span.text.strip().startswith(MARKED) or not words:
            continue
        rest = " ".join(word for word in clean(words).text.lower().split() if not context.may_name(word))
        named = context.may_name(words)
        if len(named) == 1 and named <= moving and context.phrases.denying.fullmatch(rest) is not None:
            text = next((order.text for order in orders if order.line == span.line), words)
            start = max(clean(text).text.rfind(clean(words).text), 0)
            yield LineError(span.line, text, start, start + len(words), NOT_TAKEN)


def is_unread(trouble: LineError) -> bool:
    """Whether its words may be about any order that they name."""
    return trouble.key in UNREAD and not (trouble.obeyed or trouble.suggestions)


def _leaves_doubt(trouble: LineError, context: DoubtContext) -> bool:
    """Whether it is about words that are not understood, or that name something in passing and speak of a change."""
    aside = trouble.key in ASIDES and not trouble.suggestions
    hedged = trouble.key == HEDGED and not trouble.suggestions  # "Second thoughts on London: either … or …, you choose"
    if not (aside or hedged or is_unread(trouble)):
        return False
    if context.phrases.unconcerned.search(clean(sentence_around(trouble)).text.lower()):
        return False
    if not aside or _is_denied(trouble, context):
        return True
    return context.phrases.unsettling.search(clean(_unread_words(trouble, context)).text.lower()) is not None


def _is_denied(trouble: LineError, context: DoubtContext) -> bool:
    """ "Trieste must not leave the harbour": of a unit that is named first."""
    low = clean(trouble.marked).text.lower()
    denied = context.phrases.not_to_go.search(low)
    return denied is not None and bool(context.units & context.names(low[: denied.start()]))


def _doubted_by(trouble: LineError, orders: Sequence[OrderLine], context: DoubtContext) -> Iterator[OrderLine]:
    here = trouble.line, trouble.start
    new = [order for order in orders if order.statement not in context.on_file]
    later = {order.statement.slot for order in new if place(order, context) >= here}
    before = [order for order in new if order.statement.slot not in later]
    words = _unread_words(trouble, context)
    low = clean(words).text.lower()
    if named := context.names(words):
        changes = context.phrases.unsettling.search(clean(sentence_around(trouble)).text.lower()) is not None
        named |= context.places(trouble.marked) if changes and trouble.key in ASIDES else set()
        spoken_of = (order for order in before if named & about(order.statement, with_payee=changes))
        yield from (order for order in spoken_of if not _agrees(order, low, context))
    elif trouble.key == WHICH_TAKEN_BACK:
        yield from before
    elif trouble.key != HEDGED and context.phrases.refers.search(low):
        last = max((order.line for order in before), default=0)
        yield from (order for order in before if order.line == last)


def _agrees(order: OrderLine, low: str, context: DoubtContext) -> bool:
    """Whether the words only say once more that its unit stays: "Burgundy may stay"."""
    return isinstance(order.statement, Hold) and context.stays(low) and context.phrases.negated.search(low) is None


def _may_be_of_another(order: OrderLine, context: DoubtContext) -> bool:
    """Whether an order names no unit, and words before it that are not taken name one: it may be about that one."""
    words, province = context.words(order), slot_province(order.statement.slot)
    if words is None or not isinstance(order.statement, UnitOrder) or words in context.shared:
        return False
    unread = _unread_before(order, context)
    if not unread or province in context.may_name(words.text):
        return False
    named = context.may_name(unread)
    named = named if context.points else named & context.units  # words about points name units of others, too
    return bool(named) and province not in named


def _unread_before(order: OrderLine, context: DoubtContext) -> str:
    """The words that are not taken between an order and the one before it on its line."""
    at, unread, start = 0, "", begins(order, context)
    for span in context.spans:
        if span.line != order.line:
            continue
        at = max(order.text.find(span.text.strip(), at), at) + len(span.text.strip())
        if at > start:
            break
        if span.fate is Fate.NOT_TAKEN:
            unread += f"{span.text} "
        elif span.fate in (Fate.ORDER, Fate.COMMAND):
            unread = ""
    return unread


def _unread_words(trouble: LineError, context: DoubtContext) -> str:
    """The words that it is about; of those in passing, all of their sentence that order nothing."""
    if trouble.key not in ASIDES:
        return clause_around(trouble)
    sentence = clean(sentence_around(trouble)).text
    quiet = (span.text.strip() for span in context.spans if span.line == trouble.line and span.fate in UNREAD_FATES)
    return " ".join(text for text in quiet if clean(text).text.strip(" .!?") in sentence)

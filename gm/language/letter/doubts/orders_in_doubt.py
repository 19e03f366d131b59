"""Orders that words which are not understood may change or take back: they wait for a YES.

"Liverpool to Yorkshire. … Let it go to Edinburgh then": whatever the second sentence means, the order before it is not
certain. Such a sentence is about the units before it that it names, or calls by their kind; one that names none and
speaks of "it" or "both" is about those of the last line before it; one that takes back an order, and does not say
which, may be about any. Orders behind it were written with it in mind, but an order that names no unit may be about the
one that it names: "Brest to the Channel. Saigon would rather stay in its bed, so hold there".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.mechanics.influence.bid_orders import Bid
from gm.judge.model.orders import Allocate, Hold, Statement, UnitOrder, WholeSetStatement, slot_province
from gm.language.i18n.normalize import clean
from gm.language.letter.unread_words import UNSURE, TakenBack, clause_around
from gm.language.lines.letter_contents import LineError, OrderLine
from gm.language.lines.spans import Fate, LetterSpan
from gm.language.lines.trouble_keys import MAY_CHANGE, NAMED_IN_PASSING, NOT_TAKEN, OF_WHICH_UNIT, WHICH_TAKEN_BACK
from gm.language.prose.phrases.prose_phrases import ProsePhrases
from gm.language.prose.stance import error_key

UNREAD = frozenset({NOT_TAKEN, WHICH_TAKEN_BACK})
"""Keys of errors of words that seem to be about orders, and of which nothing more is known."""
ASIDES = frozenset({NAMED_IN_PASSING, error_key("reported")})
"""Keys of errors of words that say nothing of the writer's orders, unless they speak of a change."""
SENTENCE = re.compile(r"[.!?]+\s+|$")


class DoubtContext(Struct, frozen=True):
    """`staying`: words for units that stay. `names`: the province of the first unit of the writer's that words name,
    those of units that they call by their kind, and powers; other places where they name no unit. `may_name`: all
    provinces that words name, and those of all units where they call one by its kind. `on_file`: the sheet before the
    letter, of which no order needs a YES. `words`: those that an order was read from. `spans`: all words of the letter.
    `units`: the provinces of the writer's units.
    """

    phrases: ProsePhrases
    written: Callable[[Statement], str]
    staying: frozenset[str]
    names: Callable[[str], set[str]]
    may_name: Callable[[str], set[str]]
    on_file: Sequence[Statement]
    words: Callable[[OrderLine], TakenBack | None]
    spans: Sequence[LetterSpan]
    units: frozenset[str]


class Doubts(Struct, frozen=True):
    """What is left of the letter's orders, and its errors, of which some propose the others."""

    orders: list[OrderLine]
    troubles: list[LineError]


def orders_in_doubt(orders: Sequence[OrderLine], troubles: Sequence[LineError], context: DoubtContext) -> Doubts:
    left, errors = list(orders), list(troubles)
    for at, trouble in enumerate(errors):
        doubted = list(_doubted_by(trouble, left, context)) if _leaves_doubt(trouble, context) else []
        if doubted:
            sets = {order.statement.slot[0] for order in doubted if isinstance(order.statement, WholeSetStatement)}
            doubted += [order for order in left if order.statement.slot[0] in sets]  # part of a set is none
            errors[at] = _proposing(trouble, doubted, context)
            slots = {order.statement.slot for order in doubted}
            left = [order for order in left if order.statement.slot not in slots]
    astray = {order.statement.slot: order for order in left if _may_be_of_another(order, left, context)}
    errors += (_of_which_unit(order, left, context) for order in astray.values())
    return Doubts([order for order in left if order.statement.slot not in astray], errors)


def _of_which_unit(order: OrderLine, orders: Sequence[OrderLine], context: DoubtContext) -> LineError:
    """The question about an order, with the others that the letter has for the unit that it may be about."""
    rivals = [each for each in orders if each.statement.slot == order.statement.slot]
    lines = dict.fromkeys(context.written(each.statement) for each in reversed(rivals))
    words, start = context.words(order), _begins(order, context)
    past = start + (words.end - words.start if words is not None else len(order.text))
    return LineError(order.line, order.text, start, past, OF_WHICH_UNIT, (), tuple(lines))


def _proposing(trouble: LineError, doubted: Sequence[OrderLine], context: DoubtContext) -> LineError:
    """The error with the orders that wait."""
    last = {order.statement.slot: context.written(order.statement) for order in doubted}
    lines = "\n".join(dict.fromkeys(last.values()))
    return replace(trouble, key=MAY_CHANGE, suggestions=(lines,), obeyed=False)


def may_be_about(trouble: LineError, province: str, context: DoubtContext) -> bool:
    """Whether unread words may be about the unit there: they name it, or nothing at all."""
    if not _is_unread(trouble):
        return False
    named = context.names(clause_around(trouble))
    return not named or province in named


def _is_unread(trouble: LineError) -> bool:
    return trouble.key in UNREAD and not (trouble.obeyed or trouble.suggestions)


def _leaves_doubt(trouble: LineError, context: DoubtContext) -> bool:
    """Whether it is about words that are not understood, or that name something in passing and speak of a change."""
    if context.phrases.unconcerned.search(clean(_sentence(trouble)).text.lower()):
        return False
    if trouble.key not in ASIDES or trouble.suggestions:
        return _is_unread(trouble)
    return context.phrases.unsettling.search(clean(_unread_words(trouble, context)).text.lower()) is not None


def _doubted_by(trouble: LineError, orders: Sequence[OrderLine], context: DoubtContext) -> Iterator[OrderLine]:
    here = trouble.line, trouble.start
    new = [order for order in orders if order.statement not in context.on_file]
    before = [order for order in new if (order.line, _begins(order, context)) < here]
    words = _unread_words(trouble, context)
    low = clean(words).text.lower()
    if named := context.names(words):
        changes = context.phrases.unsettling.search(clean(_sentence(trouble)).text.lower()) is not None
        about = (order for order in before if named & _about(order.statement, with_payee=changes))
        yield from (order for order in about if not _agrees(order, low, context))
    elif trouble.key == WHICH_TAKEN_BACK:
        yield from before
    elif context.phrases.refers.search(low):
        last = max((order.line for order in before), default=0)
        yield from (order for order in before if order.line == last)


def _agrees(order: OrderLine, low: str, context: DoubtContext) -> bool:
    """Whether the words only say once more that its unit stays: "Burgundy may stay"."""
    stays = not context.staying.isdisjoint(low.split())
    return stays and isinstance(order.statement, Hold) and context.phrases.negated.search(low) is None


def _begins(order: OrderLine, context: DoubtContext) -> int:
    """The column in the text of its line where an order's words begin; the end, where the whole line tells of it."""
    words = context.words(order)
    return words.line.at + words.start if words is not None else len(order.text)


def _may_be_of_another(order: OrderLine, orders: Sequence[OrderLine], context: DoubtContext) -> bool:
    """Whether an order names no unit, and words before it that are not taken name one: it may be about that one."""
    words, province = context.words(order), slot_province(order.statement.slot)
    if words is None or not isinstance(order.statement, UnitOrder) or _shares_words(order, orders, context):
        return False
    own = context.may_name(words.line.body[words.start : words.end])
    unread = "" if province in own else _unread_before(order, context)
    named = context.may_name(unread) & context.units
    return bool(named) and province not in named


def _shares_words(order: OrderLine, orders: Sequence[OrderLine], context: DoubtContext) -> bool:
    """Whether others were read from the same words, so that it may be named in any of them."""
    return any(each is not order and context.words(each) == context.words(order) for each in orders)


def _unread_before(order: OrderLine, context: DoubtContext) -> str:
    """The words that are not taken between an order and the one before it on its line."""
    at, unread, begins = 0, "", _begins(order, context)
    for span in context.spans:
        if span.line != order.line:
            continue
        at = max(order.text.find(span.text.strip(), at), at) + len(span.text.strip())
        if at > begins:
            break
        if span.fate is Fate.NOT_TAKEN:
            unread += f"{span.text} "
        elif span.fate in (Fate.ORDER, Fate.COMMAND):
            unread = ""
    return unread


def _about(statement: Statement, *, with_payee: bool) -> set[str]:
    """The province that an order is about, and the power that gets its points."""
    payee = {statement.minor} if with_payee and isinstance(statement, Allocate | Bid) else set()
    return payee if isinstance(statement, Bid) else {slot_province(statement.slot)} | payee


def _unread_words(trouble: LineError, context: DoubtContext) -> str:
    """The words that it is about; of those in passing, all of their sentence that order nothing."""
    if trouble.key not in ASIDES:
        return clause_around(trouble)
    sentence = _sentence(trouble)
    quiet = (span.text.strip() for span in context.spans if span.line == trouble.line and span.fate in UNSURE)
    return " ".join(text for text in quiet if text.strip(" .!?") in sentence)


def _sentence(trouble: LineError) -> str:
    start = max((end.end() for end in SENTENCE.finditer(trouble.text, 0, trouble.start) if end.group()), default=0)
    past = SENTENCE.search(trouble.text, max(trouble.end, trouble.start))
    return trouble.text[start : past.start() if past is not None else len(trouble.text)]

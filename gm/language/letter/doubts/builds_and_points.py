"""Builds and points of a letter of which its other words leave open which count, or how many: all of them wait."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from gm.judge.mechanics.influence.bid_orders import Bid
from gm.judge.model.orders import Allocate, Build, Disband, slot_province
from gm.language.i18n.joining_words import AND
from gm.language.i18n.normalize import clean
from gm.language.letter.doubts.doubt_context import DoubtContext, Doubts
from gm.language.letter.doubts.questions import about, place, waiting, which_of, without_units_of
from gm.language.letter.unread_words import clause_around, sentence_around
from gm.language.lines.letter_contents import LineError, OrderLine, lines_of
from gm.language.lines.trouble_keys import ALTERNATIVE, LATER, MAY_CHANGE, NAMED_IN_PASSING, NOT_TAKEN, UNCLEAR
from gm.language.prose.memory import CODES
from gm.language.prose.stance import error_key

UNDECIDED = frozenset(map(error_key, ("hedge", "alternative")))
"""Keys of errors of words that leave something open."""
AMOUNT = re.compile(r"[1-9]")
"""In digits: words for amounts may be no amounts."""
ONE_MORE = re.compile(rf"(?:{AND})(?: \w+){{1,3}}", re.IGNORECASE)
"""A clause that only names one more place: "And in Rome."."""
OF_ANOTHER_TIME = frozenset({LATER, "conditional", MAY_CHANGE})
"""Keys of errors of words that change nothing now, or that are asked about already."""


def builds_and_points_in_doubt(doubts: Doubts, context: DoubtContext) -> Doubts:
    left, errors = list(doubts.orders), list(doubts.troubles)
    if (points := _points_in_doubt(left, errors, context)) is not None:
        errors.append(points)
        left = [order for order in left if not isinstance(order.statement, Allocate | Bid)]
    if (builds := _builds_in_doubt(left, errors, context)) is not None:
        errors.append(builds)
        left = [order for order in left if not isinstance(order.statement, Build)]
    return _of_another_kind(_named_again(Doubts(left, errors), context), context)


def _named_again(doubts: Doubts, context: DoubtContext) -> Doubts:
    """Words that are not taken name one of the builds, or what gets points, once more behind it: "Fleet Kiel, army
    Berlin. Kiel as an army too, or England won't talk to me", "1 on Rumania. Strike Rumania, I meant Greece to hold".
    """
    given = [order for order in doubts.orders if isinstance(order.statement, Build | Disband | Allocate | Bid)]
    given = [order for order in given if order.statement not in context.on_file]
    for trouble in doubts.troubles:
        quoted = not trouble.obeyed or trouble.key == NAMED_IN_PASSING
        if not quoted or trouble.key in OF_ANOTHER_TIME or not _speaks_of_one(trouble, given, context):
            continue
        asked = waiting(trouble, given, context)
        errors = [asked if each is trouble else each for each in doubts.troubles]
        if trouble.suggestions:
            errors = [*doubts.troubles, asked]
        return Doubts([order for order in doubts.orders if order not in given], errors)
    return doubts


def _of_another_kind(doubts: Doubts, context: DoubtContext) -> Doubts:
    """Words that are not taken want another kind of unit "there", in a sentence about the place of a build before it:
    "About Capetown: there are Boers about, an army is what I want there".
    """
    left, errors = list(doubts.orders), list(doubts.troubles)
    for at, trouble in enumerate(errors):
        kinds = context.kinds(trouble.marked) if trouble.key in UNCLEAR and not trouble.suggestions else set()
        low = clean(trouble.marked).text.lower()
        if not kinds or not context.phrases.one_there.search(low) or context.phrases.negated.search(low):
            continue
        named = context.places(sentence_around(trouble))
        before = (order for order in left if place(order, context) < (trouble.line, trouble.start))
        doubted = [order for order in before if _is_other_build(order, kinds) and _is_about(order, named)]
        if doubted:
            meant = tuple(line for order in doubted for kind in kinds for line in _with_kind(order, kind, context))
            errors[at] = replace(trouble, key=ALTERNATIVE, suggestions=meant, obeyed=False)
            left = without_units_of(doubted, left)
    return Doubts(left, errors)


def _with_kind(order: OrderLine, kind: str, context: DoubtContext) -> tuple[str, str]:
    """A build as it stands, and with another kind of unit."""
    *head, old, name = context.written(order.statement).split()
    return " ".join((*head, old, name)), " ".join((*head, kind, name.partition("/")[0]))


def _is_other_build(order: OrderLine, kinds: set[str]) -> bool:
    return isinstance(order.statement, Build) and order.statement.unit.kind not in kinds


def _is_about(order: OrderLine, named: set[str]) -> bool:
    return bool(about(order.statement, with_payee=False) & named)


def _speaks_of_one(trouble: LineError, orders: Sequence[OrderLine], context: DoubtContext) -> bool:
    if {*lines_of(trouble.suggestions)} & {context.written(order.statement) for order in orders}:
        return False
    words = trouble.marked if trouble.suggestions else clause_around(trouble)
    low = clean(words).text.lower()
    phrases = context.phrases
    changes = phrases.amounts.search(low) is not None or phrases.unsettling.search(low) is not None
    if phrases.unconcerned.search(low) or not changes:
        return False
    named = context.places(words)
    before = (each for each in orders if place(each, context) < (trouble.line, trouble.start))
    return any(about(each.statement, with_payee=True) & named for each in before)


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
    return which_of(given[-1], given, context)


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
    return which_of(given[-1], given, context, more)

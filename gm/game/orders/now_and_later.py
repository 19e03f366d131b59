"""Sentences that order something now and something later, and words about builds that nobody can have.

"Paris to Burgundy, then on to Munich in the fall": what is for now is proposed. A build cannot be saved for another
year: what a sentence builds now is taken, and the answer says what becomes of the rest. Where a player owes nothing, an
order to build says that rather than why its place is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from gm.game.session.session import LetterSession
from gm.judge.model.orders import Build, Waive
from gm.judge.model.sheets import DueOrders
from gm.language.commands.in_words import plain_questions
from gm.language.i18n.joining_words import AND, BUT
from gm.language.i18n.normalize import clean
from gm.language.letter.builds_beyond import builds_without_room
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, LetterContext, LineError, OrderLine
from gm.language.lines.sentences import sentences_of
from gm.language.lines.trouble_keys import ASK_FOR_NOTHING, LATER
from gm.language.orders.phase_names import MOVES
from gm.language.prose.phrases.prose_phrases import phrases_of
from gm.language.rendering.order_text import ADJUSTMENTS, statement

LATER_IN_PART = "later-in-part"
"""Key of the question about a sentence that is only in part about a later phase."""
NOT_SAVED = "builds-not-saved"
"""Key of the remark on words that save a build."""
JOINT = re.compile(rf"([.,;!]+(?=\s|$)|\s(?:{AND}|{BUT})(?=\s))", re.IGNORECASE)


def with_orders_for_now(session: LetterSession, reading: LetterContents) -> LetterContents:
    """With proposals of what sentences about a later phase say of the open one."""
    loaded_game = session.loaded_game
    open_moves = session.plays and loaded_game.running and loaded_game.step.letter == MOVES
    if not open_moves or session.late_for or all(trouble.key != LATER for trouble in reading.troubles):
        return reading
    return replace(reading, troubles=tuple(_for_now(session, trouble) for trouble in reading.troubles))


def _for_now(session: LetterSession, trouble: LineError) -> LineError:
    if trouble.key != LATER:
        return trouble
    orders = max((tuple(_now_in(trouble, context)) for _, context in session.contexts), key=len)
    lines = "\n".join(dict.fromkeys(statement(order.statement, MOVES) for order in orders if not order.power))
    return replace(trouble, key=LATER_IN_PART, suggestions=(lines,)) if lines else trouble


def _now_in(trouble: LineError, context: LetterContext) -> Iterator[OrderLine]:
    """The orders of parts that speak of now, or stand before "then"."""
    words = plain_questions.joined_patterns("now", context.variant.language)
    parts = [part for part in JOINT.split(_sentence(trouble)) if part]
    later = phrases_of(context.variant).later
    for at, part in enumerate(parts):
        low, behind = (clean(text).text.lower() for text in (part, "".join(parts[at + 1 :])))
        first = at == 0 and re.match(words["then"], behind.lstrip(" ,;")) is not None
        if later.search(low) is None and (first or re.search(words["now"], low)):
            reading = read_letter(((trouble.line, re.sub(words["now"], " ", part, flags=re.IGNORECASE)),), context)
            yield from reading.orders if all(each.obeyed for each in reading.troubles) else ()


def with_adjustments(session: LetterSession, reading: LetterContents) -> LetterContents:
    loaded_game, power = session.loaded_game, session.author
    if not session.plays or session.late_for or not loaded_game.running or loaded_game.step.letter != ADJUSTMENTS:
        return reading
    reading = _without_savings(session, reading)
    due = loaded_game.step.missing(loaded_game.position, loaded_game.variant, power, ())
    if due.builds or loaded_game.controlled(power) or not _is_about_orders(reading):
        return reading
    _note_due(session, due)
    if due.removals:
        return reading
    kept = (trouble for trouble in reading.troubles if trouble.obeyed and trouble.key not in ASK_FOR_NOTHING)
    return replace(reading, orders=(), troubles=tuple(kept))


def with_builds_in_question(session: LetterSession, reading: LetterContents) -> LetterContents:
    """Without builds and waives for which a build on file must go, which is asked: those that would be proposed, too,
    so that a YES takes nothing back that no letter showed.
    """
    if not session.plays or session.late_for or not session.loaded_game.running:
        return reading
    proposed = dict(_proposed_builds(session, reading.troubles))
    if not any(isinstance(order.statement, Build | Waive) for order in (*reading.orders, *proposed)):
        return reading
    words = {order: trouble.marked for order, trouble in proposed.items()}
    asked = dict(builds_without_room((*reading.orders, *proposed), reading.requests, words, session.context))
    orders = tuple(order for order in reading.orders if order not in asked)
    replaced = {id(proposed[order]) for order in asked if order in proposed}
    troubles = (trouble for trouble in reading.troubles if id(trouble) not in replaced)
    return replace(reading, orders=orders, troubles=(*troubles, *asked.values())) if asked else reading


def _proposed_builds(session: LetterSession, troubles: Sequence[LineError]) -> Iterator[tuple[OrderLine, LineError]]:
    """Builds that are the only suggestion for a line, with its trouble."""
    for trouble in troubles:
        whole = len(trouble.suggestions) == 1 and "\n" not in trouble.suggestions[0]
        if whole and session.loaded_game.step.letter == ADJUSTMENTS:
            orders = read_letter(((trouble.line, trouble.suggestions[0]),), session.context).orders
            if len(orders) == 1 and isinstance(orders[0].statement, Build):
                yield replace(orders[0], text=trouble.text), trouble


def _is_about_orders(reading: LetterContents) -> bool:
    return bool(reading.orders) or any(not each.obeyed or each.key in ASK_FOR_NOTHING for each in reading.troubles)


def _note_due(session: LetterSession, due: DueOrders) -> None:
    position, power = session.loaded_game.position, session.author
    centres, units = len(position.centres_of(power)), len(position.units_of(power))
    key = "asked-removals" if due.removals else "nothing-due"
    session.note(key, headline=True, n=str(due.removals), centres=str(centres), units=str(units))


def _without_savings(session: LetterSession, reading: LetterContents) -> LetterContents:
    """With the orders of sentences that build something now and something later."""
    orders, troubles = list(reading.orders), list[LineError]()
    for trouble in reading.troubles:
        if trouble.key != LATER:
            troubles.append(trouble)
            continue
        built = max((tuple(_built_now(trouble, context)) for _, context in session.contexts), key=len)
        orders += built
        troubles.append(replace(trouble, key=NOT_SAVED, suggestions=(), obeyed=True))
    return replace(reading, orders=tuple(orders), troubles=tuple(troubles))


def _built_now(trouble: LineError, context: LetterContext) -> Iterator[OrderLine]:
    for words in _parts_now(_sentence(trouble), context):
        reading = read_letter(((trouble.line, words),), context)
        yield from reading.orders if all(each.obeyed for each in reading.troubles) else ()


def _sentence(trouble: LineError) -> str:
    """What the line says from the marked words to the end of their sentence."""
    return sentences_of(trouble.text[trouble.start :] or trouble.text)[0]


def _parts_now(sentence: str, context: LetterContext) -> Iterator[str]:
    """The parts of a sentence between those that speak of a later phase."""
    later, run = phrases_of(context.variant).later, ""
    for part in JOINT.split(sentence):
        if later.search(clean(part).text.lower()) is None:
            run += part
        else:
            yield run
            run = ""
    yield run

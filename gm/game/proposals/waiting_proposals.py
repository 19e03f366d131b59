"""Proposals of earlier letters that still wait beside a newer one, and those that it replaces."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from msgspec.structs import replace

from gm.game.model.proposals import Proposals, is_undone
from gm.game.proposals.matters import matter_of, matters_of, read_lines
from gm.game.proposals.proposal_replies import latest_proposals, open_questions
from gm.game.proposals.proposals import count_together
from gm.game.session.open_lines import brings_orders
from gm.game.session.session import LetterSession
from gm.judge.model.orders import Allocate, Move, Support, WholeSetStatement
from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LetterContents, OrderLine, lines_of
from gm.language.rendering.order_text import statement as written

UNCLOSED = frozenset({"press-unclosed", "press-before-orders", "message-unclosed"})
"""Errors of press in which orders may stand."""
OF_SETS = frozenset({"not-taken-points", "points-unclear", "points-hold-or-support"})
"""Keys of lines about points that are not clear: what was proposed about points before is of the past."""


def keep_beside_orders(session: LetterSession, reading: LetterContents) -> None:
    """Orders proposed for an earlier letter wait for a YES beside a letter with orders, if it says nothing of them."""
    if not session.plays or session.closed or session.late_for or not brings_orders(reading):
        return
    question = latest_proposals(session)
    waiting = Proposals.of(question) if question is not None and not question.answered else None
    if question is None or waiting is None or waiting.phase != session.game.phase:
        return
    if is_undone(session.store, question):
        return
    stay = tuple(line for line in waiting.lines if not _is_about_again(session, reading, line[1]))
    letter = session.loaded_game.step.letter
    own = tuple((order.power, written(order.statement, letter)) for order in reading.orders)
    stay = stay if count_together(session, (*stay, *own)) else ()
    brought = set(matters_of(reading))
    requests = tuple(
        each for each in waiting.requests if brought.isdisjoint(matters_of(read_lines(session, each.split("\n"))))
    )
    if stay or (waiting.lines and requests):
        session.proposed.waiting = replace(waiting, lines=stay, requests=requests, settles=())
        session.proposed.still_open = session.draft(session.author).questions


def close_repeated(session: LetterSession, reading: LetterContents) -> None:
    """Commands wait no longer where the letter brings others of their kind: another day, or other press for the same
    readers.
    """
    brought = set(matters_of(reading))
    for question in open_questions(session) if brought else ():
        proposals = Proposals.of(question)
        matters = set(matters_of(read_lines(session, "\n".join(proposals.requests).splitlines())))
        if matters and matters <= brought and not proposals.lines:
            session.store.turns.mark_answered(question.code)


def _is_about_again(session: LetterSession, reading: LetterContents, line: str) -> bool:
    """Whether a letter orders, or may order, what a proposed order is about, also in words that are not taken as press
    of which nobody knows the end.
    """
    forms = (lines_of(trouble.suggestions) for trouble in reading.troubles)
    meant = [order for form in forms for order in read_lines(session, form).orders]
    proposed = read_lines(session, (line,)).orders
    sets = {type(order.statement).family for order in proposed if isinstance(order.statement, WholeSetStatement)}
    anew = (each.statement for each in (*reading.orders, *meant) if isinstance(each.statement, WholeSetStatement))
    if not sets.isdisjoint(statement.family for statement in anew) or (sets and not OF_SETS.isdisjoint(_keys(reading))):
        return True
    alone = [read_lines(session, (text,)) for _, text in session.letter.lines if UNCLOSED & _keys(reading)]
    orders = (*reading.orders, *meant, *chain.from_iterable(each.orders for each in alone))
    if not {matter_of(order) for order in orders}.isdisjoint(map(matter_of, proposed)):
        return True
    if _is_helped_otherwise(proposed, orders):
        return True
    places = {word.partition("/")[0].lower() for word in line.split()[1:2]}
    unread = [trouble.text for each in alone for trouble in each.troubles if not trouble.obeyed]
    unread += [trouble.marked or trouble.text for trouble in reading.troubles if not trouble.obeyed]
    unclear = (clean(words).text.lower() for words in unread)
    return any(place in words for words in unclear for place in places)


def _is_helped_otherwise(proposed: Iterable[OrderLine], orders: Iterable[OrderLine]) -> bool:
    """Whether supports that the letter gives or buys are for something else than a move that is proposed."""
    moves = {
        each.statement.unit.at.province: each.statement.to for each in proposed if isinstance(each.statement, Move)
    }
    given = (each.statement.order if isinstance(each.statement, Allocate) else each.statement for each in orders)
    helps = [order for order in given if isinstance(order, Support) and order.target.at.province in moves]
    return any(order.to is None or order.to.province != moves[order.target.at.province].province for order in helps)


def _keys(reading: LetterContents) -> frozenset[str]:
    return frozenset(trouble.key for trouble in reading.troubles)

"""Orders outside the body of a letter: in its subject ("Subject: A Vie-Gal, A Bud-Ser"), in a letter that it forwards,
in a text file, in words that it quotes, or behind them.

Those of the subject are taken where the body has none, and proposed where something of the body is not taken. Those of
a forwarded letter or of a file are proposed where nothing else was ordered or asked: it may be the player's own from a
second account, or another player's; a file may be old. A letter without words of its own is read from its file. Those
of quoted words are proposed for units without an order: they may be a form that was filled in, or an ally's wish.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from gm.game.identity.references import find_thread
from gm.game.model.loaded_game import load_game
from gm.game.model.records import Game, GameState, Letter, Seat
from gm.game.session.session import LetterSession
from gm.language.commands.press_or_orders import MOST_LINES, looks_like_orders
from gm.language.commands.requests import ClearRequest, PressRequest
from gm.language.i18n.normalize import clean
from gm.language.letter.check_lines import FOREIGN
from gm.language.letter.letter_reader import may_hold_orders, read_letter
from gm.language.letter.talk.consent_words import only_agrees
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.letter_contents import LetterContents, LetterContext, LineError, OrderLine, lines_of
from gm.language.lines.trouble_keys import NOT_TAKEN, NOT_YOURS
from gm.language.orders.phase_names import MOVES
from gm.language.prose.phrases.prose_phrases import phrases_of
from gm.language.rendering.order_text import statement

TAGS = re.compile(r"^(?:\s*(?:\w{2,4}\s?:|\[[^]]*\]))+\s*")
"""What precedes the words of a subject: "Re: [lisbon S1880M]"."""

MOST_FILES = 3
"""Text files of a letter that are looked into."""
NO_UNIT = "no-unit"
"""Key of the error of an order for a unit that is not there."""
LEAST_ASTRAY = 2
"""A single one is a slip."""
SHORTEST_SUBJECT = 3
"""Letters of a subject that may be an order: "W" is the winter, and no word for a waived build."""


def with_subject(
    session: LetterSession, letter: Letter, reading: LetterContents, context: LetterContext
) -> LetterContents:
    """The contents of the body, with the orders of the subject where the body has neither orders nor press; those that
    are read from its sentences are proposed.
    """
    untaken = any(not trouble.obeyed for trouble in reading.troubles)
    press = any(isinstance(given.request, PressRequest) for given in reading.requests)
    words = TAGS.sub("", letter.subject).strip()
    if reading.orders and session.plays and not _is_ours(session, letter, words):
        return _with_contradictions(session, words, reading, context)
    if (
        reading.orders
        or press
        or len(words) < SHORTEST_SUBJECT
        or not session.plays
        or _is_ours(session, letter, words)
    ):
        return reading
    plain = looks_like_orders(((0, words),), context)
    if not plain and (reading.requests or not may_hold_orders(words, context)):
        return reading
    orders = read_letter(((0, words),), context)
    if orders.requests or not all(trouble.obeyed or trouble.suggestions for trouble in orders.troubles):
        return reading
    if plain and not untaken:
        return replace(reading, orders=orders.orders, troubles=(*orders.troubles, *reading.troubles))
    if not orders.orders:
        return reading
    step = session.loaded_game.step.letter  # the body may say otherwise: a YES takes them
    lines = "\n".join(dict.fromkeys(statement(order.statement, step) for order in orders.orders))
    trouble = LineError(0, words, 0, len(words), NOT_TAKEN, (), (lines,))
    return replace(reading, troubles=(trouble, *orders.troubles, *reading.troubles))


def _with_contradictions(
    session: LetterSession, words: str, reading: LetterContents, context: LetterContext
) -> LetterContents:
    """The orders of the body, with a question where the subject gives a unit another one."""
    if len(words) < SHORTEST_SUBJECT or not may_hold_orders(words, context):
        return reading
    step = session.loaded_game.step.letter
    body = {order.statement.slot: order.statement for order in reading.orders if not order.power}
    for order in read_letter(((0, words),), context).orders:
        other = body.get(order.statement.slot)
        if other is not None and other != order.statement and not order.power:
            lines = (statement(order.statement, step), statement(other, step))
            trouble = LineError(0, words, 0, len(words), "not-taken-alternative", (), lines)
            reading = replace(reading, troubles=(*reading.troubles, trouble))
    return reading


def _is_ours(session: LetterSession, letter: Letter, words: str) -> bool:
    """Whether the subject is still that of the letter of ours that this one answers."""
    thread = find_thread(session.store, letter)
    return thread is not None and TAGS.sub("", thread.subject).strip() == words


def with_forwarded(session: LetterSession, letter: Letter, reading: LetterContents) -> LetterContents:
    """The contents, with a question about the orders of a forwarded letter where there are no others."""
    if not letter.forwarded or reading.orders or reading.requests or reading.troubles:
        return reading
    return _proposed(session, reading, letter.forwarded, "forwarded")


def with_quoted(session: LetterSession, letter: Letter, reading: LetterContents) -> LetterContents:
    """The contents, with a question about the orders of quoted words for units that have none so far. What letters of
    ours say is no wish of the writer's.
    """
    sheet = session.loaded_game.step if session.plays and session.loaded_game.running else None
    press = any(isinstance(given.request, PressRequest) for given in reading.requests)
    if sheet is None or sheet.letter != MOVES or press or not letter.quoted_lines or letter.refs:
        return reading
    numbers = [number for number, _ in letter.answered]
    if numbers and not any(behind == number + 1 for number, behind in pairwise(numbers)):
        return reading  # words below single lines say what becomes of each
    own = " ".join(words for _, words in letter.lines).lower()
    clears = any(isinstance(given.request, ClearRequest) for given in reading.requests)
    refused = phrases_of(session.context.variant).refused.search(clean(own).text)
    if clears or refused or any(not trouble.obeyed for trouble in reading.troubles):
        return reading
    lines = tuple(enumerate(session.services.quoted(session.row).splitlines(), 1))[:MOST_LINES]
    context = session.context
    known = {order.statement.slot for order in reading.orders} | {order.slot for order in context.on_file()}
    orders = read_letter(lines, context).orders if lines else ()
    new = [order for order in orders if order.statement.slot not in known and not order.power]
    return _with_question(session, reading, new, "quoted-orders") if new else reading


def with_notes(session: LetterSession, letter: Letter, reading: LetterContents) -> LetterContents:
    """The contents, with questions about what the writer wrote behind quoted lines: "> A Bud - Ser  <-- Rum please"."""
    if not letter.notes or not session.plays or not session.loaded_game.running:
        return reading
    noted = read_letter(letter.notes, session.context)
    ordered, on_file = {order.statement.slot for order in reading.orders}, {*session.context.on_file()}
    proposed = lines_of(line for trouble in reading.troubles for line in trouble.suggestions)
    step = session.loaded_game.step.letter
    new = [
        order
        for order in noted.orders
        if not order.power and order.statement not in on_file and order.statement.slot not in ordered
        if statement(order.statement, step) not in proposed
    ]
    reading = _with_question(session, reading, new, "quoted-note") if new else reading
    unread = [(each.line, each.text) for each in noted.troubles if not each.obeyed]
    unread += [(each.line, each.text) for each in noted.requests if isinstance(each.request, ClearRequest)]
    heard = {given.line for given in noted.orders} | {given.line for given in noted.requests}
    heard |= {trouble.line for trouble in noted.troubles}
    words = (note for number, note in letter.notes if number not in heard and not note.startswith(">"))
    unread += [(0, note) for note in words if not only_agrees(note, session.languages)]
    asked = (LineError(number, text, 0, len(text), "quoted-note") for number, text in dict.fromkeys(unread))
    return replace(reading, troubles=(*reading.troubles, *asked))


def with_attached(session: LetterSession, letter: Letter, reading: LetterContents) -> LetterContents:
    """The contents, with a question about the orders of a text file where the letter orders and asks nothing."""
    counts = dict(letter.other_ignored)
    untaken = any(not trouble.obeyed for trouble in reading.troubles)
    if not counts.get("attachments") or untaken or reading.orders or reading.requests or not session.plays:
        return reading
    for file in session.services.attached(session.row)[:MOST_FILES]:
        lines = tuple(enumerate(file.text.splitlines(), 1))
        proposed = _proposed(session, reading, lines, "attached")
        if proposed is not reading:
            left = counts | {"attachments": counts["attachments"] - 1}
            session.letter = replace(session.letter, other_ignored=tuple(left.items()))
            return proposed
    return reading


def _proposed(
    session: LetterSession, reading: LetterContents, lines: Sequence[NumberedLine], key: str
) -> LetterContents:
    """The contents with a question about the orders of other lines, if there are any."""
    for _, context in session.contexts:
        orders = read_letter(lines, context).orders
        if orders:
            return _with_question(session, reading, orders, key)
    return reading


def _with_question(
    session: LetterSession, reading: LetterContents, orders: Sequence[OrderLine], key: str
) -> LetterContents:
    """The contents with the orders as a proposal."""
    text = " / ".join(dict.fromkeys(order.text.strip() for order in orders))
    step = session.loaded_game.step.letter
    written = "\n".join(dict.fromkeys(statement(order.statement, step) for order in orders))
    trouble = LineError(orders[0].line, text, 0, 0, key, (), (written,))
    return replace(reading, troubles=(*reading.troubles, trouble))


def with_own_powers(session: LetterSession, reading: LetterContents) -> LetterContents:
    """The contents where orders for another power of the writer's in this game are called that."""
    if session.seat_only or not session.plays or not any(trouble.key in FOREIGN for trouble in reading.troubles):
        return reading
    seats = session.store.games.seats(session.game.id)
    mine = {seat.power for seat in seats if seat.person == session.person.id} - {session.author}
    troubles = (
        replace(trouble, key="yours-too")
        if trouble.key in FOREIGN and dict(trouble.fields).get("power") in mine
        else trouble
        for trouble in reading.troubles
    )
    return replace(reading, troubles=tuple(troubles))


def without_other_game(session: LetterSession, reading: LetterContents) -> LetterContents:
    """The contents without orders for another game of the writer's, which a note names. Whoever has only the reply
    address of this seat learns nothing of other games.
    """
    if session.seat_only or not session.plays or reading.orders:
        return reading
    seats = [seat for seat in session.store.games.seats_of(session.person.id) if seat.game != session.game.id]
    named = [seat for seat in seats if _is_meant(session, reading, seat)]
    games = [(game.name, seat.power) for seat in named if (game := _running_game(session, seat)) is not None]
    if len(games) != 1:
        return reading
    name, power = games[0]
    session.note("orders-elsewhere", done=False, headline=True, game=name, power=power, here=session.game.name)
    return replace(reading, troubles=())


def _is_meant(session: LetterSession, reading: LetterContents, seat: Seat) -> bool:
    """Whether all lines are about units of the power that the writer plays there, or order units that they have there
    and not here.
    """
    powers = {dict(trouble.fields).get("power", "") for trouble in reading.troubles}
    keys = {trouble.key for trouble in reading.troubles}
    if keys == {NOT_YOURS}:
        return powers == {seat.power}
    game = _running_game(session, seat)
    if keys != {NO_UNIT} or len(reading.troubles) < LEAST_ASTRAY or game is None:
        return False
    loaded_game = load_game(session.services, session.store, game)
    there = LetterSession(
        session.services, session.store, session.row, session.letter, session.person, seat, loaded_game, seat.power
    )
    return there.plays and len(read_letter(session.letter.lines, there.context).orders) >= len(reading.troubles)


def _running_game(session: LetterSession, seat: Seat) -> Game | None:
    game = session.store.games.get(seat.game)
    return game if game.state is GameState.RUNNING else None

"""A letter of somebody who holds a seat: press passed on, orders onto the sheet, requests done, and the one answer."""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.commands.perform import perform, role_of
from gm.game.identity import which_phase as phases
from gm.game.identity.sender import PRESS
from gm.game.letters import answer as answers
from gm.game.letters import reply_limits as replies
from gm.game.model.loaded_game import lay
from gm.game.model.ports import Store
from gm.game.model.records import InboxRow, Letter, Person, Question, Seat
from gm.game.model.services import Services
from gm.game.orders import gm_orders as hand
from gm.game.orders import proxy as proxies
from gm.game.press import delivery as courier
from gm.game.press import write as presswork
from gm.game.session import notices as news
from gm.game.session.session import LetterSession
from gm.game.turns import overrule as decreed
from gm.language.commands.observers import StopRequest
from gm.language.commands.press_or_orders import looks_like_orders
from gm.language.commands.table import rows_of
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, OrderLine, Request

YES = ("YES", "CONFIRM")


def read(
    services: Services,
    store: Store,
    row: InboxRow,
    letter: Letter,
    person: Person,
    seat: Seat,
    question: Question | None,
) -> None:
    letter = replies.unsubscribing(letter)
    game = store.games.lock(seat.game)
    session = LetterSession(services, store, row, letter, person, seat, lay(services, store, game), seat.power)
    if letter.refused:
        session.notes.append(replies.refusal(services, letter))
    elif question is not None and question.kind == PRESS and question.seat == seat.id and not question.answered:
        if not _settle_press(session, question):
            _work(session, letter)
    elif session.observes and not session.welcome:
        session.note("observers-off", done=False)
    elif session.observes and phases.channel_of(store, letter, seat) and _is_press(session, letter):
        session.note("observers-listen", done=False)
    elif (channel := phases.channel_of(store, letter, seat)) and _is_press(session, letter):
        if any(looks_like_orders(letter.lines, context) for _, context in session.contexts):
            presswork.ask(session, channel)
            return
        presswork.reply(session, channel, replies.own_words(letter))
    else:
        _work(session, letter)
    answer(session)


def _work(session: LetterSession, letter: Letter, held: InboxRow | None = None) -> None:
    """Read the letter's lines and do what they say, in their order.

    One that was held came in an earlier row, and counts for the phase that was open then.
    """
    reading = _understood(session, letter)
    for row in (session.row, held or session.row):
        session.late_for = session.late_for or phases.late_for(
            session.store, row, letter, session.loaded_game, master=session.master
        )
    do(session, reading)


def _understood(session: LetterSession, letter: Letter) -> LetterContents:
    """Where nothing in a letter is an order or a request in its writer's language, and he has chosen none: in the first
    language in which something is and nothing is wrong. That is his from then on.
    """
    contexts = session.contexts
    _, own = next(contexts)
    reading = read_letter(letter.lines, own)
    if reading.orders or reading.requests:
        return reading
    for language, context in contexts:
        found = read_letter(letter.lines, context)
        if (found.orders or found.requests) and all(trouble.obeyed for trouble in found.troubles):
            session.person = replace(session.person, language=language)
            session.store.people.save(session.person)
            session.note("language-heard")
            return found
    return reading


def do(session: LetterSession, reading: LetterContents) -> None:
    late = bool(session.late_for) and bool(reading.orders)
    session.troubles += () if session.late_for else reading.troubles
    session.faulty = any(not trouble.obeyed for trouble in reading.troubles)
    session.was_late = late or (bool(session.late_for) and session.faulty)
    lines = hand.in_order(reading)
    session.last_line = lines[-1].line if lines else 0
    for given in lines:
        if isinstance(given, OrderLine):
            _order(session, given)
        else:
            perform(session, given, role_of(session))
    _remember_questions(session, reading)
    if session.drafts and session.plays and session.loaded_game.lenders(session.author):
        session.hands()  # the answer shows what others have put into his hands as well
    session.flush()
    proxies.announce(session)
    courier.overhear(session.services, session.store, session.loaded_game)
    decreed.enact(session)
    news.tell(session)


def _order(session: LetterSession, given: OrderLine) -> None:
    if session.late_for:
        return
    if session.closed:
        session.refuse_closed()
        return
    if session.loaded_game.running and session.plays:
        hand.put(session, given.statement, given.line, given.power)
        return
    key = "orders-in-block" if session.master and session.loaded_game.running else phases.closed(session.game)
    session.note_once(key, what="ORDERS")


def _remember_questions(session: LetterSession, reading: LetterContents) -> None:
    """Lines asked back stay with the sheet until the next letter with orders; a sheet with such is not ready."""
    open_lines = tuple(trouble.text.strip()[:200] for trouble in reading.troubles if not trouble.obeyed)
    kept = session.plays and not session.closed and not session.late_for and session.loaded_game.running
    if not kept or not (open_lines or reading.orders):
        return
    draft = session.draft(session.author)
    draft.questions = open_lines
    if open_lines and draft.ready:
        draft.ready = False
        session.note("ready-taken-back", done=False)


def answer(session: LetterSession) -> None:
    """Queue the one answer to the letter; it shows nothing of a seat that was given up by it."""
    if session.left:
        replies.plainly(session.services, session.store, session.row, session.letter, session.person, *session.notes)
        return
    if not session.loaded_game.running and not session.done and not session.notes and not session.inserts:
        session.note(phases.closed(session.game), done=False, what="ORDERS")
    if session.loaded_game.running and session.plays and not session.done and not session.was_late:
        session.hands()
        session.flush()
    letter = answers.answer(
        session.services, session.store, session.row, session.letter, session.game, session.seat, session.report()
    )
    replies.send(session.services, session.store, letter)


# ---- replies to press


def _is_press(session: LetterSession, letter: Letter) -> bool:
    """A reply to press is press, unless it only asks us something ("STATUS") or says PRESS TO itself."""
    reading = read_letter(letter.lines, session.context)
    asked = [
        given.request
        for given in reading.requests
        if not isinstance(given.request, StopRequest) or given.text.isupper()
    ]
    alone = not (reading.orders or reading.troubles or reading.prose)
    return not (asked and alone and all(map(_is_private, asked)))


def _is_private(request: Request) -> bool:
    return any(row.private for row in rows_of(request))


def _settle_press(session: LetterSession, question: Question) -> bool:
    """The answer to "was this press or orders?"; False where the letter says neither word."""
    word = replies.first_word(session.letter, session.language)
    if word not in (*YES, "PRESS", "ORDERS"):
        return False
    session.store.turns.answered(question.code)
    row = session.store.inbox.get(question.inbox)
    held = session.services.open_letter(row)
    if word != "ORDERS":
        presswork.reply(session, question.payload, replies.own_words(held))
    else:
        _work(session, held, row)
    return True

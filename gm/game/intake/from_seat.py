"""A letter of somebody who holds a seat: press passed on, orders onto the sheet, requests done, and the one answer."""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.commands import player as commands
from gm.game.commands import roles
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
from gm.language.commands.observers import OWN_AFFAIRS, StopRequest
from gm.language.commands.planning import CheckRequest
from gm.language.commands.players import WhoRequest
from gm.language.commands.press_or_orders import looks_like_orders
from gm.language.commands.requests import (
    HelpRequest,
    HistoryRequest,
    NeighboursRequest,
    PressRequest,
    RulesRequest,
    ShowRequest,
    StatusRequest,
)
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, OrderLine

YES = ("YES", "CONFIRM")

INFORMATION = (
    CheckRequest,
    HelpRequest,
    HistoryRequest,
    NeighboursRequest,
    RulesRequest,
    ShowRequest,
    StatusRequest,
    WhoRequest,
    PressRequest,
    *OWN_AFFAIRS,
)
"""What a reply to press may hold instead of press: asked for by a letter that holds nothing else."""


def read(
    office: Services, store: Store, row: InboxRow, letter: Letter, person: Person, seat: Seat, question: Question | None
) -> None:
    letter = replies.unsubscribing(letter)
    game = store.games.lock(seat.game)
    sitting = LetterSession(office, store, row, letter, person, seat, lay(office, store, game), seat.power)
    if letter.refused:
        sitting.notes.append(replies.refusal(office, letter))
    elif question is not None and question.kind == PRESS and question.seat == seat.id and not question.answered:
        if not _settle_press(sitting, question):
            _work(sitting, letter)
    elif sitting.observes and not sitting.welcome:
        sitting.note("observers-off", done=False)
    elif sitting.observes and phases.channel_of(store, letter, seat) and _is_press(sitting, letter):
        sitting.note("observers-listen", done=False)
    elif (channel := phases.channel_of(store, letter, seat)) and _is_press(sitting, letter):
        if any(looks_like_orders(letter.lines, context) for _, context in sitting.contexts):
            presswork.ask(sitting, channel)
            return
        presswork.reply(sitting, channel, replies.own_words(letter))
    else:
        _work(sitting, letter)
    answer(sitting)


def _work(sitting: LetterSession, letter: Letter, held: InboxRow | None = None) -> None:
    """Read the letter's lines and do what they say, in their order.

    One that was held came in an earlier row, and counts for the phase that was open then.
    """
    reading = _understood(sitting, letter)
    for row in (sitting.row, held or sitting.row):
        sitting.late_for = sitting.late_for or phases.late_for(
            sitting.store, row, letter, sitting.table, master=sitting.master
        )
    do(sitting, reading)


def _understood(sitting: LetterSession, letter: Letter) -> LetterContents:
    """Where nothing in a letter is an order or a request in its writer's language, and he has chosen none: in the first
    language in which something is and nothing is wrong. That is his from then on.
    """
    contexts = sitting.contexts
    _, own = next(contexts)
    reading = read_letter(letter.lines, own)
    if reading.orders or reading.requests:
        return reading
    for language, context in contexts:
        found = read_letter(letter.lines, context)
        if (found.orders or found.requests) and all(trouble.obeyed for trouble in found.troubles):
            sitting.person = replace(sitting.person, language=language)
            sitting.store.people.save(sitting.person)
            sitting.note("language-heard")
            return found
    return reading


def do(sitting: LetterSession, reading: LetterContents) -> None:
    late = bool(sitting.late_for) and bool(reading.orders)
    sitting.troubles += () if sitting.late_for else reading.troubles
    sitting.faulty = any(not trouble.obeyed for trouble in reading.troubles)
    sitting.was_late = late or (bool(sitting.late_for) and sitting.faulty)
    lines = hand.in_order(reading)
    sitting.last_line = lines[-1].line if lines else 0
    for given in lines:
        if isinstance(given, OrderLine):
            _order(sitting, given)
        else:
            commands.perform(sitting, given, roles.HANDLERS[roles.role(sitting)])
    _remember_questions(sitting, reading)
    if sitting.drafts and sitting.plays and sitting.table.lenders(sitting.author):
        sitting.hands()  # the answer shows what others have put into his hands as well
    sitting.flush()
    proxies.announce(sitting)
    courier.overhear(sitting.office, sitting.store, sitting.table)
    decreed.enact(sitting)
    news.tell(sitting)


def _order(sitting: LetterSession, given: OrderLine) -> None:
    if sitting.late_for:
        return
    if sitting.closed:
        sitting.refuse_closed()
        return
    if sitting.table.running and sitting.plays:
        hand.put(sitting, given.statement, given.line, given.power)
        return
    key = "orders-in-block" if sitting.master and sitting.table.running else phases.closed(sitting.game)
    sitting.note_once(key, what="ORDERS")


def _remember_questions(sitting: LetterSession, reading: LetterContents) -> None:
    """Lines asked back stay with the sheet until the next letter with orders; a sheet with such is not ready."""
    open_lines = tuple(trouble.text.strip()[:200] for trouble in reading.troubles if not trouble.obeyed)
    kept = sitting.plays and not sitting.closed and not sitting.late_for and sitting.table.running
    if not kept or not (open_lines or reading.orders):
        return
    draft = sitting.draft(sitting.author)
    draft.questions = open_lines
    if open_lines and draft.ready:
        draft.ready = False
        sitting.note("ready-taken-back", done=False)


def answer(sitting: LetterSession) -> None:
    """Queue the one answer to the letter; it shows nothing of a seat that was given up by it."""
    if sitting.left:
        replies.plainly(sitting.office, sitting.store, sitting.row, sitting.letter, sitting.person, *sitting.notes)
        return
    if not sitting.table.running and not sitting.done and not sitting.notes and not sitting.inserts:
        sitting.note(phases.closed(sitting.game), done=False, what="ORDERS")
    if sitting.table.running and sitting.plays and not sitting.done and not sitting.was_late:
        sitting.hands()
        sitting.flush()
    letter = answers.answer(
        sitting.office, sitting.store, sitting.row, sitting.letter, sitting.game, sitting.seat, sitting.report()
    )
    replies.send(sitting.office, sitting.store, letter)


# ---- replies to press


def _is_press(sitting: LetterSession, letter: Letter) -> bool:
    """A reply to press is press, unless it only asks us something ("STATUS") or says PRESS TO itself."""
    reading = read_letter(letter.lines, sitting.context)
    asked = [
        given.request
        for given in reading.requests
        if not isinstance(given.request, StopRequest) or given.text.isupper()
    ]
    alone = not (reading.orders or reading.troubles or reading.prose)
    return not (asked and alone and all(isinstance(request, INFORMATION) for request in asked))


def _settle_press(sitting: LetterSession, question: Question) -> bool:
    """The answer to "was this press or orders?"; False where the letter says neither word."""
    word = replies.first_word(sitting.letter, sitting.language)
    if word not in (*YES, "PRESS", "ORDERS"):
        return False
    sitting.store.turns.answered(question.code)
    row = sitting.store.inbox.get(question.inbox)
    held = sitting.office.open_letter(row)
    if word != "ORDERS":
        presswork.reply(sitting, question.payload, replies.own_words(held))
    else:
        _work(sitting, held, row)
    return True

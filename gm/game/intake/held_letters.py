"""Letters whose From address nothing proves: they are held, and a YES from the address of record releases them."""

from __future__ import annotations

from gm.game.identity.sender import HOLD, ProvenSender, hold_code
from gm.game.intake.incoming_letter import DONE, ClosedAs, IncomingLetter
from gm.game.letters import reply_limits
from gm.game.letters.question import language_for, render_question
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import load_game
from gm.game.model.records import Game, InboxRow, InboxState, Person, Question, Seat
from gm.game.model.settings import language_of
from gm.language.commands.press_or_orders import looks_like_orders


def hold(incoming: IncomingLetter, person: Person, seat: Seat | None) -> ClosedAs:
    """Keep the letter back and ask the address of record whether it is genuine."""
    services, store, row = incoming.services, incoming.store, incoming.row
    game: Game | None = store.games.get(seat.game) if seat else None
    code = hold_code(services, row)
    asked = Question(code, HOLD, game.id if game else 0, seat.id if seat else 0, row.id, "", store.now())
    store.turns.add_question(asked)
    letter = render_question(services, store, person, game, seat, asked, incoming.letter)
    reply_limits.send_answer(services, store, letter, reply_limits.HOLD_QUESTIONS_MOST)
    return InboxState.HELD, "From is not proven"


def answers_about_held_letters(incoming: IncomingLetter) -> ClosedAs | None:
    """The code of a held letter came back: whoever has it reads the address of record. YES releases the letter.

    The answer to the released letter is the only answer. A letter that was held too long is gone.
    """
    store, question = incoming.store, incoming.question
    if question is None or question.kind != HOLD or question.inbox == incoming.row.id or _is_orders(incoming):
        return None
    held = store.inbox.get(question.inbox)
    waits = held.state is InboxState.HELD
    person = _asked_person(incoming, held, question)
    language = language_for(store, person) if person is not None else ""
    if waits and not question.answered and reply_limits.first_word(incoming.letter, language) in reply_limits.YES:
        store.turns.mark_answered(question.code)
        store.inbox.close(held.id, InboxState.NEW)
    elif waits and not question.answered and _asks_something(incoming):
        return None
    elif person is not None:
        key = "confirmed-before" if question.answered else "hold-open" if waits else "hold-gone"
        incoming.reply(person, Note(f"desk.{key}", (), False))
    return DONE


def _asks_something(incoming: IncomingLetter) -> bool:
    """Whether the letter, proven by the code it brings, asks for something itself. The question stays open."""
    sender = incoming.sender
    return isinstance(sender, ProvenSender) and bool(incoming.reading.requests)


def _is_orders(incoming: IncomingLetter) -> bool:
    """Whether a player answers the question with orders to the seat's own address."""
    match incoming.mail_sender:
        case ProvenSender(person, seat) if seat is not None:
            game = incoming.store.games.get(seat.game)
            language = language_of(person, game)
            context = load_game(incoming.services, incoming.store, game).context(seat.power, language=language)
            letter = incoming.letter
            return reply_limits.first_word(letter, language) not in reply_limits.YES and looks_like_orders(
                letter.lines, context
            )
    return False


def _asked_person(incoming: IncomingLetter, held: InboxRow, question: Question) -> Person | None:
    """The person the question went to: the held letter's sender. Once that letter is emptied, who answers it or has
    the seat now.
    """
    store = incoming.store
    sender = (incoming.services.open_letter(held) if held.raw else incoming.letter).sender
    seat = store.games.seat(question.seat) if question.seat and not held.raw else None
    holder = store.people.get(seat.person) if seat is not None and seat.person is not None else None
    return store.people.by_address(sender) or holder

"""Letters that belong to no seat: a game to be made, a stranger, a sender nobody vouches for and his YES."""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.commands import no_seat as lobby
from gm.game.identity import sender as identity
from gm.game.identity.sender import HOLD
from gm.game.intake import from_seat as seated
from gm.game.intake import registration as registering
from gm.game.letters import answer as answers
from gm.game.letters import reply_limits as replies
from gm.game.letters.question import spoken_to, unknown
from gm.game.model.letter_report import Note
from gm.game.model.ports import Store
from gm.game.model.records import Game, InboxRow, InboxState, Letter, Person, Question, Seat
from gm.game.model.services import Services
from gm.game.model.settings import language_of
from gm.game.session import no_seat as standing
from gm.language.commands.requests import CreateRequest


def creates(services: Services, letter: Letter, person: Person) -> bool:
    return any(
        isinstance(given.request, CreateRequest) for given in standing.read_anywhere(services, letter, person).requests
    )


def without_seat(services: Services, store: Store, row: InboxRow, letter: Letter, person: Person) -> None:
    """Somebody known who plays nowhere, or means no game he plays: he may found one if he is one of those who may."""
    if letter.refused:
        replies.plainly(services, store, row, letter, person, replies.refusal(services, letter))
        return
    founds = creates(services, letter, person)
    guessed = standing.understood(services, letter, person)[1] if founds else ""
    guessed = guessed if guessed != language_of(person) else ""
    if guessed:
        person = replace(person, language=guessed)
        store.people.save(person)
    session = standing.sit(services, store, row, letter, person)
    if not founds:
        lobby.serve(session, standing.read_anywhere(services, letter, person))
        if all(note.key == lobby.SEATLESS for note in session.notes):  # what he lacks is said once, with the way out
            session.notes.clear()
            session.note(_nothing_asked(services, store, person), done=False)
        replies.plainly(services, store, row, letter, session.person, *session.notes)
        return
    session.astray = True
    if guessed:
        session.note("language-guessed")
    seated.do(session, standing.read_anywhere(services, letter, person))
    if session.game.id:
        seated.answer(session)
    else:
        replies.plainly(services, store, row, letter, person, *session.notes)


def _nothing_asked(services: Services, store: Store, person: Person) -> str:
    if store.games.seats_of(person.id):
        return "no-seat-there"
    return "no-seat-master" if identity.may_create(services, person) else "no-seat"


def stranger(services: Services, store: Store, row: InboxRow, letter: Letter) -> None:
    """One polite answer a day, and only where our mail server vouches for the sender: else we'd write to victims.

    Who asks to register or to join is asked back instead.
    """
    if letter.failed or not letter.sender or services.post.ours(letter.sender):
        return
    if registering.offered(services, store, row, letter) or not letter.proven:
        return
    person = Person(0, letter.sender_name, (letter.sender.lower(),), services.zone)
    key = "desk.stranger" if services.registration else "desk.stranger-closed"
    polite = unknown(services, person, row, letter, key)
    cause = f"stranger:{store.now():%Y-%m-%d}"
    message_id = services.post.message_id(cause, polite.kind, polite.address)
    replies.send(services, store, replace(polite, cause=cause, message_id=message_id))


def hold(services: Services, store: Store, row: InboxRow, letter: Letter, person: Person, seat: Seat | None) -> None:
    """Keep the letter back and ask the address of record whether it is genuine."""
    game: Game | None = store.games.get(seat.game) if seat else None
    code = identity.hold_code(services, row)
    question = Question(code, HOLD, game.id if game else 0, seat.id if seat else 0, row.id, "", store.now())
    store.turns.ask(question)
    store.inbox.close(row.id, InboxState.HELD, "From is not proven")
    letter_out = answers.question(services, store, person, game, seat, question, letter)
    replies.send(services, store, letter_out, replies.DOUBTS_MOST)


def confirm(services: Services, store: Store, row: InboxRow, letter: Letter, question: Question) -> None:
    """The secret code came back: whoever has it reads the address of record. YES sets the held letter free.

    Its own answer is all the answer there is: the freed letter is read next. One that was held too long is gone.
    """
    store.inbox.close(row.id, InboxState.DONE)
    held = store.inbox.get(question.inbox)
    waits = held.state is InboxState.HELD
    person = _asked(services, store, held, letter, question)
    language = spoken_to(store, person) if person is not None else ""
    if waits and not question.answered and replies.first_word(letter, language) in seated.YES:
        store.turns.answered(question.code)
        store.inbox.close(held.id, InboxState.NEW)
        return
    if person is not None:
        key = "confirmed-before" if question.answered else "hold-open" if waits else "hold-gone"
        replies.plainly(services, store, row, letter, person, Note(f"desk.{key}", (), False))


def _asked(services: Services, store: Store, held: InboxRow, letter: Letter, question: Question) -> Person | None:
    """Whom the question went to, as the held letter tells; once that is emptied, who answers or has the seat now."""
    sender = (services.open_letter(held) if held.raw else letter).sender
    seat = store.games.seat(question.seat) if question.seat and not held.raw else None
    session = store.people.get(seat.person) if seat is not None and seat.person is not None else None
    return store.people.by_address(sender) or session

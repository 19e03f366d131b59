"""Letters that belong to no seat: a game to be made, a stranger, a sender nobody vouches for and his YES."""

from __future__ import annotations

from dataclasses import replace

from gm.desk import acts, answers, commands, identity, replies, roles, seated
from gm.desk.identity import HOLD
from gm.desk.office import Office
from gm.desk.ports import Store
from gm.desk.questions import spoken_to
from gm.desk.records import MASTER, Game, InboxRow, InboxState, Letter, Person, Question, Seat
from gm.desk.report import Note
from gm.desk.settings import language_of
from gm.desk.sitting import Sitting
from gm.text.read import read_letter
from gm.text.reading import Context, Reading
from gm.text.requests import Create
from gm.text.spoken import spoken


def creates(office: Office, letter: Letter, person: Person) -> bool:
    return any(isinstance(given.request, Create) for given in _read_anywhere(office, letter, person).requests)


def comes(office: Office, letter: Letter, person: Person) -> bool:
    """Does it ask for something that needs no seat?"""
    return any(type(given.request) in roles.STRANGER for given in _read_anywhere(office, letter, person).requests)


def _let_in(office: Office, store: Store, row: InboxRow, letter: Letter, person: Person) -> None:
    """Do what may be asked for without a seat; for the rest one is needed."""
    nowhere = acts.nowhere(office.variant(office.variant_ids[0], {}))
    stand_in = Sitting(office, store, row, letter, person, Seat(0, 0, MASTER, person.id), nowhere, MASTER)
    reading = _read_anywhere(office, letter, person)
    stand_in.faulty = any(not trouble.obeyed for trouble in reading.troubles)
    for given in reading.requests:
        if type(given.request) in roles.STRANGER:
            commands.perform(stand_in, given, roles.STRANGER)
        else:
            stand_in.note_once("needs-seat", what=commands.word_of(given.request))
    replies.plainly(office, store, row, letter, person, *stand_in.notes)


def _read_anywhere(office: Office, letter: Letter, person: Person) -> Reading:
    """Read for what it asks, where no game is known: with the rules and the start of the library's first variant."""
    variant = spoken(office.variant(office.variant_ids[0], {}), language_of(person))
    return read_letter(letter.lines, Context(variant, variant.start, "", master=True))


def without_seat(office: Office, store: Store, row: InboxRow, letter: Letter, person: Person) -> None:
    """Somebody known who plays nowhere, or means no game he plays: he may found one if he is one of those who may."""
    if letter.refused:
        replies.plainly(office, store, row, letter, person, replies.refusal(office, letter))
        return
    if not creates(office, letter, person) and comes(office, letter, person):
        _let_in(office, store, row, letter, person)
        return
    if not creates(office, letter, person):
        key = "no-seat-master" if identity.may_create(office, person) else "no-seat"
        key = "no-seat-there" if store.games.seats_of(person.id) else key
        replies.plainly(office, store, row, letter, person, Note(f"desk.{key}", (), False))
        return
    nowhere = acts.nowhere(office.variant(office.variant_ids[0], {}))
    stand_in = Sitting(office, store, row, letter, person, Seat(0, 0, MASTER, person.id), nowhere, MASTER, astray=True)
    seated.do(stand_in, _read_anywhere(office, letter, person))
    if stand_in.game.id:
        seated.answer(stand_in)
    else:
        replies.plainly(office, store, row, letter, person, *stand_in.notes)


def stranger(office: Office, store: Store, row: InboxRow, letter: Letter) -> None:
    """One polite answer a day, and only where our mail server vouches for the sender: else we'd write to victims."""
    if not letter.proven or letter.failed or not letter.sender or office.post.ours(letter.sender):
        return
    person = Person(0, letter.sender_name, (letter.sender.lower(),), office.zone)
    polite = answers.plain(office, store, person, row, letter, (Note("desk.stranger", (), False),))
    cause = f"stranger:{store.now():%Y-%m-%d}"
    message_id = office.post.message_id(cause, polite.kind, polite.address)
    replies.send(store, replace(polite, cause=cause, message_id=message_id))


def hold(office: Office, store: Store, row: InboxRow, letter: Letter, person: Person, seat: Seat | None) -> None:
    """Keep the letter back and ask the address of record whether it is genuine."""
    game: Game | None = store.games.get(seat.game) if seat else None
    code = identity.hold_code(office, row)
    question = Question(code, HOLD, game.id if game else 0, seat.id if seat else 0, row.id, "", store.now())
    store.turns.ask(question)
    store.inbox.close(row.id, InboxState.HELD, "From is not proven")
    letter_out = answers.question(office, store, person, game, seat, question, row, letter)
    replies.send(store, letter_out, replies.DOUBTS_MOST)


def confirm(office: Office, store: Store, row: InboxRow, letter: Letter, question: Question) -> None:
    """The secret code came back: whoever has it reads the address of record. YES sets the held letter free.

    Its own answer is all the answer there is: the freed letter is read next.
    """
    store.inbox.close(row.id, InboxState.DONE)
    held = store.inbox.get(question.inbox)
    person = store.people.by_address(office.open_letter(held).sender)
    language = spoken_to(store, person) if person is not None else ""
    if replies.first_word(letter, language) in seated.YES and not question.answered:
        store.turns.answered(question.code)
        if held.state is InboxState.HELD:
            store.inbox.close(held.id, InboxState.NEW)
        return
    if person is not None:
        note = Note("desk.confirmed-before" if question.answered else "desk.hold-open", (), False)
        replies.plainly(office, store, row, letter, person, note)

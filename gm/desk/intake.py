"""Letters in: kept before anything else, then read one at a time, each in a transaction of its own.

    accept      the raw letter, committed: from here on it cannot be lost
    read_next   the oldest unread letter: what it changes, the answer to it and its own mark are one commit

A letter that raises, or that killed the process three times, is set aside (`SHUNTED`) with its traceback; it stops no
other. A letter that is no person's is closed unanswered; one that nobody proved to have written waits (`HELD`).
"""

from __future__ import annotations

import traceback
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from gm.desk import acts, answers, commands, hand, identity, phases, presswork, returns
from gm.desk.errors import Unavailable
from gm.desk.identity import HOLD, PRESS, Proven, Stranger, Unclear, Unproven
from gm.desk.office import Office
from gm.desk.ports import Store, Transaction
from gm.desk.records import MASTER, Game, InboxRow, InboxState, Letter, OutLetter, Person, Question, Seat, Verdict
from gm.desk.report import Note
from gm.desk.sitting import NO_LETTER, Sitting
from gm.desk.table import lay
from gm.text.read import looks_like_orders, read_letter
from gm.text.reading import Context, OrderLine, Reading
from gm.text.requests import Create, Help, History, Rules, Show, Status
from gm.text.requests import Press as PressRequest

YES = ("YES", "CONFIRM")
MOST_TRIES = 3
ANSWERS_MOST = 20
ANSWERS_IN = timedelta(hours=1)

INFORMATION = (Help, History, Rules, Show, Status, PressRequest)
"""What a reply to press may hold instead of press: asked for by a letter that holds nothing else."""


def accept(tx: Transaction, row: InboxRow) -> bool:
    """Keep a letter; False for one that is there already. Raises Unavailable when it could not be kept."""
    with tx() as store:
        return store.inbox.accept(row)[1]


def read_next(office: Office, tx: Transaction, before: datetime | None = None) -> bool:
    """Read the oldest unread letter (received before that instant); False when there is none."""
    with tx() as store:
        row = store.inbox.next(before)
        if row is None:
            return False
        store.inbox.tried(row.id)
    if row.tries >= MOST_TRIES:
        _shunt(office, tx, row, f"given up after {row.tries} tries that ended the process\n{row.error}")
        return True
    try:
        with tx() as store:
            locked = store.inbox.lock(row.id)
            if locked is not None:
                read(office, store, locked)
    except Unavailable:
        raise
    except Exception:
        _shunt(office, tx, row, traceback.format_exc())
    return True


def read(office: Office, store: Store, row: InboxRow) -> None:
    """One letter, within the caller's transaction."""
    letter = office.open_letter(row)
    if letter.verdict is Verdict.IGNORE:
        returns.note(office, store, letter.bounce_of)
        store.inbox.close(row.id, InboxState.IGNORED, letter.why)
        return
    question = identity.question_of(office, store, letter)
    if question is not None and question.kind == HOLD and question.inbox != row.id:
        _confirm(office, store, row, letter, question)
        return
    match identity.who(office, store, row, letter):
        case Proven(person, None):
            _without_seat(office, store, row, letter, person)
        case Proven(person, seat) if seat is not None:
            _with_seat(office, store, row, letter, person, seat, question)
        case Unclear(person, _) if identity.may_create(office, person) and _creates(office, letter):
            _without_seat(office, store, row, letter, person)
        case Unclear(person, seats):
            games = sorted({store.games.get(seat.game).name for seat in seats})
            note = Note("desk.which-game", (("games", ", ".join(games)), ("first", games[0])), done=False)
            _answer_plainly(office, store, row, letter, person, note)
        case Unproven(person, seat):
            _hold(office, store, row, letter, person, seat)
            return
        case Stranger():
            _answer_stranger(office, store, row, letter)
    store.inbox.close(row.id, InboxState.DONE)


# ---- letters of a seat


def _with_seat(
    office: Office, store: Store, row: InboxRow, letter: Letter, person: Person, seat: Seat, question: Question | None
) -> None:
    game = store.games.lock(seat.game)
    sitting = Sitting(office, store, row, letter, person, seat, lay(office, store, game), seat.power)
    if letter.refused:
        sitting.notes.append(_refusal(office, letter))
    elif question is not None and question.kind == PRESS and question.seat == seat.id and not question.answered:
        if not _settle_press(sitting, question):
            _work(sitting, letter)
    elif (channel := phases.channel_of(store, letter, seat)) and _is_press(sitting, letter):
        if looks_like_orders(letter.lines, sitting.table.context(seat.power)):
            presswork.ask(sitting, channel)
            return
        presswork.reply(sitting, channel, _words(letter))
    else:
        _work(sitting, letter)
    answer(sitting)


def _refusal(office: Office, letter: Letter) -> Note:
    """Why a body was not read at all."""
    key = f"desk.refused-{letter.refused.replace(' ', '-')}"
    known = key in office.letters.catalogue("en")
    return Note(key if known else "desk.refused-other", (), done=False, headline=True)


def _work(sitting: Sitting, letter: Letter) -> None:
    """Read the letter's lines and do what they say, in their order."""
    reading = read_letter(letter.lines, sitting.table.context(sitting.seat.power))
    sitting.late_for = phases.late_for(sitting.store, sitting.row, letter, sitting.table, master=sitting.master)
    _do(sitting, reading)


def _do(sitting: Sitting, reading: Reading) -> None:
    late = bool(sitting.late_for) and bool(reading.orders)
    sitting.troubles += () if sitting.late_for else reading.troubles
    sitting.faulty = any(not trouble.obeyed for trouble in reading.troubles)
    sitting.was_late = late or (bool(sitting.late_for) and sitting.faulty)
    for given in hand.in_order(reading):
        if isinstance(given, OrderLine):
            _order(sitting, given)
        else:
            commands.perform(sitting, given, acts.MASTER if sitting.master else commands.PLAYER)
    _remember_questions(sitting, reading)
    sitting.flush()


def _order(sitting: Sitting, given: OrderLine) -> None:
    if sitting.late_for:
        return
    if sitting.table.running and not sitting.master:
        hand.put(sitting, given.statement, given.line)
        return
    key = "orders-in-block" if sitting.master and sitting.table.running else phases.closed(sitting.game)
    if not any(note.key == f"desk.{key}" for note in sitting.notes):
        sitting.note(key, done=False, line=given.line, what="ORDERS")


def _remember_questions(sitting: Sitting, reading: Reading) -> None:
    """Lines asked back stay with the sheet until the next letter with orders; a sheet with such is not ready."""
    open_lines = tuple(trouble.text.strip()[:200] for trouble in reading.troubles if not trouble.obeyed)
    if sitting.master or sitting.late_for or not sitting.table.running or not (open_lines or reading.orders):
        return
    draft = sitting.draft(sitting.author)
    draft.questions = open_lines
    if open_lines and draft.ready:
        draft.ready = False
        sitting.note("ready-taken-back", done=False)


def answer(sitting: Sitting) -> None:
    """Queue the one answer to the letter."""
    if not sitting.table.running and not sitting.done and not sitting.notes and not sitting.inserts:
        sitting.note(phases.closed(sitting.game), done=False, what="ORDERS")
    if sitting.table.running and not sitting.master and not sitting.done and not sitting.was_late:
        sitting.draft(sitting.author)
        sitting.flush()
    letter = answers.answer(
        sitting.office, sitting.store, sitting.row, sitting.letter, sitting.game, sitting.seat, sitting.report()
    )
    send(sitting.store, letter)


def send(store: Store, letter: OutLetter) -> None:
    """Queue an answer, unless its address has had too many of late: a loop must end in silence."""
    letter = replace(letter, automatic="auto-replied")
    now = store.now()
    if store.outbox.answers(letter.address, now - ANSWERS_IN) < ANSWERS_MOST:
        store.outbox.add(letter, now)


# ---- replies to press


def _is_press(sitting: Sitting, letter: Letter) -> bool:
    """A reply to press is press, unless it only asks us something ("STATUS") or says PRESS TO itself."""
    reading = read_letter(letter.lines, sitting.table.context(sitting.seat.power))
    asked = [given.request for given in reading.requests]
    alone = not (reading.orders or reading.troubles or reading.prose)
    return not (asked and alone and all(isinstance(request, INFORMATION) for request in asked))


def _settle_press(sitting: Sitting, question: Question) -> bool:
    """The answer to "was this press or orders?"; False where the letter says neither word."""
    word = _first_word(sitting.letter)
    if word not in (*YES, "PRESS", "ORDERS"):
        return False
    sitting.store.turns.answered(question.code)
    held = sitting.office.open_letter(sitting.store.inbox.get(question.inbox))
    if word != "ORDERS":
        presswork.reply(sitting, question.payload, _words(held))
    else:
        _work(sitting, held)
    return True


def _first_word(letter: Letter) -> str:
    """Of the writer's own words, in capitals, without what surrounds it."""
    first = next((words.split()[0] for _, words in letter.lines if words.strip()), "")
    return first.strip(".,;:!\"'*").upper()


def _words(letter: Letter) -> str:
    return "\n".join(words for _, words in letter.lines).strip("\n")


# ---- letters without a seat


def _creates(office: Office, letter: Letter) -> bool:
    return any(isinstance(given.request, Create) for given in _read_anywhere(office, letter).requests)


def _read_anywhere(office: Office, letter: Letter) -> Reading:
    """Read for what it asks, where no game is known: with the rules and the start of the library's first variant."""
    variant = office.variant(office.variant_ids[0], {})
    return read_letter(letter.lines, Context(variant, variant.start, "", master=True))


def _without_seat(office: Office, store: Store, row: InboxRow, letter: Letter, person: Person) -> None:
    """Somebody known who plays nowhere, or means no game he plays: he may found one if he is one of those who may."""
    if letter.refused:
        _answer_plainly(office, store, row, letter, person, _refusal(office, letter))
        return
    if not _creates(office, letter):
        note = Note("desk.no-seat-master" if identity.may_create(office, person) else "desk.no-seat", (), False)
        _answer_plainly(office, store, row, letter, person, note)
        return
    nowhere = acts.nowhere(office.variant(office.variant_ids[0], {}))
    stand_in = Sitting(office, store, row, letter, person, Seat(0, 0, MASTER, person.id), nowhere, MASTER, astray=True)
    _do(stand_in, _read_anywhere(office, letter))
    if stand_in.game.id:
        answer(stand_in)
    else:
        _answer_plainly(office, store, row, letter, person, *stand_in.notes)


def _answer_plainly(office: Office, store: Store, row: InboxRow, letter: Letter, person: Person, *notes: Note) -> None:
    send(store, answers.plain(office, store, person, row, letter, notes))


def _answer_stranger(office: Office, store: Store, row: InboxRow, letter: Letter) -> None:
    """One polite answer a day, and only where our mail server vouches for the sender: else we'd write to victims."""
    if not letter.proven or letter.failed or not letter.sender or office.post.ours(letter.sender):
        return
    person = Person(0, letter.sender_name, (letter.sender.lower(),), office.zone)
    polite = answers.plain(office, store, person, row, letter, (Note("desk.stranger", (), False),))
    cause = f"stranger:{store.now():%Y-%m-%d}"
    message_id = office.post.message_id(cause, polite.kind, polite.address)
    send(store, replace(polite, cause=cause, message_id=message_id))


def _hold(office: Office, store: Store, row: InboxRow, letter: Letter, person: Person, seat: Seat | None) -> None:
    """Keep the letter back and ask the address of record whether it is genuine."""
    game: Game | None = store.games.get(seat.game) if seat else None
    code = identity.hold_code(office, row)
    question = Question(code, HOLD, game.id if game else 0, seat.id if seat else 0, row.id, "", store.now())
    store.turns.ask(question)
    store.inbox.close(row.id, InboxState.HELD, "From is not proven")
    send(store, answers.question(office, store, person, game, seat, question, row, letter))


def _confirm(office: Office, store: Store, row: InboxRow, letter: Letter, question: Question) -> None:
    """The secret code came back: whoever has it reads the address of record. YES sets the held letter free.

    Its own answer is all the answer there is: the freed letter is read next.
    """
    store.inbox.close(row.id, InboxState.DONE)
    held = store.inbox.get(question.inbox)
    if _first_word(letter) in YES and not question.answered:
        store.turns.answered(question.code)
        if held.state is InboxState.HELD:
            store.inbox.close(held.id, InboxState.NEW)
        return
    person = store.people.by_address(office.open_letter(held).sender)
    if person is not None:
        note = Note("desk.confirmed-before" if question.answered else "desk.hold-open", (), False)
        _answer_plainly(office, store, row, letter, person, note)


# ---- letters that cannot be read


def _shunt(office: Office, tx: Transaction, row: InboxRow, error: str) -> None:
    """Set a letter aside for the operator; tell a player who wrote it."""
    with tx() as store:
        store.inbox.close(row.id, InboxState.SHUNTED, error)
    with suppress(Exception), tx() as store:
        _regret(office, store, row)


def _regret(office: Office, store: Store, row: InboxRow) -> None:
    try:
        letter = office.open_letter(row)
    except Exception:
        letter = replace(NO_LETTER, sender=row.envelope_from, delivered_to=row.envelope_to)
    if letter.verdict is Verdict.IGNORE:
        return
    match identity.who(office, store, row, letter):
        case Proven(person, _) | Unclear(person, _):
            _answer_plainly(office, store, row, letter, person, Note("desk.shunted", (), False, headline=True))

"""Letters in: kept before anything else, then read one at a time, each in a transaction of its own.

    accept      the raw letter, committed: from here on it cannot be lost
    read_some   the oldest unread letters: what one changes, the answer to it and its own mark are one commit

A letter is marked as tried before it is read, in a commit of its own or in that of the letter before it.

A letter that raises, or that killed the process again and again, is set aside (`SHUNTED`) with its traceback; it stops
no other. A letter that is no person's is closed unanswered; one that nobody proved to have written waits (`HELD`).
"""

from __future__ import annotations

import traceback
from contextlib import suppress
from datetime import datetime

import structlog
from msgspec.structs import replace

from gm.errors import Unavailable
from gm.game.commands import no_seat as lobby
from gm.game.identity import sender as identity
from gm.game.identity import which_phase as phases
from gm.game.identity import which_power as countries
from gm.game.identity.sender import HOLD, ProvenSender, SeveralSeats, UnknownSender, UnprovenSender
from gm.game.identity.which_power import WrongPower
from gm.game.intake import bounces as returns
from gm.game.intake import confirmations as consents
from gm.game.intake import from_no_seat as doorstep
from gm.game.intake import from_seat as seated
from gm.game.letters import alarms as alarm
from gm.game.letters import reply_limits as replies
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import lay
from gm.game.model.ports import Store, Transaction
from gm.game.model.records import MASTER, InboxRow, InboxState, Letter, Person, Seat, SenderVerdict
from gm.game.model.services import Services
from gm.game.model.settings import language_of
from gm.game.session.session import NO_LETTER
from gm.language.commands.press_or_orders import looks_like_orders

log = structlog.get_logger()

MOST_TRIES = 3
"""A letter whose reading ends the process so often is set aside."""
AT_ONCE = 25
"""After so many letters read their answers are handed on to be sent."""


def accept(tx: Transaction, *rows: InboxRow, pushed: bool = False) -> bool:
    """Keep letters, all in one commit; False where all are there already. Raises Unavailable when none could be kept.

    `pushed`: they are received now, within the transaction, so that none can slip under a deadline that has just
    passed.
    """
    with tx() as store:
        store.inbox.arriving()
        kept = [store.inbox.accept(replace(row, received_at=store.now()) if pushed else row) for row in rows]
        return any(new for _, new in kept)


def read_some(services: Services, tx: Transaction, before: datetime | None = None, most: int = AT_ONCE) -> int:
    """Read the oldest unread letters (received before that instant); how many: 0 where there are none, or others
    read them.
    """
    count = 0
    with services.reading() as ours:
        row = _begun(tx, before) if ours() else None
        while row is not None:
            count += 1
            row = _read_one(services, tx, row, before, more=count < most and ours())
    return count


def _begun(tx: Transaction, before: datetime | None) -> InboxRow | None:
    with tx() as store:
        return _taken(store, before)


def _taken(store: Store, before: datetime | None) -> InboxRow | None:
    """The letter that is to be read now, marked as tried."""
    row = store.inbox.next(before)
    if row is not None:
        store.inbox.tried(row.id)
    return row


def _read_one(
    services: Services, tx: Transaction, row: InboxRow, before: datetime | None, *, more: bool
) -> InboxRow | None:
    """Gives the one after it, where there are to be more."""
    if row.tries >= MOST_TRIES:
        _shunt(services, tx, row, f"given up after {row.tries} tries that ended the process\n{row.error}")
        return _begun(tx, before) if more else None
    try:
        letter = services.open_letter(row)  # takes nothing from the store, which others may use meanwhile
        with tx() as store:
            if not store.inbox.lock(row.id):  # somebody else has it: none that came after it is to be read before it
                return None
            read(services, store, row, letter)
            return _taken(store, before) if more else None
    except Unavailable:
        _not_its_fault(tx, row)
        raise
    except Exception:
        _shunt(services, tx, row, traceback.format_exc())
    return _begun(tx, before) if more else None


def _not_its_fault(tx: Transaction, row: InboxRow) -> None:
    """The store failed, not the letter: that is none of its tries."""
    with suppress(Unavailable), tx() as store:
        if store.inbox.lock(row.id):
            store.inbox.close(row.id, InboxState.NEW)


def read(services: Services, store: Store, row: InboxRow, letter: Letter) -> None:
    """One letter, within the caller's transaction."""
    if letter.verdict is SenderVerdict.IGNORE:
        returns.note(services, store, letter)
        alarm.ignored(services, store, row, letter)
        store.inbox.close(row.id, InboxState.IGNORED, letter.why)
        return
    question = identity.question_of(services, store, letter)
    about_held = question is not None and question.kind == HOLD and question.inbox != row.id
    if question is not None and about_held and not _orders_instead(services, store, row, letter):
        doorstep.confirm(services, store, row, letter, question)
        return
    if question is not None and consents.settle(services, store, row, letter, question):
        return
    writer, letter = countries.chosen(services, store, letter, identity.who(services, store, row, letter))
    if isinstance(writer, ProvenSender | SeveralSeats | WrongPower):
        returns.heard(store, writer.person)
    match writer:
        case WrongPower(person, name, powers):
            fields = (("name", name[:40]), ("mine", ", ".join(powers)))
            note = Note("desk.country-not-yours", fields, done=False)
            replies.plainly(services, store, row, letter, person, note)
        case ProvenSender(person, None):
            doorstep.without_seat(services, store, row, letter, person)
        case ProvenSender(person, seat) if seat is not None and _founds(services, store, letter, person, seat):
            doorstep.without_seat(services, store, row, letter, person)
        case ProvenSender(person, seat) if seat is not None:
            seated.read(services, store, row, letter, person, seat, question)
        case SeveralSeats(person, _) if _needs_no_seat(services, letter, person):
            doorstep.without_seat(services, store, row, letter, person)
        case SeveralSeats(person, seats):
            games = sorted({store.games.get(seat.game).name for seat in seats})
            key = "which-game" if len(games) > 1 else "which-seat"
            note = Note(
                f"desk.{key}", (("games", ", ".join(games)), ("first", games[0]), ("power", seats[0].power)), done=False
            )
            replies.plainly(services, store, row, letter, person, note)
        case UnprovenSender(person, seat) if seat is not None or _might_matter(services, store, letter, person):
            doorstep.hold(services, store, row, letter, person, seat)
            return
        case UnknownSender():
            doorstep.stranger(services, store, row, letter)
        case UnprovenSender():
            pass
    store.inbox.close(row.id, InboxState.DONE)


def _might_matter(services: Services, store: Store, letter: Letter, person: Person) -> bool:
    """Could the letter do anything if it were proved to be this person's, who is at none of its tables?"""
    plays = bool(store.games.seats_of(person.id))
    return plays or identity.may_create(services, person) or lobby.asks(services, letter)


def _needs_no_seat(services: Services, letter: Letter, person: Person) -> bool:
    """A letter that means none of its writer's seats."""
    makes = identity.may_create(services, person) and doorstep.creates(services, letter, person)
    return makes or lobby.personal(services, letter, person)


def _orders_instead(services: Services, store: Store, row: InboxRow, letter: Letter) -> bool:
    """A player may answer our question about a letter by what he wants: his seat's own address brings it."""
    match identity.who(services, store, row, letter):
        case ProvenSender(person, seat) if seat is not None:
            game = store.games.get(seat.game)
            language = language_of(person, game)
            context = lay(services, store, game).context(seat.power, language=language)
            return replies.first_word(letter, language) not in seated.YES and looks_like_orders(letter.lines, context)
    return False


def _founds(services: Services, store: Store, letter: Letter, person: Person, seat: Seat) -> bool:
    """A player who may make games does not do it as the power he plays."""
    if phases.channel_of(store, letter, seat):  # press: its words are for others
        return False
    return seat.power != MASTER and identity.may_create(services, person) and doorstep.creates(services, letter, person)


# ---- letters that cannot be read


def _shunt(services: Services, tx: Transaction, row: InboxRow, error: str) -> None:
    """Set a letter aside for the operator; tell a player who wrote it."""
    with tx() as store:
        store.inbox.close(row.id, InboxState.SHUNTED, error)
    log.error("a letter was set aside", letter=row.id, error=error.strip().rpartition("\n")[2])
    with suppress(Exception), tx() as store:
        _regret(services, store, row)


def _regret(services: Services, store: Store, row: InboxRow) -> None:
    try:
        letter = services.open_letter(row)
    except Exception:
        letter = replace(NO_LETTER, sender=row.envelope_from, delivered_to=row.envelope_to)
    if letter.verdict is SenderVerdict.IGNORE:
        return
    match identity.who(services, store, row, letter):
        case ProvenSender(person, _) | SeveralSeats(person, _):
            replies.plainly(services, store, row, letter, person, Note("desk.shunted", (), False, headline=True))

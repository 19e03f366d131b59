"""Reads letters one at a time, each in its own transaction: changes, answer and the state of a letter are one commit.

`gm.game.intake.arrivals` has stored them. A letter is marked as tried before it is read, so that one that kills the
process is noticed. A letter that raises an exception, or has ended the process several times, is set aside (`SHUNTED`)
with its traceback.
"""

from __future__ import annotations

import traceback
from collections import Counter
from contextlib import suppress
from datetime import datetime

import structlog
from msgspec import Struct, field
from msgspec.structs import replace

from gm.errors import Unavailable
from gm.game.identity import sender
from gm.game.identity.sender import ProvenSender, SeveralSeats
from gm.game.intake.incoming_letter import IncomingLetter
from gm.game.intake.routes import route
from gm.game.letters import reply_limits
from gm.game.model.letter_report import Note
from gm.game.model.ports import Store, Transaction
from gm.game.model.records import InboxRow, InboxState, Letter, SenderVerdict
from gm.game.model.services import Services
from gm.game.session.session import NO_LETTER

log = structlog.get_logger()

MOST_TRIES = 3
"""A letter that has ended the process so often is set aside."""
AT_ONCE = 25
"""Letters that are read before answers are sent."""
IN_A_ROW = 5
"""After so many letters of one sender others are read first. Fewer stay in their order, from whatever addresses."""


class ReadingOrder(Struct, frozen=True):
    """Which letter is read next: the oldest, but after some letters of one sender others come first.

    So a flood from one sender delays nobody else. `before`: only letters received before that instant.
    """

    before: datetime | None = None
    read: Counter[str] = field(default_factory=Counter)

    def take_next(self, store: Store) -> InboxRow | None:
        """The next letter, marked as tried."""
        served = tuple(sender for sender, count in self.read.items() if sender and count >= IN_A_ROW)
        row = store.inbox.take(self.before, served)
        if row is None and served:
            self.read.clear()
            row = store.inbox.take(self.before)
        if row is not None:
            self.read[row.envelope_from] += 1
        return row


def read_some(services: Services, tx: Transaction, before: datetime | None = None, most: int = AT_ONCE) -> int:
    """Read unread letters (received before `before`), the oldest first; returns how many.

    0 if there are none, or another process reads them.
    """
    count, order = 0, ReadingOrder(before)
    with services.reading() as ours:
        row = _start_next(tx, order) if ours() else None
        while row is not None:
            count += 1
            row = _read_one(services, tx, row, order, more=count < most and ours())
    return count


def _start_next(tx: Transaction, order: ReadingOrder) -> InboxRow | None:
    with tx() as store:
        return order.take_next(store)


def _read_one(
    services: Services, tx: Transaction, row: InboxRow, order: ReadingOrder, *, more: bool
) -> InboxRow | None:
    """Read a letter; returns the next one if `more`."""
    if row.tries >= MOST_TRIES:
        _shunt(services, tx, row, f"given up after {row.tries} tries that ended the process\n{row.error}")
        return _start_next(tx, order) if more else None
    try:
        letter = services.prove(row, services.open_letter(row))  # outside the transaction: needs no store
        with tx() as store:
            if not store.inbox.lock(row.id):  # another process has it, and later letters must wait
                return None
            games = [key.game for key in services.post.keys(letter.delivered_to)[:1]]
            for game in games:  # before anything is read, or it is read twice
                store.games.lock_named(game)
            letter = _without_proof_if_seen(store, row, letter)
            state, why = route(IncomingLetter(services, store, row, letter))
            following = order.take_next(store) if more else None
    except Unavailable:
        _give_back(tx, row)
        raise
    except Exception:
        _shunt(services, tx, row, traceback.format_exc())
    else:
        _log_read(row, letter, games, state, why)
        return following
    return _start_next(tx, order) if more else None


def _log_read(row: InboxRow, letter: Letter, games: list[str], state: InboxState, why: str) -> None:
    """For operators who look for a letter: no address, and of its Message-ID what stands before the @."""
    game = {"game": games[0]} if games else {}
    reason = {"why": why} if why and state is not InboxState.DONE else {}
    name = letter.message_id.strip("<>").partition("@")[0]
    log.info("letter read", letter=row.id, message_id=name, state=state.value, **game, **reason)


def _without_proof_if_seen(store: Store, row: InboxRow, letter: Letter) -> Letter:
    """A signed letter proves its sender once: anybody who has it could send it again."""
    if not letter.signature or store.inbox.claim_signature(row.id, letter.signature):
        return letter
    return replace(letter, proven=False)


def _give_back(tx: Transaction, row: InboxRow) -> None:
    """Reset the tries of a letter: the store failed, not the letter."""
    with suppress(Unavailable), tx() as store:
        if store.inbox.lock(row.id):
            store.inbox.close(row.id, InboxState.NEW)


# ---- letters that cannot be read


def _shunt(services: Services, tx: Transaction, row: InboxRow, error: str) -> None:
    """Set a letter aside for the operator; tell a player who wrote it."""
    with tx() as store:
        store.inbox.close(row.id, InboxState.SHUNTED, error)
    kind = error.strip().rpartition("\n")[2].partition(":")[0]  # what follows may be words of the letter
    log.error("a letter was set aside", letter=row.id, error=kind)
    with suppress(Exception), tx() as store:
        _tell_sender(services, store, row)


def _tell_sender(services: Services, store: Store, row: InboxRow) -> None:
    try:
        letter = services.open_letter(row)
    except Exception:
        letter = replace(NO_LETTER, sender=row.envelope_from, delivered_to=row.envelope_to)
    if letter.verdict is SenderVerdict.IGNORE:
        return
    match sender.identify_sender(services, store, row, letter):
        case ProvenSender(person, _) | SeveralSeats(person, _):
            note = Note("desk.shunted", (), False, headline=True)
            most = reply_limits.ANSWERS_MOST  # the next letter is lost too: its answer is as long, not repeated talk
            reply_limits.send_plain_answer(services, store, row, letter, person, note, alike=most)

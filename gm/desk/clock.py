"""The clock: deadlines that fall due, phases that everybody is ready for, reminders, and letters that go out.

No deadline fires while a letter that came before it is unread: those are read first, each in its own transaction;
then one game at a time is locked, looked at again and resolved, with the letters that tell of it, in one commit.
A tick may come at any time and as often as it likes: what is due stands in the store.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import structlog

from gm.desk import answers, courier, enclosing, phases, returns, sheets, turn
from gm.desk.errors import Deferred, Refused, RelayDown, Unavailable
from gm.desk.intake import read_next
from gm.desk.mailings import Lack
from gm.desk.office import Office
from gm.desk.ports import Mailer, Store, Transaction
from gm.desk.readiness import readiness
from gm.desk.records import Game, GameState, OutboxRow
from gm.desk.table import lay

log = structlog.get_logger()

BACKOFF = tuple(timedelta(minutes=minutes) for minutes in (1, 2, 5, 15, 60, 120, 240))
GIVE_UP = timedelta(days=5)
LEASE = timedelta(minutes=5)
"""Longer than a relay may take for one letter; after a crash the letter goes again when it ends."""
ROUNDS_MOST = 1000


def tick(office: Office, tx: Transaction, polled_until: datetime | None) -> int:
    """Read what is to be read, resolve what is due, remind; gives how many phases were resolved.

    `polled_until`: letters that arrived before it have been taken in; None where they come to us by themselves.
    """
    resolved, read = 0, True
    while read:
        # A letter read may make everybody ready, and what it meets is the phase that was open when it came.
        for game in _running(tx):
            resolved += _guarded(office, tx, game, polled_until)
        read = False
        while read_next(office, tx):
            read = True
    with tx() as store:
        store.outbox.expire(store.now())
    return resolved


def _guarded(office: Office, tx: Transaction, game: int, polled_until: datetime | None) -> int:
    """One game that cannot be resolved must not stop the others; it stays due, and the operator reads of it."""
    try:
        return _see_to(office, tx, game, polled_until)
    except Unavailable:
        raise
    except Exception:
        log.exception("a game could not be seen to", game=game)
        return 0


def send(tx: Transaction, mailer: Mailer, office: Office | None = None) -> bool:
    """Send the oldest letter that may go; False when there is none. RelayDown leaves it queued and is passed on.

    With an office, the game masters are told of a letter that was refused for good.
    """
    with tx() as store:
        row = store.outbox.next(store.now())
        if row is None:
            return False
        row = enclosing.decided(store, row)
        store.outbox.lease(row.id, store.now() + LEASE)
    try:
        mailer.send(row)
    except RelayDown:
        with tx() as store:
            store.outbox.lease(row.id, store.now())
        raise
    except Deferred as error:
        _postpone(tx, row, str(error), office)
    except Refused as error:
        with tx() as store:
            store.outbox.fail(row.id, str(error))
            if office is not None:
                returns.undelivered(office, store, row.letter, returns.HARD if error.recipient else 0)
        log.warning("a letter was refused", address=row.letter.address, error=str(error))
    except Exception as error:  # a fault of ours with this one letter: the others must go
        log.exception("a letter could not be sent", letter=row.id)
        _postpone(tx, row, f"{type(error).__name__}: {error}", None)
    else:
        with tx() as store:
            store.outbox.sent(row.id, store.now())
    return True


def _postpone(tx: Transaction, row: OutboxRow, error: str, office: Office | None) -> None:
    with tx() as store:
        now = store.now()
        if now - row.queued_at >= GIVE_UP:
            store.outbox.fail(row.id, f"given up after {GIVE_UP.days} days: {error}")
            if office is not None:
                returns.undelivered(office, store, row.letter, returns.SOFT)
        else:
            store.outbox.postpone(row.id, now + BACKOFF[min(row.tries, len(BACKOFF) - 1)], error)


# ---- one game


def _running(tx: Transaction) -> tuple[int, ...]:
    """Games by how long they are overdue."""
    with tx() as store:
        games = sorted(store.games.running(), key=lambda game: (game.due_at is None, game.due_at, game.id))
        return tuple(game.id for game in games)


def _see_to(office: Office, tx: Transaction, game: int, polled_until: datetime | None) -> int:
    """Resolve one game's phases as long as one is due or everybody is ready; remind who forgot."""
    resolved = 0
    for _ in range(ROUNDS_MOST):
        cut = _cut(office, tx, game, polled_until)
        if cut is None:
            break
        while read_next(office, tx, before=cut):
            pass
        if not _resolve(office, tx, game, polled_until, cut):
            break
        resolved += 1
    with tx() as store:
        locked = store.games.lock(game)
        courier.release(office, store, locked, store.now())
        _remind(office, store, locked)
    return resolved


def _cut(office: Office, tx: Transaction, game: int, polled_until: datetime | None) -> datetime | None:
    """Letters received before this instant count for the phase that is to be resolved now; None: it is not due."""
    with tx() as store:
        return _due(office, store, store.games.get(game), polled_until)


def _resolve(office: Office, tx: Transaction, game: int, polled_until: datetime | None, cut: datetime) -> bool:
    """Resolve the phase if it is still due and every letter that came before is read."""
    with tx() as store:
        locked = store.games.lock(game)
        again = _due(office, store, locked, polled_until)
        if again is None:
            return False
        if store.inbox.unread(again):
            # More letters have come since we looked: read them and look again. Else somebody else is reading one.
            return again > cut
        turn.resolve(office, store, locked)
        return True


def _due(office: Office, store: Store, game: Game, polled_until: datetime | None) -> datetime | None:
    if game.state is not GameState.RUNNING:
        return None
    now, table = store.now(), lay(office, store, game)
    closing = phases.closing(table)
    state = readiness(store, table)
    if closing is not None and now >= closing:
        cut = closing
    elif state.ready or (state.complete and game.due_at is not None and now >= game.due_at):
        cut = now
    else:
        return None
    needed = min(cut, state.newest) if cut == now and state.newest else cut
    if polled_until is not None and polled_until < needed:
        return None
    return cut


def _remind(office: Office, store: Store, game: Game) -> None:
    """Once in a phase, those who owe something and have it not on file. Optional builds are nobody's debt."""
    due, now = game.due_at, store.now()
    if game.state is not GameState.RUNNING or due is None or game.reminded == game.snapshot or now >= due:
        return
    table = lay(office, store, game)
    ahead = table.settings.reminder
    if not ahead or now < due - _ahead(ahead, game.opened_at, due):
        return
    owed = sheets.owed(store, table)
    for seat in table.power_seats:
        lacks = tuple(
            Lack(power, sheet, missing)
            for (author, power), (sheet, missing) in owed.items()
            if author == seat.power and missing and not missing.optional
        )
        if seat.person is not None and lacks:
            letter = answers.reminder(office, store, game, seat, lacks, f"reminder:{game.snapshot}")
            store.outbox.add(replace(letter, expires_at=due), now)
    store.games.save(replace(game, reminded=game.snapshot))


def _ahead(setting: timedelta, opened: datetime | None, due: datetime) -> timedelta:
    """The setting, or half of a phase that is shorter than it."""
    return setting if opened is None or setting < due - opened else (due - opened) / 2

"""Resolves phases that are due or ready, sends reminders, announces public events, and sends queued letters.

Letters that came before a deadline are read first, each in its own transaction. Then one game at a time is locked,
checked again and resolved, with the letters about it, in one commit. A tick may come at any time: what is due is in
the store.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

import structlog
from msgspec.structs import replace

from gm.errors import Deferred, Refused, RelayDown, TooLarge, Unavailable
from gm.game.clock import announcements
from gm.game.clock.relay_answers import SEVERAL, answer_kind
from gm.game.clock.retry import Retry
from gm.game.deadlines import outages, pauses
from gm.game.intake import bounces
from gm.game.intake.inbox import read_some
from gm.game.letters import alarms, digest
from gm.game.model import map_attachment
from gm.game.model.loaded_game import LoadedGame, load_game
from gm.game.model.ports import Mailer, Store, Transaction
from gm.game.model.records import GameState, OutboxRow
from gm.game.model.services import Services
from gm.game.orders.reminders import send_reminders
from gm.game.phase import missing_orders
from gm.game.phase.readiness import Readiness, readiness
from gm.game.players import starting, statements
from gm.game.press.delivery import deliver_due_press
from gm.game.turns import resolve
from gm.game.votes import polls

log = structlog.get_logger()

RETRY = Retry((1, 2, 5, 15, 60, 120, 240), give_up=timedelta(days=5), lease=timedelta(minutes=5))
"""Of letters. After a crash a letter is sent again when the lease ends."""
RELAY_REST = timedelta(minutes=1)
"""A letter waits so long after the relay broke off: it may be the cause, and the other letters must go."""
PROBE = timedelta(minutes=2)
"""One letter is offered so often when the relay seems to refuse all; the others follow when it is taken."""
ROUNDS_MOST = 1000
LOOK_MOST = timedelta(days=1)
"""Every game is checked at least this often."""


def tick(services: Services, tx: Transaction, polled_until: datetime | None) -> int:
    """Read new letters, resolve what is due, send reminders. Returns how many phases were resolved.

    `polled_until`: letters that arrived before it are in the store; None if mail is pushed to us.
    What is looked for here, `gm.store.sqlite_file` asks first for `gm tick`.
    """
    outages.check_outage(services, tx, polled_until)
    resolved, read = 0, True
    while read:
        # A letter may make everybody ready. It must meet the phase that was open when it came.
        resolved += _check_games(services, tx, polled_until)
        read = False
        while read_some(services, tx):
            read = True
    for game in statements.due_games(tx):
        _safely(statements.send_due, services, tx, game, polled_until)
    with tx() as store:
        changed = store.events.changed()
    for game in changed:
        _safely(announcements.announce_changes, services, tx, game, polled_until)
    with tx() as store:
        store.outbox.expire(store.now())
        games = digest.games_with_digests(store)
    for game in games:
        _safely(_send_digests, services, tx, game, polled_until)
    return resolved


GameTask = Callable[[Services, Transaction, int, "datetime | None"], int]


def _send_digests(services: Services, tx: Transaction, game: int, polled_until: datetime | None) -> int:
    with tx() as store:
        digest.send_digests(services, store, game)
    return 0


def _safely(task: GameTask, services: Services, tx: Transaction, game: int, polled_until: datetime | None) -> int:
    """A game that fails does not stop the others. It stays due, and the operator gets an alarm."""
    try:
        return task(services, tx, game, polled_until)
    except Unavailable:
        raise
    except Exception as error:
        if _raise_alarm(services, tx, game, error):
            log.exception("a game could not be seen to", game=game)
        return 0


def _raise_alarm(services: Services, tx: Transaction, game: int, fault: Exception) -> bool:
    """Tell operator and game masters. True for the first time, and if that cannot be stored."""
    try:
        with tx() as store:
            return alarms.raise_stuck_game(services, store, store.games.get(game), fault)
    except Unavailable:
        raise
    except Exception:
        return True


def send(tx: Transaction, mailer: Mailer, services: Services | None = None, most: int = 1) -> bool:
    """Send letters, the oldest that may go first; False if there is none. RelayDown requeues a letter and is raised.

    A letter is noted as sent in the transaction that takes the next one. With `services`, game masters are told about
    letters that were refused for good.
    """
    with tx() as store:
        row = _take_next(store)
    sent = row is not None
    for left in reversed(range(most)):
        if row is not None:
            row = _send_one(tx, mailer, services, row, more=left > 0)
    return sent


def _take_next(store: Store) -> OutboxRow | None:
    row = store.outbox.next(store.now())
    if row is None:
        return None
    row = map_attachment.decide_map(store, row)
    store.outbox.lease(row.id, store.now() + RETRY.lease)
    return row


def _send_one(
    tx: Transaction, mailer: Mailer, services: Services | None, row: OutboxRow, *, more: bool
) -> OutboxRow | None:
    """Send a letter; returns the next one if `more` and it was sent."""
    try:
        mailer.send(row)
    except RelayDown:
        with tx() as store:
            store.outbox.lease(row.id, store.now() + RELAY_REST)
        raise
    except Deferred as error:
        _postpone(tx, row, str(error), services, log_new=True)
    except Refused as error:
        if row.pictured and isinstance(error, TooLarge):
            _without_picture(tx, row)
        else:
            _refused(tx, row, error, services)
    except Exception as error:  # our bug with this letter: the others must go
        reason = f"{type(error).__name__}: {error}"
        if reason != row.last_error:
            log.exception("a letter could not be sent", letter=row.id)
        _postpone(tx, row, reason, None)
    else:
        following = _note_sent(tx, row, more=more)
        _log_sent(row)
        return following
    return None


def _log_sent(row: OutboxRow) -> None:
    """`answers` is the number of the letter that it answers, where it answers any."""
    source, number = (*row.letter.cause.split(":"), "", "")[:2]
    answers = {"answers": int(number)} if source == "inbox" and number.isdecimal() else {}
    name = row.letter.message_id.partition("@")[0]
    log.info("letter sent", letter=row.id, message_id=name, kind=row.letter.kind, **answers)


def _note_sent(tx: Transaction, row: OutboxRow, *, more: bool) -> OutboxRow | None:
    try:
        with tx() as store:
            store.outbox.mark_sent(row.id, store.now())
            if row.tries and row.last_error:
                store.outbox.hasten(answer_kind(row.last_error), store.now())
            return _take_next(store) if more else None
    except Exception:
        with tx() as store:  # whatever is wrong with the next letter: this one must not go again
            store.outbox.mark_sent(row.id, store.now())
        raise


def _without_picture(tx: Transaction, row: OutboxRow) -> None:
    """Send the letter again at once without its map: the mail server refused its size."""
    with tx() as store:
        store.outbox.record_picture(row.id, shown=False)
        store.outbox.lease(row.id, store.now())


def _refused(tx: Transaction, row: OutboxRow, error: Refused, services: Services | None) -> None:
    with tx() as store:
        store.outbox.mark_failed(row.id, str(error))
        if services is not None:
            bounces.report_undelivered(services, store, row.letter, bounces.HARD if error.recipient else 0)
        person = alarms.person_for_log(store, row.letter.address)
    log.warning("a letter was refused", letter=row.id, person=person, error=str(error))


def _postpone(tx: Transaction, row: OutboxRow, error: str, services: Services | None, *, log_new: bool = False) -> None:
    """`log_new`: logs an answer that no waiting letter has got before."""
    with tx() as store:
        now, kind = store.now(), answer_kind(error)
        if now - row.queued_at >= RETRY.give_up:
            store.outbox.mark_failed(row.id, f"given up after {RETRY.give_up.days} days: {error}")
            if services is not None:
                bounces.report_undelivered(services, store, row.letter, bounces.SOFT)
            log.warning("a letter was given up", letter=row.id, error=error)
            return
        wait = RETRY.wait(row.tries)
        others, following = store.outbox.postponed_alike(kind, row)
        if others + 1 >= SEVERAL and (following is None or following > now + PROBE):
            wait = min(wait, PROBE)
        store.outbox.postpone(row.id, now + wait, error)
    if log_new and following is None and answer_kind(row.last_error) != kind:
        log.warning("the relay postpones letters", letter=row.id, error=error)


# ---- one game


def _check_games(services: Services, tx: Transaction, polled_until: datetime | None) -> int:
    """Check each game that has changed or whose time has come.

    Nodes share the games: those that another node holds are checked last.
    """
    with tx() as store:
        games = store.games.ids_to_check(store.now())
    resolved, held = 0, list[int]()
    for game in games:
        resolved += _safely(partial(_check_game, held=held), services, tx, game, polled_until)
    for game in held:
        resolved += _safely(_check_game, services, tx, game, polled_until)
    return resolved


def _check_game(
    services: Services, tx: Transaction, game: int, polled_until: datetime | None, held: list[int] | None = None
) -> int:
    """Resolve a game's phases while one is due or everybody is ready; send reminders.

    `held`: games that another node holds go there; without it that node is waited for.
    """
    resolved = 0
    for _ in range(ROUNDS_MOST):
        cut = _find_cut(services, tx, game, polled_until, held)
        if cut is None:
            break
        if _resolve(services, tx, game, polled_until):
            resolved += 1
        elif not read_some(services, tx, before=cut):  # another node reads, or the next tick does
            break
        else:
            while read_some(services, tx, before=cut):
                pass
    return resolved


def _find_cut(
    services: Services, tx: Transaction, game: int, polled_until: datetime | None, held: list[int] | None
) -> datetime | None:
    """Letters received before this instant count for the phase that is to be resolved now; None: it is not due.

    Then the time of the next check is stored.
    """
    with tx() as store:
        now = store.now()
        locked = store.games.lock_to_check(game, now, wait=held is None)
        if locked is None:
            if held is not None:
                held.append(game)
            return None
        deliver_due_press(services, store, locked, now)
        waits = pauses.check_pause(services, store, locked, polled_until)
        polls.expire(services, store, store.games.get(game), polled_until)
        locked = store.games.get(game)
        if locked.state is GameState.FORMING:
            store.games.check_again_at(game, starting.check_start(services, store, locked) or now + LOOK_MOST)
        if locked.state is not GameState.RUNNING:
            return None
        loaded_game = load_game(services, store, locked)
        state = readiness(store, loaded_game)
        cut = _cut(store, loaded_game, state, now)
        if waits or _waits_for_mail(cut, state, now, polled_until):
            store.games.check_again_at(game, now)
            return None
        if cut is None:
            moments = (
                _send_reminders(services, store, loaded_game),
                locked.due_at,
                missing_orders.closing_time(store, loaded_game),
                locked.paused_until,
                pauses.next_late_notice(loaded_game, now),
                state.ends_at if state.ready else None,
                *(row.held_until for row in store.turns.held_press(game)),
            )
            ahead = [moment for moment in moments if moment is not None and moment > now]
            ending = [max(poll.ends_at, now) for poll in store.polls.of(game) if poll.closed_at is None]
            store.games.check_again_at(game, min([*ahead, *ending, now + LOOK_MOST]))
        return cut


def _resolve(services: Services, tx: Transaction, game: int, polled_until: datetime | None) -> bool:
    """Resolve the phase if it is still due and all earlier letters are read."""
    with tx() as store:
        locked, now = store.games.lock(game), store.now()
        if locked.state is not GameState.RUNNING:
            return False
        loaded_game = load_game(services, store, locked)
        state = readiness(store, loaded_game)
        again = _cut(store, loaded_game, state, now)
        if again is None or _waits_for_mail(again, state, now, polled_until):
            return False
        if store.inbox.count_unread(again):
            return False
        resolve.resolve_open_phase(services, store, locked)
        return True


def _cut(store: Store, loaded_game: LoadedGame, state: Readiness, now: datetime) -> datetime | None:
    """Letters received before this instant count for the phase that is to be resolved now; None: it is not due."""
    if loaded_game.game.paused_at is not None:
        return None
    closing, due = missing_orders.closing_time(store, loaded_game), loaded_game.game.due_at
    if closing is not None and now >= closing:
        return closing
    if due is not None and now >= due and state.complete:
        return now
    return now if state.ready and now >= (state.ends_at or now) else None


def _waits_for_mail(cut: datetime | None, state: Readiness, now: datetime, polled_until: datetime | None) -> bool:
    """Whether the phase must wait until the mailbox is polled again."""
    if cut is None or polled_until is None:
        return False
    return polled_until < (min(cut, state.ends_at) if cut == now and state.ends_at else cut)


def _send_reminders(services: Services, store: Store, loaded_game: LoadedGame) -> datetime | None:
    """Remind, once for a deadline, players whose orders are missing, a draft, or wait for their YES.

    Returns the time if it is still ahead.
    """
    game, now = loaded_game.game, store.now()
    due, ahead = game.due_at, loaded_game.settings.reminder
    if due is None or game.reminded == game.snapshot or now >= due or not ahead:
        return None
    moment = due - _time_before_deadline(ahead, game.opened_at, due)
    if now < moment:
        return moment
    slot = f"reminder:{game.snapshot}:{due:%Y%m%d%H%M}"
    send_reminders(services, store, loaded_game, slot, loaded_game.seats)
    store.games.save(replace(game, reminded=game.snapshot))
    return None


def _time_before_deadline(setting: timedelta, opened: datetime | None, due: datetime) -> timedelta:
    """The setting REMINDER, or half of a shorter phase."""
    return setting if opened is None or setting < due - opened else (due - opened) / 2

"""Postpones deadlines after an outage of the server, and tells everybody.

The store keeps the last instant at which the mailbox was read and deadlines were watched, by any node (the heartbeat).
A gap longer than the operator's `outage_minutes` is an outage: the machine or the mailbox was down, a backup was
restored, or the clock was put forward. Then a deadline that

    has passed since the heartbeat, or
    is less than STRETCH away, with more of that stretch lost than an outage may last,

moves to the first moment at its hour that is a day away, once. Later phases keep the game's schedule. Short restarts
move nothing. A clock that was put back only renews the heartbeat.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog
from msgspec.structs import replace

from gm.game.letters.notify import format_instant, queue_notices
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import LoadedGame, load_game
from gm.game.model.ports import Store, Transaction
from gm.game.model.records import GmAct, Person, Seat
from gm.game.model.services import Services
from gm.game.phase import missing_orders
from gm.language.dates.schedule import same_hour

log = structlog.get_logger()

STRETCH = timedelta(hours=12)
GRACE = timedelta(hours=24)
BEAT = timedelta(minutes=1)
"""Interval of the heartbeat."""
NOBODY = 0
"""The actor in the game's log: no person."""


def check_outage(services: Services, tx: Transaction, polled_until: datetime | None) -> None:
    """Detects an outage or its end; runs before letters are read. `polled_until` as for the clock's tick."""
    if not services.outage:
        return
    with tx() as store:
        felt, now = store.heartbeat.last(), store.now()
        at_work = now if polled_until is None else min(now, polled_until)
        if felt is None or felt > now:
            store.heartbeat.note(now)
        elif now - felt > services.outage:
            over = at_work > felt and now - at_work <= services.outage
            for game in store.games.running():
                _postpone_deadline(
                    services, store, load_game(services, store, store.games.lock(game.id)), felt, over=over
                )
            if over:
                log.warning("nobody was at work here", since=felt.isoformat(), until=now.isoformat())
                store.heartbeat.note(at_work)
        elif at_work - felt >= BEAT:
            store.heartbeat.note(at_work)


def _postpone_deadline(
    services: Services, store: Store, loaded_game: LoadedGame, felt: datetime, *, over: bool
) -> None:
    game, now = loaded_game.game, store.now()
    end = missing_orders.closing_time(store, loaded_game)
    if game.due_at is None or end is None:
        return
    passed = felt < end <= now
    near = over and now < game.due_at and now - max(felt, game.due_at - STRETCH) > services.outage
    if not passed and not near:
        return
    due = same_hour(game.due_at, now + GRACE, loaded_game.settings.zone)
    store.games.save(replace(game, due_at=due, reminded=0, held=0))
    loaded_game = replace(loaded_game, game=store.games.get(game.id))

    def note(seat: Seat, person: Person) -> Note:
        since, new = (format_instant(services, store, loaded_game.game, person, instant) for instant in (felt, due))
        return Note("desk.outage", (("since", since), ("when", new)), headline=True)

    queue_notices(services, store, loaded_game, note, f"outage:{game.snapshot}:{felt:%Y%m%d%H%M}:{due:%Y%m%d%H%M}")
    summary = f"{felt:%Y-%m-%d %H:%M} - {now:%Y-%m-%d %H:%M} UTC: {game.due_at:%Y-%m-%d %H:%M} -> {due:%Y-%m-%d %H:%M}"
    store.turns.log(GmAct(game.id, now, NOBODY, "OUTAGE", summary))

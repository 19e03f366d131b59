"""Figures about queues and deadlines, for /metrics, /healthz, `gm doctor` and alarms."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct, field
from sqlalchemy import Connection, Select, func, or_, select

from gm.game.clock.relay_answers import RefusedAlike, most_refused_alike
from gm.game.model.records import GameState, InboxState, OutboxState
from gm.store.schema import tables as t

POSTPONED_LEAST = timedelta(minutes=5)
"""Letters that have waited for less may have met a relay that starts again."""
LOOKED_AT = 1000
"""Letters among which those are looked for that the relay refused alike."""
NONE = timedelta(0)


class StoreFigures(Struct, frozen=True):
    """Ages are 0 where nothing waits. `late` is how long the oldest deadline has been due, `late_games` the games due.

    `polled` maps each mailbox to the time since its last complete poll. `postponed_alike`: what the relay answers to
    letters that wait. `refused_alike`: what it answered to those refused for good since the last that was sent.
    """

    letters_in: dict[str, int] = field(default_factory=dict)
    letters_out: dict[str, int] = field(default_factory=dict)
    unread_age: timedelta = NONE
    unsent_age: timedelta = NONE
    late: timedelta = NONE
    late_games: tuple[int, ...] = ()
    games: dict[str, int] = field(default_factory=dict)
    polled: dict[str, timedelta] = field(default_factory=dict)
    postponed_alike: RefusedAlike | None = None
    refused_alike: RefusedAlike | None = None

    @property
    def shunted(self) -> int:
        return self.letters_in.get(InboxState.SHUNTED, 0)

    @property
    def refused(self) -> int:
        return self.letters_out.get(OutboxState.FAILED, 0)


def figures(connection: Connection, now: datetime) -> StoreFigures:
    unread = select(func.min(t.inbox.c.received_at)).where(t.inbox.c.state == InboxState.NEW)
    # A delayed letter (a release, a retry) waits from then on.
    may_go = or_(t.outbox.c.not_before.is_(None), t.outbox.c.not_before <= now, t.outbox.c.tries > 0)
    unsent = select(func.min(t.outbox.c.queued_at)).where(t.outbox.c.state == OutboxState.QUEUED, may_go)
    # A game that waits for late players does so by its settings.
    waits = (t.game.c.held == t.game.c.snapshot) & (t.game.c.snapshot != 0)
    due = (t.game.c.state == GameState.RUNNING, t.game.c.due_at <= now, ~waits)
    overdue = connection.execute(select(t.game.c.id, t.game.c.due_at).where(*due).order_by(t.game.c.due_at)).all()
    polled = connection.execute(select(t.mailbox.c.account, t.mailbox.c.polled_until)).all()
    return StoreFigures(
        letters_in=_by_state(connection, select(t.inbox.c.state, func.count()).group_by(t.inbox.c.state)),
        letters_out=_by_state(connection, select(t.outbox.c.state, func.count()).group_by(t.outbox.c.state)),
        unread_age=_age(connection, unread, now),
        unsent_age=_age(connection, unsent, now),
        late=now - overdue[0].due_at if overdue else NONE,
        late_games=tuple(row.id for row in overdue),
        games=_by_state(connection, select(t.game.c.state, func.count()).group_by(t.game.c.state)),
        polled={row.account: now - row.polled_until for row in polled},
        postponed_alike=_postponed_alike(connection, now),
        refused_alike=_refused_alike(connection),
    )


def _postponed_alike(connection: Connection, now: datetime) -> RefusedAlike | None:
    out = t.outbox.c
    waiting = (out.state == OutboxState.QUEUED, out.tries > 0, out.queued_at <= now - POSTPONED_LEAST)
    query = select(out.address, out.last_error).where(*waiting).order_by(out.id).limit(LOOKED_AT)
    return most_refused_alike((row.address, row.last_error) for row in connection.execute(query))


def _refused_alike(connection: Connection) -> RefusedAlike | None:
    out = t.outbox.c
    sent = select(func.max(out.id)).where(out.state.in_((OutboxState.SENT, OutboxState.RETURNED)))
    last = connection.execute(sent).scalar_one() or 0
    query = select(out.address, out.last_error).where(out.state == OutboxState.FAILED, out.id > last)
    rows = connection.execute(query.order_by(out.id.desc()).limit(LOOKED_AT))
    return most_refused_alike((row.address, row.last_error) for row in rows)


def _by_state(connection: Connection, query: Select[Any]) -> dict[str, int]:
    return {str(row[0]): int(row[1]) for row in connection.execute(query)}


def _age(connection: Connection, query: Select[Any], now: datetime) -> timedelta:
    oldest: datetime | None = connection.execute(query).scalar_one()
    return NONE if oldest is None else max(NONE, now - oldest)

"""Retention: empties old letters, received and sent, removes old maps and public events.

Sheets, results and press belong to the game and stay. Letters are kept for a while for complaints; then only the row
stays, so that the same letter is recognised when it comes again, and the thread of one sent. Old maps can be drawn
again.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, Text, cast, delete, func, literal, select, update

from gm.game.model.records import InboxState, OutboxState
from gm.store.schema import tables as t

READ = (InboxState.DONE, InboxState.IGNORED)


def empty_letters(connection: Connection, before: datetime) -> int:
    """Empty the raw bytes of letters received before that instant and read; returns how many.

    This includes letters that nobody has confirmed, so that forgers can't fill the disk. They had no effect, so the
    same letter counts as new when it comes again.
    """
    held = (t.inbox.c.received_at < before, t.inbox.c.state == InboxState.HELD)
    unknown = {"content_key": literal("never confirmed ") + cast(t.inbox.c.id, Text)}
    gone = {"state": InboxState.IGNORED, "error": "never confirmed", **unknown}
    connection.execute(update(t.inbox).where(*held).values(gone))
    old = (t.inbox.c.received_at < before, t.inbox.c.state.in_(READ), func.length(t.inbox.c.raw) > 0)
    return connection.execute(update(t.inbox).where(*old).values(raw=b"")).rowcount


def empty_sent_letters(connection: Connection, before: datetime) -> int:
    """Empty the words of letters queued before that instant that wait for nothing; returns how many."""
    waiting = (OutboxState.QUEUED, OutboxState.HELD, OutboxState.COLLECTED)
    old = (t.outbox.c.queued_at < before, t.outbox.c.state.not_in(waiting), func.length(t.outbox.c.text) > 0)
    blank = {"text": "", "html": "", "parts": ()}
    return connection.execute(update(t.outbox).where(*old).values(blank)).rowcount


def remove_pictures(connection: Connection, before: datetime) -> int:
    """Remove maps made before that instant that no queued letter needs; returns how many."""
    queued = select(t.outbox.c.picture).where(t.outbox.c.state == OutboxState.QUEUED)
    old = (t.picture.c.made_at < before, t.picture.c.id.not_in(queued))
    return connection.execute(delete(t.picture).where(*old)).rowcount


def remove_events(connection: Connection, before: datetime) -> int:
    """Remove public events before that instant that the webhook does not wait for; returns how many."""
    old = (t.public_event.c.at < before, ~t.public_event.c.waiting)
    return connection.execute(delete(t.public_event).where(*old)).rowcount

"""What was announced of each game, and the queue of the webhook."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec.structs import replace
from sqlalchemy import bindparam, insert, select, update

from gm.game.model.public_events import Announced, PublicEvent
from gm.store.prepared_statements import PreparedStatement
from gm.store.queries.row_mapping import Bell, Queries, by, record, values
from gm.store.schema import tables as t


class PublicEventQueries(Queries):
    def changed(self) -> tuple[int, ...]:
        return tuple(row["id"] for row in self._all(CHANGED))

    def announced(self, game: int) -> Announced | None:
        row = self._one(by(t.announced, "game"), value=game)
        return None if row is None else record(Announced, row)

    def announce(self, game: int, facts: str) -> None:
        before = self.announced(game)
        if before is None:
            FIRST.change(self._connection, values(Announced(game, facts, 1), ()))
        else:
            now = {"this": game, "facts": facts, "revision": before.revision + 1}
            REVISED.change(self._connection, now)
        self._ring(Bell.EVENTS)
        self._update(t.game, game, {"news": False})

    def add(self, event: PublicEvent) -> PublicEvent:
        event = replace(event, id=self._insert(t.public_event, values(event)))
        if event.waiting:
            self._ring(Bell.EVENTS)
        return event

    def recent(self, most: int, game: int = 0) -> tuple[PublicEvent, ...]:
        query = select(t.public_event).order_by(t.public_event.c.id.desc()).limit(most)
        if game:
            query = query.where(t.public_event.c.game == game)
        return tuple(record(PublicEvent, row) for row in self._all(query))

    def next(self, now: datetime) -> PublicEvent | None:
        oldest = select(t.public_event).where(t.public_event.c.waiting).order_by(t.public_event.c.id).limit(1)
        row = self._one(oldest.with_for_update())
        if row is None or (row["not_before"] is not None and row["not_before"] > now):
            return None
        return record(PublicEvent, row)

    def postpone(self, event: int, until: datetime, error: str = "") -> None:
        tries = t.public_event.c.tries + int(bool(error))
        kept = {"last_error": error} if error else {}
        self._update(t.public_event, event, {"not_before": until, "tries": tries, **kept})

    def settle(self, event: int, error: str = "") -> None:
        self._update(t.public_event, event, {"waiting": False, "not_before": None, "last_error": error})

    def revisions(self) -> Mapping[int, int]:
        rows = self._all(select(t.announced.c.game, t.announced.c.revision))
        return {row["game"]: row["revision"] for row in rows}

    def stale(self) -> bool:
        older = t.announced.c.published != t.announced.c.revision
        return self._one(select(t.announced.c.game).where(older).limit(1)) is not None

    def mark_published(self, game: int, revision: int) -> None:
        self._write(t.announced, update(t.announced).where(t.announced.c.game == game).values(published=revision))
        events = t.public_event.c
        unsent = (events.game == game, events.waiting, events.tries == 0)
        self._write(t.public_event, update(t.public_event).where(*unsent).values(not_before=None))


FIRST = PreparedStatement(insert(t.announced), Announced.__struct_fields__)
REVISED = PreparedStatement(
    update(t.announced)
    .where(t.announced.c.game == bindparam("this"))
    .values(facts=bindparam("facts"), revision=bindparam("revision"))
)
CHANGED = PreparedStatement(select(t.game.c.id).where(t.game.c.news).order_by(t.game.c.id))

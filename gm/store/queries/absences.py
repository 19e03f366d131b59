"""Absences, and the heartbeat: when a server was last at work."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace
from sqlalchemy import bindparam, delete, select, update

from gm.game.model.records import Absence
from gm.store.prepared_statements import PreparedStatement
from gm.store.queries.row_mapping import Queries, record, values
from gm.store.schema import tables as t

ONLY = 1
"""The key of the only row of `pulse`."""


class AbsenceQueries(Queries):
    def add(self, absence: Absence) -> Absence:
        return replace(absence, id=self._insert(t.absence, values(absence)))

    def of(self, game: int) -> tuple[Absence, ...]:
        return tuple(record(Absence, row) for row in self._all(ABSENCES, game=game))

    def remove(self, absence: int) -> None:
        self._write(t.absence, delete(t.absence).where(t.absence.c.id == absence))


class HeartbeatQueries(Queries):
    def last(self) -> datetime | None:
        row = self._one(HEARTBEAT)
        return None if row is None else row["felt_at"]

    def note(self, at: datetime) -> None:
        if not BEAT.change(self._connection, {"felt_at": at}):
            self._insert_once(t.pulse, {"id": ONLY, "felt_at": at}, ("id",))


HEARTBEAT = PreparedStatement(select(t.pulse.c.felt_at).where(t.pulse.c.id == ONLY).with_for_update())
BEAT = PreparedStatement(update(t.pulse).where(t.pulse.c.id == ONLY).values(felt_at=bindparam("felt_at")))
ABSENCES = PreparedStatement(
    select(t.absence).where(t.absence.c.game == bindparam("game")).order_by(t.absence.c.begins, t.absence.c.id)
)

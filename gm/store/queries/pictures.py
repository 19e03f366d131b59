"""Queue of maps to draw, each drawn once and kept for all letters that show it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, and_, exists, or_, select, update

from gm.game.model.records import EVERYBODY, Picture
from gm.store.queries.row_mapping import Bell, Queries, claim, record, values
from gm.store.schema import tables as t


class PictureQueries(Queries):
    def request(self, snapshot: int, audience: str, form: str, now: datetime) -> int:
        unique = ("snapshot", "audience", "form")
        key = self._insert_once(t.picture, values(Picture(0, snapshot, audience, form, now)), unique)
        if key is not None:
            self._ring(Bell.PICTURES)
            return int(key)
        which = _same(snapshot, audience, form)
        return int(self._connection.execute(select(t.picture.c.id).where(which)).scalar_one())

    def get(self, picture: int) -> Picture | None:
        row = self._one(select(t.picture).where(t.picture.c.id == picture))
        return None if row is None else record(Picture, row)

    def content(self, snapshot: int, audience: str, form: str) -> bytes:
        row = self._connection.execute(select(t.picture.c.content).where(_same(snapshot, audience, form)))
        return bytes(row.scalar_one_or_none() or b"")

    def next(self, now: datetime) -> Picture | None:
        free = or_(t.picture.c.leased_until.is_(None), t.picture.c.leased_until <= now)
        whole = t.picture.alias("whole")
        same = (whole.c.snapshot == t.picture.c.snapshot, whole.c.form == t.picture.c.form)
        undrawn = exists().where(*same, whole.c.audience == EVERYBODY, whole.c.made_at.is_(None))
        ready = or_(t.picture.c.audience == EVERYBODY, ~undrawn)
        query = select(t.picture).where(t.picture.c.made_at.is_(None), free, ready)
        query = query.order_by(t.picture.c.audience != EVERYBODY, t.picture.c.id).limit(1)
        row = self._one(claim(query))
        return None if row is None else record(Picture, row)

    def lease(self, picture: int, until: datetime) -> None:
        self._update(t.picture, picture, {"leased_until": until, "tries": t.picture.c.tries + 1})

    def unlease(self, picture: int) -> None:
        self._update(t.picture, picture, {"leased_until": None})

    def end_leases(self) -> None:
        self._connection.execute(t.picture.update().values(leased_until=None))

    def finish(self, picture: int, now: datetime, content: bytes, error: str = "") -> None:
        here = (t.picture.c.id == picture, t.picture.c.made_at.is_(None))
        settled = {"made_at": now, "content": content, "error": error}
        if self._connection.execute(update(t.picture).where(*here).values(settled)).rowcount:
            self._ring(Bell.OUTBOX)


def _same(snapshot: int, audience: str, form: str) -> ColumnElement[bool]:
    return and_(t.picture.c.snapshot == snapshot, t.picture.c.audience == audience, t.picture.c.form == form)

"""What readers of a game's letters have chosen for themselves, and their notebooks."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import delete, insert, select

from gm.desk.circle import Page, Wishes
from gm.store import tables as t
from gm.store.rows import Tables, record, values


class Circle(Tables):
    def wishes(self, seat: int, person: int) -> Wishes:
        row = self._one(select(t.wishes).where(t.wishes.c.seat == seat, t.wishes.c.person == person))
        return Wishes(seat, person) if row is None else record(Wishes, row)

    def wish(self, wishes: Wishes) -> None:
        here = (t.wishes.c.seat == wishes.seat, t.wishes.c.person == wishes.person)
        self._write(t.wishes, delete(t.wishes).where(*here))
        self._write(t.wishes, insert(t.wishes).values(values(wishes)))

    def entries(self, game: int) -> tuple[Page, ...]:
        rows = self._all(select(t.diary).where(t.diary.c.game == game).order_by(t.diary.c.id))
        return tuple(record(Page, row) for row in rows)

    def add_entry(self, entry: Page) -> Page:
        return replace(entry, id=self._insert(t.diary, values(entry)))

    def blank_entry(self, entry: int) -> None:
        self._update(t.diary, entry, {"words": ""})

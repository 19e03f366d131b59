"""Mail choices and notebooks of the readers of a game's letters."""

from __future__ import annotations

from msgspec.structs import replace
from sqlalchemy import delete, insert, select

from gm.game.model.observer_records import MailChoices, NotebookEntry
from gm.store.queries.row_mapping import Queries, by, record, values
from gm.store.read_cache import cached
from gm.store.schema import tables as t


class ObserverQueries(Queries):
    @cached(t.wishes)
    def mail_choices(self, seat: int, person: int) -> MailChoices:
        choices = (record(MailChoices, row) for row in self._all(by(t.wishes, "seat"), value=seat))
        return next((choice for choice in choices if choice.person == person), MailChoices(seat, person))

    def save_mail_choices(self, wishes: MailChoices) -> None:
        here = (t.wishes.c.seat == wishes.seat, t.wishes.c.person == wishes.person)
        self._write(t.wishes, delete(t.wishes).where(*here))
        self._write(t.wishes, insert(t.wishes).values(values(wishes)))

    def notebook(self, game: int) -> tuple[NotebookEntry, ...]:
        rows = self._all(select(t.diary).where(t.diary.c.game == game).order_by(t.diary.c.id))
        return tuple(record(NotebookEntry, row) for row in rows)

    def add_notebook_entry(self, entry: NotebookEntry) -> NotebookEntry:
        return replace(entry, id=self._insert(t.diary, values(entry)))

    def blank_notebook_entry(self, entry: int) -> None:
        self._update(t.diary, entry, {"words": ""})

"""What is counted of people: see `gm.game.model.conduct_records`."""

from __future__ import annotations

from sqlalchemy import delete

from gm.game.model.conduct_records import Conduct
from gm.store import tables as t
from gm.store.row_mapping import Queries, by, record, values


class ConductQueries(Queries):
    def note(self, conduct: Conduct) -> None:
        table = t.conduct.c
        same = [table.game == conduct.game, table.power == conduct.power, table.phase == conduct.phase]
        if not conduct.phase:
            same += [table.person == conduct.person, table.deed == conduct.deed]
        self._connection.execute(delete(t.conduct).where(*same))
        self._insert(t.conduct, values(conduct))

    def of(self, person: int) -> tuple[Conduct, ...]:
        return tuple(record(Conduct, row) for row in self._all(by(t.conduct, "person", order="id"), value=person))

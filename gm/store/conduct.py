"""What is counted of people: see `gm.game.model.conduct_records`."""

from __future__ import annotations

from sqlalchemy import bindparam, delete

from gm.game.model.conduct_records import Conduct
from gm.store import tables as t
from gm.store.prepared_statements import PreparedStatement
from gm.store.row_mapping import Queries, by, record, values


def _forget(*columns: str) -> PreparedStatement:
    return PreparedStatement(delete(t.conduct).where(*(t.conduct.c[name] == bindparam(name) for name in columns)))


FORGET_IN_PHASE = _forget("game", "power", "phase")
FORGET_IN_GAME = _forget("game", "power", "phase", "person", "deed")


class ConductQueries(Queries):
    def note(self, conduct: Conduct) -> None:
        row = values(conduct)
        (FORGET_IN_PHASE if conduct.phase else FORGET_IN_GAME).change(self._connection, row)
        self._insert(t.conduct, row)

    def of(self, person: int) -> tuple[Conduct, ...]:
        return tuple(record(Conduct, row) for row in self._all(by(t.conduct, "person", order="id"), value=person))

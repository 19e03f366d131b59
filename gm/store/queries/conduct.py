"""What is counted of people: see `gm.game.model.conduct_records`."""

from __future__ import annotations

from sqlalchemy import bindparam, delete, insert

from gm.game.model.conduct_records import Conduct
from gm.store.prepared_statements import PreparedStatement
from gm.store.queries.row_mapping import Queries, by, record, values
from gm.store.schema import tables as t


def _forget(*columns: str) -> PreparedStatement:
    return PreparedStatement(delete(t.conduct).where(*(t.conduct.c[name] == bindparam(name) for name in columns)))


NOTE = PreparedStatement(insert(t.conduct), Conduct.__struct_fields__)
FORGET_IN_PHASE = _forget("game", "power", "phase")
FORGET_IN_GAME = _forget("game", "power", "phase", "person", "deed")


class ConductQueries(Queries):
    def note(self, *conducts: Conduct) -> None:
        for query, these in (
            (FORGET_IN_PHASE, [values(conduct) for conduct in conducts if conduct.phase]),
            (FORGET_IN_GAME, [values(conduct) for conduct in conducts if not conduct.phase]),
        ):
            query.change_each(self._connection, these)
            NOTE.change_each(self._connection, these)

    def of(self, person: int) -> tuple[Conduct, ...]:
        return tuple(record(Conduct, row) for row in self._all(by(t.conduct, "person", order="id"), value=person))

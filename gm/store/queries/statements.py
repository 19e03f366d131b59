"""End-of-game statements."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select, update

from gm.game.model.statement_records import EndStatement, StatementRound
from gm.store.prepared_statements import PreparedStatement
from gm.store.queries.row_mapping import Queries, record, values
from gm.store.schema import tables as t


class StatementQueries(Queries):
    def round(self, game: int) -> StatementRound | None:
        row = self._one(select(t.statement_round).where(t.statement_round.c.game == game))
        return None if row is None else record(StatementRound, row)

    def save_round(self, statement_round: StatementRound) -> None:
        table = t.statement_round
        self._write(table, delete(table).where(table.c.game == statement_round.game))
        self._write(table, insert(table).values(values(statement_round)))
        self._write(t.game, update(t.game).where(t.game.c.id == statement_round.game).values(news=True))

    def due(self, now: datetime) -> tuple[int, ...]:
        return tuple(row["game"] for row in self._all(DUE, now=now))

    def add(self, statement: EndStatement) -> None:
        self._insert(t.statement, values(statement))

    def of(self, game: int) -> tuple[EndStatement, ...]:
        rows = self._all(select(t.statement).where(t.statement.c.game == game).order_by(t.statement.c.id))
        newest = {row["seat"]: record(EndStatement, row) for row in rows}
        return tuple(sorted((made for made in newest.values() if made.words), key=lambda made: (made.power, made.seat)))


_ROUND = t.statement_round.c
DUE = PreparedStatement(select(_ROUND.game).where(_ROUND.closed_at.is_(None), _ROUND.ends_at <= bindparam("now")))

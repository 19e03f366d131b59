"""What a letter costs in questions to the database: on PostgreSQL each is a round trip, each transaction a commit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from bench.crowd import Crowd
from sqlalchemy import Connection, Engine, event
from support.stores.postgresql import ready_postgresql

from gm.game.clock import clock
from gm.store.prepared_statements import PreparedStatement, execute_raw

GAMES = range(1, 6)


class Counts:
    """Statements and transactions, whoever executes them."""

    def __init__(self) -> None:
        self.statements, self.transactions = list[str](), 0

    def executed(self, _connection: object, _cursor: object, statement: str, *_: object) -> None:
        self.statements.append(statement)

    def began(self, connection: Connection) -> None:
        """SQLite's begin in one function, whoever asks for them."""
        self.transactions += connection.dialect.name != "sqlite"

    def executed_raw(self, connection: Connection, sql: str) -> object:
        self.transactions += sql.startswith("BEGIN")
        return execute_raw(connection, sql)


@contextmanager
def counting(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Iterator[Counts]:
    counts = Counts()
    run: Callable[..., Any] = PreparedStatement._run

    def counted(
        self: PreparedStatement, connection: Connection, given: Mapping[str, object], *answer: object
    ) -> object:
        counts.statements.append(str(self._statement))
        return run(self, connection, given, *answer)

    monkeypatch.setattr(PreparedStatement, "_run", counted)
    monkeypatch.setattr("gm.store.database.execute_raw", counts.executed_raw)
    event.listen(engine, "before_cursor_execute", counts.executed)
    event.listen(engine, "begin", counts.began)
    yield counts
    event.remove(engine, "before_cursor_execute", counts.executed)
    event.remove(engine, "begin", counts.began)
    monkeypatch.setattr(PreparedStatement, "_run", run)
    monkeypatch.setattr("gm.store.database.execute_raw", execute_raw)


@pytest.fixture(params=["sqlite", "postgresql"])
def crowd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Crowd]:
    """Games whose players have not written yet. Grammars, templates and statements are ready."""
    crowd = Crowd(tmp_path, ready_postgresql() if request.param == "postgresql" else "")
    crowd.start_first_game()
    crowd.grow(GAMES.stop)
    crowd.read_all(range(1))
    crowd.send()
    yield crowd
    crowd.close()


def test_a_letter_of_each_game_is_taken_read_and_answered(crowd: Crowd, monkeypatch: pytest.MonkeyPatch) -> None:
    letters = [next(crowd.letters(range(game, game + 1))) for game in GAMES]
    engine, shared = crowd.app.database.engine, crowd.app.database.engine.dialect.name == "postgresql"
    with counting(engine, monkeypatch) as taken:
        for _, _, raw in letters:
            crowd.take(raw)
    assert len(taken.statements) <= (3 if shared else 1) * len(letters), taken.statements
    assert taken.transactions == len(letters)
    with counting(engine, monkeypatch) as read:
        assert crowd.read() == len(letters)
    assert len(read.statements) <= (21 if shared else 18) * len(letters) + 12, read.statements
    assert read.transactions <= len(letters) + 4  # and the empty look that ends it
    with counting(engine, monkeypatch) as sent:
        assert crowd.send() == len(letters)
    assert len(sent.statements) <= 3 * len(letters) + 4, sent.statements
    assert sent.transactions <= len(letters) + 2


def test_letters_that_end_no_phase_make_the_clock_check_nothing(crowd: Crowd) -> None:
    crowd.tick()
    crowd.read_all(GAMES, most=6)
    transaction = crowd.app.database.transaction
    with transaction() as store:
        assert store.games.ids_to_check(store.now()) == ()
    assert clock.tick(crowd.app.services, transaction, None) == 0

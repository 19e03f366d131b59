"""The read cache: a transaction reuses what earlier ones have read, and never answers with stale rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import update
from sqlalchemy.exc import IntegrityError
from support.stores.migrated_database import migrate
from support.stores.store_under_test import NOON, a_game

from gm.game.model.records import Game, Person, Seat, Sheet
from gm.store import read_cache
from gm.store.database import Database
from gm.store.schema import tables as t


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path / "gm.sqlite")
    migrate(database)
    yield database
    database.close()


def trace(database: Database) -> list[str]:
    """A list that receives every SQL statement from now on."""
    statements: list[str] = []
    driver(database).set_trace_callback(statements.append)
    return statements


def driver(database: Database) -> sqlite3.Connection:
    with database.write_connection() as connection:
        raw = connection.connection.dbapi_connection
        assert isinstance(raw, sqlite3.Connection)
        return raw


def add_game(database: Database) -> Game:
    with database.transaction() as store:
        return store.games.add(a_game(settings=(("press", "grey"),)))


def test_a_second_transaction_reads_from_the_cache(database: Database) -> None:
    game = add_game(database)
    with database.transaction() as store:
        store.games.get(game.id)
    statements = trace(database)
    with database.transaction() as store:
        assert store.games.get(game.id) == game
    assert not [sql for sql in statements if sql.startswith("SELECT")]


def test_players_are_read_together(database: Database) -> None:
    game = add_game(database)
    with database.transaction() as store:
        people = [store.people.add(Person(0, name, (f"{name}@x.example", f"{name}@y.example"))) for name in ("a", "b")]
        seats = [store.games.add_seat(Seat(0, game.id, power)) for power in ("Austria", "England", "France")]
        for person, seat in zip(people, seats, strict=False):
            store.games.save_seat(replace(seat, person=person.id))
    statements = trace(database)
    with database.transaction() as store:
        store.people.read_players(game.id)
        assert [store.people.get(person.id) for person in people] == people
        assert len([sql for sql in statements if sql.startswith("SELECT")]) == 1
        store.people.save(replace(people[0], name="c"))
        store.people.read_players(game.id)
        assert store.people.get(people[0].id).name == "c"


def test_rows_written_by_another_connection_are_seen(database: Database, tmp_path: Path) -> None:
    game = add_game(database)
    for phase in ("S1901M", "F1901M"):
        with sqlite3.connect(tmp_path / "gm.sqlite") as other:
            other.execute("UPDATE game SET phase = ?", (phase,))
        other.close()
        with database.transaction() as store:
            assert store.games.get(game.id).phase == phase


def test_rows_written_without_the_store_are_seen(database: Database) -> None:
    game = add_game(database)
    for phase in ("S1901M", "F1901M"):
        with database.write_connection() as connection:
            connection.execute(update(t.game).values(phase=phase))
        with database.transaction() as store:
            assert store.games.get(game.id).phase == phase


def test_a_rollback_clears_the_cache(database: Database) -> None:
    game = add_game(database)

    def broken_off() -> None:
        with database.transaction() as store:
            store.games.save(replace(game, phase="S1901M"))
            assert store.games.get(game.id).phase == "S1901M"
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken_off()
    with database.transaction() as store:
        assert store.games.get(game.id) == game


def test_a_failed_commit_clears_the_cache(database: Database) -> None:
    game = add_game(database)
    raw = driver(database)
    raw.execute("CREATE TABLE child (of INTEGER REFERENCES game (id) DEFERRABLE INITIALLY DEFERRED)")

    def refused() -> None:
        with database.transaction() as store:
            store.games.save(replace(game, phase="S1901M"))
            store.games.get(game.id)
            raw.execute("INSERT INTO child VALUES (77)")

    with pytest.raises(IntegrityError, match="FOREIGN KEY"):
        refused()
    with database.transaction() as store:
        assert store.games.get(game.id) == game


def test_settings_and_addresses_are_the_newest(database: Database) -> None:
    game = add_game(database)
    with database.transaction() as store:
        ann = store.people.add(Person(0, "Ann", ("ann@example.org",)))
    with database.transaction() as store:
        store.games.save(replace(store.games.get(game.id), settings=()))
        store.people.save(replace(store.people.get(ann.id), addresses=("ann@example.net",)))
    with database.transaction() as store:
        assert store.games.get(game.id).settings == ()
        assert store.people.get(ann.id).addresses == ("ann@example.net",)
        assert store.people.by_address("ann@example.org") is None


def test_sheets_are_the_newest_of_each_game(database: Database) -> None:
    games = [add_game(database), replace(a_game("lisbon"), id=0)]
    with database.transaction() as store:
        games[1] = store.games.add(games[1])
    for version in (1, 2):
        for game in games:
            with database.transaction() as store:
                store.turns.add_sheet(Sheet(game.id, "S1901M", 1, "Italy", "Italy", version, at=NOON))
            with database.transaction() as store:
                on_file = [len(store.turns.sheets(each.id, 1)) for each in games]
                assert on_file == [1, 1 if game is games[1] or version > 1 else 0]
                sheet = store.turns.sheet(game.id, 1, "Italy", "Italy")
                assert sheet is not None
                assert sheet.version == version


def test_the_cache_is_bounded(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_cache, "MOST", 3)
    game = add_game(database)
    for _ in range(2):
        with database.transaction() as store:
            for number in range(10):
                assert store.games.by_name(f"none-{number}") is None
            assert store.games.get(game.id) == game
    statements = trace(database)
    with database.transaction() as store:
        store.games.get(game.id)
    assert [sql for sql in statements if sql.startswith("SELECT")]

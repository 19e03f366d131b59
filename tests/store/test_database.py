"""The engine: migrations, threads and nodes side by side, and every fault as one clear line."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text
from sqlalchemy.exc import DBAPIError
from support.stores.postgresql import needs_postgresql
from support.stores.store_under_test import NOON

from gm.errors import Unavailable
from gm.game.model.records import Game, GameState, InboxRow, InboxState
from gm.store import schema_version
from gm.store.database import Database
from gm.store.schema.tables import metadata


def a_row(key: str) -> InboxRow:
    return InboxRow(0, "lmtp", key, NOON, b"raw")


@pytest.fixture(params=["sqlite", "postgresql"])
def fresh(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database without tables."""
    database = Database(tmp_path / "gm.sqlite" if request.param == "sqlite" else needs_postgresql())
    yield database
    database.close()


# ---- migrations


def test_migrations_make_the_tables_the_code_expects(fresh: Database) -> None:
    fresh.upgrade()
    with fresh.engine.begin() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, metadata) == []


def test_the_newest_version_is_the_one_of_the_last_migration(fresh: Database) -> None:
    """The name of its file says it, without alembic."""
    with fresh.engine.begin() as connection:
        assert schema_version.present(connection) is None
    fresh.upgrade()
    with fresh.engine.begin() as connection:
        assert schema_version.present(connection) == schema_version.newest()


def test_upgrading_twice_changes_nothing(fresh: Database) -> None:
    fresh.upgrade()
    with fresh.transaction() as store:
        store.games.add(Game(0, "ostend", "some"))
    fresh.upgrade()
    fresh.check()
    with fresh.transaction() as store:
        assert store.games.by_name("ostend")


def test_instants_that_a_migration_wrote_with_their_zone_are_read(tmp_path: Path) -> None:
    """As 0008 wrote them for the games that were there; nobody writes to one that has ended."""
    database = Database(tmp_path / "gm.sqlite")
    database.upgrade()
    with database.transaction() as store:
        kept = store.games.add(Game(0, "ostend", "some", GameState.ENDED, due_at=NOON))
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE game SET look_at = '1970-01-01 00:00:00.000000+00:00'"))
    with database.transaction() as store:
        assert store.games.get(kept.id) == kept
    database.close()


def test_a_database_without_tables_says_what_to_run(fresh: Database) -> None:
    with pytest.raises(Unavailable, match="is empty: `gm restore` fills it, `gm migrate` makes tables"):
        fresh.check()
    with pytest.raises(Unavailable, match="run `gm migrate`"), fresh.transaction() as store:
        store.games.running()


def test_a_database_of_a_newer_version_is_left_alone(fresh: Database) -> None:
    fresh.upgrade()
    with fresh.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for act in (fresh.upgrade, fresh.check, fresh.refuse_newer):
        with pytest.raises(Unavailable, match=r"newer gm \(its tables are of 9999\)"):
            act()


def test_a_migration_that_fails_leaves_nothing(fresh: Database) -> None:
    """A table of ours stands in the way: none of the others may be made."""
    with fresh.engine.begin() as connection:
        connection.execute(text("CREATE TABLE snapshot (x integer)"))
    with pytest.raises(Exception, match="snapshot"):
        fresh.upgrade()
    with fresh.engine.begin() as connection:
        assert inspect(connection).get_table_names() == ["snapshot"]


def test_nodes_that_start_together_upgrade_one_after_the_other() -> None:
    where = needs_postgresql()
    nodes = [Database(where) for _ in range(4)]
    at_once([node.upgrade for node in nodes])
    nodes[0].check()
    for node in nodes:
        node.close()


# ---- side by side


def at_once(acts: list) -> None:  # type: ignore[type-arg]
    """Run in threads; the first exception is raised here."""
    failed: list[BaseException] = []

    def run(act) -> None:  # type: ignore[no-untyped-def]
        try:
            act()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    if failed:
        raise failed[0]


def test_threads_take_turns(fresh: Database) -> None:
    fresh.upgrade()

    def take(thread: int) -> None:
        for number in range(25):
            with fresh.transaction() as store:
                store.inbox.accept(a_row(f"{thread} {number}"))

    at_once([lambda thread=thread: take(thread) for thread in range(6)])
    with fresh.transaction() as store:
        assert store.inbox.count_unread(NOON + timedelta(days=1)) == 150


def test_the_same_letter_by_several_ways_at_once_is_kept_once(fresh: Database) -> None:
    fresh.upgrade()
    new: list[bool] = []

    def take() -> None:
        with fresh.transaction() as store:
            new.append(store.inbox.accept(a_row("same"))[1])

    at_once([take] * 8)
    assert sorted(new) == [False] * 7 + [True]


def test_two_nodes_never_hold_the_same_game_or_letter() -> None:
    database = Database(needs_postgresql())
    database.upgrade()
    with database.transaction() as store:
        for name in ("one", "two"):
            store.games.add(Game(0, name, "some", GameState.RUNNING, due_at=NOON))
            store.inbox.accept(a_row(name))
    later = NOON + timedelta(hours=1)
    with database.transaction() as first, database.transaction() as second, database.transaction() as third:
        games = [store.games.due(later) for store in (first, second, third)]
        assert [game and game.name for game in games] == ["one", "two", None]
        letters = [store.inbox.next(later) for store in (first, second, third)]
        assert [row and row.content_key for row in letters] == ["one", "two", None]
        assert letters[0] is not None
        assert not second.inbox.lock(letters[0].id)
        assert third.inbox.count_unread(later) == 2
        first.inbox.close(letters[0].id, InboxState.DONE)
    database.close()


def test_letters_are_read_one_at_a_time_on_however_many_nodes() -> None:
    where = needs_postgresql()
    nodes = [Database(where), Database(where)]
    nodes[0].upgrade()
    with nodes[0].transaction() as store:
        rows = [store.inbox.accept(a_row(name))[0].id for name in ("one", "two")]
    order: list[str] = []
    holding = threading.Event()

    def first() -> None:
        with nodes[0].transaction() as store:
            assert store.inbox.lock(rows[0])
            holding.set()
            second_waits.wait(0.3)
            order.append("one")
            store.inbox.close(rows[0], InboxState.DONE)

    second_waits = threading.Event()

    def second() -> None:
        holding.wait(10)
        with nodes[1].transaction() as store:
            assert store.inbox.lock(rows[1])
            second_waits.set()
            order.append("two")

    at_once([first, second])
    assert order == ["one", "two"]
    for node in nodes:
        node.close()


def test_the_clock_of_postgresql_is_the_databases() -> None:
    database = Database(needs_postgresql())
    with database.transaction() as store:
        first, second = store.now(), store.now()
    assert first < second
    assert first.utcoffset() == timedelta()
    assert abs(first - datetime.now(UTC)) < timedelta(minutes=1)
    database.close()


def test_commits_are_synchronous_and_keys_are_kept(tmp_path: Path) -> None:
    database = Database(tmp_path / "gm.sqlite")
    with database.engine.begin() as connection:
        settings = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert settings == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    database.close()


# ---- faults


def test_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"there is no folder .*nowhere; make it first"):
        Database(tmp_path / "nowhere" / "gm.sqlite")


def test_a_missing_folder_beside_the_server(tmp_path: Path) -> None:
    database = Database(tmp_path / "nowhere" / "gm.sqlite", alone=False)
    with pytest.raises(Unavailable, match="check that its folder exists"):
        database.check()


def test_a_folder_in_the_files_place(tmp_path: Path) -> None:
    database = Database(tmp_path)
    with pytest.raises(Unavailable, match="cannot be opened"):
        database.upgrade()
    database.close()


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "gm.sqlite").write_text("[settings]\naddress = 'gm@example.org'\n" * 100)
    database = Database(tmp_path / "gm.sqlite")
    with pytest.raises(Unavailable, match="is not a SQLite database"):
        database.upgrade()
    database.close()


def test_a_database_locked_by_another_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gm.store.database.BUSY_SECONDS", 0.1)
    database = Database(tmp_path / "gm.sqlite")
    database.upgrade()
    other = sqlite3.connect(tmp_path / "gm.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unavailable, match="is locked by another program"), database.transaction() as store:
        store.games.running()
    other.execute("ROLLBACK")
    other.close()
    with database.transaction() as store:
        assert store.games.running() == ()
    database.close()


def test_a_full_disk_takes_nothing_and_says_so(tmp_path: Path) -> None:
    database = Database(tmp_path / "gm.sqlite")
    database.upgrade()
    with database.write_connection() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    big = InboxRow(0, "lmtp", "big", NOON, b"x" * 100_000)
    with pytest.raises(Unavailable, match="disk is full"), database.transaction() as store:
        store.inbox.accept(big)
    with database.transaction() as store:
        assert store.inbox.next() is None
    database.close()


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("mysql://user:secret@host/name", 'we do not speak "mysql"'),
        ("nonsense://x", 'we do not speak "nonsense"'),
        ("://", "postgresql"),
        ("postgresql://user:a@secret@host/name", "more than one @: in a name or password write %40"),
        (":memory:", "would forget everything"),
        ("postgresql://user:secret@127.0.0.1:notaport/name", "no URL we understand"),
    ],
)
def test_a_wrong_url_is_refused(where: str, message: str) -> None:
    with pytest.raises(Unavailable, match=message) as error:
        Database(where)
    assert "secret" not in str(error.value)
    assert "%40" in message or "postgresql+psycopg://user:password@host/name" in str(error.value)


def test_a_server_that_is_away() -> None:
    database = Database("postgresql://user:secret@127.0.0.1:1/name")
    with pytest.raises(Unavailable, match=r"cannot be reached: .*refused") as error, database.transaction():
        pass
    assert "\n" not in str(error.value)
    assert "secret" not in str(error.value)


def test_a_server_that_became_a_standby_and_another_that_took_over() -> None:
    """Nothing is taken, in one line; connections to the old one are given up, since only new ones find the primary."""
    url = needs_postgresql()
    database, apart = Database(url), Database(url)
    name = apart.engine.url.database
    apart.upgrade()
    with apart.write_connection() as connection:
        connection.execute(text(f"ALTER DATABASE {name} SET default_transaction_read_only = on"))
    with pytest.raises(Unavailable, match="takes no changes: its server is a standby"), database.transaction() as store:
        store.inbox.accept(a_row("key"))
    with apart.write_connection() as connection:  # it began before
        connection.execute(text(f"ALTER DATABASE {name} RESET default_transaction_read_only"))
    with database.transaction() as store:
        assert store.inbox.accept(a_row("key"))[1]
    database.close()
    apart.close()


@pytest.mark.parametrize(
    ("setting", "cause"),
    [("statement_timeout", "statement took longer than the server allows"), ("lock_timeout", "lock was not to be had")],
)
def test_an_abandoned_transaction_is_reported_as_such(setting: str, cause: str) -> None:
    database = Database(needs_postgresql())
    database.upgrade()
    with database.engine.begin() as holder:
        holder.execute(text("LOCK TABLE inbox"))
        with pytest.raises(Unavailable, match=f"was busy: a {cause}"), database.write_connection() as connection:
            connection.execute(text(f"SET LOCAL {setting} = 50; LOCK TABLE inbox"))
    database.close()


def test_a_database_the_server_does_not_have() -> None:
    where = needs_postgresql()
    database = Database(where.replace("/gm_", "/no_such_"))
    with pytest.raises(Unavailable, match="does not exist"):
        database.check()
    database.close()


def test_a_server_that_went_away_and_came_back() -> None:
    """Every connection is cut, as by a restart: it is said why, and the next transaction works again."""
    where = needs_postgresql()
    database, other = Database(where), Database(where)
    database.upgrade()
    others = (
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> "
    )

    def cut_in_the_midst() -> None:
        with database.transaction() as store, other.engine.connect() as connection:
            connection.execute(text(others + "pg_backend_pid()"))
            store.games.running()

    with pytest.raises(Unavailable, match="terminating connection") as raised:
        cut_in_the_midst()
    assert isinstance(raised.value.__cause__, DBAPIError)
    assert raised.value.__cause__.connection_invalidated
    with database.transaction() as store:
        assert store.games.running() == ()
    database.close()
    other.close()


@pytest.mark.parametrize(
    "spelling", ["postgres://", "postgresql://", "postgresql+psycopg://", "postgresql+psycopg2://"]
)
def test_every_spelling_of_postgresql(spelling: str) -> None:
    database = Database(needs_postgresql().replace("postgresql://", spelling))
    database.upgrade()
    database.close()


def test_the_database_is_no_other_users_business(tmp_path: Path) -> None:
    database = Database(tmp_path / "gm.sqlite")
    database.upgrade()
    assert {file.name for file in tmp_path.iterdir()} >= {"gm.sqlite", "gm.sqlite.lock"}
    for file in tmp_path.iterdir():
        assert file.stat().st_mode & 0o077 == 0, file
    database.close()


def test_a_missing_driver_is_installed_from_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own package is not on PyPI, so that `pip install gm-by-mail[…]` would find nothing or somebody else's."""

    def without_driver(url: object, busy: float) -> None:
        raise ModuleNotFoundError("No module named 'psycopg'", name="psycopg")

    monkeypatch.setattr("gm.store.database._engine", without_driver)
    with pytest.raises(Unavailable, match=r"needs psycopg: .*python\S* -m pip install 'psycopg\[binary\]'"):
        Database("postgresql+psycopg://gm@/gm")

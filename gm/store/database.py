"""The database: engine, transactions, migrations, and errors as one clear line (`gm.errors.Unavailable`).

SQLite (a path) is the default: WAL and synchronous=FULL, so that commits survive kill -9 and a power cut; BEGIN
IMMEDIATE, so that a transaction waits for its turn when it begins and never fails half way; a lock file, so that one
process uses it. PostgreSQL (postgresql+psycopg://…) is for several nodes, and its clock is the only one.
"""

from __future__ import annotations

import sqlite3
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import URL, Boolean, Connection, Engine, bindparam, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, DisconnectionError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import ConnectionPoolEntry

from gm.errors import Unavailable
from gm.game.model.conduct_records import ConductPort
from gm.game.model.mail_ports import BouncesPort, OutboxPort
from gm.game.model.observer_records import ObserversPort
from gm.game.model.ports import (
    AbsencesPort,
    Clock,
    GamesPort,
    HeartbeatPort,
    InboxPort,
    PeoplePort,
    PicturesPort,
    PollsPort,
    Store,
    TurnsPort,
)
from gm.game.model.public_events import PublicEventsPort
from gm.game.model.records import OutLetter
from gm.game.model.statement_records import StatementsPort
from gm.setting_errors import DATABASE_FORMS, WrongSetting, database_place
from gm.store import schema_version
from gm.store.error_messages import has_moved, unavailable
from gm.store.locks import FileLock, WriterQueue
from gm.store.prepared_statements import driver_connection, execute_raw
from gm.store.queries.absences import AbsenceQueries, HeartbeatQueries
from gm.store.queries.conduct import ConductQueries
from gm.store.queries.games import AllGamesQueries, PeopleQueries, TurnQueries
from gm.store.queries.mail_queues import BounceQueries, InboxQueries, MailboxQueries, OutboxQueries
from gm.store.queries.observers import ObserverQueries
from gm.store.queries.pictures import PictureQueries
from gm.store.queries.polls import PollQueries
from gm.store.queries.public_events import PublicEventQueries
from gm.store.queries.readers import ReaderQueries
from gm.store.queries.row_mapping import Bell
from gm.store.queries.statements import StatementQueries
from gm.store.read_cache import ReadCache, TableCache
from gm.store.schema.column_types import InstantColumn
from gm.store.sqlite_file import BESIDE_SECONDS, BUSY_SECONDS, WORK_WAITS, Asked, configure, make_private

if TYPE_CHECKING:
    from gm.store.nodes import rights
    from gm.store.nodes.bells import NodeListener, Ringer

POSTGRESQL = {
    "connect_timeout": 10,
    "options": "-c timezone=UTC -c lock_timeout=30s -c idle_in_transaction_session_timeout=120s",
}

RETURNED = "gm_returned"
"""When a connection came back into the pool, by the monotonic clock."""
REST_SECONDS = 1.0

BEGIN = "BEGIN IMMEDIATE"
"""Of SQLite's transactions that write."""
READING_ONLY = "gm_reading_only"
"""Execution option of transactions that write nothing."""

OWN_ENDS = ("", "-wal", "-shm", "-journal", ".lock")
"""Of the names of SQLite's files and ours."""

Envelope = Callable[[OutLetter], str]


class Database:
    """`name` is for messages, without user and password: logs hide what has an @.

    `alone` False: beside the running server, to hand in a letter. `clock` replaces the database's clock in tests.
    `envelope` returns a letter's envelope sender when the letter is queued.
    """

    def __init__(
        self,
        where: str | Path,
        *,
        alone: bool = True,
        clock: Clock | None = None,
        envelope: Envelope = lambda letter: "",
    ) -> None:
        url = _url(where)
        without_user = url.set(username=None, password=None)
        self.name = str(url.database) if url.get_backend_name() == "sqlite" else without_user.render_as_string()
        self._clock = clock
        self._envelope = envelope
        self.sole = alone and url.get_backend_name() == "sqlite"
        """Whether no other process uses this store."""
        embedded = url.get_backend_name() == "sqlite"
        self._turn = WriterQueue() if embedded else nullcontext()
        self._read_cache = ReadCache()
        self._store: DatabaseStore | None = None
        self._faults = _Faults(self)
        self._lock = FileLock(Path(self.name)) if alone and embedded else None
        try:
            self.engine = _engine(url, BUSY_SECONDS if alone else BESIDE_SECONDS)
        except ModuleNotFoundError as error:
            advice = f"{sys.executable} -m pip install 'psycopg[binary]'"
            raise Unavailable(f"database {self.name} needs {error.name}: {advice}") from None
        self._writer = _SoleWriter(self.engine, self._read_cache) if embedded else None
        self._ringer: Ringer | None = None
        """Rings for this node under `gm serve`."""

    @property
    def own_files(self) -> tuple[Path, ...]:
        """The files that hold a SQLite database and its secret, whether they are there or not."""
        if self.engine.dialect.name != "sqlite":
            return ()
        path = Path(self.name)
        return path.with_name("secret"), *(path.with_name(path.name + end) for end in OWN_ENDS)

    def transaction(self) -> AbstractContextManager[Store]:
        return self._shared_transaction() if self._writer is None else self._sole_transaction(self._writer)

    @contextmanager
    def _shared_transaction(self) -> Iterator[Store]:
        with self.write_connection() as connection:
            yield self._store_for(connection, self._read_cache.begin(connection))

    @contextmanager
    def _sole_transaction(self, writer: _SoleWriter) -> Iterator[Store]:
        """Begins and ends without SQLAlchemy, whose own transactions cost four times as much, unless it has to execute
        something, too.
        """
        with self._turn, self._faults, writer as connection:
            execute_raw(connection, BEGIN)
            cache = self._read_cache.begin(connection)
            yield self._store_for(connection, cache)
            self._read_cache.end(connection, cache)
            if connection.in_transaction():
                connection.commit()
            else:
                execute_raw(connection, "COMMIT")

    def _store_for(self, connection: Connection, cache: TableCache) -> DatabaseStore:
        """Only for speed: transactions on a SQLite file share one."""
        store = self._store
        if store is None or not store.reads(connection, cache, self._clock):
            store = DatabaseStore(connection, self._clock, self._envelope, cache)
            self._store = store if self._writer is not None else None
        return store

    @contextmanager
    def look(self) -> Iterator[Store]:
        """A transaction that only reads, on one consistent state. No letter and no deadline waits for it."""
        with self.read_connection() as connection:
            yield DatabaseStore(connection, self._clock, self._envelope, defaultdict(dict))

    def reading(self) -> AbstractContextManager[Callable[[], bool]]:
        """Whether it is this node's turn to read letters: one node at a time, so that they keep their order."""
        return self._turn_to(publish=False)

    def publishing(self) -> AbstractContextManager[Callable[[], bool]]:
        """Whether it is this node's turn to write the site."""
        return self._turn_to(publish=True)

    @contextmanager
    def _turn_to(self, *, publish: bool) -> Iterator[Callable[[], bool]]:
        if self.engine.dialect.name == "sqlite":
            yield lambda: True
            return
        from gm.store.nodes import rights

        with self._faults, rights.turn(self.engine, rights.PUBLISHING if publish else rights.READING) as mine:
            yield mine

    def polling(self) -> rights.NodeRight | rights.PermanentRight:
        """The right to poll the mailbox."""
        from gm.store.nodes import rights

        if self.engine.dialect.name == "sqlite":
            return rights.PermanentRight()
        return rights.NodeRight(self.engine, rights.POLLING)

    def listener(self, ring: Callable[[Collection[Bell]], None]) -> NodeListener | None:
        """Calls `ring` when other nodes have queued something; None where there are no other nodes."""
        if self.engine.dialect.name == "sqlite":
            return None
        from gm.store.nodes.bells import NodeListener

        listener = NodeListener(self.engine, ring)
        self._ringer = listener.ringer
        return listener

    def now(self) -> datetime:
        """The database's clock, which all nodes share."""
        with self.transaction() as store:
            return store.now()

    def polled(self, account: str) -> datetime | None:
        """Every letter that reached the mailbox before that instant was taken; None: it was never polled."""
        with self.write_connection() as connection:
            return MailboxQueries(connection).polled(account)

    def note_polled(self, account: str, until: datetime) -> None:
        with self.write_connection() as connection:
            MailboxQueries(connection).note(account, until)

    def upgrade(self) -> None:
        """Create the tables or migrate them. Raises Unavailable for a database newer than the code."""
        with self.write_connection() as connection:
            if schema_version.present(connection) != schema_version.newest():
                from gm.store.schema import migrations

                migrations.upgrade(connection, self.name)

    def check(self) -> None:
        """Raises Unavailable unless the tables have the present version."""
        with self.write_connection() as connection:
            if schema_version.present(connection) != schema_version.newest():
                from gm.store.schema import migrations

                migrations.refuse(connection, self.name)

    def refuse_newer(self) -> None:
        """Raises Unavailable for tables newer than the code, without the time that alembic takes."""
        with self.read_connection() as connection:
            version = schema_version.present(connection)
        if version is not None and schema_version.is_newer(version):
            raise schema_version.newer(version, self.name)

    def work_waits(self, asked: Asked) -> bool:
        with self.read_connection() as connection:
            typed = [
                bindparam(name, value, Boolean if isinstance(value, bool) else InstantColumn)
                for name, value in asked.items()
            ]
            return bool(connection.execute(text(WORK_WAITS).bindparams(*typed)).scalar())

    def overwrite_free_pages(self) -> None:
        """SQLite keeps what was deleted in its files until they are rebuilt, which waits for a moment without readers.

        PostgreSQL does so by itself.
        """
        if self.engine.dialect.name != "sqlite":
            return
        with self._turn, closing(self.engine.raw_connection()) as connection, suppress(sqlite3.OperationalError):
            cursor = connection.cursor()
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self.engine.dispose()
        if self._lock is not None:
            self._lock.release()

    @contextmanager
    def write_connection(self) -> Iterator[Connection]:
        """A write transaction for the store's own modules."""
        with self._turn, self._faults, self._writer or self.engine.connect() as connection:
            noted: set[Bell] = set()
            connection.info[Bell] = noted
            with connection.begin():
                yield connection
                if noted and self._ringer is None:
                    from gm.store.nodes import bells

                    bells.ring(connection, noted)
            if noted and self._ringer is not None:
                self._ringer.add(noted)

    @contextmanager
    def read_connection(self) -> Iterator[Connection]:
        """A read transaction on one consistent state, which blocks no writer."""
        options: dict[str, Any] = {READING_ONLY: True}
        if self.engine.dialect.name != "sqlite":
            options["isolation_level"] = "REPEATABLE READ"
        with self._faults, self.engine.execution_options(**options).begin() as connection:
            yield connection


class _SoleWriter:
    """The one connection that writes to a SQLite file, kept between transactions: taking one from the pool costs as
    much as a small transaction.
    """

    def __init__(self, engine: Engine, cache: ReadCache) -> None:
        self._engine, self._cache = engine, cache
        self._kept: Connection | None = None
        self._lent: Connection | None = None

    def __enter__(self) -> Connection:
        connection = self._lent = self._kept = self._kept or self._engine.connect()
        return connection

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:  # a failed commit may have left the transaction open; the pool ends it
            self._kept = None
            self._cache.clear()
        if self._lent is not None and self._kept is not self._lent:  # or the database was closed meanwhile
            self._lent.close()
        self._lent = None

    def close(self) -> None:
        writer, self._kept = self._kept, None
        if writer is not None and not driver_connection(writer).in_transaction:
            writer.close()


class _Faults:
    """Raises Unavailable in place of errors that mean that the database is away."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        name = self._database.name
        if isinstance(error, DBAPIError):
            if has_moved(error.orig):
                self._database.engine.dispose()
            if fault := unavailable(error.orig or error, name, lost=error.connection_invalidated):
                raise fault from error
        elif isinstance(error, PoolTimeout):
            raise Unavailable(f"database {name} is busy: no connection was free in time") from None


class DatabaseStore:
    """One transaction's view."""

    def __init__(self, connection: Connection, clock: Clock | None, envelope: Envelope, cache: TableCache) -> None:
        self.games: GamesPort = AllGamesQueries(connection, cache)
        self.people: PeoplePort = PeopleQueries(connection, cache)
        self.turns: TurnsPort = TurnQueries(connection, cache)
        self.absences: AbsencesPort = AbsenceQueries(connection, cache)
        self.heartbeat: HeartbeatPort = HeartbeatQueries(connection, cache)
        self.polls: PollsPort = PollQueries(connection, cache)
        self.conduct: ConductPort = ConductQueries(connection, cache)
        self.inbox: InboxPort = InboxQueries(connection, cache)
        self.outbox: OutboxPort = OutboxQueries(connection, envelope, cache)
        self.pictures: PicturesPort = PictureQueries(connection)
        self.observers: ObserversPort = ObserverQueries(connection, cache)
        self.bounces: BouncesPort = BounceQueries(connection, cache)
        self.statements: StatementsPort = StatementQueries(connection, cache)
        self.events: PublicEventsPort = PublicEventQueries(connection, cache)
        self.read_readers = ReaderQueries(connection, cache).read_readers
        self._connection = connection
        self._cache = cache
        self._clock = clock
        self._asked: tuple[datetime, float] | None = None
        """What the database's clock said, and when by our monotonic one."""

    def reads(self, connection: Connection, cache: TableCache, clock: Clock | None) -> bool:
        """Whether this is the store of a further transaction on the connection, with the same cache and clock."""
        return self._connection is connection and self._cache is cache and self._clock is clock

    def now(self) -> datetime:
        if self._clock is not None:
            return self._clock()
        if self._connection.dialect.name == "sqlite":
            return datetime.now(UTC)
        if self._asked is None:  # once a transaction: each question is a round trip
            (asked,) = execute_raw(self._connection, "SELECT clock_timestamp()").fetchone()
            self._asked = asked.astimezone(UTC), time.monotonic()
        then, at = self._asked
        return then + timedelta(seconds=time.monotonic() - at)


# ---- engines


def _url(where: str | Path) -> URL:
    """Of a path, or of a URL of PostgreSQL in any of its spellings."""
    try:
        place = database_place(str(where))
        if "://" not in place:
            return URL.create("sqlite", database=str(Path(place).expanduser()))
        return make_url(place).set(drivername="postgresql+psycopg")
    except WrongSetting as error:
        raise Unavailable(f"database: {error}") from None
    except (ArgumentError, ValueError):  # their texts may hold a part of the password
        raise Unavailable(f"database: is no URL we understand; {DATABASE_FORMS}") from None


def _engine(url: URL, busy: float) -> Engine:
    if url.get_backend_name() == "postgresql":
        engine = create_engine(url, pool_timeout=30, connect_args=POSTGRESQL)
        event.listen(engine, "checkin", lambda _, entry: entry.info.update({RETURNED: time.monotonic()}))
        event.listen(engine, "checkout", partial(_check_after_rest, engine))
        return engine
    make_private(str(url.database))
    engine = create_engine(url, connect_args={"timeout": busy})
    event.listen(engine, "connect", lambda connection, _: configure(connection))
    event.listen(engine, "begin", _sqlite_begins)
    return engine


def _check_after_rest(engine: Engine, connection: Any, entry: ConnectionPoolEntry, _: object) -> None:
    """A connection that has rested may be gone; the pool then takes another. Each question would cost a round trip."""
    if time.monotonic() - entry.info.get(RETURNED, -inf) > REST_SECONDS:
        try:
            engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error as error:
            raise DisconnectionError from error


def _sqlite_begins(connection: Connection) -> None:
    if driver_connection(connection).in_transaction:
        return  # that of the one writer
    only_reads = connection.get_execution_options().get(READING_ONLY, False)
    execute_raw(connection, "BEGIN" if only_reads else BEGIN)

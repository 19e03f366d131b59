"""The database: engine, transactions, one process per SQLite file, migrations, and faults as one clear line.

SQLite (a path) is the default: WAL, synchronous=FULL, so that what is committed outlives kill -9 and a power cut;
BEGIN IMMEDIATE, so that a transaction waits for its turn when it begins and never fails half way; one process by a
lock on the file beside it. PostgreSQL (postgresql+psycopg://…) is for many nodes and its clock is the only one.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, func, make_url, select
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as NoneFree
from sqlalchemy.pool import ConnectionPoolEntry

from gm.errors import Unavailable
from gm.game.model.observer_records import ObserversPort
from gm.game.model.ports import (
    AbsencesPort,
    BouncesPort,
    Clock,
    GamesPort,
    HeartbeatPort,
    InboxPort,
    OutboxPort,
    PeoplePort,
    PicturesPort,
    PollsPort,
    Store,
    TurnsPort,
)
from gm.game.model.records import OutLetter
from gm.store import absences as timetable
from gm.store import games, nodes
from gm.store import mail_queues as mailbag
from gm.store import observers as circle
from gm.store import pictures as gallery
from gm.store import polls as minutes
from gm.store import schema_version as schema
from gm.store.error_messages import has_moved, unavailable
from gm.store.locks import FileLock, WriterQueue
from gm.store.prepared_statements import driven
from gm.store.read_cache import ReadCache
from gm.store.row_mapping import Kept

BUSY_SECONDS = 5
POSTGRESQL = {
    "connect_timeout": 10,
    "options": "-c timezone=UTC -c lock_timeout=30s -c idle_in_transaction_session_timeout=120s",
}

READING_ONLY = "gm_reading_only"
"""An execution option: this transaction writes nothing."""

Envelope = Callable[[OutLetter], str]


class Database:
    """`name` is how it is called in messages, without a password.

    `alone` False: beside the running server, for handing a letter in. `clock` stands in for the database's (tests).
    `envelope` gives a letter's envelope sender when it is queued.
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
        self.name = str(url.database) if url.get_backend_name() == "sqlite" else url.render_as_string()
        self._clock = clock
        self._envelope = envelope
        self.sole = alone and url.get_backend_name() == "sqlite"
        """No other process works on this store."""
        embedded = url.get_backend_name() == "sqlite"
        self._turn = WriterQueue() if embedded else nullcontext()
        self._writer: Connection | None = None
        self._known = ReadCache()
        self._lock = FileLock(Path(self.name)) if alone and embedded else None
        try:
            self.engine = _engine(url)
        except ModuleNotFoundError as error:
            raise Unavailable(f"database {self.name} needs {error.name}: pip install gm-by-mail[postgresql]") from None

    @contextmanager
    def transaction(self) -> Iterator[Store]:
        with self.connected() as connection:
            kept = self._known.still(connection)
            yield DatabaseStore(connection, self._clock, self._envelope, kept)
            self._known.keep(connection, kept)

    @contextmanager
    def reading(self) -> Iterator[Callable[[], bool]]:
        """For the length of a block, whether it is this node's turn to read letters: one at a time, in their order."""
        if self.engine.dialect.name == "sqlite":
            yield lambda: True
            return
        with self._faults(), nodes.turn(self.engine, nodes.READING) as mine:
            yield mine

    def polling(self) -> nodes.NodeRight | nodes.PermanentRight:
        """The right to poll the mailbox."""
        if self.engine.dialect.name == "sqlite":
            return nodes.PermanentRight()
        return nodes.NodeRight(self.engine, nodes.POLLING)

    def listener(self, ring: Callable[[], None]) -> nodes.NodeListener | None:
        """Rings for what other nodes did; None where there are none."""
        return None if self.engine.dialect.name == "sqlite" else nodes.NodeListener(self.engine, ring)

    def now(self) -> datetime:
        """The database's clock: the only one where there are many nodes."""
        with self.transaction() as store:
            return store.now()

    def polled(self, account: str) -> datetime | None:
        """Every letter that came to this mailbox before that instant has been taken; None: it was never polled."""
        with self.connected() as connection:
            return mailbag.MailboxQueries(connection).polled(account)

    def note_polled(self, account: str, until: datetime) -> None:
        with self.connected() as connection:
            mailbag.MailboxQueries(connection).note(account, until)

    def upgrade(self) -> None:
        """Bring the tables to the present version, from nothing too. A database newer than the code is refused."""
        with self.connected() as connection:
            schema.upgrade(connection, self.name)

    def check(self) -> None:
        """Raises Unavailable unless the tables are there and of the present version."""
        with self.connected() as connection:
            schema.check(connection, self.name)

    def close(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None and not writer.in_transaction():
            writer.close()
        self.engine.dispose()
        if self._lock is not None:
            self._lock.release()

    @contextmanager
    def connected(self) -> Iterator[Connection]:
        """A transaction for the store's own modules."""
        with self._turn, self._faults(), self._writing() as connection, connection.begin():
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """On SQLite always the same one, which is used by one thread at a time: what it has read it need not read anew,
        and the pool takes as long to give one out as a small transaction takes.
        """
        if isinstance(self._turn, WriterQueue):
            writer = self._writer = self._writer or self.engine.connect()
            try:
                yield writer
            except BaseException:  # a commit that failed may have left its transaction open: the pool ends it
                self._writer = None
                self._known.forget()
                raise
            finally:
                if self._writer is not writer:  # or the database was closed meanwhile
                    writer.close()
        else:
            with self.engine.connect() as connection:
                yield connection

    @contextmanager
    def beheld(self) -> Iterator[Connection]:
        """A transaction that reads one and the same state all through, and keeps nobody from writing."""
        options: dict[str, Any] = {READING_ONLY: True}
        if self.engine.dialect.name != "sqlite":
            options["isolation_level"] = "REPEATABLE READ"
        with self._faults(), self.engine.execution_options(**options).begin() as connection:
            yield connection

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            if has_moved(error):
                self.engine.dispose()
            if fault := unavailable(error, self.name):
                raise fault from error
            raise
        except NoneFree:
            raise Unavailable(f"database {self.name} is busy: no connection was free in time") from None


class DatabaseStore:
    """One transaction's view."""

    def __init__(self, connection: Connection, clock: Clock | None, envelope: Envelope, kept: Kept) -> None:
        self.games: GamesPort = games.AllGamesQueries(connection, kept)
        self.people: PeoplePort = games.PeopleQueries(connection, kept)
        self.turns: TurnsPort = games.TurnQueries(connection, kept)
        self.absences: AbsencesPort = timetable.AbsenceQueries(connection, kept)
        self.heartbeat: HeartbeatPort = timetable.HeartbeatQueries(connection, kept)
        self.polls: PollsPort = minutes.PollQueries(connection, kept)
        self.inbox: InboxPort = mailbag.InboxQueries(connection, kept)
        self.outbox: OutboxPort = mailbag.OutboxQueries(connection, envelope, kept)
        self.pictures: PicturesPort = gallery.PictureQueries(connection)
        self.observers: ObserversPort = circle.ObserverQueries(connection, kept)
        self.bounces: BouncesPort = mailbag.BounceQueries(connection, kept)
        self._connection = connection
        self._clock = clock

    def now(self) -> datetime:
        if self._clock is not None:
            return self._clock()
        if self._connection.dialect.name == "sqlite":
            return datetime.now(UTC)
        now: datetime = self._connection.execute(select(func.clock_timestamp())).scalar_one()
        return now.astimezone(UTC)


# ---- engines


def _url(where: str | Path) -> URL:
    """A path, or a URL of PostgreSQL in any of its spellings."""
    if isinstance(where, Path) or "://" not in where:
        return URL.create("sqlite", database=str(Path(where).expanduser()))
    try:
        url = make_url(where)
        backend = url.get_backend_name()
    except (ArgumentError, NoSuchModuleError, ValueError):
        raise Unavailable(f"database: {where.partition('@')[2] or where} is no URL we understand; {FORMS}") from None
    if backend == "sqlite" and url.database:
        return URL.create("sqlite", database=url.database)
    if backend not in ("postgresql", "postgres"):
        raise Unavailable(f"database: we do not speak {backend}; {FORMS}")
    return url.set(drivername="postgresql+psycopg")


FORMS = "write a file's path, or postgresql+psycopg://user:password@host/name"


def _engine(url: URL) -> Engine:
    if url.get_backend_name() == "postgresql":
        return create_engine(url, pool_pre_ping=True, pool_timeout=30, connect_args=POSTGRESQL)
    with suppress(OSError):  # said better when it is opened
        os.close(os.open(str(url.database), os.O_CREAT | os.O_WRONLY, 0o600))  # orders of all players: nobody else's
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS})
    event.listen(engine, "connect", _sqlite_connected)
    event.listen(engine, "begin", _sqlite_begins)
    return engine


def _sqlite_connected(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # the driver would begin late, and ask for the write lock later still
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _sqlite_begins(connection: Connection) -> None:
    only_reads = connection.get_execution_options().get(READING_ONLY, False)
    driven(connection, "BEGIN" if only_reads else "BEGIN IMMEDIATE")

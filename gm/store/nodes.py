"""Several nodes on one PostgreSQL: which one reads letters, polls the mailbox, writes the site; wake-ups between them.

A right is an advisory lock held by a session of its own. The session ends with its process, or when the server has
heard nothing from it for a while; then another node can take the right. Two holders for a moment do no harm, since
content keys and row locks decide; a right only saves work and keeps letters in order.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import structlog
from sqlalchemy import Engine, func, select, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from gm.store.row_mapping import CHANNEL

READING = 0x6772
POLLING = 0x676C
PUBLISHING = 0x6773
"""PostgreSQL advisory locks; `gm.store.mail_queues` and `gm.store.migrations` use others."""
SILENCE_SECONDS = 60
"""The server ends a session silent for so long, and with it the right."""
PATIENCE = 5.0
"""Seconds between checks whether the listener must end, and between attempts to connect."""

log = structlog.get_logger(__name__)


class NodeRight:
    """A right that one node at a time may hold. Call `beat` regularly to ask for it or keep it."""

    def __init__(self, engine: Engine, number: int) -> None:
        self._engine, self._number = engine, number
        self._connection: Connection | None = None

    @property
    def mine(self) -> bool:
        return self._connection is not None

    def beat(self) -> bool:
        """Returns whether this node has the right now; it is lost when the database is away or has no connection."""
        try:
            if self._connection is not None:
                self._connection.execute(text("SELECT 1"))
            else:
                self._connection = self._taken()
        except (DBAPIError, PoolTimeout):
            self.release()
        return self.mine

    def release(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(SQLAlchemyError):  # frees the lock at once; the server notices the end of a session later
                connection.execute(select(func.pg_advisory_unlock(self._number)))
            with suppress(DBAPIError):
                connection.invalidate()  # ends the session and with it the lock
                connection.close()

    def _taken(self) -> Connection | None:
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        try:
            if connection.execute(select(func.pg_try_advisory_lock(self._number))).scalar_one():
                connection.execute(text(f"SET idle_session_timeout = '{SILENCE_SECONDS}s'"))
                return connection
        except DBAPIError:
            connection.invalidate()
            raise
        connection.close()
        return None


class PermanentRight:
    """The right of the only node."""

    mine = True

    def beat(self) -> bool:
        return True

    def release(self) -> None:
        pass


@contextmanager
def turn(engine: Engine, number: int) -> Iterator[Callable[[], bool]]:
    """Holds a right during a block. Yields a function that says whether we have it; calling it keeps it."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        mine = bool(connection.execute(select(func.pg_try_advisory_lock(number))).scalar_one())
        try:
            if mine:
                connection.execute(text(f"SET idle_session_timeout = '{SILENCE_SECONDS}s'"))
            yield lambda: mine and _lives(connection)
        finally:
            if mine:
                _give_up(connection, number)


def _lives(connection: Connection) -> bool:
    try:
        connection.execute(text("SELECT 1"))
    except DBAPIError:
        connection.invalidate()
        return False
    return True


def _give_up(connection: Connection, number: int) -> None:
    if connection.invalidated:  # the session is gone, and so is the right
        return
    try:
        connection.execute(select(func.pg_advisory_unlock(number)))
        connection.execute(text("SET idle_session_timeout = 0"))
    except DBAPIError:
        connection.invalidate()


class NodeListener(threading.Thread):
    """Calls `ring` when another node has stored or queued a letter. A missed call only costs time."""

    def __init__(self, engine: Engine, ring: Callable[[], None]) -> None:
        super().__init__(name="gm-listener", daemon=True)
        self._engine, self._ring = engine, ring
        self._ending = threading.Event()
        self._problem = ""

    def stop(self) -> None:
        self._ending.set()

    def run(self) -> None:
        while not self._ending.is_set():
            try:
                self._listen()
            except Exception as error:
                self._complain(type(error).__name__, str(error))
                self._ending.wait(PATIENCE)

    def _complain(self, kind: str, message: str) -> None:
        """Logs each kind of error once: the messages differ by port and process from try to try."""
        if kind != self._problem:
            log.warning("not listening to other nodes for now", error=(message or kind).splitlines()[0])
        self._problem = kind

    def _listen(self) -> None:
        pooled = self._engine.raw_connection()
        driver: Any = pooled.driver_connection
        pooled.detach()
        try:
            driver.rollback()
            driver.autocommit = True
            driver.execute(f"LISTEN {CHANNEL}")
            if self._problem:
                log.info("listening to other nodes again")
            self._problem = ""
            self._ring()  # for letters that came while nobody listened
            while not self._ending.is_set():
                for _ in driver.notifies(timeout=PATIENCE, stop_after=1):
                    self._ring()
        finally:
            driver.close()

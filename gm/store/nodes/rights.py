"""Several nodes on one PostgreSQL: which one reads letters, polls the mailbox, writes the site.

A right is an advisory lock held by a session of its own. The session ends with its process, or when the server has
heard nothing from it for a while; then another node can take the right. Two holders for a moment do no harm, since
content keys and row locks decide; a right only saves work and keeps letters in order.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from sqlalchemy import Engine, func, select, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

READING = 0x6772
POLLING = 0x676C
PUBLISHING = 0x6773
SERVING = 0x6775
"""PostgreSQL advisory locks; `gm.store.queries.mail_queues` and `gm.store.schema.migrations` use others."""
SILENCE_SECONDS = 60
"""The server ends a session silent for so long, and with it the right."""
BEATS = 6
"""The session of a right is asked so often in that time."""


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


def claim_alone(connection: Connection) -> bool:
    """Whether no node serves, until this transaction ends; a node that starts meanwhile waits for its end."""
    if connection.dialect.name == "sqlite":  # its file lock says so
        return True
    return bool(connection.execute(select(func.pg_try_advisory_xact_lock(SERVING))).scalar_one())


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
            yield _Beats(connection) if mine else lambda: False
        finally:
            if mine:
                _give_up(connection, number)


class _Beats:
    """Whether the session of a right lives. It is asked often enough that the server does not end it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._asked_at = time.monotonic()

    def __call__(self) -> bool:
        if time.monotonic() - self._asked_at < SILENCE_SECONDS / BEATS:
            return not self._connection.invalidated
        self._asked_at = time.monotonic()
        try:
            self._connection.execute(text("SELECT 1"))
        except DBAPIError:
            self._connection.invalidate()
        return not self._connection.invalidated


def _give_up(connection: Connection, number: int) -> None:
    if connection.invalidated:  # the session is gone, and so is the right
        return
    try:
        connection.execute(select(func.pg_advisory_unlock(number)))
        connection.execute(text("SET idle_session_timeout = 0"))
    except DBAPIError:
        connection.invalidate()

"""What a transaction has read from a SQLite database stays known to those after it, until somebody else writes.

Letters about one game come together, and each asks for the same game, settings, seats and position. SQLite itself says
whether what was read is still so: it counts the rows that a connection changes, and tells it when another one has
committed. On PostgreSQL other nodes write at any time: each transaction reads for itself.
"""

from __future__ import annotations

from collections import defaultdict

from sqlalchemy import Connection

from gm.store.prepared_statements import driven, driver
from gm.store.row_mapping import Kept

MOST = 2000
"""So many answers at the most are kept."""


class ReadCache:
    """Used by whoever has the turn to write. `forget` after a transaction that failed: some of it never was."""

    def __init__(self) -> None:
        self._kept: Kept = defaultdict(dict)
        self._own: tuple[object, int] | None = None
        self._others = 0

    def still(self, connection: Connection) -> Kept:
        """What is known as the transaction begins. It has the write lock by now: nothing changes but by itself."""
        if connection.dialect.name != "sqlite":
            return defaultdict(dict)
        (others,) = driven(connection, "PRAGMA data_version").fetchone()
        crowded = sum(map(len, self._kept.values())) > MOST
        if crowded or (self._own, self._others) != (_own(connection), others):
            self._kept = defaultdict(dict)
            self._others = others
        return self._kept

    def keep(self, connection: Connection, kept: Kept) -> None:
        """As the transaction ends: it has seen to it that what it wrote over is not in `kept`."""
        if kept is self._kept:
            self._own = _own(connection)

    def forget(self) -> None:
        self._kept = defaultdict(dict)


def _own(connection: Connection) -> tuple[object, int]:
    """Another one after each row that was changed on this connection."""
    raw = driver(connection)
    return raw, raw.total_changes

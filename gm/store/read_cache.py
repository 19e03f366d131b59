"""Caches what queries have read, on SQLite also across transactions, until somebody writes. Only for speed.

Letters about one game come together, and each needs the same game, settings, seats and position. SQLite itself says
whether cached rows are current: it counts the rows that a connection changes and reports commits of other connections.
On PostgreSQL other nodes write at any time, so each transaction reads for itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast

from sqlalchemy import Connection, Table

from gm.store.prepared_statements import driver_connection, execute_raw

MOST = 2000
"""Answers kept."""
TableCache = defaultdict[str, dict[Any, Any]]
"""Answers of queries, by the table they were read from."""


class _Caching(Protocol):
    _cache: TableCache


T = TypeVar("T", bound=_Caching)
P = ParamSpec("P")
A = TypeVar("A")


def cached(table: Table) -> Callable[[Callable[Concatenate[T, P], A]], Callable[Concatenate[T, P], A]]:
    """Caches a method's answers until that table is written to.

    The answer must depend only on that table, or on what is never written without it.
    """

    def decorate(method: Callable[Concatenate[T, P], A]) -> Callable[Concatenate[T, P], A]:
        name, called = table.name, method.__qualname__

        @wraps(method)
        def read(self: T, *args: P.args, **named: P.kwargs) -> A:
            answers, key = self._cache[name], (called, args, *named.items()) if named else (called, args)
            try:
                answer: A = answers[key]
            except KeyError:
                answer = answers[key] = method(self, *args, **named)
            return answer

        return cast("Callable[Concatenate[T, P], A]", read)

    return decorate


class ReadCache:
    """Used by the thread that holds the writer's turn. Call `clear` after a transaction that failed."""

    def __init__(self) -> None:
        self._cache: TableCache = defaultdict(dict)
        self._own: tuple[object, int] | None = None
        self._others = 0

    def begin(self, connection: Connection) -> TableCache:
        """What is still current as a transaction begins, which has the write lock by now."""
        if connection.dialect.name != "sqlite":
            return defaultdict(dict)
        (others,) = execute_raw(connection, "PRAGMA data_version").fetchone()
        crowded = sum(map(len, self._cache.values())) > MOST
        if crowded or (self._own, self._others) != (_own_changes(connection), others):
            self.clear()
            self._others = others
        return self._cache

    def end(self, connection: Connection, cache: TableCache) -> None:
        """As a transaction ends, which has removed from `cache` what it has written over."""
        if cache is self._cache:
            self._own = _own_changes(connection)

    def clear(self) -> None:
        self._cache = defaultdict(dict)


def _own_changes(connection: Connection) -> tuple[object, int]:
    """Differs after each row that was changed on this connection."""
    raw = driver_connection(connection)
    return raw, raw.total_changes

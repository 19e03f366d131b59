"""Converts between records and rows by their fields' names; base class of all queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import cache
from importlib import import_module
from operator import itemgetter
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import Connection, CursorResult, Executable, Select, Table, bindparam, insert, select, update
from sqlalchemy.sql import ClauseElement

from gm.store.prepared_statements import PreparedStatement, Row
from gm.store.read_cache import TableCache


class Bell(StrEnum):
    """What there is to do for the workers of other nodes (`gm.store.nodes.bells`)."""

    LETTERS = "letters"
    """Letters to read."""
    OUTBOX = "outbox"
    """Letters to send."""
    PICTURES = "pictures"
    """Maps to draw."""
    EVENTS = "events"
    """Something to tell the public."""


LOCKS = "locked games"
"""Their place in a transaction's cache, where tables have theirs."""
R = TypeVar("R", bound=Struct)
A = TypeVar("A")


def record(kind: type[R], row: Row, **more: object) -> R:
    """`more`: fields from other tables."""
    if not more:  # fast path
        return kind(*_fields_of(kind)(row))
    return kind(**{name: row[name] for name in kind.__struct_fields__ if name not in more}, **more)


@cache
def _fields_of(kind: type[Struct]) -> itemgetter[tuple[Any, ...]]:
    return itemgetter(*kind.__struct_fields__)


def values(struct: Struct, without: Iterable[str] = ("id",)) -> dict[str, object]:
    row: dict[str, object] = asdict(struct)
    for name in without:
        row.pop(name, None)
    return row


@cache
def by(table: Table, column: str, *, order: str = "") -> PreparedStatement:
    """The rows where the column equals the parameter `value`."""
    query = select(table).where(table.c[column] == bindparam("value"))
    return PreparedStatement(query.order_by(table.c[order]) if order else query)


def claim(query: Select[Any]) -> Select[Any]:
    """Locks the rows and skips those that another node has locked. Without effect on SQLite, which has one writer."""
    return query.with_for_update(skip_locked=True)


class Queries:
    """A part of the store: queries on one connection, in one transaction."""

    def __init__(self, connection: Connection, cache: TableCache | None = None) -> None:
        self._connection = connection
        self._cache = defaultdict(dict) if cache is None else cache

    def _one(self, query: PreparedStatement | Select[Any], **values: object) -> Row | None:
        rows = self._all(query, **values)
        return rows[0] if rows else None

    def _all(self, query: PreparedStatement | Select[Any], **values: object) -> Sequence[Row]:
        if isinstance(query, PreparedStatement):
            return query.rows(self._connection, values)
        return self._connection.execute(query, values).mappings().all()

    def _by_id(self, table: Table, key: int) -> Row:
        row = self._one(by(table, "id"), value=key)
        if row is None:
            raise KeyError(f"no {table.name} {key}")
        return row

    def _set_cached(self, table: Table, method: Callable[..., A | None], args: tuple[object, ...], answer: A) -> None:
        """Stores the answer of a `cached` method, after a write that determines it."""
        self._cache[table.name][method.__qualname__, args] = answer

    @property
    def _shared(self) -> bool:
        """Whether other nodes may write at the same time (PostgreSQL)."""
        return self._connection.dialect.name != "sqlite"

    def _ring(self, bell: Bell) -> None:
        """Wakes the other nodes when this transaction has committed."""
        if self._shared:
            self._connection.info.setdefault(Bell, set()).add(bell)

    def _clear_after_wait(self) -> None:
        """Clears the cache: waiting for a lock may have meant waiting for a writer."""
        if self._shared:
            locks = self._locks
            self._cache.clear()
            self._cache[LOCKS] = locks

    @property
    def _locks(self) -> dict[int, None]:
        """The games that this transaction has locked (PostgreSQL)."""
        return self._cache[LOCKS]

    def _write(self, table: Table, query: Executable, rows: object = None) -> CursorResult[Any]:
        self._cache[table.name].clear()
        return self._connection.execute(query, rows)  # type: ignore[call-overload, no-any-return]

    def _insert(self, table: Table, row: dict[str, object]) -> int:
        self._cache[table.name].clear()
        return int(_insert_statement(table, tuple(row), returning=self._shared).insert(self._connection, row))

    def _update(self, table: Table, key: int, row: dict[str, object]) -> None:
        """Values that the database computes are expressions."""
        if any(isinstance(value, ClauseElement) for value in row.values()):
            changed = self._write(table, update(table).where(table.c.id == key).values(row)).rowcount
        else:
            self._cache[table.name].clear()
            changed = _update_statement(table, tuple(row)).change(self._connection, row | {"its_id": key})
        if changed != 1:
            raise KeyError(f"no {table.name} {key}")

    def _insert_once(self, table: Table, row: dict[str, object], unique: tuple[str, ...]) -> Any:
        """The new row's key; None if a row with the same `unique` columns exists."""
        self._cache[table.name].clear()
        return self._insert_uncached(table, row, unique)

    def _insert_uncached(self, table: Table, row: dict[str, object], unique: tuple[str, ...]) -> Any:
        """The same, but keeps the cache of the table, which the caller corrects (`_set_cached`)."""
        query = _insert_once_statement(table, tuple(row), unique, self._connection.dialect.name)
        return query.insert(self._connection, row)


@cache
def _insert_statement(table: Table, columns: tuple[str, ...], *, returning: bool) -> PreparedStatement:
    query = insert(table)
    return PreparedStatement(query.returning(table.c.id) if returning else query, columns)


@cache
def _update_statement(table: Table, columns: tuple[str, ...]) -> PreparedStatement:
    changed: dict[str, Any] = {name: bindparam(name) for name in columns}
    return PreparedStatement(update(table).where(table.c.id == bindparam("its_id")).values(changed))


@cache
def _insert_once_statement(
    table: Table, columns: tuple[str, ...], unique: tuple[str, ...], dialect: str
) -> PreparedStatement:
    insert_of = import_module(f"sqlalchemy.dialects.{dialect}").insert  # the dialect of PostgreSQL is slow to import
    query = insert_of(table).on_conflict_do_nothing(index_elements=unique)
    if dialect != "sqlite":  # whose driver tells the row's number: to return it costs a table in memory
        query = query.returning(*table.primary_key)
    return PreparedStatement(query, columns)

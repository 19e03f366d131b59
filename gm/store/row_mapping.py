"""Records <-> rows, by the names of their fields; and the helpers every query is made with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from msgspec import Struct
from sqlalchemy import (
    Connection,
    CursorResult,
    Executable,
    Select,
    Table,
    bindparam,
    insert,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql import ClauseElement

from gm.store.prepared_statements import PreparedStatement, Row

R = TypeVar("R", bound=Struct)
T = TypeVar("T", bound="Queries")
P = ParamSpec("P")
A = TypeVar("A")
Kept = defaultdict[str, dict[Any, Any]]
"""What was read, by the table it stands in."""


def record(kind: type[R], row: Row, **more: object) -> R:
    """`more` are fields that stand in other tables."""
    return kind(**{name: row[name] for name in kind.__struct_fields__ if name not in more}, **more)


def values(one: Struct, without: Iterable[str] = ("id",)) -> dict[str, object]:
    return {name: getattr(one, name) for name in one.__struct_fields__ if name not in without}


def once(table: Table) -> Callable[[Callable[Concatenate[T, P], A]], Callable[Concatenate[T, P], A]]:
    """A method's answer is kept until that table is written to, at least for the transaction
    (`gm.store.read_cache`). So it
    must depend on nothing else, or on what is never written without this table.
    """

    def keeping(method: Callable[Concatenate[T, P], A]) -> Callable[Concatenate[T, P], A]:
        name, called = table.name, method.__qualname__

        @wraps(method)
        def remembered(self: T, *args: P.args, **named: P.kwargs) -> A:
            kept, key = self._kept[name], (called, *args, *named.items())
            if key not in kept:
                kept[key] = method(self, *args, **named)
            answer: A = kept[key]
            return answer

        return cast("Callable[Concatenate[T, P], A]", remembered)

    return keeping


@cache
def by(table: Table, column: str, *, lock: bool = False, order: str = "") -> PreparedStatement:
    """The rows with one value in a column, which is `value` when it is asked."""
    query = select(table).where(table.c[column] == bindparam("value"))
    query = query.order_by(table.c[order]) if order else query
    return PreparedStatement(query.with_for_update() if lock else query)


def claim(query: Select[Any]) -> Select[Any]:
    """Locks what the query finds, passing over what another node has locked. SQLite has one writer: nothing to do."""
    return query.with_for_update(skip_locked=True)


class Queries:
    """A part of the store: its queries, on one connection and so in one transaction."""

    def __init__(self, connection: Connection, kept: Kept | None = None) -> None:
        self._connection = connection
        self._kept = defaultdict(dict) if kept is None else kept

    def _one(self, query: PreparedStatement | Select[Any], **values: object) -> Row | None:
        return next(iter(self._all(query, **values)), None)

    def _all(self, query: PreparedStatement | Select[Any], **values: object) -> Sequence[Row]:
        if isinstance(query, PreparedStatement):
            return query.rows(self._connection, values)
        return self._connection.execute(query, values).mappings().all()

    def _by_id(self, table: Table, key: int, *, lock: bool = False) -> Row:
        if lock:
            self._waited()
        row = self._one(by(table, "id", lock=lock), value=key)
        if row is None:
            raise KeyError(f"no {table.name} {key}")
        return row

    def _known(self, table: Table, method: Callable[..., A], args: tuple[object, ...], answer: A) -> None:
        """What a method that is asked `once` is to answer, after a write that tells so."""
        self._kept[table.name][method.__qualname__, *args] = answer

    @property
    def _shared(self) -> bool:
        """Others may write at the same time; on SQLite there is one writer, and all it has read stays true."""
        return self._connection.dialect.name != "sqlite"

    def _waited(self) -> None:
        """Whoever takes a lock may have had to wait for somebody who wrote."""
        if self._shared:
            self._kept.clear()

    def _write(self, table: Table, query: Executable, rows: object = None) -> CursorResult[Any]:
        self._kept[table.name].clear()
        return self._connection.execute(query, rows)  # type: ignore[call-overload, no-any-return]

    def _insert(self, table: Table, row: dict[str, object]) -> int:
        self._kept[table.name].clear()
        return int(_inserting(table, tuple(row)).rows(self._connection, row)[0]["id"])

    def _update(self, table: Table, key: int, row: dict[str, object]) -> None:
        """Values that the database reckons by itself are expressions."""
        if any(isinstance(value, ClauseElement) for value in row.values()):
            changed = self._write(table, update(table).where(table.c.id == key).values(row)).rowcount
        else:
            self._kept[table.name].clear()
            changed = _updating(table, tuple(row)).change(self._connection, row | {"its_id": key})
        if changed != 1:
            raise KeyError(f"no {table.name} {key}")

    def _insert_once(self, table: Table, row: dict[str, object], unique: tuple[str, ...]) -> Any:
        """The new row's key; None where one with the same `unique` columns is there, also by another node just now."""
        self._kept[table.name].clear()
        return self._insert_beside(table, row, unique)

    def _insert_beside(self, table: Table, row: dict[str, object], unique: tuple[str, ...]) -> Any:
        """The same, where what is known of the table stays true but for what the caller then says (`_known`)."""
        query = _inserting_once(table, tuple(row), unique, self._connection.dialect.name)
        return next((key for new in query.rows(self._connection, row) for key in new.values()), None)


@cache
def _inserting(table: Table, columns: tuple[str, ...]) -> PreparedStatement:
    return PreparedStatement(insert(table).returning(table.c.id), columns)


@cache
def _updating(table: Table, columns: tuple[str, ...]) -> PreparedStatement:
    changed: dict[str, Any] = {name: bindparam(name) for name in columns}
    return PreparedStatement(update(table).where(table.c.id == bindparam("its_id")).values(changed))


@cache
def _inserting_once(table: Table, columns: tuple[str, ...], unique: tuple[str, ...], dialect: str) -> PreparedStatement:
    made = (postgresql if dialect == "postgresql" else sqlite).insert(table)
    kept = made.on_conflict_do_nothing(index_elements=unique).returning(*table.primary_key)
    return PreparedStatement(kept, columns)

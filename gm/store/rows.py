"""Records <-> rows, by the names of their fields; and the helpers every query is made with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, ParamSpec, Protocol, TypeVar, cast

from sqlalchemy import (
    Connection,
    CursorResult,
    Executable,
    RowMapping,
    Select,
    Table,
    bindparam,
    insert,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql import ClauseElement
from sqlalchemy.sql.dml import ReturningInsert

if TYPE_CHECKING:
    from dataclasses import Field


class Record(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


R = TypeVar("R", bound=Record)
T = TypeVar("T", bound="Tables")
P = ParamSpec("P")
A = TypeVar("A")
Kept = defaultdict[str, dict[Any, Any]]
"""What was read in a transaction, by the table it stands in."""


def record(kind: type[R], row: RowMapping, **more: object) -> R:
    """`more` are fields that stand in other tables."""
    return kind(**{one.name: row[one.name] for one in fields(kind) if one.name not in more}, **more)


def values(one: Record, without: Iterable[str] = ("id",)) -> dict[str, object]:
    return {field.name: getattr(one, field.name) for field in fields(one) if field.name not in set(without)}


def once(table: Table) -> Callable[[Callable[Concatenate[T, P], A]], Callable[Concatenate[T, P], A]]:
    """A method's answer is kept for the transaction, until that table is written to."""

    def keeping(method: Callable[Concatenate[T, P], A]) -> Callable[Concatenate[T, P], A]:
        @wraps(method)
        def remembered(self: T, *args: P.args, **named: P.kwargs) -> A:
            kept, key = self._kept[table.name], (method.__qualname__, *args, *named.items())
            if key not in kept:
                kept[key] = method(self, *args, **named)
            answer: A = kept[key]
            return answer

        return cast("Callable[Concatenate[T, P], A]", remembered)

    return keeping


@cache
def by(table: Table, column: str, *, lock: bool = False, order: str = "") -> Select[Any]:
    """The rows with one value in a column, which is `value` when it is executed. Made once: making costs more than
    asking.
    """
    query = select(table).where(table.c[column] == bindparam("value"))
    query = query.order_by(table.c[order]) if order else query
    return query.with_for_update() if lock else query


def claim(query: Select[Any]) -> Select[Any]:
    """Locks what the query finds, passing over what another node has locked. SQLite has one writer: nothing to do."""
    return query.with_for_update(skip_locked=True)


class Tables:
    """A part of the store: its queries, on one connection and so in one transaction."""

    def __init__(self, connection: Connection, kept: Kept | None = None) -> None:
        self._connection = connection
        self._kept = defaultdict(dict) if kept is None else kept

    def _one(self, query: Select[Any], **values: object) -> RowMapping | None:
        return self._connection.execute(query, values).mappings().first()

    def _all(self, query: Select[Any], **values: object) -> Iterable[RowMapping]:
        return self._connection.execute(query, values).mappings().all()

    def _by_id(self, table: Table, key: int, *, lock: bool = False) -> RowMapping:
        if lock:
            self._waited()
        row = self._one(by(table, "id", lock=lock), value=key)
        if row is None:
            raise KeyError(f"no {table.name} {key}")
        return row

    def _waited(self) -> None:
        """Whoever takes a lock may have had to wait for somebody who wrote; on SQLite there is one writer."""
        if self._connection.dialect.name != "sqlite":
            self._kept.clear()

    def _write(self, table: Table, query: Executable, rows: object = None) -> CursorResult[Any]:
        self._kept[table.name].clear()
        return self._connection.execute(query, rows)  # type: ignore[call-overload, no-any-return]

    def _insert(self, table: Table, row: dict[str, object]) -> int:
        key = self._write(table, _inserting(table), row).scalar_one()
        return int(key)

    def _update(self, table: Table, key: int, row: dict[str, object]) -> None:
        plain = not any(isinstance(value, ClauseElement) for value in row.values())
        if plain:
            done = self._write(table, _updating(table, tuple(row)), row | {"its_id": key})
        else:
            done = self._write(table, update(table).where(table.c.id == key).values(row))
        if done.rowcount != 1:
            raise KeyError(f"no {table.name} {key}")

    def _insert_once(self, table: Table, row: dict[str, object], unique: tuple[str, ...]) -> Any:
        """The new row's key; None where one with the same `unique` columns is there, also by another node just now."""
        query = _inserting_once(table, unique, self._connection.dialect.name)
        return self._write(table, query, row).scalar_one_or_none()


@cache
def _inserting(table: Table) -> ReturningInsert[Any]:
    return insert(table).returning(table.c.id)


@cache
def _updating(table: Table, columns: tuple[str, ...]) -> Executable:
    return update(table).where(table.c.id == bindparam("its_id")).values({name: bindparam(name) for name in columns})


@cache
def _inserting_once(table: Table, unique: tuple[str, ...], dialect: str) -> ReturningInsert[Any]:
    made = (postgresql if dialect == "postgresql" else sqlite).insert(table)
    kept: ReturningInsert[Any] = made.on_conflict_do_nothing(index_elements=unique).returning(*table.primary_key)
    return kept

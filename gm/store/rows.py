"""Records <-> rows, by the names of their fields; and the helpers every query is made with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from sqlalchemy import Connection, RowMapping, Select, Table, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

if TYPE_CHECKING:
    from dataclasses import Field


class Record(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


R = TypeVar("R", bound=Record)


def record(kind: type[R], row: RowMapping, **more: object) -> R:
    """`more` are fields that stand in other tables."""
    return kind(**{one.name: row[one.name] for one in fields(kind) if one.name not in more}, **more)


def values(one: Record, without: Iterable[str] = ("id",)) -> dict[str, object]:
    return {field.name: getattr(one, field.name) for field in fields(one) if field.name not in set(without)}


def claim(query: Select[Any]) -> Select[Any]:
    """Locks what the query finds, passing over what another node has locked. SQLite has one writer: nothing to do."""
    return query.with_for_update(skip_locked=True)


class Tables:
    """A part of the store: its queries, on one connection and so in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def _one(self, query: Select[Any]) -> RowMapping | None:
        return self._connection.execute(query).mappings().first()

    def _all(self, query: Select[Any]) -> Iterable[RowMapping]:
        return self._connection.execute(query).mappings().all()

    def _by_id(self, table: Table, key: int, *, lock: bool = False) -> RowMapping:
        query = select(table).where(table.c.id == key)
        row = self._one(query.with_for_update() if lock else query)
        if row is None:
            raise KeyError(f"no {table.name} {key}")
        return row

    def _insert(self, table: Table, row: dict[str, object]) -> int:
        key = self._connection.execute(insert(table).values(row).returning(table.c.id)).scalar_one()
        return int(key)

    def _update(self, table: Table, key: int, row: dict[str, object]) -> None:
        if self._connection.execute(update(table).where(table.c.id == key).values(row)).rowcount != 1:
            raise KeyError(f"no {table.name} {key}")

    def _insert_once(self, table: Table, row: dict[str, object], unique: tuple[str, ...]) -> Any:
        """The new row's key; None where one with the same `unique` columns is there, also by another node just now."""
        dialect = postgresql if self._connection.dialect.name == "postgresql" else sqlite
        query = dialect.insert(table).values(row).on_conflict_do_nothing(index_elements=unique)
        return self._connection.execute(query.returning(*table.primary_key)).scalar_one_or_none()

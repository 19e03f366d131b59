"""A whole database as text, and back: the form of `gm backup`, the same for SQLite and PostgreSQL.

JSON lines, gzipped by the caller. The first is {"gm": version, "schema": revision, "at": instant, "secret": text or
null}; then for each table {"table": name, "columns": [...]} and its rows as lists; the last is {"rows": number}, so
that a file cut short is known. Instants are ISO 8601 in UTC, bytes base64; other columns as they stand in the tables.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import Column, Connection, LargeBinary, Table, func, insert, select, text
from sqlalchemy.types import TypeDecorator

from gm.errors import GmError
from gm.store.column_types import InstantColumn
from gm.store.tables import metadata

BATCH = 500


def dump(connection: Connection, head: dict[str, object]) -> Iterator[str]:
    """Everything, as the connection's transaction sees it."""
    rows = 0
    yield _line(head)
    for table in metadata.sorted_tables:
        yield _line({"table": table.name, "columns": [column.name for column in table.columns]})
        for row in connection.execution_options(yield_per=BATCH).execute(select(table)):
            rows += 1
            yield _line([_told(connection, column, row[at]) for at, column in enumerate(table.columns)])
    yield _line({"rows": rows})


def head_of(lines: Iterator[str]) -> dict[str, Any]:
    """The first line of a dump. GmError when it is none."""
    try:
        head = json.loads(next(lines))
    except (StopIteration, ValueError):
        head = None
    if not isinstance(head, dict) or "gm" not in head:
        raise GmError("this is no backup of gm's")
    return head


def load(connection: Connection, lines: Iterable[str]) -> int:
    """The lines after the head into tables that are empty; how many rows. GmError when the backup is not whole."""
    rows, ended = 0, None
    table: Table | None = None
    columns: list[Column[Any]] = []
    batch: list[dict[str, object]] = []
    for line in lines:
        told = json.loads(line)
        if isinstance(told, list) and table is not None:
            rows += 1
            batch.append({c.name: _read(connection, c, value) for c, value in zip(columns, told, strict=True)})
        if isinstance(told, dict) or len(batch) >= BATCH:
            _put(connection, table, batch)
        if isinstance(told, dict) and "table" in told:
            table = metadata.tables[told["table"]]
            columns = [table.columns[name] for name in told["columns"]]
        elif isinstance(told, dict):
            ended = told.get("rows")
    if ended != rows:
        raise GmError(f"the backup is not whole: it breaks off after {rows} rows")
    _count_on(connection)
    return rows


def alone(connection: Connection) -> None:
    """Others wait until this transaction ends, or what they are in the middle of would stand half in what it leaves."""
    if connection.dialect.name == "postgresql":
        names = ", ".join(f'"{table.name}"' for table in metadata.sorted_tables)
        connection.execute(text(f"LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE"))


def empty(connection: Connection) -> bool:
    """Is there no row in any table?"""
    return not any(connection.execute(select(table).limit(1)).first() for table in metadata.sorted_tables)


def clear(connection: Connection) -> None:
    for table in reversed(metadata.sorted_tables):
        connection.execute(table.delete())


def _put(connection: Connection, table: Table | None, batch: list[dict[str, object]]) -> None:
    if table is not None and batch:
        connection.execute(insert(table), batch)
    batch.clear()


def _count_on(connection: Connection) -> None:
    """PostgreSQL numbers new rows by a counter that knows nothing of the rows put in."""
    if connection.dialect.name != "postgresql":
        return
    for table in metadata.sorted_tables:
        if "id" in table.columns:
            most = connection.execute(select(func.max(table.c.id))).scalar_one() or 0
            counter = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :next, false)")
            connection.execute(counter, {"name": f'"{table.name}"', "next": most + 1})


def _told(connection: Connection, column: Column[Any], value: Any) -> object:
    kind = column.type
    if isinstance(kind, InstantColumn):
        return None if value is None else value.isoformat()
    if isinstance(kind, LargeBinary):
        return base64.b64encode(value).decode()
    write = kind.bind_processor(connection.dialect) if isinstance(kind, TypeDecorator) else None
    return write(value) if write else value


def _read(connection: Connection, column: Column[Any], told: Any) -> object:
    kind = column.type
    if isinstance(kind, InstantColumn):
        return None if told is None else datetime.fromisoformat(told)
    if isinstance(kind, LargeBinary):
        return base64.b64decode(told)
    read = kind.result_processor(connection.dialect, None) if isinstance(kind, TypeDecorator) else None
    return read(told) if read else told


def _line(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))

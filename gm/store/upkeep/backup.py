"""The format of `gm backup`: a whole database as JSON lines, the same for SQLite and PostgreSQL.

The first line is {"gm": version, "schema": revision, "at": instant, "secret": text or null}. Each table follows as
{"table": name, "columns": [...]} and its rows as lists. The last line is {"rows": number}, so that a truncated file is
recognised. Instants are ISO 8601 in UTC, bytes base64; other columns as stored. The caller gzips the lines.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import Column, Connection, LargeBinary, Table, func, insert, select, text
from sqlalchemy.types import TypeDecorator

from gm.store.schema.column_types import InstantColumn
from gm.store.schema.tables import metadata

BATCH = 500


def dump(connection: Connection, head: dict[str, object]) -> Iterator[str]:
    """All lines; the connection's transaction must see one consistent state."""
    rows = 0
    yield _line(head)
    for table in metadata.sorted_tables:
        yield _line({"table": table.name, "columns": [column.name for column in table.columns]})
        for row in connection.execution_options(yield_per=BATCH).execute(select(table)):
            rows += 1
            yield _line([_to_json(connection, column, row[at]) for at, column in enumerate(table.columns)])
    yield _line({"rows": rows})


def head_of(lines: Iterator[str]) -> dict[str, Any]:
    """The first line of a dump. Raises ValueError when it is none."""
    try:
        head = json.loads(next(lines, ""))
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict) or "gm" not in head:
        raise ValueError("its first line is not ours")
    return head


def require_whole(lines: Iterable[str]) -> None:
    """Raises ValueError unless these are all lines of a dump: nothing is read of the rows."""
    rows, last = 0, ""
    for line in lines:
        rows += line.startswith("[")
        last = line
    if last.strip() != _line({"rows": rows}):
        raise ValueError(f"it breaks off after {rows} rows")


def load(connection: Connection, lines: Iterable[str]) -> int:
    """Load the lines after the head into empty tables; returns the number of rows. Raises ValueError."""
    rows = 0
    table: Table | None = None
    columns: list[Column[Any]] = []
    batch: list[dict[str, object]] = []
    for line in lines:
        value = json.loads(line)
        if isinstance(value, list) and table is not None:
            rows += 1
            batch.append({c.name: _from_json(connection, c, cell) for c, cell in zip(columns, value, strict=True)})
        if isinstance(value, dict) or len(batch) >= BATCH:
            _insert_batch(connection, table, batch)
        if isinstance(value, dict) and "table" in value:
            table, columns = _place_of(value)
    _advance_sequences(connection)
    return rows


def _place_of(value: dict[str, Any]) -> tuple[Table, list[Column[Any]]]:
    try:
        table = metadata.tables[value["table"]]
        return table, [table.columns[name] for name in value["columns"]]
    except KeyError as error:
        raise ValueError(f"it has {error}, which we do not know") from None


def lock_tables(connection: Connection) -> None:
    """Makes other nodes wait until this transaction ends."""
    if connection.dialect.name == "postgresql":
        names = ", ".join(f'"{table.name}"' for table in metadata.sorted_tables)
        connection.execute(text(f"LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE"))


def is_empty(connection: Connection) -> bool:
    return not any(connection.execute(select(table).limit(1)).first() for table in metadata.sorted_tables)


def clear(connection: Connection) -> None:
    for table in reversed(metadata.sorted_tables):
        connection.execute(table.delete())


def _insert_batch(connection: Connection, table: Table | None, batch: list[dict[str, object]]) -> None:
    if table is not None and batch:
        connection.execute(insert(table), batch)
    batch.clear()


def _advance_sequences(connection: Connection) -> None:
    """Tells PostgreSQL's sequences about the rows that were loaded with their ids."""
    if connection.dialect.name != "postgresql":
        return
    for table in metadata.sorted_tables:
        if "id" in table.columns:
            most = connection.execute(select(func.max(table.c.id))).scalar_one() or 0
            counter = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :next, false)")
            connection.execute(counter, {"name": f'"{table.name}"', "next": most + 1})


def _to_json(connection: Connection, column: Column[Any], value: Any) -> object:
    kind = column.type
    if isinstance(kind, InstantColumn):
        return None if value is None else value.isoformat()
    if isinstance(kind, LargeBinary):
        return base64.b64encode(value).decode()
    write = kind.bind_processor(connection.dialect) if isinstance(kind, TypeDecorator) else None
    return write(value) if write else value


def _from_json(connection: Connection, column: Column[Any], value: Any) -> object:
    kind = column.type
    if isinstance(kind, InstantColumn):
        return None if value is None else datetime.fromisoformat(value)
    if isinstance(kind, LargeBinary):
        return base64.b64decode(value)
    read = kind.result_processor(connection.dialect, None) if isinstance(kind, TypeDecorator) else None
    return read(value) if read else value


def _line(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))

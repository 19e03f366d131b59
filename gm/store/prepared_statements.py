"""Statements asked again and again, made ready for the driver once.

SQLAlchemy writes the SQL and knows how each value is kept; handing a statement to the driver costs it ten times what
SQLite takes to answer, and a letter asks a dozen. So what is always the same is compiled once for each kind of
database, and only its values go through their columns' types. Faults of the driver are raised as SQLAlchemy's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Dialect, Executable, RowMapping
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql import ClauseElement
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.types import TypeEngine

Row = Mapping[str, Any] | RowMapping
A = TypeVar("A")
Process = Callable[[Any], Any] | None
ASKED = object()
"""Stands where a value is put in when the statement is asked."""


class _Value(NamedTuple):
    """A value the SQL has a place for: given when it is asked (`fixed` is ASKED), or always the same."""

    name: str
    process: Process
    fixed: object


class _Ready:
    """A statement's SQL for one kind of database."""

    def __init__(self, statement: Executable, dialect: Dialect, given: Iterable[str] | None) -> None:
        assert isinstance(statement, ClauseElement)
        made = statement.compile(dialect=dialect, column_keys=None if given is None else list(given))
        assert isinstance(made, SQLCompiler)
        assert not made.post_compile_params, "a list of values has no SQL of its own"
        self.sql = made.string
        self._dialect = dialect
        self._named = made.positiontup is None
        names = made.params if made.positiontup is None else made.positiontup
        self._values = [_value(made, name, dialect) for name in names]
        self._columns = tuple(getattr(statement, "exported_columns", ()))
        self._names = tuple(column.name for column in self._columns)
        self._processes: list[tuple[str, Callable[[Any], Any]]] | None = None

    def filled(self, asked: Mapping[str, object]) -> Any:
        """As the driver takes values: in their order, or by their names."""
        found = [
            (fixed if fixed is not ASKED else process(asked[name]) if process else asked[name])
            for name, process, fixed in self._values
        ]
        return {one.name: value for one, value in zip(self._values, found, strict=True)} if self._named else found

    def told(self, cursor: Any) -> list[Row]:
        """What is found, by the names of its columns. Most columns are as the driver gives them."""
        found = [dict(zip(self._names, row, strict=True)) for row in cursor.fetchall()]
        if found and self._processes is None:  # not before the driver has said of which kind each column is
            self._processes = [
                (column.name, process)
                for column, about in zip(self._columns, cursor.description, strict=True)
                if (process := column.type.dialect_impl(self._dialect).result_processor(self._dialect, about[1]))
            ]
        for row in found:
            for name, process in self._processes or ():
                row[name] = process(row[name])
        return found  # type: ignore[return-value]


class PreparedStatement:
    """Keep it: it is worth its making from the second time on. `given`: the columns an insert fills in."""

    def __init__(self, statement: Executable, given: Iterable[str] | None = None) -> None:
        self._statement, self._given = statement, given
        self._ready: dict[str, _Ready] = {}

    def rows(self, connection: Connection, asked: Mapping[str, object]) -> list[Row]:
        return self._run(connection, asked, _Ready.told)

    def change(self, connection: Connection, asked: Mapping[str, object]) -> int:
        """How many rows were changed."""
        return self._run(connection, asked, lambda _, cursor: int(cursor.rowcount))

    def _run(self, connection: Connection, asked: Mapping[str, object], answer: Callable[[_Ready, Any], A]) -> A:
        dialect = connection.dialect
        ready = self._ready.get(dialect.name)
        if ready is None:
            ready = self._ready[dialect.name] = _Ready(self._statement, dialect, self._given)
        values, raw = ready.filled(asked), driver(connection)
        try:
            cursor = raw.cursor()
            cursor.execute(ready.sql, values)
            return answer(ready, cursor)
        except dialect.loaded_dbapi.Error as error:
            raise _fault(connection, raw, ready.sql, values, error) from error


def driven(connection: Connection, words: str) -> Any:
    """The cursor of a statement in the driver's own words: what begins a transaction, or asks about it."""
    raw = driver(connection)
    try:
        return raw.execute(words)
    except connection.dialect.loaded_dbapi.Error as error:
        raise _fault(connection, raw, words, (), error) from error


def driver(connection: Connection) -> Any:
    """The driver's own connection: the pool's, around it, looks for each name it is asked for."""
    return connection.connection.dbapi_connection


def _fault(connection: Connection, raw: Any, sql: str, values: Any, error: Exception) -> BaseException:
    """As SQLAlchemy tells of it. A connection that is lost is not used again; the driver's own (`raw`) knows."""
    dialect = connection.dialect
    driver: Any = dialect.loaded_dbapi
    lost = dialect.is_disconnect(error, raw, None)  # type: ignore[arg-type]
    fault = DBAPIError.instance(sql, values, error, driver.Error, connection_invalidated=lost, dialect=dialect)
    if lost:
        connection.invalidate(error)
    return fault


def _value(made: SQLCompiler, name: str, dialect: Dialect) -> _Value:
    """What stands in the statement itself is the same each time."""
    bind = made.binds[name]
    kind: TypeEngine[Any] = bind.type
    process = kind.dialect_impl(dialect).bind_processor(dialect)
    if bind.required:
        return _Value(name, process, ASKED)
    return _Value(name, None, process(bind.value) if process else bind.value)

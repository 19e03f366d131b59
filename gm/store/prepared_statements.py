"""Prepared statements: SQL compiled once and handed straight to the driver. Only for speed.

SQLAlchemy writes the SQL and converts values, but passing a statement through it costs ten times what SQLite needs to
answer, and a letter takes a dozen of them. Errors of the driver are raised as SQLAlchemy's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Dialect, Executable, RowMapping
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql import ClauseElement
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.types import TypeEngine

Row = Mapping[str, Any] | RowMapping
A = TypeVar("A")
Process = Callable[[Any], Any] | None
GIVEN = object()
"""Marks a parameter whose value is given with each execution."""


class _Parameter(NamedTuple):
    name: str
    process: Process
    fixed: object


class _CompiledStatement:
    """A statement's SQL for one kind of database."""

    def __init__(self, statement: Executable, dialect: Dialect, given: Iterable[str] | None) -> None:
        assert isinstance(statement, ClauseElement)
        compiled = statement.compile(dialect=dialect, column_keys=None if given is None else list(given))
        assert isinstance(compiled, SQLCompiler)
        assert not compiled.post_compile_params, "a list of values has no SQL of its own"
        self.sql = compiled.string
        self._dialect = dialect
        self._named = compiled.positiontup is None
        names = compiled.params if compiled.positiontup is None else compiled.positiontup
        parameters = [_parameter(compiled, name, dialect) for name in names]
        self._parameter_names = [parameter.name for parameter in parameters]
        self._fixed = [None if parameter.fixed is GIVEN else parameter.fixed for parameter in parameters]
        given_ones = [(at, parameter) for at, parameter in enumerate(parameters) if parameter.fixed is GIVEN]
        self._plain = [(at, parameter.name) for at, parameter in given_ones if parameter.process is None]
        self._processed = [
            (at, parameter.name, parameter.process) for at, parameter in given_ones if parameter.process is not None
        ]
        self._columns = tuple(getattr(statement, "exported_columns", ()))
        self._names = tuple(column.name for column in self._columns)
        self._processes: list[tuple[str, Callable[[Any], Any]]] | None = None

    def bind(self, given: Mapping[str, object]) -> Any:
        """The values as the driver takes them: in order, or by name."""
        values = self._fixed.copy()
        for at, name in self._plain:
            values[at] = given[name]
        for at, name, process in self._processed:
            values[at] = process(given[name])
        return dict(zip(self._parameter_names, values, strict=True)) if self._named else values

    def fetch(self, cursor: Any) -> list[Row]:
        """All rows by column name, converted where the column's type needs it."""
        fetched = cursor.fetchall()
        if not fetched:
            return []
        rows = [dict(zip(self._names, row, strict=True)) for row in fetched]
        if self._processes is None:  # the driver knows the columns' types only after the first execution
            self._processes = [
                (column.name, process)
                for column, about in zip(self._columns, cursor.description, strict=True)
                if (process := column.type.dialect_impl(self._dialect).result_processor(self._dialect, about[1]))
            ]
        if self._processes:
            for row in rows:
                for name, process in self._processes:
                    row[name] = process(row[name])
        return rows  # type: ignore[return-value]


class PreparedStatement:
    """Compiles at its first use, so keep it. `given`: the columns that an insert fills in."""

    def __init__(self, statement: Executable, given: Iterable[str] | None = None) -> None:
        self._statement, self._given = statement, given
        self._compiled: dict[str, _CompiledStatement] = {}

    def rows(self, connection: Connection, given: Mapping[str, object]) -> list[Row]:
        return self._run(connection, given, _CompiledStatement.fetch)

    def change(self, connection: Connection, given: Mapping[str, object]) -> int:
        """Executes an update; returns the number of changed rows."""
        return self._run(connection, given, lambda _, cursor: int(cursor.rowcount))

    def change_each(self, connection: Connection, rows: Sequence[Mapping[str, object]]) -> None:
        """Executes a change for each of these rows, in one go."""
        if not rows:
            return
        dialect, raw = connection.dialect, driver_connection(connection)
        compiled = self._compiled.get(dialect.name) or self._compiled_for(dialect)
        values = [compiled.bind(row) for row in rows]
        try:
            raw.cursor().executemany(compiled.sql, values)
        except connection.dialect.loaded_dbapi.Error as error:
            raise _sqlalchemy_error(connection, raw, compiled.sql, values, error) from error

    def _compiled_for(self, dialect: Dialect) -> _CompiledStatement:
        compiled = self._compiled[dialect.name] = _CompiledStatement(self._statement, dialect, self._given)
        return compiled

    def _run(
        self, connection: Connection, given: Mapping[str, object], answer: Callable[[_CompiledStatement, Any], A]
    ) -> A:
        dialect, raw = connection.dialect, driver_connection(connection)
        compiled = self._compiled.get(dialect.name) or self._compiled_for(dialect)
        values = compiled.bind(given)
        try:
            return answer(compiled, raw.execute(compiled.sql, values))
        except connection.dialect.loaded_dbapi.Error as error:
            raise _sqlalchemy_error(connection, raw, compiled.sql, values, error) from error


def execute_raw(connection: Connection, sql: str) -> Any:
    """Executes SQL on the driver itself, such as BEGIN; returns the cursor."""
    raw = driver_connection(connection)
    try:
        return raw.execute(sql)
    except connection.dialect.loaded_dbapi.Error as error:
        raise _sqlalchemy_error(connection, raw, sql, (), error) from error


def driver_connection(connection: Connection) -> Any:
    """The driver's own connection, without the pool's slow wrapper."""
    return connection.connection.dbapi_connection


def _sqlalchemy_error(connection: Connection, raw: Any, sql: str, values: Any, error: Exception) -> BaseException:
    """SQLAlchemy's form of the driver's error. A lost connection is marked, so that it is not used again."""
    dialect = connection.dialect
    driver: Any = dialect.loaded_dbapi
    lost = dialect.is_disconnect(error, raw, None)  # type: ignore[arg-type]
    fault = DBAPIError.instance(sql, values, error, driver.Error, connection_invalidated=lost, dialect=dialect)
    if lost:
        connection.invalidate(error)
    return fault


def _parameter(compiled: SQLCompiler, name: str, dialect: Dialect) -> _Parameter:
    bind = compiled.binds[name]
    kind: TypeEngine[Any] = bind.type
    process = kind.dialect_impl(dialect).bind_processor(dialect)
    if bind.required:
        return _Parameter(name, process, GIVEN)
    return _Parameter(name, None, process(bind.value) if process else bind.value)

"""Prepared statements: SQL compiled once and handed straight to the driver. Only for speed.

SQLAlchemy writes the SQL and converts values, but passing a statement through it costs ten times what SQLite needs to
answer, and a letter takes a dozen of them. Errors of the driver are raised as SQLAlchemy's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from operator import call, itemgetter
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Dialect, Executable, RowMapping
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql import ClauseElement
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.types import TypeEngine

from gm.store.stored_values import clean_text, clean_texts

Row = Mapping[str, Any] | RowMapping
A = TypeVar("A")
Process = Callable[[Any], Any] | None
Take = Callable[[Any], tuple[Any, ...]]
GIVEN = object()
"""Marks a parameter whose value is given with each execution."""


class _Parameter(NamedTuple):
    name: str
    process: Process
    fixed: object


class _CompiledStatement:
    """A statement's SQL for one kind of database.

    Values are taken, converted and put in order by whole groups: a letter binds a hundred of them.
    """

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
        fixed = [parameter for parameter in parameters if parameter.fixed is not GIVEN]
        plain = [parameter for parameter in parameters if parameter.fixed is GIVEN and parameter.process is None]
        texts = [parameter for parameter in parameters if parameter.process is clean_text]
        others = [parameter for parameter in parameters if parameter not in (*fixed, *plain, *texts)]
        self._fixed = tuple(parameter.fixed for parameter in fixed)
        self._plain, self._texts, self._others = (
            _taker([parameter.name for parameter in group]) for group in (plain, texts, others)
        )
        self._processes = [parameter.process for parameter in others if parameter.process is not None]
        self._converts = bool(texts or others)
        places = [[*fixed, *plain, *texts, *others].index(parameter) for parameter in parameters]
        self._in_order = _taker(places) if places != sorted(places) else None
        self._columns: tuple[Any, ...] = tuple(getattr(statement, "exported_columns", ()))
        self._reader: _RowReader | None = None

    def bind(self, given: Mapping[str, object]) -> Any:
        """The values as the driver takes them: in order, or by name."""
        values = (*self._fixed, *self._plain(given))
        if self._converts:
            values += (*clean_texts(self._texts(given)), *map(call, self._processes, self._others(given)))
        if self._in_order is not None:
            values = self._in_order(values)
        return dict(zip(self._parameter_names, values, strict=True)) if self._named else values

    def fetch(self, cursor: Any) -> list[Row]:
        """All rows by column name, converted where the column's type needs it."""
        fetched = cursor.fetchall()
        if not fetched:
            return []
        if self._reader is None:  # the driver knows the columns' types only after the first execution
            self._reader = _RowReader(self._columns, cursor.description, self._dialect)
        return list(map(self._reader.row, fetched))

    def fetch_key(self, cursor: Any) -> Any:
        """The first column of the row that an insert returns; where it returns none, the number of the row."""
        if self._columns:
            row = cursor.fetchone()
            return None if row is None else row[0]
        return cursor.lastrowid if cursor.rowcount else None


class _RowReader:
    """Makes rows by column name of the driver's rows."""

    def __init__(self, columns: Sequence[Any], description: Sequence[Sequence[Any]], dialect: Dialect) -> None:
        processes = [
            column.type.dialect_impl(dialect).result_processor(dialect, about[1])
            for column, about in zip(columns, description, strict=True)
        ]
        plain = [at for at, process in enumerate(processes) if process is None]
        others = [at for at, process in enumerate(processes) if process is not None]
        self._plain, self._others = _taker(plain), _taker(others)
        self._processes = [processes[at] for at in others]
        self._names = [columns[at].name for at in (*plain, *others)]

    def row(self, values: Sequence[Any]) -> Row:
        others = map(call, self._processes, self._others(values))
        return dict(zip(self._names, (*self._plain(values), *others), strict=True))


def _taker(keys: Sequence[Any]) -> Take:
    """As `itemgetter`, which makes no tuple of a single value."""
    if len(keys) > 1:
        return itemgetter(*keys)
    return partial(_take_one, keys[0]) if keys else lambda _: ()


def _take_one(key: Any, values: Any) -> tuple[Any, ...]:
    return (values[key],)


class PreparedStatement:
    """Compiles at its first use, so keep it. `given`: the columns that an insert fills in."""

    def __init__(self, statement: Executable, given: Iterable[str] | None = None) -> None:
        self._statement, self._given = statement, given
        self._compiled: dict[str, _CompiledStatement] = {}

    def rows(self, connection: Connection, given: Mapping[str, object]) -> list[Row]:
        return self._run(connection, given, _CompiledStatement.fetch)

    def change(self, connection: Connection, given: Mapping[str, object]) -> int:
        """Executes an update; returns the number of changed rows."""
        return self._run(connection, given, _changed)

    def insert(self, connection: Connection, given: Mapping[str, object]) -> Any:
        """Executes an insert; returns the key of the new row, None if there is none."""
        return self._run(connection, given, _CompiledStatement.fetch_key)

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


def _changed(_: _CompiledStatement, cursor: Any) -> int:
    return int(cursor.rowcount)


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

"""Changes the version of the tables: runs alembic on a given connection and in its transaction."""

from __future__ import annotations

from functools import cache
from typing import Any

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, select

from gm.errors import Unavailable
from gm.resources import folder
from gm.store.schema_version import newer, newest, present

UPGRADING = 0x676D
"""PostgreSQL advisory lock, so that nodes that start together upgrade one after the other."""


def upgrade(connection: Connection, name: str) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(UPGRADING)))
    _refuse_unknown(connection, name)
    if present(connection) != newest():
        _migrate(connection, "head", upwards=True)


def downgrade(connection: Connection, version: str) -> None:
    """Gives empty tables the form of an earlier version, which this version of gm knows."""
    if present(connection) != version:
        _migrate(connection, version, upwards=False)


def is_known(version: str) -> bool:
    return version in _known()


def refuse(connection: Connection, name: str) -> None:
    """Raises Unavailable for tables of another version, with the way out."""
    _refuse_unknown(connection, name)
    if present(connection) is None:
        raise Unavailable(f"database {name} is empty: `gm restore` fills it, `gm migrate` makes tables for a new one")
    raise Unavailable(f"database {name} is not of this version: run `gm migrate`")


def _refuse_unknown(connection: Connection, name: str) -> None:
    version = present(connection)
    if version is not None and version not in _known():
        raise newer(version, name)


def _known() -> frozenset[str]:
    return frozenset(script.revision for script in _scripts().walk_revisions())


def _migrate(connection: Connection, version: str, *, upwards: bool) -> None:
    """As alembic's commands do, but with scripts that were read before."""
    scripts = _scripts()
    steps = scripts._upgrade_revs if upwards else scripts._downgrade_revs

    def revisions(present_version: Any, _context: object) -> Any:
        return steps(version, present_version)

    with EnvironmentContext(_config(connection), scripts, fn=revisions, destination_rev=version):
        scripts.run_env()


@cache
def _scripts() -> ScriptDirectory:
    """Cached only for speed."""
    return ScriptDirectory.from_config(_config())


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(folder("migrations")).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config

"""Changes the version of the tables: runs alembic on a given connection and in its transaction."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, select

from gm.errors import Unavailable
from gm.resources import folder
from gm.store.schema_version import newest, present

UPGRADING = 0x676D
"""PostgreSQL advisory lock, so that nodes that start together upgrade one after the other."""


def upgrade(connection: Connection, name: str) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(UPGRADING)))
    _refuse_unknown(connection, name)
    if present(connection) != newest():
        command.upgrade(_config(connection), "head")


def downgrade(connection: Connection, name: str, version: str) -> bool:
    """Gives empty tables the form of an earlier version; False if this version of gm does not know it."""
    if version not in _known():
        return False
    _refuse_unknown(connection, name)
    if present(connection) != version:
        command.downgrade(_config(connection), version)
    return True


def refuse(connection: Connection, name: str) -> None:
    """Raises Unavailable for tables of another version, with the way out."""
    _refuse_unknown(connection, name)
    raise Unavailable(f"database {name} is not of this version: run `gm migrate`")


def _refuse_unknown(connection: Connection, name: str) -> None:
    version = present(connection)
    if version is not None and version not in _known():
        raise Unavailable(f"database {name} was made by a newer gm (its tables are of {version}): install that one")


def _known() -> frozenset[str]:
    return frozenset(script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions())


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(folder("migrations")).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config

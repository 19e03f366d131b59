"""The version of the tables: runs alembic on a given connection and in its transaction."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, select

from gm.errors import Unavailable
from gm.resources import folder

UPGRADING = 0x676D
"""PostgreSQL advisory lock, so that nodes that start together upgrade one after the other."""


def upgrade(connection: Connection, name: str) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(UPGRADING)))
    config = _config()
    if _version(connection, config, name) == _newest(config):
        return
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def downgrade(connection: Connection, name: str, version: str) -> bool:
    """Give empty tables the form of an earlier version; False if this version of gm does not know it."""
    config = _config()
    if version not in _known(config):
        return False
    if _version(connection, config, name) != version:
        config.attributes["connection"] = connection
        command.downgrade(config, version)
    return True


def check(connection: Connection, name: str) -> None:
    config = _config()
    if _version(connection, config, name) != _newest(config):
        raise Unavailable(f"database {name} is not of this version: run `gm migrate`")


def present(connection: Connection, name: str) -> str | None:
    return _version(connection, _config(), name)


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(folder("migrations")).replace("%", "%%"))
    return config


def _newest(config: Config) -> str | None:
    return ScriptDirectory.from_config(config).get_current_head()


def _version(connection: Connection, config: Config, name: str) -> str | None:
    """None for an empty database."""
    version = MigrationContext.configure(connection).get_current_revision()
    if version is not None and version not in _known(config):
        raise Unavailable(f"database {name} was made by a newer gm (its tables are of {version}): install that one")
    return version


def _known(config: Config) -> frozenset[str]:
    return frozenset(script.revision for script in ScriptDirectory.from_config(config).walk_revisions())

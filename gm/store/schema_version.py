"""The version of the tables: the newest revision in migrations/versions, as `gm.store.migrations` writes it."""

from __future__ import annotations

from sqlalchemy import Connection, inspect, text

NEWEST = "0016"
"""Stated here, so that alembic is imported only for tables of another version: that takes a tenth of a second."""


def present(connection: Connection) -> str | None:
    """None for an empty database."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    version: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return version

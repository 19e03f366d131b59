"""The version of the tables: the newest revision in migrations/versions, as `gm.store.schema.migrations` writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gm.errors import Unavailable
from gm.resources import folder

if TYPE_CHECKING:
    from sqlalchemy import Connection


def newest() -> str:
    """The number that begins the last file's name. alembic would read all files, and takes a tenth of a second."""
    return max(file.name for file in (folder("migrations") / "versions").glob("*.py")).partition("_")[0]


def is_newer(version: str) -> bool:
    """Whether tables of that version are of a newer gm: numbers have four digits."""
    return version > newest()


def newer(version: str, name: str) -> Unavailable:
    """The refusal of such tables."""
    back = "to go back to a backup, `gm restore --force` (PostgreSQL: into another, empty database)"
    return Unavailable(
        f"database {name} was made by a newer gm (its tables are of {version}): install that one; {back}"
    )


def present(connection: Connection) -> str | None:
    """None for an empty database."""
    from sqlalchemy import inspect, text  # not for `gm.store.sqlite_file`

    if not inspect(connection).has_table("alembic_version"):
        return None
    version: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return version

"""SQLite files with our tables. The migrations run once for each process of tests; every other file is a copy."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from gm.server.wiring import Application
from gm.store.database import Database


@cache
def template() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "gm.sqlite"
        database = Database(path)
        database.upgrade()
        database.close()
        return path.read_bytes()


def migrate(opened: Database | Application) -> None:
    """As `upgrade` does. What is no new SQLite file is upgraded in earnest."""
    database = opened.database if isinstance(opened, Application) else opened
    path = Path(database.name)
    if database.engine.dialect.name == "sqlite" and path.stat().st_size == 0:
        path.write_bytes(template())
    else:
        database.upgrade()

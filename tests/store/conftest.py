"""The three stores under one contract: in memory, on a SQLite file, on PostgreSQL; each empty, with a clock to set."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from support.stores.memory_store import MemoryStore
from support.stores.migrated_database import migrate
from support.stores.postgresql import ready_postgresql
from support.stores.store_under_test import NOON, Kept

from gm.game.model.records import OutLetter
from gm.store.database import Database
from gm.store.schema.tables import metadata


def envelope(letter: OutLetter) -> str:
    return f"bounce.{letter.message_id}@gm.example"


@pytest.fixture(scope="session")
def postgresql_database() -> Iterator[Database]:
    database = Database(ready_postgresql())
    database.upgrade()
    yield database
    database.close()


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kept]:
    opened = Kept(one_writer=request.param != "postgresql")
    if request.param == "memory":
        opened.transaction = MemoryStore(NOON, envelope).transaction
        yield opened
        return
    if request.param == "sqlite":
        database = Database(tmp_path / "gm.sqlite", clock=opened.now, envelope=envelope)
        migrate(database)
    else:
        emptied: Database = request.getfixturevalue("postgresql_database")
        with emptied.engine.begin() as connection:
            names = ", ".join(f'"{table.name}"' for table in metadata.sorted_tables)
            connection.execute(text(f"TRUNCATE {names} RESTART IDENTITY CASCADE"))
        database = Database(emptied.engine.url.render_as_string(False), clock=opened.now, envelope=envelope)
    opened.transaction = database.transaction
    yield opened
    database.close()

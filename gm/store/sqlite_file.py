"""A SQLite file by `sqlite3` alone: a letter is stored, and whether anything waits is asked.

Importing SQLAlchemy takes twice as long as all else that `gm deliver` and an idle `gm tick` do.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from msgspec.structs import asdict, replace

from gm.game.model.records import GameState, InboxRow, InboxState, OutboxState
from gm.store.error_messages import unavailable
from gm.store.locks import FileLock
from gm.store.schema_version import newest
from gm.store.stored_values import clean_text, sqlite_instant, strings

BUSY_SECONDS = 5
Asked = Mapping[str, datetime | bool]

WORK_WAITS = f"""
SELECT EXISTS (SELECT 1 FROM inbox WHERE state IN ('{InboxState.NEW}', '{InboxState.SHUNTED}'))
    OR EXISTS (SELECT 1 FROM game WHERE news
        OR (state IN ('{GameState.FORMING}', '{GameState.RUNNING}') AND look_at <= :now)
        OR (state = '{GameState.RUNNING}' AND due_at <= :now AND (held <> snapshot OR snapshot = 0)))
    OR EXISTS (SELECT 1 FROM statement_round WHERE closed_at IS NULL AND ends_at <= :now)
    OR EXISTS (SELECT 1 FROM outbox WHERE state = '{OutboxState.COLLECTED}' AND not_before <= :now)
    OR EXISTS (SELECT 1 FROM outbox WHERE state = '{OutboxState.QUEUED}' AND
        (not_before IS NULL OR not_before <= :now OR expires_at <= :now OR (tries > 0 AND queued_at < :unsent)))
    OR EXISTS (SELECT 1 FROM picture WHERE made_at IS NULL OR made_at < :maps)
    OR EXISTS (SELECT 1 FROM public_event WHERE (at < :events AND NOT waiting)
        OR (:notify AND waiting AND (not_before IS NULL OR not_before <= :now)))
    OR EXISTS (SELECT 1 FROM announced WHERE :site AND published <> revision)
    OR EXISTS (SELECT 1 FROM inbox WHERE state = '{InboxState.HELD}' AND received_at < :letters)
    OR EXISTS (SELECT 1 FROM inbox WHERE state IN ('{InboxState.DONE}', '{InboxState.IGNORED}')
        AND received_at < :letters AND length(raw) > 0)
"""
"""Whether a round of `gm tick` finds anything to read, resolve, send, draw, publish, delete or report. Where it is
simpler, this is true too often: a letter may have to wait for an older one.

`now`; what is older than `letters`, `maps` and `events` is deleted; a letter that was queued before `unsent` is late;
`notify` and `site`: whether there is a webhook, a site.
"""


def sqlite_path(where: str) -> Path | None:
    """None: a URL, mostly PostgreSQL's."""
    return None if "://" in where else Path(where).expanduser()


def make_private(file: str) -> None:
    """It holds all players' orders. Where that fails, opening it gives a better message."""
    with suppress(OSError):
        os.close(os.open(file, os.O_CREAT | os.O_WRONLY, 0o600))


def configure(connection: sqlite3.Connection) -> None:
    connection.isolation_level = None  # or the driver begins late and takes the write lock later still
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def store_letter(path: Path, row: InboxRow) -> None:
    """Stores a letter unless it is stored already, beside a running server. It is received now.

    Raises Unavailable, and has then stored nothing.
    """
    make_private(str(path))
    with _opened(path) as connection:
        connection.execute("BEGIN IMMEDIATE")
        columns = asdict(replace(row, received_at=datetime.now(UTC)))
        del columns["id"]
        connection.execute(
            f"INSERT INTO inbox ({', '.join(columns)}) VALUES ({', '.join(f':{name}' for name in columns)}) "
            "ON CONFLICT (account, content_key) DO NOTHING",
            {name: _stored(value) for name, value in columns.items()},
        )
        connection.execute("COMMIT")


def work_waits(path: Path, asked: Asked) -> bool:
    """`WORK_WAITS`; true also where the tables must be made or upgraded first. Raises Unavailable.

    The file is locked meanwhile, as by a server.
    """
    lock = FileLock(path)
    try:
        if not path.is_file():
            return True
        values = {name: _stored(value) for name, value in asked.items()}
        with _opened(path) as connection:
            return not _is_present(connection) or bool(connection.execute(WORK_WAITS, values).fetchone()[0])
    finally:
        lock.release()


def _is_present(connection: sqlite3.Connection) -> bool:
    made = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
    return bool(made) and connection.execute("SELECT version_num FROM alembic_version").fetchone() == (newest(),)


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """What is not committed at the end is rolled back. Raises Unavailable."""
    try:
        with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as connection:
            configure(connection)
            yield connection
    except sqlite3.Error as error:
        if fault := unavailable(error, str(path)):
            raise fault from error
        raise


def _stored(value: object) -> object:
    """As the columns' types write it."""
    match value:
        case datetime():
            return sqlite_instant(value)
        case StrEnum():
            return value.value
        case str():
            return clean_text(value)
        case tuple():
            return strings(value)
    return value

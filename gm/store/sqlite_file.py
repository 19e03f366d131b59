"""A SQLite file by `sqlite3` alone: letters are stored, and whether anything waits is asked.

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

from gm.config import may_exist
from gm.errors import Unavailable
from gm.game.model.records import GameState, InboxRow, InboxState, OutboxState
from gm.store.error_messages import unavailable
from gm.store.schema_version import is_newer, newer, newest
from gm.store.stored_values import clean_text, sqlite_instant, strings

BUSY_SECONDS, BESIDE_SECONDS = 5, 30
"""How long a lock is waited for; the second by a process beside the server. SQLite only looks again now and then, and a
server with much to write may be writing each time.
"""
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
    OR EXISTS (SELECT 1 FROM outbox WHERE queued_at < :letters AND length(text) > 0
        AND state NOT IN ('{OutboxState.QUEUED}', '{OutboxState.HELD}', '{OutboxState.COLLECTED}'))
"""
"""Whether a round of `gm tick` finds anything to read, resolve, send, draw, publish, delete or report. Where it is
simpler, this is true too often: a letter may have to wait for an older one.

`now`; what is older than `letters`, `maps` and `events` is deleted; a letter that was queued before `unsent` is late;
`notify` and `site`: whether there is a webhook, a site.
"""


def sqlite_file(where: str) -> SqliteFile | None:
    """None: a URL, mostly PostgreSQL's."""
    return None if "://" in where else SqliteFile(Path(where).expanduser())


def make_private(file: str) -> None:
    """It holds all players' orders. Where that fails, opening it gives a better message."""
    with suppress(OSError):
        os.close(open_private(Path(file), os.O_WRONLY | os.O_CREAT))


def open_private(path: Path, flags: int) -> int:
    """Opens a file that only its owner may read. What root makes belongs to the owner of the folder, as whom the server
    runs. Raises OSError.
    """
    is_new = not path.exists()
    handle = os.open(path, flags | os.O_CLOEXEC, 0o600)
    if is_new and os.geteuid() == 0:
        folder = path.parent.stat()
        with suppress(OSError):  # a file system without owners
            os.fchown(handle, folder.st_uid, folder.st_gid)
    return handle


def configure(connection: sqlite3.Connection) -> None:
    connection.isolation_level = None  # or the driver begins late and takes the write lock later still
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


class SqliteFile:
    """Each method opens the file anew, and raises Unavailable."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def require(self) -> None:
        """Raises Unavailable if there is no such file: only some commands make a new database."""
        if not may_exist(self.path.parent):
            raise Unavailable(f"database {self.path}: there is no folder {self.path.parent}; make it first")
        if not may_exist(self.path):
            advice = "is `database` in the settings right? `gm init`, `gm migrate` and `gm serve` make a new one"
            raise Unavailable(f"database {self.path}: there is no such file; {advice}")

    def now(self) -> datetime:
        return datetime.now(UTC)

    def accept(self, row: InboxRow, *, pushed: bool) -> None:
        """Stores a letter unless it is stored already. `pushed`: it is received now (`gm.game.intake.arrivals`)."""
        self.require()
        with self._changing() as connection:
            self._refuse_newer(connection)
            columns = asdict(replace(row, received_at=self.now()) if pushed else row)
            del columns["id"]
            connection.execute(
                f"INSERT INTO inbox ({', '.join(columns)}) VALUES ({', '.join(f':{name}' for name in columns)}) "
                "ON CONFLICT (account, content_key) DO NOTHING",
                _stored(columns),
            )

    def note_polled(self, account: str, until: datetime) -> None:
        """The later instant wins."""
        with self._changing() as connection:
            connection.execute(
                "INSERT INTO mailbox (account, polled_until) VALUES (:account, :until) ON CONFLICT (account) "
                "DO UPDATE SET polled_until = excluded.polled_until WHERE polled_until < excluded.polled_until",
                _stored({"account": account, "until": until}),
            )

    def is_present(self) -> bool:
        """Whether it has tables, of the present version."""
        if not self.path.is_file():
            return False
        with self._opened() as connection:
            made = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
            return bool(made) and connection.execute("SELECT * FROM alembic_version").fetchone() == (newest(),)

    def holds_letters_sent(self) -> bool:
        """Whether anybody may have a reply address."""
        if not self.path.is_file():
            return False
        with self._opened() as connection:
            made = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'outbox'").fetchone()
            return bool(made) and connection.execute("SELECT 1 FROM outbox LIMIT 1").fetchone() is not None

    def _refuse_newer(self, connection: sqlite3.Connection) -> None:
        """An older one is migrated with its letters; what a newer one wants with a letter is not known here."""
        version = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        if version and is_newer(version[0]):
            raise newer(version[0], str(self.path))

    def work_waits(self, asked: Asked) -> bool:
        with self._opened() as connection:
            return bool(connection.execute(WORK_WAITS, _stored(asked)).fetchone()[0])

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        with self._opened() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """What is not committed at the end is rolled back."""
        try:
            with closing(sqlite3.connect(self.path, timeout=BESIDE_SECONDS)) as connection:
                configure(connection)
                yield connection
        except sqlite3.Error as error:
            if fault := unavailable(error, str(self.path)):
                raise fault from error
            raise


def _stored(values: Mapping[str, object]) -> dict[str, object]:
    """As the columns' types write them."""
    return {name: _stored_value(value) for name, value in values.items()}


def _stored_value(value: object) -> object:
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

"""`gm restore`: into the database that is there, or into a new file where a SQLite database is missing or of no use.

A new file takes its place when it is filled, so that a restore that fails leaves what was there. What is of no use is
kept beside it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path

from msgspec import Struct

from gm.errors import GmError
from gm.store import schema_version
from gm.store.database import OWN_ENDS, Database
from gm.store.error_messages import unavailable
from gm.store.locks import FileLock
from gm.store.maintenance import StoreMaintenance
from gm.store.sqlite_file import sqlite_file
from gm.store.upkeep.backup_file import WholeBackup, whole_backup

USELESS = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
SQLITE_ENDS = tuple(end for end in OWN_ENDS if end != ".lock")


class Restored(Struct, frozen=True):
    """`database` is its name; `kept` is the file of no use that was moved aside."""

    database: str
    rows: int
    secret: str | None
    kept: Path | None = None


def restore(where: str, path: Path, *, force: bool) -> Restored:
    """All or nothing. Raises GmError."""
    file = sqlite_file(where)
    with whole_backup(path) as backup:  # before anything is touched
        if file is None:
            return _fill(backup, Database(where), force=force)
        with _locked(file.path):
            fault = _fault(file.path)
            if fault and file.path.exists() and not force:
                raise GmError(f"database {file.path} {fault}; --force moves it aside and fills a new one")
            if not fault:
                return _fill(backup, Database(where, alone=False), force=force)
            return _fill_new(backup, file.path)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    lock = FileLock(path)
    try:
        yield
    finally:
        lock.release()


def _fill(backup: WholeBackup, database: Database, *, force: bool) -> Restored:
    with closing(database):
        rows = StoreMaintenance(database).fill(backup, force=force)
    return Restored(database.name, rows, backup.head.get("secret"))


def _fault(path: Path) -> str:
    """Why a new file is needed; "" for one that can be filled."""
    if not path.exists():
        return "is missing"
    try:
        with closing(sqlite3.connect(path)) as connection:
            (answer,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            if answer != "ok":
                return "is damaged"
            made = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
            version = made and connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) in USELESS:
            return "is damaged, or is no SQLite database"
        raise unavailable(error, str(path)) or error from error
    return "was made by a newer gm" if version and schema_version.is_newer(version[0]) else ""


def _fill_new(backup: WholeBackup, path: Path) -> Restored:
    draft = path.with_name(path.name + ".restoring")
    _remove(draft)  # of a restore that was killed
    try:
        filled = _fill(backup, Database(draft, alone=False), force=False)
        if draft.with_name(draft.name + "-wal").exists():
            raise GmError(f"database {draft} cannot be written to its end: is the disk full?")
        kept = move_aside(path, SQLITE_ENDS)
        draft.replace(path)
    except OSError as error:
        raise GmError(f"database {path} cannot be replaced ({error.strerror})") from None
    finally:
        _remove(draft)
    return Restored(str(path), filled.rows, filled.secret, kept)


def _remove(path: Path) -> None:
    for end in SQLITE_ENDS:
        path.with_name(path.name + end).unlink(missing_ok=True)


def move_aside(path: Path, ends: Sequence[str] = ("",)) -> Path | None:
    """Renames a file and those that go with it, and returns its new name; None if there is none. Raises OSError."""
    asides = (path.with_name(f"{path.name}.old-{number}") for number in count(1))
    aside = next(new for new in asides if not any(new.with_name(new.name + end).exists() for end in ends))
    moved = False
    for end in ends:  # the database first: without it nothing is read
        old = path.with_name(path.name + end)
        if old.exists():
            old.replace(aside.with_name(aside.name + end))
            moved = True
    return aside if moved else None

"""Turns database errors into one line that tells the operator what to do."""

from __future__ import annotations

import os
from pathlib import Path

from gm.config import may_exist, user_name
from gm.errors import Unavailable

SQLITE = (
    ("unable to open database file", "cannot be opened: {rights}"),
    ("readonly database", "cannot be written: {rights}"),
    ("not a database", "is not a SQLite database: name another file, or move this one away"),
    ("malformed", "is damaged: stop the server, then `gm restore --force FILE` with a backup; this file is kept"),
    ("database is locked", "is locked by another program: close that one, or try again"),
    ("is full", "cannot grow: the disk is full"),
    ("disk i/o error", "cannot be read or written: the disk reports an error"),
    ("no such table", "has no tables of ours yet: run `gm migrate`"),
    ("no such column", "is of an older version: run `gm migrate`"),
    ("has no column named", "is of an older version: run `gm migrate`"),
)
POSTGRESQL = (
    ("undefinedtable", "has no tables of ours yet: run `gm migrate`"),
    ("undefinedcolumn", "is of an older version: run `gm migrate`"),
    ("deadlockdetected", "was busy: two transactions waited for each other, one was given up"),
    ("serializationfailure", "was busy: two transactions changed the same, one was given up"),
    ("locknotavailable", "was busy: a lock was not to be had in time, try again"),
    ("querycanceled", "was busy: a statement took longer than the server allows (statement_timeout), try again"),
    ("diskfull", "cannot grow: its disk is full"),
    ("readonlysqltransaction", "takes no changes: its server is a standby or read-only; give `database` the primary"),
)


def unavailable(error: BaseException, name: str, *, lost: bool = False) -> Unavailable | None:
    """`error` is the driver's, `lost`: the connection is gone with it.

    None for our own errors (a broken constraint, wrong SQL), which keep their traceback.
    """
    message = str(error).lower()
    for sign, meaning in SQLITE:
        if sign in message:
            return Unavailable(f"database {name} {meaning.format(rights=_missing_right(Path(name)))}")
    kinds = [kind.__name__ for kind in type(error).__mro__]  # PEP 249 names the general ones
    for sign, meaning in POSTGRESQL:
        if sign == kinds[0].lower():
            return Unavailable(f"database {name} {meaning}")
    if lost or "OperationalError" in kinds or "InterfaceError" in kinds:
        return Unavailable(f"database {name} cannot be reached: {_last_line(error)}")
    if "ProgrammingError" in kinds and "permission denied" in message:
        return Unavailable(f"database {name}: {_last_line(error)}")
    return None


def has_moved(error: BaseException | None) -> bool:
    """Whether another server is the primary now."""
    return type(error).__name__ == "ReadOnlySqlTransaction"


def _last_line(error: BaseException) -> str:
    """The first line that names a failure; libpq reports every address it tried."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if "failed" in line or "refused" in line or "fatal" in line.lower()]
    return (telling or lines or ["it gives no reason"])[0]


def _missing_right(database: Path) -> str:
    """What this user may not do, by the rights of the files and their folder."""
    folder = database.parent
    names = (database.name, f"{database.name}-wal", f"{database.name}-shm")
    files = [path for path in (folder / name for name in names) if may_exist(path)]
    wrong = [path for path in files if not _may(path, os.R_OK | os.W_OK)]
    if may_exist(folder) and not _may(folder, os.W_OK | os.X_OK):
        wrong.insert(0, folder)
    for path in wrong:
        advice = f"chown --reference={folder} {folder}/*" if path != folder else "run gm as the folder's owner"
        return f"{user_name()} may not read and write {path}, which belongs to {_owner(path)}: {advice}"
    return "check that its folder exists and may be written"


def _may(path: Path, rights: int) -> bool:
    return os.access(path, rights, effective_ids=True)


def _owner(path: Path) -> str:
    try:
        return path.owner()
    except (OSError, KeyError):
        return "another user"

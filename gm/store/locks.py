"""Locks of a SQLite database: one process (a lock file beside it), and in it one writing thread at a time."""

from __future__ import annotations

import fcntl
import os
from collections import deque
from pathlib import Path
from threading import Event, Lock, get_ident

from gm.config import user_name
from gm.errors import Unavailable
from gm.store.sqlite_file import open_private


class FileLock:
    """Held until released or the process ends. The file itself stays."""

    def __init__(self, database: Path) -> None:
        path = database.with_name(database.name + ".lock")
        try:
            self._file = open_private(path, os.O_RDWR | os.O_CREAT)
        except OSError as error:
            raise Unavailable(f"database {database}: {_why_not(path, error)}") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.pread(self._file, 20, 0).decode("ascii", "replace").strip()
            os.close(self._file)
            by = f"process {holder}" if holder.isdigit() else "another process"
            raise Unavailable(f"database {database} is in use by {by}: stop that game master first") from None
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, str(os.getpid()).encode(), 0)

    def release(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _why_not(path: Path, error: OSError) -> str:
    """Why a lock file cannot be opened."""
    if not path.parent.is_dir():
        return f"there is no folder {path.parent}; make it first"
    if path.exists():
        advice = f"chown --reference={path.parent} {path.parent}/*"
        return f"{path} cannot be written by {user_name()} ({error.strerror}); if it belongs to another: {advice}"
    return f"{user_name()} cannot write into its folder ({error.strerror})"


class WriterQueue:
    """A fair lock for SQLite's one writer. Its busy handler would give up after a while.

    First come, first served, so that a thread that reads letter after letter gives way to one that stores a letter.
    """

    def __init__(self) -> None:
        self._line: deque[Event] = deque()
        self._mutex = Lock()
        self._taken = False
        self._holder = 0

    @property
    def waiting(self) -> int:
        """The number of waiting threads."""
        return len(self._line)

    def __enter__(self) -> None:
        if self._holder == get_ident():
            raise RuntimeError("a transaction inside a transaction: it would wait for itself")
        with self._mutex:
            called = self._queue() if self._taken else None
            self._taken = True
        if called is not None:
            self._wait(called)
        self._holder = get_ident()

    def __exit__(self, *_: object) -> None:
        self._holder = 0
        with self._mutex:
            self._pass_on()

    def _queue(self) -> Event:
        called = Event()
        self._line.append(called)
        return called

    def _wait(self, called: Event) -> None:
        try:
            called.wait()
        except BaseException:  # interrupted: the turn must not go to a thread that is gone
            with self._mutex:
                if called in self._line:
                    self._line.remove(called)
                else:
                    self._pass_on()
            raise

    def _pass_on(self) -> None:
        if self._line:
            self._line.popleft().set()
        else:
            self._taken = False

"""Who may use a SQLite database: one process (a lock on a file beside it), and in it one thread at a time."""

from __future__ import annotations

import fcntl
import os
from collections import deque
from pathlib import Path
from threading import Event, Lock, get_ident

from gm.errors import Unavailable


class FileLock:
    """Held until released or the process ends, however it ends. The file stays: a lock is no mark in it."""

    def __init__(self, database: Path) -> None:
        path = database.with_name(database.name + ".lock")
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            if not database.parent.is_dir():
                raise Unavailable(f"database {database}: there is no folder {database.parent}; make it first") from None
            raise Unavailable(f"database {database}: its folder cannot be written ({error.strerror})") from None
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


class WriterQueue:
    """SQLite has one writer: threads wait here in line, not in the busy handler, which gives up after a while.

    First come, first served: whoever reads one letter after another gives way to who wants to keep one.
    """

    def __init__(self) -> None:
        self._line: deque[Event] = deque()
        self._mutex = Lock()
        self._taken = False
        self._holder = 0

    @property
    def waiting(self) -> int:
        """How many stand in line."""
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
        except BaseException:  # interrupted: nobody is to be handed the turn who is not there any more
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

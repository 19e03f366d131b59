"""Who may use a SQLite database: one process (a lock on a file beside it), and in it one thread at a time."""

from __future__ import annotations

import fcntl
import os
import threading
from collections import deque
from pathlib import Path

from gm.desk.errors import Unavailable


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


class Turn:
    """SQLite has one writer: threads wait here in line, not in the busy handler, which gives up after a while.

    First come, first served: whoever reads one letter after another gives way to who wants to keep one.
    """

    def __init__(self) -> None:
        self._line: deque[threading.Lock] = deque()
        self._mutex = threading.Lock()
        self._taken = False
        self._holder = 0

    def __enter__(self) -> None:
        if self._holder == threading.get_ident():
            raise RuntimeError("a transaction inside a transaction: it would wait for itself")
        with self._mutex:
            gate = self._queued() if self._taken else None
            self._taken = True
        if gate is not None:
            self._wait(gate)
        self._holder = threading.get_ident()

    def __exit__(self, *_: object) -> None:
        self._holder = 0
        with self._mutex:
            self._pass_on()

    def _queued(self) -> threading.Lock:
        gate = threading.Lock()
        gate.acquire()
        self._line.append(gate)
        return gate

    def _wait(self, gate: threading.Lock) -> None:
        try:
            gate.acquire()
        except BaseException:  # interrupted: nobody is to be handed the turn who is not there any more
            with self._mutex:
                if gate in self._line:
                    self._line.remove(gate)
                else:
                    self._pass_on()
            raise

    def _pass_on(self) -> None:
        if self._line:
            self._line.popleft().release()
        else:
            self._taken = False

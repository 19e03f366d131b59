"""A thread of the server that works when its bell rings."""

from __future__ import annotations

import threading
from collections.abc import Callable

import structlog

from gm.errors import GmError

log = structlog.get_logger()


class Worker(threading.Thread):
    """Works when its bell rings, until nothing is left to do. After an error, the next ring tries again.

    `floor`: it also works after this many seconds without a ring, by the monotonic clock; None: never.
    """

    def __init__(self, name: str, work: Callable[[], bool], floor: float | None = None) -> None:
        super().__init__(name=name, daemon=True)
        self._work, self._floor = work, floor
        self._bell = threading.Event()
        self._problem = ""
        self._ending = threading.Event()

    def ring(self) -> None:
        self._bell.set()

    def stop(self) -> None:
        self._ending.set()
        self._bell.set()

    def run(self) -> None:
        while True:
            self._bell.wait(self._floor)
            self._bell.clear()
            if self._ending.is_set():
                return
            try:
                while not self._ending.is_set() and self._work():
                    pass
            except GmError as error:
                self._complain(str(error))
            except Exception as error:
                self._fail(f"{type(error).__name__}: {error}")
            else:
                self._complain("")

    def _fail(self, problem: str) -> None:
        """Logs an unexpected exception with its traceback, once while it lasts."""
        if problem != self._problem:
            log.exception("failed", worker=self.name)
        self._problem = problem

    def _complain(self, problem: str) -> None:
        """Logs a problem once while it lasts: a full disk must not be filled by the log."""
        if problem != self._problem and problem:
            log.warning("stopped for now", worker=self.name, error=problem)
        elif problem != self._problem:
            log.info("goes on", worker=self.name)
        self._problem = problem

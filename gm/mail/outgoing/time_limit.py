"""A limit for the time that one letter takes at the relay."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable, Iterator


class TimeLimit:
    """Calls `end` from another thread when a block takes too long.

    One block at a time, and none with a shorter limit than the one before. One timer serves many blocks,
    because a thread for each letter costs more than its commands to the relay.
    """

    def __init__(self, end: Callable[[], None]) -> None:
        self._end = end
        self._ends_at = math.inf
        self._waiting = False
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def limited(self, seconds: float) -> Iterator[None]:
        with self._lock:
            self._ends_at = time.monotonic() + seconds
            if not self._waiting:
                self._wait(seconds)
        try:
            yield
        finally:
            with self._lock:
                self._ends_at = math.inf

    def _wait(self, seconds: float) -> None:
        timer = threading.Timer(seconds, self._check)
        timer.daemon = True
        timer.start()
        self._waiting = True

    def _check(self) -> None:
        """Ends the block, or waits for what is left of a later one's time."""
        with self._lock:
            self._waiting = False
            left = self._ends_at - time.monotonic()
            if left <= 0:
                self._end()
            elif left < math.inf:
                self._wait(left)

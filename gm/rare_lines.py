"""Log lines about what may happen a thousand times a second, such as refused connections."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock

PAUSE = 60.0


class RareLines:
    """Lets a line of each kind through once a minute, so that a flood fills no disk. For any thread."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now, self._lock = now, Lock()
        self._logged: dict[str, float] = {}

    def may_log(self, kind: str) -> bool:
        now = self._now()
        with self._lock:
            self._logged = {other: at for other, at in self._logged.items() if now - at < PAUSE}
            return self._logged.setdefault(kind, now) == now

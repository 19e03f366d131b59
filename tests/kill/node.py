"""One node of a game master under fire: `gm serve` put together as ever, by a clock that runs faster than the wall's.

    python node.py SETTINGS.toml EPOCH SPEED

EPOCH is when the fast clock and the wall's agree, SPEED how many of its seconds go into one;
all nodes are given the same.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gm import serving
from gm.desk import clock
from gm.logs import configure
from gm.serving import Service
from gm.settings import load
from gm.wiring import assemble

LEASE_SECONDS = 30
"""By the wall's clock, longer than the relay's time-out: a node that still works on a letter is not overtaken."""


def fast_clock(epoch: datetime, speed: float) -> datetime:
    return epoch + (datetime.now(UTC) - epoch) * speed


def main(config: str, epoch: str, speed: str) -> None:
    began, factor = datetime.fromisoformat(epoch), float(speed)
    settings = load(Path(config))
    configure("json")
    clock.LEASE = timedelta(seconds=LEASE_SECONDS * factor)
    serving.RELAY_PAUSE /= factor
    works = assemble(settings, clock=lambda: fast_clock(began, factor))
    works.database.upgrade()
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    with Service(works):
        print(os.getpid(), flush=True)
        ended.wait(timedelta(hours=3).total_seconds())


if __name__ == "__main__":
    main(*sys.argv[1:])

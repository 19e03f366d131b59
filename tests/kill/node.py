"""Nodes of a game master under fire: `gm serve` put together as ever, by a clock that runs faster than the wall's.

    python node.py EPOCH SPEED

EPOCH is when the fast clock and the wall's agree, SPEED how many of its seconds go into one. Each line on standard
input, SETTINGS.toml and LOG with a tab between, has a node forked, which finds its modules imported: hundreds can be
killed and started again in little time. A node prints its process id when it serves, or that it failed.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec.structs import replace

from gm.config import load_config
from gm.game.clock import clock
from gm.mail.outgoing import smtp_relay
from gm.server import service as serving
from gm.server.monitoring.logs import configure_logs
from gm.server.service import Service
from gm.server.wiring import assemble

LEASE_SECONDS = 30
"""By the wall's clock, longer than we wait for the relay: a node that still works on a letter is not overtaken."""
RELAY_SECONDS = 10


def fast_clock(epoch: datetime, speed: float) -> datetime:
    return epoch + (datetime.now(UTC) - epoch) * speed


def main(epoch: str, speed: str) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
    for line in sys.stdin:
        if os.fork() == 0:
            config, log = line.rstrip("\n").split("\t")
            _live(Path(config), Path(log), datetime.fromisoformat(epoch), float(speed))


def _live(config: Path, log: Path, epoch: datetime, speed: float) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())
    os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), sys.stderr.fileno())
    try:
        _serve(config, epoch, speed)
    except BaseException:
        traceback.print_exc()
        print("failed", flush=True)
    finally:
        os._exit(0)


def _serve(config: Path, epoch: datetime, speed: float) -> None:
    settings = load_config(config)
    configure_logs("json")
    clock.RETRY = replace(clock.RETRY, lease=timedelta(seconds=LEASE_SECONDS * speed))
    serving.RELAY_PAUSE /= speed
    smtp_relay.LETTER_SECONDS = RELAY_SECONDS
    app = assemble(settings, clock=lambda: fast_clock(epoch, speed))
    app.database.upgrade()
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    with Service(app):
        print(os.getpid(), flush=True)
        ended.wait(timedelta(hours=3).total_seconds())


if __name__ == "__main__":
    main(*sys.argv[1:])

"""How far several nodes on one PostgreSQL reach: letters and deadlines of thousands of games, by real processes.

Each node is `gm serve` with its own SMTP port; a relay in a process of its own takes what they send.

letters    a letter for each game, posted to all nodes at once: letters taken and read a second, transactions a second
deadlines  so many games fall due within one minute: how long after its deadline a turn is stored
"""

from __future__ import annotations

import multiprocessing
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import func, select, text, update
from support.stores.postgresql import ready_postgresql

from bench.crowd import AUTHSERV, Crowd
from bench.senders import SENDERS, post_some, take_letters
from gm.game.model.records import InboxState
from gm.store.schema import tables as t

SECRET = "a secret that is only good for measuring"
LEAD = timedelta(seconds=5)
PATIENCE_SECONDS = 1800
SETTINGS = """
address = "gm@gm.example"
database = "{database}"
secret = "{secret}"
authserv_id = "{authserv}"
map_wait_seconds = 0
log = "json"

[listen]
port = {port}
protocol = "smtp"
relays = ["127.0.0.1"]

[health]
port = {health}

[relay]
host = "127.0.0.1"
port = {relay}
"""


def measure(counts: Sequence[int], games: int, due: int, span: timedelta = timedelta(minutes=1)) -> Iterator[str]:
    """Yields a line for each figure. Each number of nodes gets `due` games that nobody has played, within `span`."""
    with TemporaryDirectory() as folder, _relay() as relay:
        field = Field(Path(folder), games, relay)
        yield f"PostgreSQL, its nodes, the senders and the relay share this machine; {games} games in the database"
        for number, count in enumerate(counts):
            with field.nodes(count) as ports:
                yield field.letters(ports, number)
                yield field.deadlines(count, range(number * due, (number + 1) * due), span)
        field.crowd.close()


class Field:
    """The games, and the nodes that serve them."""

    def __init__(self, folder: Path, games: int, relay: int) -> None:
        self._folder, self._relay, self._games = folder, relay, games
        self._url = ready_postgresql()
        self.crowd = Crowd(folder, self._url)
        self.crowd.start_first_game()
        self.crowd.grow(games)
        self._posts = [next(self.crowd.letters(range(game, game + 1))) for game in range(games)]

    @contextmanager
    def nodes(self, count: int) -> Iterator[list[int]]:
        """Yields the nodes' ports when all of them listen."""
        with ExitStack() as stack:
            ports = [stack.enter_context(self._node(number)) for number in range(count)]
            for port in ports:
                _wait_for(port)
            yield ports

    @contextmanager
    def _node(self, number: int) -> Iterator[int]:
        port, health = _free_port(), _free_port()
        config, log = self._folder / f"node{number}.toml", self._folder / f"node{number}.log"
        words = SETTINGS.format(
            database=self._url, secret=SECRET, authserv=AUTHSERV, port=port, health=health, relay=self._relay
        )
        config.write_text(words, encoding="utf-8")
        with log.open("wb") as errors:
            command = [sys.executable, "-m", "gm", "-c", str(config), "serve"]
            process = subprocess.Popen(command, stdout=errors, stderr=errors)
        try:
            yield port
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)

    def letters(self, ports: Sequence[int], number: int) -> str:
        """A letter for each game, each time another one."""
        posts = [(sender, to, raw + b"# %d\r\n" % number) for sender, to, raw in self._posts]
        posts = [(sender, to, raw.replace(b"Message-ID: <", b"Message-ID: <%d." % number)) for sender, to, raw in posts]
        before = self._commits()
        with multiprocessing.get_context("spawn").Pool(len(ports) * SENDERS) as pool:
            pool.starmap(time.sleep, [(0,)] * len(ports) * SENDERS)
            began = time.perf_counter()
            parts = [(ports[at % len(ports)], posts[at :: len(ports) * SENDERS]) for at in range(len(ports) * SENDERS)]
            pool.starmap(post_some, parts)
            taken = time.perf_counter() - began
        self._until_read()
        read = time.perf_counter() - began
        commits = (self._commits() - before) / read
        rate = len(posts) / taken
        return (
            f"{len(ports)} nodes: {rate:.0f} letters taken a second ({rate / len(ports):.0f} a node), "
            f"{len(posts) / read:.0f} read and answered, {commits:.0f} transactions"
        )

    def deadlines(self, count: int, games: range, span: timedelta) -> str:
        begin = self._now() + LEAD
        each = span / len(games)
        with self.crowd.app.database.write_connection() as connection:
            for place, game in enumerate(games):
                due = begin + place * each
                connection.execute(update(t.game).where(t.game.c.id == game + 1).values(due_at=due, look_at=due))
        late = sorted(self._lags(games, begin, each))
        middle, most = median(late), late[int(len(late) * 0.95)]
        return (
            f"{count} nodes: {len(games)} games due within {span.total_seconds():.0f} s: stored {middle:.1f} s after "
            f"the deadline in the middle, {most:.1f} s for 95 %, {late[-1]:.1f} s at most"
        )

    def _lags(self, games: range, begin: datetime, each: timedelta) -> list[float]:
        due = {game + 1: begin + place * each for place, game in enumerate(games)}
        first = self._newest_snapshots(due)
        lags: dict[int, float] = {}
        end = time.monotonic() + PATIENCE_SECONDS
        while len(lags) < len(due) and time.monotonic() < end:
            time.sleep(0.5)
            now, newest = self._now(), self._newest_snapshots(due)
            for game, snapshot in newest.items():
                if game not in lags and snapshot != first[game]:
                    lags[game] = max(0.0, (now - due[game]).total_seconds())
        assert len(lags) == len(due), f"{len(due) - len(lags)} games were not resolved"
        return list(lags.values())

    def _newest_snapshots(self, games: dict[int, datetime]) -> dict[int, int]:
        query = select(t.game.c.id, t.game.c.snapshot).where(t.game.c.id.between(min(games), max(games)))
        with self.crowd.app.database.write_connection() as connection:
            return {row.id: row.snapshot for row in connection.execute(query)}

    def _until_read(self) -> None:
        waiting = select(func.count()).select_from(t.inbox).where(t.inbox.c.state == InboxState.NEW)
        end = time.monotonic() + PATIENCE_SECONDS
        while self._value(waiting):
            assert time.monotonic() < end, "the letters are not read"
            time.sleep(0.25)

    def _commits(self) -> int:
        time.sleep(1)  # PostgreSQL's counters lag behind
        return int(self._value(text("SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()")))

    def _now(self) -> datetime:
        now: datetime = self._value(text("SELECT clock_timestamp()"))
        return now

    def _value(self, query: Any) -> Any:
        with self.crowd.app.database.write_connection() as connection:
            return connection.execute(query).scalar_one()


@contextmanager
def _relay() -> Iterator[int]:
    port = _free_port()
    process = multiprocessing.get_context("spawn").Process(target=take_letters, args=(port,), daemon=True)
    process.start()
    _wait_for(port)
    yield port
    process.terminate()


def _free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


def _wait_for(port: int) -> None:
    end = time.monotonic() + 60
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            assert time.monotonic() < end, f"nobody listens at port {port}"
            time.sleep(0.1)

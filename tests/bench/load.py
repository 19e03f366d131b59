"""Letters and deadlines by the thousand, beside what the machine can do at all, measured in the same run.

    python -m bench.load [--letters 1400] [--due 1000] [--sizes 10,100,1000,10000]
    python -m bench.load --nodes 1,2,4 [--games 10000] [--due 1000]

letters     real SMTP in, by four senders in a process of their own; read, answered, the answer queued. The floor is
            aiosmtpd by itself that commits each letter durably, with the same senders
due         so many games of Standard fall due at once, with seven letters on file in each: resolved, all results queued
nodes       instead of all that: how far several nodes on one PostgreSQL reach (`bench.nodes`)
growth      what a letter, a turn and a letter sent cost with so many games in the database (CPU, the middle of some)
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from multiprocessing.pool import Pool
from os import cpu_count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from aiosmtpd.smtp import SMTP

from bench.__main__ import _processor
from bench.crowd import Crowd
from bench.senders import Post, post_all
from gm.config import ListenConfig
from gm.mail.incoming.received import Received
from gm.mail.incoming.smtp_server import SmtpServer

ROUNDS = 7
MEASURED, WARMING = 40, 2
"""So many games of each size; the first of them are not counted."""
TIMES, MINUTE, MEGABYTES, GROWTH = 5, 60, 300, 1.2
"""The reference: so many times the floor, seconds for 1,000 games, memory of the server, growth from few to many."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.load")
    parser.add_argument("--letters", type=int, default=1400)
    parser.add_argument("--due", type=int, default=1000)
    parser.add_argument("--sizes", default="10,100,1000,10000")
    parser.add_argument("--nodes", default="", help="numbers of nodes on one PostgreSQL")
    parser.add_argument("--games", type=int, default=10_000, help="for the nodes")
    options = parser.parse_args()
    print(f"{datetime.now(UTC):%Y-%m-%d}, {cpu_count()} cores, {_processor()}", flush=True)
    if options.nodes:
        from bench import nodes  # needs PostgreSQL's packages

        for line in nodes.measure([int(count) for count in options.nodes.split(",")], options.games, options.due):
            print(line, flush=True)
        return
    for line in (*letters(options.letters), *due(options.due)):
        print(line, flush=True)
    for line in growth([int(size) for size in options.sizes.split(",")]):
        print(line, flush=True)
    print(f"memory of this process, the senders apart: {peak()} MB (reference {MEGABYTES})")


def peak() -> int:
    """Megabytes, the most so far."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024


# ---- letters


def letters(count: int) -> Iterator[str]:
    """In rounds, each with its own floor: the machine's speed is another from minute to minute."""
    with TemporaryDirectory() as folder, multiprocessing.get_context("spawn").Pool(1) as senders:
        crowd = Crowd(Path(folder))
        crowd.start_first_game()
        games = -(-count // 7) + 20
        crowd.grow(games)
        for _, _, raw in crowd.letters(range(games - 20, games)):  # grammars, templates: read once, before
            crowd.take(raw)
        crowd.read()
        posted = list(crowd.letters(range(games - 20)))[:count]
        bare = commits(Path(folder) / "commits.sqlite", posted)
        each = -(-count // ROUNDS)
        rounds: list[tuple[float, float]] = []
        worked: list[tuple[float, float]] = []
        for at in range(0, count, each):
            some = posted[at : at + each]
            began = time.process_time()
            bare_rate = accepting(senders, Path(folder) / f"floor{at}.sqlite", some)
            between = time.process_time()
            rounds.append((bare_rate, through(senders, crowd, some)))
            worked.append(((between - began) / len(some), (time.process_time() - between) / len(some)))
        crowd.close()
    floor, ours = (median(column) for column in zip(*rounds, strict=True))
    times = median(floor_rate / own_rate for floor_rate, own_rate in rounds)
    idle, busy = (1e3 * median(column) for column in zip(*worked, strict=True))
    yield f"bare commits: {bare:.0f} a second; aiosmtpd and a commit for each letter: {floor:.0f} letters a second"
    yield f"in, read, answer queued: {ours:.0f} letters a second: the floor is {times:.1f} times that ({TIMES})"
    yield f"  CPU ms a letter, the senders apart: {busy:.1f}, of the floor {idle:.1f}"
    yield "  in each round: " + ", ".join(f"{ours:.0f} of {floor:.0f}" for floor, ours in rounds)


def commits(file: Path, posted: list[Post]) -> float:
    connection = durable(file)
    began = time.perf_counter()
    for post in posted:
        keep(connection, post[2])
    took = time.perf_counter() - began
    connection.close()
    return len(posted) / took


def durable(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    for words in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "CREATE TABLE letter (raw BLOB)"):
        connection.execute(words)
    return connection


def keep(connection: sqlite3.Connection, raw: bytes) -> None:
    connection.execute("INSERT INTO letter VALUES (?)", (raw,))


def accepting(senders: Pool, file: Path, posted: list[Post]) -> float:
    """aiosmtpd alone."""
    connection = durable(file)

    class Handler:
        async def handle_DATA(self, server: SMTP, session: object, envelope: object) -> str:  # noqa: N802
            keep(connection, envelope.content)  # type: ignore[attr-defined]
            return "250 OK"

    with listening(lambda: SMTP(Handler())) as port:
        took = delivered(senders, port, posted)
    connection.close()
    return len(posted) / took


@contextmanager
def listening(made: Callable[[], SMTP]) -> Iterator[int]:
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(loop.create_server(made, "127.0.0.1", 0))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    yield int(server.sockets[0].getsockname()[1])
    loop.call_soon_threadsafe(server.close)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()


def delivered(senders: Pool, port: int, posted: list[Post], meanwhile: Callable[[], object] = lambda: None) -> float:
    """Seconds until all are delivered, and what is done `meanwhile` has come to its end."""
    senders.apply(time.sleep, (0,))  # they are up
    began = time.perf_counter()
    ended = senders.apply_async(post_all, (port, posted))
    meanwhile()
    ended.get()
    return time.perf_counter() - began


def through(senders: Pool, crowd: Crowd, posted: list[Post]) -> float:
    """As `gm serve` does it: whoever has taken a letter rings for who reads."""
    app, bell = crowd.app, threading.Event()

    def accept(*letters: Received) -> None:
        app.accept(*letters)
        bell.set()

    def read() -> None:
        count = 0
        while count < len(posted):
            assert bell.wait(300), f"{len(posted) - count} letters did not come"
            bell.clear()
            count += crowd.read()

    server = SmtpServer(ListenConfig(port=0, protocol="smtp"), accept, app.is_known, 1_000_000, cached=app.recognises)
    server.start()
    took = delivered(senders, server.port, posted, read)
    server.stop()
    return len(posted) / took


# ---- deadlines


def due(games: int) -> Iterator[str]:
    with TemporaryDirectory() as folder:
        crowd = Crowd(Path(folder))
        crowd.start_first_game()
        crowd.grow(games + 3)
        for _, _, raw in crowd.letters(range(games + 3)):
            crowd.take(raw)
        crowd.read()
        crowd.fall_due(range(games, games + 3))
        crowd.tick()
        crowd.fall_due(range(games))
        began, worked = time.perf_counter(), time.process_time()
        resolved = crowd.tick()
        took, worked = time.perf_counter() - began, time.process_time() - worked
        crowd.close()
    assert resolved == games, resolved
    allowed = MINUTE * games / 1000
    yield f"{games} games due at once, seven letters in each: {took:.1f} s ({allowed:.0f}), of it {worked:.1f} CPU"


# ---- growth


def growth(sizes: list[int]) -> Iterator[str]:
    """All sizes in turns, or the machine's own changes of speed would pass for growth."""
    yield "games in the database: CPU ms a letter, a turn with its eight letters queued, a letter sent"
    with TemporaryDirectory() as folder, ExitStack() as closing:
        crowds = {size: _grown(Path(folder) / str(size), size, closing) for size in sizes}
        costs: dict[int, list[tuple[float, float, float]]] = {size: [] for size in sizes}
        for at in range(MEASURED):
            for size, crowd in crowds.items():
                if at < size:
                    costs[size].append(cost(crowd, size * at // min(MEASURED, size)))
    rows = [tuple(median(column) for column in zip(*costs[size][WARMING:], strict=True)) for size in sizes]
    for size, row in zip(sizes, rows, strict=True):
        yield "  {:6} {:7.2f} {:7.2f} {:7.2f}".format(size, *row)
    grown = [max(column) / min(column) for column in zip(*rows, strict=True)]
    yield "  the dearest is " + ", ".join(f"{ratio:.2f}" for ratio in grown) + f" times the cheapest ({GROWTH})"


def _grown(folder: Path, games: int, closing: ExitStack) -> Crowd:
    folder.mkdir()
    crowd = Crowd(folder)
    closing.callback(crowd.close)
    crowd.start_first_game()
    crowd.grow(games)
    return crowd


def cost(crowd: Crowd, game: int) -> tuple[float, float, float]:
    """Of one game: CPU ms a letter, a turn, a letter sent."""
    games = range(game, game + 1)
    posted = list(crowd.letters(games))
    for _, _, raw in posted:
        crowd.take(raw)
    read = seconds(crowd.read) / len(posted)
    crowd.fall_due(games)
    turned = seconds(crowd.tick)
    began = time.process_time()
    count = crowd.send()
    sent = (time.process_time() - began) / count
    return 1e3 * read, 1e3 * turned, 1e3 * sent


def seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


if __name__ == "__main__":
    main()

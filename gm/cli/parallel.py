"""`gm adjudicate` on several cores: many lines that are there at once are shared among processes, their order kept.

Whoever writes one line and waits has its answer from this process at once. When many come together, the
rest goes to worker processes, forked when the first lines have loaded what all need: as many as this process has
cores, none on a machine with one.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from queue import Empty, Queue

FIRST = 4
"""Lines that are done before there are workers: they load what all need."""
CHUNK = 16
"""Lines to a worker at a time: some 20 ms of work, so that sending them costs little."""
AHEAD = 4
"""Chunks under way for each worker, so that a huge file is not taken in at once."""
READ_BYTES = 1 << 18
KEPT = 500_000
"""Objects that a worker may make and keep before the collector looks for cycles among them."""

Work = Callable[[Iterable[bytes]], Iterator[str]]


def read_batches(handle: int) -> Iterator[list[bytes]]:
    """Whole lines as they come from a file, a pipe or a terminal: those that are there at once together."""
    rest = b""
    while data := os.read(handle, READ_BYTES):
        *lines, rest = (rest + data).split(b"\n")
        if lines:
            yield lines
    if rest:
        yield [rest]


def run_parallel(work: Work, arriving: Iterable[list[bytes]], cores: int = 0) -> Iterator[bytes]:
    """What `work` gives for all lines, in their order, as lines of UTF-8: those that are there at once together.

    `cores` 0: as many as this process may use.
    """
    cores = cores or len(os.sched_getaffinity(0))
    incoming = iter(arriving)
    for batch in incoming:
        yield from map(_line, work(batch[:FIRST]))
        if cores > 1 and len(batch) > FIRST + CHUNK:
            yield from _run_workers(work, chain([batch[FIRST:]], incoming), cores)
            return
        yield from map(_line, work(batch[FIRST:]))


def _line(answer: str) -> bytes:
    return answer.encode() + b"\n"


def _run_workers(work: Work, arriving: Iterator[list[bytes]], cores: int) -> Iterator[bytes]:
    """Answers go out whenever nothing more has come in: whoever waits for one before he writes on has it."""
    under_way: deque[tuple[list[bytes], Future[bytes]]] = deque()
    fork = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(cores, mp_context=fork, initializer=_start_worker, initargs=(work,)) as crew:
        ahead = _ReadAhead(arriving)
        while (batch := ahead.take(wait=not under_way)) is not None or under_way:
            lines = iter(batch or ())
            while chunk := list(islice(lines, CHUNK)):
                if len(under_way) >= AHEAD * cores:
                    yield _chunk_result(work, *under_way.popleft())
                under_way.append((chunk, crew.submit(_answer_chunk, chunk)))
            if batch is None:
                yield _chunk_result(work, *under_way.popleft())


class _ReadAhead:
    """Batches read by a thread of its own, a few ahead."""

    def __init__(self, arriving: Iterator[list[bytes]]) -> None:
        self._come: Queue[list[bytes] | Exception | None] = Queue(AHEAD)
        self._over = False
        threading.Thread(target=self._read, args=(arriving,), name="gm-ahead", daemon=True).start()

    def _read(self, arriving: Iterator[list[bytes]]) -> None:
        try:
            for batch in arriving:
                self._come.put(batch)
        except Exception as error:
            self._come.put(error)
        self._come.put(None)

    def take(self, *, wait: bool) -> list[bytes] | None:
        """The next batch; None where there is none (yet, unless `wait`)."""
        if self._over:
            return None
        try:
            found = self._come.get(block=wait)
        except Empty:
            return None
        if isinstance(found, Exception):
            raise found
        self._over = found is None
        return found


_worker_function: Work | None = None
"""A worker's, which it was forked with: nothing of it need be sent."""


def _start_worker(work: Work) -> None:
    """What a worker was forked with is never looked through for cycles, and its own things seldom. A ^C is for the
    process that forked it, which lets it end.
    """
    global _own_work
    _worker_function = work
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    gc.set_threshold(KEPT)


def _answer_chunk(chunk: list[bytes]) -> bytes:
    assert _worker_function is not None
    return b"".join(map(_line, _worker_function(chunk)))


def _chunk_result(work: Work, chunk: list[bytes], answer: Future[bytes]) -> bytes:
    """A worker that was killed took nothing with it: its lines are done here."""
    try:
        return answer.result()
    except BrokenProcessPool:
        return b"".join(map(_line, work(chunk)))

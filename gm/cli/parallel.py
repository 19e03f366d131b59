"""Shares the lines of `gm adjudicate` among processes, only for speed. Answers keep the order of the lines.

Whoever writes one line and waits is answered at once by this process. If many lines arrive together, the rest goes to
worker processes, forked once the first lines have loaded what all need: as many as this process has cores.
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
"""Lines answered before there are workers: they load what all need."""
CHUNK = 16
"""Lines per task of a worker: about 20 ms of work, so that sending them costs little."""
AHEAD = 4
"""Pending chunks per worker, so that a huge file is not read at once."""
READ_BYTES = 1 << 18
KEPT = 500_000
"""Objects that a worker may make before a garbage collection."""

Work = Callable[[Iterable[bytes]], Iterator[str]]


def read_batches(handle: int) -> Iterator[list[bytes]]:
    """Yields whole lines of a file, pipe or terminal: those available at once together."""
    rest = b""
    while data := os.read(handle, READ_BYTES):
        *lines, rest = (rest + data).split(b"\n")
        if lines:
            yield lines
    if rest:
        yield [rest]


def run_parallel(work: Work, arriving: Iterable[list[bytes]], cores: int = 0) -> Iterator[bytes]:
    """Yields what `work` gives for all lines, in order. `cores` 0: as many as this process may use."""
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
    """Yields answers as soon as no more input is waiting, for programs that wait for one before they go on."""
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
    """Reads batches in a thread, a few ahead."""

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
        """Returns the next batch; None if there is none (yet, unless `wait`)."""
        if self._over:
            return None
        try:
            batch = self._come.get(block=wait)
        except Empty:
            return None
        if isinstance(batch, Exception):
            raise batch
        self._over = batch is None
        return batch


_worker_function: Work | None = None
"""Set in a worker; inherited by fork, so that it need not be sent."""


def _start_worker(work: Work) -> None:
    """Excludes inherited objects from garbage collection, and leaves ^C to the parent process."""
    global _worker_function
    _worker_function = work
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    gc.set_threshold(KEPT)


def _answer_chunk(chunk: list[bytes]) -> bytes:
    assert _worker_function is not None
    return b"".join(map(_line, _worker_function(chunk)))


def _chunk_result(work: Work, chunk: list[bytes], answer: Future[bytes]) -> bytes:
    """Returns a worker's answer. If the worker was killed, its lines are answered here."""
    try:
        return answer.result()
    except BrokenProcessPool:
        return b"".join(map(_line, work(chunk)))

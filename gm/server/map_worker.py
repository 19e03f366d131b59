"""Maps drawn for letters that wait for them, in processes of their own, so that mail and deadlines never wait.

Whoever draws takes a picture in hand in one transaction, draws it outside of any, and keeps it in another. A process
that dies, or is ended because it takes too long, takes nothing with it but the time: the picture is drawn again, alone,
so that no other suffers for it, and given up after a few times.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import partial
from pathlib import Path

import structlog

from gm.cli.map import MapDrawer
from gm.errors import GmError
from gm.game.model.ports import Transaction
from gm.game.model.records import Picture
from gm.game.model.services import Services
from gm.game.views import maps as pictures
from gm.game.views.maps import MapDocuments
from gm.variant_files.library import Library

log = structlog.get_logger()

LEASE = timedelta(minutes=3)
"""Longer than any picture in hand takes; one whose server was killed is drawn by another when it ends."""
LIMIT_SECONDS = 60
"""A picture takes one. The system itself ends a process that draws longer, wherever it hangs."""
TRIES = 3
AHEAD = 2
"""Pictures in hand for each process."""
GENTLE = 10
"""Niceness: letters and deadlines come first."""


class MapWorkers:
    """Draws on every core there is, in processes begun with the first picture. Use from one thread.

    `limit`: so many seconds a process may need for a picture, and to begin.
    """

    def __init__(self, folders: Iterable[Path], cores: int = 0, limit: int = LIMIT_SECONDS) -> None:
        self._folders = tuple(folders)
        self._limit = limit
        self.cores = cores or len(os.sched_getaffinity(0))
        self._crew: ProcessPoolExecutor | None = None

    def work(self, services: Services, tx: Transaction, drawn: Callable[[], None]) -> bool:
        """Draw some of the pictures that are waited for; False where there are none. `drawn` is called after each."""
        taken = take(services, tx, self.cores * AHEAD)
        begun = [(picture, self.drawing(asked)) for picture, asked in taken]
        for picture, drawing in begun:
            if not keep(tx, picture, drawing.result):
                self.close()
            drawn()
        return bool(taken)

    def close(self) -> None:
        if self._crew is not None:
            self._crew.shutdown(wait=False, cancel_futures=True)
        self._crew = None

    def drawing(self, asked: MapDocuments) -> Future[bytes]:
        """Its file, in time. BrokenProcessPool where the process dies that has it in hand, or one beside it."""
        try:
            return self._hired().submit(_carried_out, asked)
        except BrokenProcessPool:
            self.close()
            return self._hired().submit(_carried_out, asked)

    def _hired(self) -> ProcessPoolExecutor:
        if self._crew is None:
            spawn = multiprocessing.get_context("spawn")  # not forked: this process has threads
            self._crew = ProcessPoolExecutor(
                self.cores, mp_context=spawn, initializer=_begin, initargs=(self._folders, self._limit)
            )
        return self._crew


def draw_all(services: Services, tx: Transaction, library: Library) -> None:
    """Every picture that is waited for, in this process."""
    cartographer = MapDrawer(library)
    while taken := take(services, tx, 1):
        for picture, asked in taken:
            keep(tx, picture, partial(cartographer.carry_out, asked))


def take(services: Services, tx: Transaction, most: int) -> list[tuple[Picture, MapDocuments]]:
    """Pictures taken in hand, with what they are drawn from. One that was in hand before comes alone."""
    found: list[tuple[Picture, MapDocuments]] = []
    with tx() as store:
        now = store.now()
        while len(found) < most and (picture := store.pictures.next(now)) is not None:
            if found and picture.tries:
                break
            store.pictures.lease(picture.id, now + LEASE)
            if picture.tries >= TRIES:
                store.pictures.finish(picture.id, now, b"", f"given up after {TRIES} attempts")
                log.error("a map was given up", picture=picture.id, snapshot=picture.snapshot)
                continue
            try:
                found.append((picture, pictures.commission(services.variant, store, picture)))
            except Exception as error:  # of this picture alone: its letters leave without it
                store.pictures.finish(picture.id, now, b"", f"{type(error).__name__}: {error}")
                log.exception("a map has nothing to be drawn from", picture=picture.id)
            if picture.tries:
                break
    return found


def keep(tx: Transaction, picture: Picture, drawn: Callable[[], bytes]) -> bool:
    """Store what `drawn` gives, or why it gives nothing: its letters leave without it then.

    False where the process that drew it died: the picture is put back.
    """
    content, fault = b"", ""
    try:
        content = drawn()
    except BrokenProcessPool:
        log.warning("a map has to be drawn again: its process died", picture=picture.id)
        with tx() as store:
            store.pictures.unlease(picture.id)
        return False
    except GmError as error:
        fault = str(error)
        log.warning("a map cannot be drawn", picture=picture.id, error=fault)
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
        log.exception("a map cannot be drawn", picture=picture.id)
    with tx() as store:
        store.pictures.finish(picture.id, store.now(), content, fault)
    return True


# ---- in the other process

_cartographer: MapDrawer | None = None
_limit = LIMIT_SECONDS


def _begin(folders: tuple[Path, ...], limit: int) -> None:
    global _cartographer, _limit
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends its processes itself
    with suppress(OSError):
        os.nice(GENTLE)
    _limit = limit
    with _in_time():
        _cartographer = MapDrawer(Library(folders))


def _carried_out(asked: MapDocuments) -> bytes:
    assert _cartographer is not None
    with _in_time():
        return _cartographer.carry_out(asked)


@contextmanager
def _in_time() -> Iterator[None]:
    """The alarm ends the process: nothing catches it, so that it works inside of any library."""
    signal.alarm(_limit)
    try:
        yield
    finally:
        signal.alarm(0)

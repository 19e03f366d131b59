"""Draws the maps that letters wait for, in other processes, so that mail and deadlines never wait.

A picture is leased in one transaction, drawn outside any, and stored in another. If a process dies, or is killed
because it takes too long, the picture is drawn again, alone, so that no other suffers, and given up after TRIES.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from gm.errors import GmError
from gm.game.model.ports import Transaction
from gm.game.model.records import Picture
from gm.game.model.services import Services
from gm.game.views import maps
from gm.game.views.maps import MapDocuments
from gm.variant_files.library import Library

if TYPE_CHECKING:
    from gm.cli.map import MapDrawer

log = structlog.get_logger()

LEASE = timedelta(minutes=3)
"""Longer than any picture takes. Another node draws the pictures of a killed server after it."""
LIMIT_SECONDS = 60
"""A picture takes about one second. The kernel kills a process that takes longer, wherever it hangs."""
TRIES = 3
PERSONAL_WAIT = timedelta(minutes=1)
"""After it a crop or a picture of orders is given up: maps for everybody come first on a busy machine."""
AHEAD = 2
"""Pictures leased for each process."""
GENTLE = 10
"""Niceness: letters and deadlines come first."""


class MapWorkers:
    """Draws on every core, in processes started with the first picture. Use from one thread.

    `limit`: seconds that a process may need to start, and for a picture.
    """

    def __init__(self, folders: Iterable[Path], cores: int = 0, limit: int = LIMIT_SECONDS) -> None:
        self._folders = tuple(folders)
        self._limit = limit
        self.cores = cores or len(os.sched_getaffinity(0))
        self._processes: ProcessPoolExecutor | None = None

    def work(self, services: Services, tx: Transaction, drawn: Callable[[], None]) -> bool:
        """Draws some pictures that letters wait for; False if there are none. Calls `drawn` after each."""
        taken = take_pictures(services, tx, self.cores * AHEAD)
        begun = [(picture, self.submit(documents)) for picture, documents in taken]
        for picture, future in begun:
            if not store_picture(tx, picture, future.result):
                self.close()
            drawn()
        return bool(taken)

    def close(self) -> None:
        if self._processes is not None:
            self._processes.shutdown(wait=False, cancel_futures=True)
        self._processes = None

    def submit(self, documents: MapDocuments) -> Future[bytes]:
        """Starts drawing a picture. The future raises BrokenProcessPool if its process or one beside it dies."""
        try:
            return self._pool().submit(_draw_in_process, documents)
        except BrokenProcessPool:
            self.close()
            return self._pool().submit(_draw_in_process, documents)

    def _pool(self) -> ProcessPoolExecutor:
        if self._processes is None:
            spawn = multiprocessing.get_context("spawn")  # not forked: this process has threads
            self._processes = ProcessPoolExecutor(
                self.cores, mp_context=spawn, initializer=_start_process, initargs=(self._folders, self._limit)
            )
        return self._processes


def draw_all(services: Services, tx: Transaction, drawer: MapDrawer) -> None:
    """Draws every picture that letters wait for, in this process."""
    while taken := take_pictures(services, tx, 1):
        for picture, documents in taken:
            store_picture(tx, picture, partial(drawer.draw_file, documents))


def take_pictures(services: Services, tx: Transaction, most: int) -> list[tuple[Picture, MapDocuments]]:
    """Leases pictures and returns them with their documents. One that was leased before comes alone."""
    leased: list[tuple[Picture, MapDocuments]] = []
    with tx() as store:
        now = store.now()
        while len(leased) < most and (picture := store.pictures.next(now)) is not None:
            if leased and picture.tries:
                break
            if picture.audience and now - picture.asked_at > PERSONAL_WAIT:
                store.pictures.finish(picture.id, now, b"", "others were waiting")
                continue
            store.pictures.lease(picture.id, now + LEASE)
            if picture.tries >= TRIES:
                store.pictures.finish(picture.id, now, b"", f"given up after {TRIES} attempts")
                log.error("a map was given up", picture=picture.id, snapshot=picture.snapshot)
                continue
            try:
                leased.append((picture, maps.documents_for_picture(services.variant, store, picture)))
            except GmError as error:
                store.pictures.finish(picture.id, now, b"", str(error))
            except Exception as error:  # only this picture: its letters leave without it
                store.pictures.finish(picture.id, now, b"", f"{type(error).__name__}: {error}")
                log.exception("a map has nothing to be drawn from", picture=picture.id)
            if picture.tries:
                break
    return leased


def store_picture(tx: Transaction, picture: Picture, drawn: Callable[[], bytes]) -> bool:
    """Stores what `drawn` returns, or why it failed: then letters leave without the map.

    Returns False if the process that drew it died: then the picture is released.
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


# The rest runs in the other processes.
_drawer: MapDrawer | None = None
_limit = LIMIT_SECONDS


def _start_process(folders: tuple[Path, ...], limit: int) -> None:
    global _drawer, _limit
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends its processes itself
    threading.Thread(target=_end_with_server, daemon=True).start()
    with suppress(OSError):
        os.nice(GENTLE)
    _limit = limit
    with _time_limit():
        from gm.cli.map import MapDrawer  # only here: what draws takes a fifth of a start of the server, and 20 MB

        _drawer = MapDrawer(Library(folders))


def _end_with_server() -> None:
    """A server that was killed ends nothing, and each of its processes holds 100 MB."""
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(1)


def _draw_in_process(documents: MapDocuments) -> bytes:
    assert _drawer is not None
    with _time_limit():
        return _drawer.draw_file(documents)


@contextmanager
def _time_limit() -> Iterator[None]:
    """Limits the time by SIGALRM, which kills the process: nothing catches it, whatever library is running."""
    signal.alarm(_limit)
    try:
        yield
    finally:
        signal.alarm(0)

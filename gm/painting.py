"""Maps drawn for letters that wait for them, in processes of their own, so that mail and deadlines never wait.

Whoever draws takes a picture in hand in one transaction, draws it outside of any, and keeps it in another. A process
that dies takes nothing with it but the time: the picture is drawn again, and given up after a few times.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path

import structlog

from gm.charting import Cartographer
from gm.desk import pictures
from gm.desk.errors import GmError
from gm.desk.office import Office
from gm.desk.pictures import Commission
from gm.desk.ports import Transaction
from gm.desk.records import Picture
from gm.library import Library

log = structlog.get_logger()

LEASE = timedelta(minutes=2)
"""Longer than any picture takes; one whose server was killed is drawn by another when it ends."""
TRIES = 3
AHEAD = 2
"""Pictures in hand for each process."""
GENTLE = 10
"""Niceness: letters and deadlines come first."""


class Studio:
    """Draws on every core there is, in processes begun with the first picture. Use from one thread."""

    def __init__(self, folders: Iterable[Path], cores: int = 0) -> None:
        self._folders = tuple(folders)
        self.cores = cores or len(os.sched_getaffinity(0))
        self._crew: ProcessPoolExecutor | None = None

    def work(self, office: Office, tx: Transaction, drawn: Callable[[], None]) -> bool:
        """Draw some of the pictures that are waited for; False where there are none. `drawn` is called after each."""
        taken = take(office, tx, self.cores * AHEAD)
        begun = [(picture, self._submit(asked)) for picture, asked in taken]
        for picture, drawing in begun:
            if not keep(tx, picture, drawing.result):
                self.close()
            drawn()
        return bool(taken)

    def close(self) -> None:
        if self._crew is not None:
            self._crew.shutdown(wait=False, cancel_futures=True)
        self._crew = None

    def _submit(self, asked: Commission) -> Future[bytes]:
        try:
            return self._hired().submit(_carried_out, asked)
        except BrokenProcessPool:
            self.close()
            return self._hired().submit(_carried_out, asked)

    def _hired(self) -> ProcessPoolExecutor:
        if self._crew is None:
            spawn = multiprocessing.get_context("spawn")  # not forked: this process has threads
            self._crew = ProcessPoolExecutor(
                self.cores, mp_context=spawn, initializer=_begin, initargs=(self._folders,)
            )
        return self._crew


def draw_all(office: Office, tx: Transaction, library: Library) -> None:
    """Every picture that is waited for, in this process."""
    cartographer = Cartographer(library)
    while taken := take(office, tx, 1):
        for picture, asked in taken:
            keep(tx, picture, partial(cartographer.carry_out, asked))


def take(office: Office, tx: Transaction, most: int) -> list[tuple[Picture, Commission]]:
    """Pictures taken in hand, with what they are drawn from."""
    found: list[tuple[Picture, Commission]] = []
    with tx() as store:
        now = store.now()
        while len(found) < most and (picture := store.pictures.next(now)) is not None:
            store.pictures.lease(picture.id, now + LEASE)
            if picture.tries >= TRIES:
                store.pictures.settle(picture.id, now, b"", f"given up after {TRIES} attempts")
                log.error("a map was given up", picture=picture.id, snapshot=picture.snapshot)
                continue
            try:
                found.append((picture, pictures.commission(office.variant, store, picture)))
            except Exception as error:  # of this picture alone: its letters leave without it
                store.pictures.settle(picture.id, now, b"", f"{type(error).__name__}: {error}")
                log.exception("a map has nothing to be drawn from", picture=picture.id)
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
            store.pictures.free(picture.id)
        return False
    except GmError as error:
        fault = str(error)
        log.warning("a map cannot be drawn", picture=picture.id, error=fault)
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
        log.exception("a map cannot be drawn", picture=picture.id)
    with tx() as store:
        store.pictures.settle(picture.id, store.now(), content, fault)
    return True


# ---- in the other process

_cartographer: Cartographer | None = None


def _begin(folders: tuple[Path, ...]) -> None:
    global _cartographer
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends its processes itself
    with suppress(OSError):
        os.nice(GENTLE)
    _cartographer = Cartographer(Library(folders))


def _carried_out(asked: Commission) -> bytes:
    assert _cartographer is not None
    return _cartographer.carry_out(asked)

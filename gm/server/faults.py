"""Finds present faults in the store's figures, for /healthz, alarms and `gm doctor`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from gm.config import Config

if TYPE_CHECKING:
    from gm.store.queries.statistics import StoreFigures

UNREAD_MOST = timedelta(minutes=15)
UNSENT_MOST = timedelta(minutes=30)
LATE_MOST = timedelta(minutes=15)
POLLED_MOST = timedelta(minutes=15)
DISK_LEAST = 200_000_000
"""Bytes free on the database's disk: letters of a busy week, and room for SQLite to work."""


class ServerFault(Struct, frozen=True):
    """`kind` names a sentence of the catalogue ("alarm.unsent"), `fields` are its values."""

    kind: str
    fields: tuple[tuple[str, str], ...] = ()


def find_faults(figures: StoreFigures, settings: Config) -> tuple[ServerFault, ...]:
    return tuple(_faults(figures, settings))


def _faults(figures: StoreFigures, settings: Config) -> Iterator[ServerFault]:
    if figures.unread_age > UNREAD_MOST:
        yield ServerFault("unread", (("age", format_age(figures.unread_age)),))
    if figures.unsent_age > UNSENT_MOST:
        number = str(figures.letters_out.get("queued", 0))
        yield ServerFault("unsent", (("age", format_age(figures.unsent_age)), ("n", number)))
    for kind, alike in (("postponed", figures.postponed_alike), ("refused", figures.refused_alike)):
        if alike is not None:
            yield ServerFault(kind, (("answer", alike.answer), ("n", str(alike.addresses))))
    if figures.late > LATE_MOST:
        yield ServerFault("late", (("age", format_age(figures.late)), ("n", str(len(figures.late_games)))))
    for account, age in figures.polled.items():
        if settings.imap is not None and age > max(POLLED_MOST, 3 * timedelta(seconds=settings.imap.poll_seconds)):
            yield ServerFault("unpolled", (("age", format_age(age)), ("account", account.removeprefix("imap:"))))
    if figures.shunted:
        yield ServerFault("shunted", (("n", str(figures.shunted)),))
    if is_disk_full(settings):
        yield ServerFault("disk", (("left", str((disk_left(settings) or 0) // 1_000_000)),))


def is_disk_full(settings: Config) -> bool:
    """False for a missing disk: the database and `gm doctor` report it."""
    try:
        left = disk_left(settings)
    except OSError:
        return False
    return left is not None and left < DISK_LEAST


def disk_left(settings: Config) -> int | None:
    """Returns the bytes free for a SQLite file; None for PostgreSQL. Raises OSError."""
    if "://" in settings.database:
        return None
    folder = Path(settings.database).absolute().parent
    return shutil.disk_usage(folder).free if folder.is_dir() else None


def format_age(age: timedelta) -> str:
    """Formats an age: "25 min", "3 h", "2 d"."""
    minutes = int(age.total_seconds() // 60)
    if minutes < 120:
        return f"{minutes} min"
    return f"{minutes // 60} h" if minutes < 2880 else f"{minutes // 1440} d"

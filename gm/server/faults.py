"""What is wrong right now, judged from the store's figures: one list for /healthz, alarms and the doctor."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from msgspec import Struct

from gm.config import Config
from gm.store.statistics import StoreFigures

UNREAD_MOST = timedelta(minutes=15)
UNSENT_MOST = timedelta(minutes=30)
LATE_MOST = timedelta(minutes=15)
POLLED_MOST = timedelta(minutes=15)
DISK_LEAST = 200_000_000
"""Bytes free where the database lies: letters of a busy week, and room for SQLite to work."""


class ServerFault(Struct, frozen=True):
    """`kind` names a sentence of the catalogue ("alarm.unsent"), `fields` what it speaks of."""

    kind: str
    fields: tuple[tuple[str, str], ...] = ()


def faults(found: StoreFigures, settings: Config) -> tuple[ServerFault, ...]:
    return tuple(_faults(found, settings))


def _faults(found: StoreFigures, settings: Config) -> Iterator[ServerFault]:
    if found.unread_age > UNREAD_MOST:
        yield ServerFault("unread", (("age", told(found.unread_age)),))
    if found.unsent_age > UNSENT_MOST:
        number = str(found.letters_out.get("queued", 0))
        yield ServerFault("unsent", (("age", told(found.unsent_age)), ("n", number)))
    if found.late > LATE_MOST:
        yield ServerFault("late", (("age", told(found.late)), ("n", str(len(found.late_games)))))
    for account, age in found.polled.items():
        if settings.imap is not None and age > max(POLLED_MOST, 3 * timedelta(seconds=settings.imap.poll_seconds)):
            yield ServerFault("unpolled", (("age", told(age)), ("account", account.removeprefix("imap:"))))
    if found.shunted:
        yield ServerFault("shunted", (("n", str(found.shunted)),))
    with suppress(OSError):  # the database complains by itself of a disk that is not there, and the doctor asks
        left = disk_left(settings)
        if left is not None and left < DISK_LEAST:
            yield ServerFault("disk", (("left", str(left // 1_000_000)),))


def disk_left(settings: Config) -> int | None:
    """Bytes free for a SQLite file; None for a database elsewhere. OSError where the disk does not say."""
    if "://" in settings.database:
        return None
    folder = Path(settings.database).absolute().parent
    return shutil.disk_usage(folder).free if folder.is_dir() else None


def told(age: timedelta) -> str:
    """ "25 min", "3 h", "2 d": for a line, not for reckoning."""
    minutes = int(age.total_seconds() // 60)
    if minutes < 120:
        return f"{minutes} min"
    return f"{minutes // 60} h" if minutes < 2880 else f"{minutes // 1440} d"

"""What `gm deliver` and an idle `gm tick` do. Mail servers and cron start them all the time.

With a SQLite file they do without SQLAlchemy, and a tick without the game until there is something to do.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from msgspec import Struct

from gm.config import Config
from gm.errors import GmError
from gm.mail.incoming.received import Accept, Received, inbox_row
from gm.server.faults import UNSENT_MOST, is_disk_full
from gm.server.wiring import assemble, reply_addresses, variant_folders
from gm.store.locks import FileLock
from gm.store.sqlite_file import Asked, SqliteFile, sqlite_file

if TYPE_CHECKING:
    from gm.server.mailbox import PolledStore

EVENT_DAYS = 90
"""How long public events are kept for feeds; an ended game's chronicle stays on the site."""


class FirstLook(Struct, frozen=True):
    """`idle`: nothing is left to do. `polled`: the mailbox was polled, or `away` says why it could not be."""

    idle: bool = False
    polled: bool = False
    away: GmError | None = None


def accept_beside_server(settings: Config) -> Accept:
    """For a process that hands letters in while the server may be running. Raises GmError."""
    file = sqlite_file(settings.database)
    if file is not None:
        return _accept_into(file)
    app = assemble(settings, alone=False)
    app.database.refuse_newer()
    return app.accept


def _accept_into(file: SqliteFile) -> Accept:
    def accept(letter: Received) -> None:
        file.accept(inbox_row(letter), pushed=letter.pushed)

    return accept


def first_look(settings: Config) -> FirstLook:
    """Polls the mailbox and asks whether anything waits, where that needs no SQLAlchemy. Raises GmError."""
    variant_folders(settings)
    file = sqlite_file(settings.database)
    if file is not None:
        file.require()
    reply_addresses(settings)
    if file is None:
        return FirstLook()
    lock = FileLock(file.path)
    try:
        return _look_into(file, settings)
    finally:
        lock.release()


def _look_into(file: SqliteFile, settings: Config) -> FirstLook:
    if not file.is_present():
        return FirstLook()
    away = poll_once(settings, file, _accept_into(file))
    waits = away is not None or is_disk_full(settings) or file.work_waits(work_limits(settings, file.now()))
    return FirstLook(idle=not waits, polled=True, away=away)


def poll_once(settings: Config, store: PolledStore, accept: Accept) -> GmError | None:
    """Returns why the mailbox could not be read; None also where there is none."""
    if settings.imap is not None:
        from gm.server.mailbox import make_poller

        try:
            make_poller(settings.imap, store, accept, settings.max_letter_bytes).poll_once()
        except GmError as error:
            return error
    return None


def work_limits(settings: Config, now: datetime) -> Asked:
    """The parameters of `gm.store.sqlite_file.WORK_WAITS`."""
    return {
        "now": now,
        "unsent": now - UNSENT_MOST,
        "letters": now - timedelta(days=settings.keep_letters_days),
        "maps": now - timedelta(days=settings.keep_maps_days),
        "events": now - timedelta(days=EVENT_DAYS),
        "notify": settings.notify is not None,
        "site": settings.site is not None,
    }

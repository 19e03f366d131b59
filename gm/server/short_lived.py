"""What `gm deliver` and an idle `gm tick` do. Mail servers and cron start them all the time.

With a SQLite file they do without SQLAlchemy, and a tick without the game until there is something to do.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from gm.config import Config
from gm.mail.incoming.received import Accept, Received, inbox_row
from gm.server.faults import UNSENT_MOST, is_disk_full
from gm.server.wiring import assemble, reply_addresses, variant_folders
from gm.store.sqlite_file import Asked, sqlite_path, store_letter, work_waits

EVENT_DAYS = 90
"""How long public events are kept for feeds; an ended game's chronicle stays on the site."""


def accept_beside_server(settings: Config) -> Accept:
    """For a process that hands letters in while the server may be running. Raises GmError."""
    path = sqlite_path(settings.database)
    if path is None:
        return assemble(settings, alone=False).accept

    def accept(letter: Received) -> None:
        store_letter(path, inbox_row(letter))

    return accept


def is_idle(settings: Config) -> bool:
    """Whether a tick can end at once; False where it must look itself. Raises GmError for what it could not do."""
    variant_folders(settings)
    reply_addresses(settings)
    path = sqlite_path(settings.database)
    if path is None or settings.imap is not None or is_disk_full(settings):
        return False
    return not work_waits(path, work_limits(settings, datetime.now(UTC)))


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

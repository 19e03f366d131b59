"""The mailbox of the settings: its poller, and how far it has been read."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from gm.config import ImapConfig
from gm.mail.incoming.imap_connection import account_name
from gm.mail.incoming.imap_poller import ImapPoller
from gm.mail.incoming.received import Accept

if TYPE_CHECKING:
    from gm.server.wiring import Application


class PolledStore(Protocol):
    """What a poller needs of the store."""

    def now(self) -> datetime: ...

    def note_polled(self, account: str, until: datetime) -> None: ...


def make_poller(
    settings: ImapConfig,
    store: PolledStore,
    accept: Accept,
    max_bytes: int,
    should_poll: Callable[[], bool] = lambda: True,
    after_poll: Callable[[], None] = lambda: None,
) -> ImapPoller:
    """Makes a poller that uses the database's clock and tells all nodes how far the mailbox is read."""

    def note_polled(until: datetime) -> None:
        store.note_polled(account_name(settings), until)
        after_poll()

    return ImapPoller(
        settings,
        accept,
        max_bytes=max_bytes,
        now=store.now,
        should_poll=should_poll,
        on_polled=note_polled,
    )


def polled_until(app: Application) -> datetime | None:
    """Returns until when letters have been taken from the mailbox; None without a mailbox."""
    settings = app.settings
    if settings.imap is None or not settings.hold_until_polled:
        return None
    return app.database.polled(account_name(settings.imap)) or datetime.min.replace(tzinfo=UTC)

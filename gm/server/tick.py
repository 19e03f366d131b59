"""`gm tick`: one round for cron, and for the demo.

Most rounds find nothing to do. So what reads, resolves, draws and sends is imported only when something is due: that
takes half a second.
"""

from __future__ import annotations

from gm.config import Config
from gm.errors import GmError
from gm.game.clock.due import is_anything_due
from gm.game.model.ports import Store
from gm.server.faults import find_faults
from gm.server.upkeep import delete_old, release_leases
from gm.server.wiring import Application
from gm.store.maintenance import StoreMaintenance


def tick(app: Application) -> None:
    """`gm tick`: one round for cron, then alarms, even if the round failed."""
    try:
        run_once(app)
    finally:
        if find_faults(StoreMaintenance(app.database).figures(), app.settings):
            from gm.server import alarms

            alarms.raise_alarms(app)
        delete_old(app)


def run_once(app: Application) -> None:
    """Polls, reads, resolves and sends once. Letters leave even without the mailbox; its error is raised last."""
    away: GmError | None = None
    if app.settings.imap is not None:
        from gm.server.mailbox import make_poller

        try:
            make_poller(app, app.settings.imap, app.accept).poll_once()
        except GmError as error:
            away = error
    release_leases(app)
    with app.database.transaction() as store:
        store.outbox.expire(store.now())
        due = is_anything_due(store) or _public_work_waits(app.settings, store)
    if due:
        from gm.server.work import do_what_is_due

        do_what_is_due(app)
    if away is not None:
        raise away


def _public_work_waits(settings: Config, store: Store) -> bool:
    """Whether the site is to be written, or an event to be given to the webhook."""
    site = settings.site is not None and store.events.stale()
    return site or (settings.notify is not None and store.events.next(store.now()) is not None)

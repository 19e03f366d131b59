"""`gm tick`: one round for cron, and for the demo.

Most rounds find nothing to do: `gm.server.short_lived` asks first. What reads, resolves, draws and sends is imported
only when something is due, which takes half a second.
"""

from __future__ import annotations

from gm.server.faults import find_faults
from gm.server.short_lived import FirstLook, poll_once, work_limits
from gm.server.upkeep import delete_old, release_leases
from gm.server.wiring import Application
from gm.store.maintenance import StoreMaintenance

NO_LOOK = FirstLook()


def tick(app: Application, look: FirstLook = NO_LOOK) -> None:
    """`gm tick`: one round for cron, then alarms, even if the round failed."""
    try:
        run_once(app, look)
    finally:
        if find_faults(StoreMaintenance(app.database).figures(), app.settings):
            from gm.server.monitoring import alarms

            alarms.raise_alarms(app)
        delete_old(app)


def run_once(app: Application, look: FirstLook = NO_LOOK) -> None:
    """Polls, reads, resolves and sends once. Letters leave even without the mailbox; its error is raised last."""
    away = look.away if look.polled else poll_once(app.settings, app.database, app.accept)
    release_leases(app)
    with app.database.transaction() as store:
        store.outbox.expire(now := store.now())
    if app.database.work_waits(work_limits(app.settings, now)):
        from gm.server.work import do_what_is_due

        do_what_is_due(app)
    if away is not None:
        raise away

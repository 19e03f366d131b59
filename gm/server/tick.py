"""`gm tick`: one round for cron, and for the demo."""

from __future__ import annotations

from datetime import timedelta

from msgspec.structs import replace

from gm.errors import GmError, RelayDown
from gm.game.clock import clock
from gm.game.intake import inbox
from gm.mail.outgoing.smtp_relay import RelayMailer
from gm.server import alarms
from gm.server.mailbox import make_poller, polled_until
from gm.server.map_worker import draw_all
from gm.server.upkeep import delete_old, release_leases
from gm.server.wiring import Application

OFFERED_MOST = 3
"""A round gives up after this many letters that the relay broke off."""


def tick(app: Application) -> None:
    """`gm tick`: one round for cron, then alarms, even if the round failed."""
    try:
        run_once(app)
    finally:
        alarms.raise_alarms(app)
        delete_old(app)


def run_once(app: Application) -> None:
    """Polls, reads, resolves and sends once. Letters leave even without the mailbox; its error is raised last."""
    settings, transaction = app.settings, app.database.transaction
    services = replace(app.services, outage=timedelta(0))  # cron's own pace is no outage
    away: GmError | None = None
    if settings.imap is not None:
        try:
            make_poller(app, settings.imap, app.accept).poll_once()
        except GmError as error:
            away = error
    while inbox.read_some(services, transaction):
        pass
    while clock.tick(services, transaction, polled_until(app)):
        pass
    release_leases(app)
    draw_all(app.services, transaction, app.library)
    mailer = RelayMailer(settings.relay)
    try:
        _send_all(app, mailer)
    finally:
        mailer.close()
    if away is not None:
        raise away


def _send_all(app: Application, mailer: RelayMailer) -> None:
    """Sends the outbox. The relay may break off over one letter: others are tried before giving up."""
    faults: list[RelayDown] = []
    going = True
    while going and len(faults) < OFFERED_MOST:
        try:
            going = clock.send(app.database.transaction, mailer, app.services)
        except RelayDown as error:
            faults.append(error)
    if faults:
        raise faults[0]

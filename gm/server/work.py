"""All that is due, done once: letters are read, phases resolved, maps drawn, letters sent, the public told."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import timedelta

from msgspec.structs import replace

from gm.errors import RelayDown
from gm.game.clock import clock
from gm.game.intake import inbox
from gm.mail.outgoing.smtp_relay import RelayMailer
from gm.server.mailbox import polled_until
from gm.server.wiring import Application

SENT_AT_ONCE = 100
"""Letters for each call of the clock."""
OFFERED_MOST = 3
"""Sending is given up after this many letters that the relay broke off."""


def do_what_is_due(app: Application) -> None:
    """Raises RelayDown, or another GmError when the rest is done."""
    transaction = app.database.transaction
    services = replace(app.services, outage=timedelta(0))  # cron's own pace is no outage
    while inbox.read_some(services, transaction):
        pass
    while clock.tick(services, transaction, polled_until(app)):
        pass
    if _maps_wait(app):
        from gm.server.map_worker import draw_all  # numpy, shapely and Pillow: a third of a second

        draw_all(app.services, transaction, app.map_drawer)
    mailer = RelayMailer(app.settings.relay)
    with ExitStack() as last:  # runs from its end
        last.callback(_deliver_events, app)
        last.callback(_write_site, app)
        last.callback(mailer.close)
        _send_all(app, mailer)


def _write_site(app: Application) -> None:
    if app.settings.site is None:
        return
    with app.database.look() as store:
        stale = store.events.stale()
    if stale:
        from gm.server.site_writer import SiteWriter

        SiteWriter(app, app.settings.site).write()


def _deliver_events(app: Application) -> None:
    """Until none is left or the service fails: the first one postponed holds the others."""
    if app.settings.notify is None:
        return
    from gm.server.webhook.delivery import webhook_delivery

    webhook = webhook_delivery(app)
    while webhook is not None and webhook.deliver_next():
        pass


def _maps_wait(app: Application) -> bool:
    with app.database.transaction() as store:
        return store.pictures.next(store.now()) is not None


def _send_all(app: Application, mailer: RelayMailer) -> None:
    """Sends the outbox. The relay may break off over one letter: others are tried before giving up."""
    faults: list[RelayDown] = []
    going = True
    while going and len(faults) < OFFERED_MOST:
        try:
            going = clock.send(app.database.transaction, mailer, app.services, SENT_AT_ONCE)
        except RelayDown as error:
            faults.append(error)
    if faults:
        raise faults[0]

"""Hands public events to the webhook, the oldest first, each until it is taken or given up.

An event waits in the database. It is reserved in one transaction, sent outside any, and settled in another, so a slow
service delays neither letters nor deadlines. After a crash it is sent again with the same id.
"""

from __future__ import annotations

from datetime import timedelta

import structlog

from gm.config import NotifyConfig
from gm.game.clock.retry import Retry
from gm.game.model.ports import Transaction
from gm.game.model.public_events import PublicEvent
from gm.game.model.records import Game
from gm.game.views.public.facts import UNLISTED
from gm.server.webhook.forms import public_message, webhook_request
from gm.server.webhook.post import WebhookAnswer, send_request
from gm.server.wiring import Application

log = structlog.get_logger()

RETRY = Retry((1, 2, 5, 15, 30, 60), give_up=timedelta(days=2), lease=timedelta(minutes=5))
"""Of events: an older one is no news."""


def webhook_delivery(app: Application) -> WebhookDelivery | None:
    """That of the settings, if there is one."""
    settings = app.settings
    if settings.notify is None:
        return None
    site = settings.site.url if settings.site is not None else ""
    return WebhookDelivery(app.database.transaction, settings.notify, app.post.domain, site)


class WebhookDelivery:
    """`domain` is the game master's, `site` the address of the public site or ""."""

    def __init__(self, tx: Transaction, settings: NotifyConfig, domain: str, site: str) -> None:
        self._tx, self._settings = tx, settings
        self._domain, self._site = domain, site

    def deliver_next(self) -> bool:
        """Sends the oldest event that may go; False if there is none."""
        with self._tx() as store:
            now = store.now()
            event = store.events.next(now)
            if event is None:
                return False
            game, announced = store.games.get(event.game), store.events.announced(event.game)
            old, hidden = now - event.at > RETRY.give_up, announced is not None and announced.facts == UNLISTED
            if old or hidden:
                store.events.settle(event.id, event.last_error or ("too old" if old else "the game is not listed"))
                return True
            store.events.postpone(event.id, now + RETRY.lease)
        message = public_message(game, event, self._domain, self._site)
        request = webhook_request(self._settings, message)
        answer = send_request(self._settings, request, message.id, int(now.timestamp()))
        self._settle(game, event, answer)
        return True

    def _settle(self, game: Game, event: PublicEvent, answer: WebhookAnswer) -> None:
        with self._tx() as store:
            if not answer.error or answer.final:
                store.events.settle(event.id, answer.error)
            else:
                wait = answer.after or RETRY.wait(event.tries)
                store.events.postpone(event.id, store.now() + wait, answer.error)
        if answer.error and (answer.final or answer.error != event.last_error):
            problem = (
                "the webhook refused an event" if answer.final else "the webhook takes no events for now; they wait"
            )
            log.warning(problem, game=game.name, kind=event.kind.value, error=answer.error)

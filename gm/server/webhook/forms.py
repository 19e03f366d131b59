"""A public event as the request that a service wants: our own JSON, ntfy, Discord or Matrix.

Everything in a request follows from the event, so a second attempt sends the same; only the signature has another time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

from msgspec import Struct

from gm.config import NotifyConfig
from gm.game.model.public_events import PublicEvent, PublicEventKind
from gm.game.model.records import Game
from gm.game.views.public.site_address import event_id, event_page, game_file
from gm.language.rendering.feeds import instant

FORMAT, VERSION = "gm-event", 1
CONTENT_MOST = 2000
"""Characters that Discord takes."""
MESSAGE_MOST = 3000
"""Characters of a message to ntfy, which takes 4096 bytes."""
TAGS: Mapping[PublicEventKind, str] = {
    PublicEventKind.OPEN: "loudspeaker",
    PublicEventKind.SEAT: "loudspeaker",
    PublicEventKind.DEADLINE: "alarm_clock",
    PublicEventKind.ENDED: "checkered_flag",
}
"""Of ntfy, which shows them as emoji."""
MAP_TAG = "world_map"


class PublicMessage(Struct, frozen=True):
    """An event with what its receiver must know of its game. `id` stays the same in every attempt.

    `page` and `document` are addresses on the site, "" if it has none.
    """

    id: str
    event: PublicEvent
    game: str
    variant: str
    page: str = ""
    document: str = ""


class WebhookRequest(Struct, frozen=True):
    method: str
    url: str
    body: bytes


def public_message(game: Game, event: PublicEvent, domain: str, site: str) -> PublicMessage:
    """`site`: the address of the public site, "" for none."""
    page = f"{site}/{event_page(game, event)}" if site else ""
    document = f"{site}/{game_file(game.name, 'json')}" if site else ""
    return PublicMessage(event_id(domain, game.name, event), event, game.name, game.variant, page, document)


def webhook_request(settings: NotifyConfig, message: PublicMessage) -> WebhookRequest:
    return FORMS[settings.form](settings, message)


def _json(settings: NotifyConfig, message: PublicMessage) -> WebhookRequest:
    event = message.event
    body = {
        "format": FORMAT,
        "version": VERSION,
        "id": message.id,
        "event": event.kind.value,
        "at": instant(event.at),
        "game": message.game,
        "variant": message.variant,
        "phase": event.phase,
        "deadline": None if event.due_at is None else instant(event.due_at),
        "title": event.title,
        "text": event.text,
        "page": message.page or None,
        "json": message.document or None,
    }
    return WebhookRequest("POST", settings.url.get_secret_value(), _encoded(body))


def _ntfy(settings: NotifyConfig, message: PublicMessage) -> WebhookRequest:
    """Published as JSON: to the server itself, with the topic in the body."""
    parts, event = urlsplit(settings.url.get_secret_value()), message.event
    folder, _, topic = parts.path.rstrip("/").rpartition("/")
    body: dict[str, Any] = {
        "topic": topic,
        "title": event.title,
        "message": _shortened(event.text or event.title, MESSAGE_MOST),
        "tags": [TAGS.get(event.kind, MAP_TAG)],
    }
    if message.page:
        body["click"] = message.page
    return WebhookRequest("POST", urlunsplit((parts.scheme, parts.netloc, f"{folder}/", "", "")), _encoded(body))


def _discord(settings: NotifyConfig, message: PublicMessage) -> WebhookRequest:
    event = message.event
    words = f"**{_without_markdown(event.title)}**\n{_without_markdown(event.text)}"
    content = _shortened(words, CONTENT_MOST - len(message.page) - 1)
    if message.page:
        content += f"\n{message.page}"
    body = {"content": content, "allowed_mentions": {"parse": []}}
    return WebhookRequest("POST", settings.url.get_secret_value(), _encoded(body))


def _matrix(settings: NotifyConfig, message: PublicMessage) -> WebhookRequest:
    """The transaction id is the event's, so the homeserver itself drops a repetition."""
    event = message.event
    lines = (event.title, event.text, message.page)
    body = {"msgtype": "m.notice", "body": "\n".join(line for line in lines if line)}
    server = settings.url.get_secret_value().rstrip("/")
    path = f"/_matrix/client/v3/rooms/{quote(settings.room, safe='')}/send/m.room.message/{message.id}"
    return WebhookRequest("PUT", server + path, _encoded(body))


Form = Callable[[NotifyConfig, PublicMessage], WebhookRequest]
FORMS: Mapping[str, Form] = {"json": _json, "ntfy": _ntfy, "discord": _discord, "matrix": _matrix}


def _encoded(body: Mapping[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False).encode("utf-8")


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _without_markdown(text: str) -> str:
    return "".join(f"\\{char}" if char in "\\*_~`|>#" else char for char in text)

"""A game in the list of games, the feeds and the calendar of the public site."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from gm.game.model.public_events import PublicEvent, PublicEventKind
from gm.game.model.records import Game, GameState
from gm.game.views.public import site_address
from gm.game.views.public.event_words import due_words
from gm.game.views.public.game_document import game_document, game_summary
from gm.game.views.public.game_list import ListedGame, ask_row
from gm.game.views.public.public_past import PublicPast
from gm.language.rendering.calendars import CalendarEvent
from gm.language.rendering.feeds import FeedEntry
from gm.language.rendering.plain_text import unmarked
from gm.language.rendering.site_pages import OpenGame

ENTRIES_MOST = 40
"""Entries of a game's feed."""
Address = Callable[[str], str]
"""From a path of the site to the address that it is read at."""


class GameNews(Struct, frozen=True):
    """`summary` and `document` are JSON; `deadline` is None without one, `opening` if nobody may ask to play."""

    summary: dict[str, Any]
    document: dict[str, Any]
    entries: tuple[FeedEntry, ...]
    deadline: CalendarEvent | None
    opening: OpenGame | None


def game_news(listed: ListedGame, past: PublicPast, address: Address) -> GameNews:
    reader, game = listed.reader, listed.game
    events = reader.store.events.recent(ENTRIES_MOST, game.id)
    return GameNews(
        summary=game_summary(listed),
        document=game_document(listed, past),
        entries=tuple(_entry(reader.services.post.domain, game, event, address) for event in events),
        deadline=_deadline(listed, events, address),
        opening=_opening(listed),
    )


def _entry(domain: str, game: Game, event: PublicEvent, address: Address) -> FeedEntry:
    return FeedEntry(
        id=f"urn:uuid:{site_address.event_id(domain, game.name, event)}",
        kind=event.kind.value,
        at=event.at,
        title=event.title,
        text=event.text,
        link=address(site_address.event_page(game, event)),
    )


def _deadline(listed: ListedGame, events: tuple[PublicEvent, ...], address: Address) -> CalendarEvent | None:
    """The open phase's deadline. Whenever it moves, the sequence number rises."""
    reader, game = listed.reader, listed.game
    if game.due_at is None or game.state is not GameState.RUNNING:
        return None
    opened = game.opened_at or game.due_at
    moved = [event for event in events if event.kind is PublicEventKind.DEADLINE and event.at >= opened]
    domain = reader.services.post.domain
    uid = site_address.lasting_id(domain, game.name, game.phase, opened.isoformat())
    link = address(site_address.game_page(game))
    return CalendarEvent(
        uid=f"{uid}@{domain}",
        stamp=moved[0].at if moved else opened,
        sequence=len(moved),
        start=game.due_at,
        summary=f"{game.name}: {reader.phase_words('phase.said', game.phase)}",
        description=unmarked(due_words(reader)),
        url=link if "://" in link else "",
    )


def _opening(listed: ListedGame) -> OpenGame | None:
    if not listed.open:
        return None
    reader, ask = listed.reader, ask_row(listed)
    return OpenGame(
        listed.game.name, ask.code, unmarked(ask.remark), reader.settings.about, reader.services.post.address
    )

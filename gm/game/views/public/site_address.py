"""Where the pages of the public site are, from its top: for links of feeds, calendars, JSON and the webhook."""

from __future__ import annotations

from uuid import NAMESPACE_URL, uuid5

from gm.game.model.public_events import PublicEvent, PublicEventKind
from gm.game.model.records import Game, GameState

INDEX = "index.html"
FEED = "feed.xml"
CALENDAR = "deadlines.ics"
GAMES_LIST = "games.json"
GAMES = "games"


def game_file(name: str, ending: str) -> str:
    return f"{GAMES}/{name}.{ending}"


def game_page(game: Game) -> str:
    """The page that shows the game: its own, or the list while it looks for players."""
    return f"{INDEX}#{game.name}" if game.state is GameState.FORMING else game_file(game.name, "html")


def event_page(game: Game, event: PublicEvent) -> str:
    page = game_page(game)
    return f"{page}#{event.phase}" if event.kind is PublicEventKind.TURN and "#" not in page else page


def lasting_id(domain: str, *words: str) -> str:
    """A UUID that names the same thing for good, whatever the site's address: no part of it is a row's number."""
    return str(uuid5(NAMESPACE_URL, "/".join((f"gm://{domain}", *words))))


def event_id(domain: str, game: str, event: PublicEvent) -> str:
    return lasting_id(domain, game, event.kind.value, event.phase, event.at.isoformat())

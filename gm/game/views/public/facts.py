"""The public facts of a game: compared after each change, to find what anybody may be told."""

from __future__ import annotations

from datetime import datetime

import msgspec
from msgspec import Struct

from gm.game.model.ports import Store
from gm.game.model.records import Game, GameState
from gm.game.model.services import Services
from gm.game.views.public.game_list import ListedGame, listed_game

UNLISTED = "null"
"""Stored facts of a game that nobody may be told about."""


class PublicFacts(Struct, frozen=True):
    """Stored as JSON: new fields need defaults. `snapshot` is the present position's.

    `free` are powers that look for a player; `open`: somebody may ask to play.
    """

    state: GameState
    phase: str = ""
    snapshot: int = 0
    due_at: datetime | None = None
    paused: bool = False
    paused_until: datetime | None = None
    free: tuple[str, ...] = ()
    open: bool = False


def public_facts(services: Services, store: Store, game: Game) -> tuple[PublicFacts, ListedGame] | None:
    """The facts, and the game as anybody may see it; None for a game that is not listed."""
    listed = listed_game(services, store, game)
    if listed is None:
        return None
    facts = PublicFacts(
        state=game.state,
        phase=game.phase,
        snapshot=game.snapshot,
        due_at=game.due_at,
        paused=game.paused_at is not None,
        paused_until=game.paused_until,
        free=listed.free,
        open=listed.open,
    )
    return facts, listed


def facts_to_text(facts: PublicFacts | None) -> str:
    return msgspec.json.encode(facts).decode()


def facts_from_text(text: str) -> PublicFacts | None:
    """None for a game that was not listed. Raises msgspec.DecodeError where nothing is stored, as the game is
    older than its public events.
    """
    return msgspec.json.decode(text, type=PublicFacts | None)

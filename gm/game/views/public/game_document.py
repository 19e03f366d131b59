"""The public facts of a game as a JSON document, for other programs. deploy/README.md describes its keys.

A key may be added within a version of the format; a meaning that changes needs a new version.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from gm.game.model.choose_setting import shown_settings
from gm.game.model.recipient import Recipient
from gm.game.model.records import GameState
from gm.game.views.public.game_list import SHOWN_SETTINGS, ListedGame, ask_row
from gm.game.views.public.public_past import PublicPast
from gm.game.views.turns.turn_events import TurnView, shown_order
from gm.judge.model.events import OrderResult
from gm.language.formats.json_position import position_to_json
from gm.language.rendering.feeds import instant

FORMAT = "gm-game"
VERSION = 1
POSITION_KEYS = ("phase", "units", "centers", "dislodged", "borders")
"""The public part of `gm.language.formats.json_position`: no accounts, no planned orders, no seed."""


def game_summary(listed: ListedGame) -> dict[str, Any]:
    """Where the game stands: the first keys of the document, and its row in the list of games."""
    reader, game = listed.reader, listed.game
    return {
        "name": game.name,
        "variant": game.variant,
        "title": reader.variant.title,
        "language": reader.catalogue.language,
        "zone": reader.settings.zone.key,
        "state": game.state.value,
        "phase": game.phase,
        "season": reader.season(game.phase),
        "deadline": _moment(game.due_at),
        "paused": game.paused_at is not None,
        "paused_until": _moment(game.paused_until),
        "seats": _seats(listed),
    }


def game_document(listed: ListedGame, past: PublicPast) -> dict[str, Any]:
    reader, game = listed.reader, listed.game
    scenes, history = past.turns, past.centres
    settings = {view.key: view.value for view in shown_settings(reader) if view.key in SHOWN_SETTINGS}
    return {
        "format": FORMAT,
        "version": VERSION,
        **game_summary(listed),
        "about": reader.settings.about,
        "settings": settings,
        "result": _result(scenes[-1]) if scenes and game.state is GameState.ENDED else None,
        "years": list(history.years) if history is not None else [],
        "centres_by_year": {power: list(row) for power, row in history.rows} if history is not None else {},
        "position": _position(reader, scenes[-1]) if scenes else None,
        "turns": [_turn(scene) for scene in scenes if scene.snapshot.resolved and scene.snapshot.previous],
    }


def _seats(listed: ListedGame) -> dict[str, Any]:
    ask = ask_row(listed).code if listed.open else ""
    return {
        "total": len(listed.reader.variant.powers),
        "left": listed.left,
        "wanted": list(listed.free) if listed.open and not listed.forming else [],
        "ask": {"line": ask, "address": listed.reader.services.post.address} if ask else None,
    }


def _position(reader: Recipient, scene: TurnView) -> dict[str, Any]:
    document = position_to_json(reader.variant, scene.after)
    return {key: document[key] for key in POSITION_KEYS if key in document}


def _turn(scene: TurnView) -> dict[str, Any]:
    return {
        "phase": scene.snapshot.resolved,
        "resolved_at": _moment(scene.snapshot.at),
        "orders": list(_orders(scene)),
        "position": _position(scene.reader, scene),
    }


def _orders(scene: TurnView) -> Iterator[dict[str, Any]]:
    for leg in scene.legs:
        for result in leg.of(OrderResult):
            row: dict[str, Any] = {
                "phase": leg.phase,
                "power": result.power,
                "order": shown_order(scene.reader, result, leg.phase),
                "outcome": result.outcome.value,
            }
            yield row | {"dislodged": True} if result.dislodged_by is not None else row


def _result(scene: TurnView) -> dict[str, Any]:
    ending = scene.after.ended
    return {"why": ending.why, "winners": list(ending.winners)} if ending is not None else {"why": "", "winners": []}


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else instant(moment)

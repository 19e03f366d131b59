"""The turns of a game as anybody may see them: read once, for its page and for its JSON."""

from __future__ import annotations

from msgspec import Struct

from gm.game.model.recipient import Recipient
from gm.game.views import maps
from gm.game.views.chronicle.centre_history import CentreHistory, centre_history
from gm.game.views.turns.turn_events import TurnView


class PublicPast(Struct, frozen=True):
    """`turns` are the game's snapshots, oldest first; `centres` is None before its start."""

    turns: tuple[TurnView, ...]
    centres: CentreHistory | None


def public_past(reader: Recipient) -> PublicPast:
    line = tuple(reversed(maps.snapshots_back(reader.store, reader.game)))
    turns = tuple(TurnView.of(reader, snapshot) for snapshot in line)
    return PublicPast(turns, centre_history(reader.variant, line) if line else None)

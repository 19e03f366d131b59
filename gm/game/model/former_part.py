"""How a game stood at some moment, kept while an act changes it."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from gm.judge.model.position import Position


class StateBefore(Struct, frozen=True):
    """How the game stood before an act: the position, and when its phase was due."""

    position: Position
    due: datetime | None

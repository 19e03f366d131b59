"""How a game stood at some moment, kept while an act changes it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from gm.judge.position import Position


@dataclass(frozen=True, slots=True)
class Former:
    """How the game stood before an act: the position, and when its phase was due."""

    position: Position
    due: datetime | None

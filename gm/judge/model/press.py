"""Press: under which names a seat may write, who reads what is written to a name, and at what price.

By default letters are passed on (`FORWARD`): everybody writes as his own power, to any power, for nothing, at once.
A variant with another diplomacy names another `Press` in its rules. Names here are those of powers, with a seat or
without; the game master's chair is no name of the game: what is written to him, or by him, is passed on by `FORWARD`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct

from gm.judge.model.orders import Slot


class Message(Struct, frozen=True):
    """Words that went, or are to go, from one power's seat to others. It can't be taken back.

    `sender` is the power whose seat wrote it, `name` the one it goes out as, `to` the names it is addressed to.
    `cost` is what it took from the sender's purse.
    """

    sender: str
    name: str
    to: tuple[str, ...]
    words: str
    cost: int = 0

    @property
    def slot(self) -> Slot:
        return ("message", "")


class ReleaseTime(StrEnum):
    """When a message is passed on: at once, or with all others of its quarter of an hour, in shuffled order."""

    AT_ONCE = "at-once"
    QUARTER_HOUR = "quarter-hour"


class MessageHeader(NamedTuple):
    """What a reader sees of a message besides its words: from whom, and to whom it says that it went."""

    sender: str
    to: tuple[str, ...]

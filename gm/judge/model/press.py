"""Messages of the press. The rules of press are `gm.judge.model.variant.Press`.

Names are those of powers, with a seat or without. Messages to or from the game master always follow `FREE_PRESS`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct

from gm.judge.model.orders import Slot


class Message(Struct, frozen=True):
    """A message, sent or to be sent; it can't be withdrawn.

    `sender` is the power whose seat wrote it, `name` the power in whose name it goes out, `to` the names it is
    addressed to. `cost` was taken from the sender's budget.
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
    """When a message is passed on: at once, or with all others of its quarter of an hour, in random order."""

    AT_ONCE = "at-once"
    QUARTER_HOUR = "quarter-hour"


class MessageHeader(NamedTuple):
    """What a reader sees of a message besides its text: the sender and the addressees it names."""

    sender: str
    to: tuple[str, ...]

"""Press: under which names a seat may write, who reads what is written to a name, and at what price.

By default letters are passed on (`FORWARD`): everybody writes as his own power, to any power, for nothing, at once.
A variant with another diplomacy names another `Press` in its rules. Names here are those of powers, with a seat or
without; the game master's chair is no name of the game: what is written to him, or by him, is passed on by `FORWARD`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

from msgspec import Struct

from gm.judge.model.orders import Slot, Statement
from gm.judge.model.position import Position
from gm.judge.model.sheets import Problem, Submissions

if TYPE_CHECKING:
    from gm.judge.model.variant import Variant


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


class Press(Protocol):
    @property
    def opener(self) -> str:
        """The word that opens a message which takes the rest of its letter ("message"); "" where there is none such."""
        ...

    @property
    def terms(self) -> Mapping[str, int]:
        """The numbers that a sentence about such a message names: its `words`, its `cost`."""
        ...

    @property
    def release(self) -> ReleaseTime: ...

    @property
    def anonymous(self) -> bool:
        """Nobody may learn who plays what: no player's name in any letter, and none of his marks in what he writes."""
        ...

    @property
    def doubles_public(self) -> bool:
        """Where players are not named: everybody may read which powers one human plays together."""
        ...

    @property
    def free(self) -> bool:
        """May a game say by its settings who writes to whom, and when? Not where letters have a price and an hour."""
        ...

    @property
    def unsigned(self) -> bool:
        """May a game let its players write without their names? Not where a seat writes under several already."""
        ...

    @property
    def veiled(self) -> bool:
        """Who writes and reads for a name without a seat is secret: whether anybody does, and his marks in letters."""
        ...

    def names(self, position: Position, variant: Variant, power: str) -> tuple[str, ...]:
        """The names under which a power's seat may write, its own first."""
        ...

    def everyone(self, position: Position, variant: Variant) -> tuple[str, ...]:
        """The names that "all" means."""
        ...

    def readers(self, position: Position, variant: Variant, name: str) -> frozenset[str]:
        """The powers whose seats get what is addressed to this name; empty: nobody reads it."""
        ...

    def turn(self, position: Position, variant: Variant) -> str:
        """The phase in whose journal a message of now stands, so that it is paid from what that phase gives.

        "" where messages leave nothing in a journal. A message stays there when the phase is played again.
        """
        ...

    def price(self, position: Position, variant: Variant, message: Message) -> int: ...

    def check(
        self, position: Position, variant: Variant, message: Message, sheet: tuple[Statement, ...]
    ) -> Problem | None:
        """Why this message may not go now. `sheet`: what stands on its sender's sheet, and his messages of the turn.

        The problem's key names a sentence under `problem.`, its places are the sentence's {one}, {two}, {three}.
        """
        ...

    def header(self, message: Message, name: str) -> MessageHeader:
        """As whoever reads for `name` sees it."""
        ...

    @property
    def passing(self) -> bool:
        """Whether anybody may get copies as messages pass, before the results."""
        ...

    def overheard(
        self, position: Position, variant: Variant, book: Submissions, message: Message
    ) -> Mapping[str, MessageHeader]:
        """The powers that get a copy as the message passes, and how they see it. Results are the steps' business."""
        ...


class FreePress(Struct, frozen=True):
    """Letters are passed on as they come, and cost nothing."""

    opener: str = ""
    release: ReleaseTime = ReleaseTime.AT_ONCE
    anonymous: bool = False
    doubles_public: bool = False
    passing: bool = False
    free: bool = True
    unsigned: bool = True
    veiled: bool = False

    @property
    def terms(self) -> Mapping[str, int]:
        return {}

    def names(self, position: Position, variant: Variant, power: str) -> tuple[str, ...]:
        return (power,)

    def everyone(self, position: Position, variant: Variant) -> tuple[str, ...]:
        return tuple(power.name for power in variant.powers)

    def readers(self, position: Position, variant: Variant, name: str) -> frozenset[str]:
        return frozenset({name} & {power.name for power in variant.powers})

    def turn(self, position: Position, variant: Variant) -> str:
        return ""

    def price(self, position: Position, variant: Variant, message: Message) -> int:
        return 0

    def check(
        self, position: Position, variant: Variant, message: Message, sheet: tuple[Statement, ...]
    ) -> Problem | None:
        return None

    def header(self, message: Message, name: str) -> MessageHeader:
        return MessageHeader(message.name, message.to)

    def overheard(
        self, position: Position, variant: Variant, book: Submissions, message: Message
    ) -> Mapping[str, MessageHeader]:
        return {}


FORWARD = FreePress()

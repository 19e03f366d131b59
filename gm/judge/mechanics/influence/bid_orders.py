"""Statements and events of bids for minor powers. With hidden control most events are for one power only."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from gm.judge.model.events import Event, SecretEvent
from gm.judge.model.orders import Slot, Statement, WholeSetStatement


class Bidding(WholeSetStatement):
    """Lines of a bid: a letter with any of them replaces all lines of earlier letters."""

    __slots__ = ()
    family: ClassVar[str] = "bids"


class Bid(Bidding, Struct, frozen=True):
    """Points for a minor power's box; with `backs`, all the bidder's points there count for that power's total.

    `minor` is the power's name in the variant, or as written if it is unknown.
    """

    minor: str
    points: int
    backs: str = ""

    @property
    def part(self) -> int:
        """How many of the bidder's points there count for `backs`; 0: all."""
        return 0

    @property
    def slot(self) -> Slot:
        return (self.family, f"{self.minor} in support" if self.backs else self.minor)


class PartBid(Bid, frozen=True):
    """A bid of which, with the bidder's old points there, only `share` count for the power that is supported."""

    share: int = 0

    @property
    def part(self) -> int:
        return self.share


class NoBids(Bidding, Struct, frozen=True):
    """An explicit statement that nothing is bid."""

    nothing: ClassVar[bool] = True

    @property
    def slot(self) -> Slot:
        return (self.family, "")


class BoxFilled(Event, frozen=True):
    """A minor power's box after the bids. `stacks` are (power, points, the power they count for or ""), largest first;
    `rulers` are its controllers.
    """

    minor: str
    stacks: tuple[tuple[str, int, str], ...]
    rulers: tuple[str, ...]


class BoxNumbers(Event, frozen=True):
    """A box without names: (points, points in support), largest total first."""

    minor: str
    numbers: tuple[tuple[int, int], ...]


class ControlWon(SecretEvent, frozen=True):
    """A player's own control of a minor power, where it is secret. `members` is how many share it; `others` are those
    whom the player may know.
    """

    power: str
    minor: str
    members: int
    others: tuple[str, ...] = ()


class Belligerent(Event, frozen=True):
    """The controller of a minor power took one of its home centres, and loses its influence everywhere."""

    power: str
    minor: str
    year: int


class ControlPassed(Event, frozen=True):
    """A minor power has new controllers; none if `rulers` is empty."""

    minor: str
    rulers: tuple[str, ...]


class CoalitionVote(SecretEvent, frozen=True):
    """A coalition member's order for a minor power, for the member and the game master only."""

    power: str
    minor: str
    order: Statement
    followed: bool

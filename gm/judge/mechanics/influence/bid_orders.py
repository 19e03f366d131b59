"""What is written and what is told when minor powers are bid for: statements and events as values.

Who hears of an event is said when it is made: with hidden control most of it is for one power alone.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from gm.judge.model.events import NOBODY, Audience
from gm.judge.model.orders import Slot, Statement, WholeSetStatement


class Bidding(WholeSetStatement):
    """Lines of a bid: a letter with any of them replaces all that earlier ones said."""

    __slots__ = ()
    family: ClassVar[str] = "bids"


class Bid(Bidding, Struct, frozen=True):
    """Points into a minor power's box; with `backs`, they and what lies there already count for that power's total.

    `minor` is the power's name as the variant has it, or as written where there is none such.
    """

    minor: str
    points: int
    backs: str = ""

    @property
    def slot(self) -> Slot:
        return (self.family, f"{self.minor} in support" if self.backs else self.minor)


class NoBids(Bidding, Struct, frozen=True):
    """Nothing is bid, in so many words."""

    nothing: ClassVar[bool] = True

    @property
    def slot(self) -> Slot:
        return (self.family, "")


class BoxFilled(Struct, frozen=True):
    """A minor power's box after the bids. `stacks` are (power, points, the power they count for or ""), largest first;
    `rulers` who controls it.
    """

    minor: str
    stacks: tuple[tuple[str, int, str], ...]
    rulers: tuple[str, ...]
    audience: Audience = None


class BoxNumbers(Struct, frozen=True):
    """The same without names: (points, points in support), largest total first."""

    minor: str
    numbers: tuple[tuple[int, int], ...]
    audience: Audience = None


class ControlWon(Struct, frozen=True):
    """A player's own share in a minor power, where nobody else may know. `members` are as many as share it; `others`
    those of them that he may know.
    """

    power: str
    minor: str
    members: int
    others: tuple[str, ...] = ()
    audience: Audience = NOBODY


class Belligerent(Struct, frozen=True):
    """Who controlled a minor power took one of its home centres, and has lost his influence everywhere."""

    power: str
    minor: str
    year: int
    audience: Audience = None


class ControlPassed(Struct, frozen=True):
    """A minor power has other controllers from now on; nobody where `rulers` is empty."""

    minor: str
    rulers: tuple[str, ...]
    audience: Audience = None


class CoalitionVote(Struct, frozen=True):
    """One member's word on a minor power that several control, for him and the game master alone."""

    power: str
    minor: str
    order: Statement
    followed: bool
    audience: Audience = NOBODY

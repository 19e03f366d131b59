"""Boxes of minor powers: the points in them, as one reader may see them (Europe 1933)."""

from __future__ import annotations

from typing import NamedTuple

BIDS = "B"
"""Last letter of the codes of bidding phases."""


class InfluenceStack(NamedTuple):
    """A power's points in a box. `backs`: the power for whose total `share` of them count (0: all), "" for its own."""

    power: str
    amount: int
    backs: str = ""
    share: int = 0


class BidTally(NamedTuple):
    """A bidder's own points and those of its supporters: "9 with 1 support"."""

    power: str
    own: int
    support: int

    @property
    def total(self) -> int:
        return self.own + self.support


class VisibleBox(NamedTuple):
    """What a reader may know of a box. `tallies` are sorted by size; without names where control is hidden, and empty
    where the numbers are hidden too (`is_open` is False).

    `mine` is the reader's own stack. `control`: the controllers the reader may know; `members`: how many there are.
    """

    minor: str
    tallies: tuple[BidTally, ...]
    mine: InfluenceStack | None
    control: tuple[str, ...]
    members: int = 0
    is_open: bool = True

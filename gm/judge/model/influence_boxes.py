"""Boxes of minor powers: the points in them, as far as one reader may know (Europe 1933)."""

from __future__ import annotations

from typing import NamedTuple


class InfluenceStack(NamedTuple):
    """One player's points in a box. `backs` is the power whose total they count for, "" for his own."""

    power: str
    amount: int
    backs: str = ""


class BidTally(NamedTuple):
    """A bidder's own points and those of his supporters: "9 with 1 support"."""

    power: str
    own: int
    support: int

    @property
    def total(self) -> int:
        return self.own + self.support


class VisibleBox(NamedTuple):
    """What one reader may know of a box. `tallies` are sorted by size; without names where control is hidden.

    `mine` is his own stack. `control`: who controls it, as far as he may know; `members`: how many share it with him.
    """

    minor: str
    tallies: tuple[BidTally, ...]
    mine: InfluenceStack | None
    control: tuple[str, ...]
    members: int = 0

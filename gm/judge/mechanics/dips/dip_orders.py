"""What dips are set aside for on a sheet: supports, intercepts and protections. They can be changed until the deadline.

Every line stands beside the others; `NoDips` takes all of them back.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from gm.judge.board.board import Place
from gm.judge.model.orders import Slot, UnitRef

INTERCEPT_COST = 2
PROTECT_COST = 1


class DipOrder:
    """Statements that add up: each has a slot of its own, and `cost` dips are kept for it."""

    __slots__ = ()
    family: ClassVar[str] = "dips"

    @property
    def cost(self) -> int:
        return 0


class DipSupport(DipOrder, Struct, frozen=True):
    """`dips` for one unit's move `to` a place (None: its hold). It is the payer's own where `target` names no power."""

    dips: int
    target: UnitRef
    to: Place | None = None

    @property
    def cost(self) -> int:
        return self.dips

    @property
    def slot(self) -> Slot:
        return (self.family, f"{self.target} - {self.to}" if self.to else f"{self.target} hold")

    def __str__(self) -> str:
        return f"{self.dips} dips support {self.slot[1]}"


class InterceptMail(DipOrder, Struct, frozen=True):
    """All messages of this turn between two countries, both ways. Their names stand in alphabetical order."""

    one: str
    other: str

    @property
    def cost(self) -> int:
        return INTERCEPT_COST

    @property
    def slot(self) -> Slot:
        return (self.family, f"intercept {self.one}, {self.other}")

    def __str__(self) -> str:
        return self.slot[1]


class Protect(DipOrder, Struct, frozen=True):
    """What the writer sends this turn is kept from this country's intercepts."""

    against: str

    @property
    def cost(self) -> int:
        return PROTECT_COST

    @property
    def slot(self) -> Slot:
        return (self.family, f"protect against {self.against}")

    def __str__(self) -> str:
        return self.slot[1]


class NoDips(DipOrder, Struct, frozen=True):
    """All that was set aside is taken back."""

    @property
    def slot(self) -> Slot:
        return (self.family, "")

    def __str__(self) -> str:
        return "dips none"

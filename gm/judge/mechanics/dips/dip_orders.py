"""Lines that spend dips: supports, intercepts and protections. They can be changed until the deadline.

Lines add up; `NoDips` withdraws all of them.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from gm.judge.board.board import Place
from gm.judge.model.orders import Slot, UnitRef

INTERCEPT_COST = 2
PROTECT_COST = 1


class DipOrder:
    """A line that costs `cost` dips. Each has its own slot, so lines add up."""

    __slots__ = ()
    family: ClassVar[str] = "dips"

    @property
    def cost(self) -> int:
        return 0


class DipSupport(DipOrder, Struct, frozen=True):
    """`dips` for a unit's move `to` a place (None: its hold). It is the payer's own unless `target` names a power."""

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
    """Copies of all messages of this turn between two powers, in both directions. Names are in alphabetical order."""

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
    """Protects the writer's messages of this turn from a power's intercepts."""

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
    """Withdraws all lines about dips."""

    @property
    def slot(self) -> Slot:
        return (self.family, "")

    def __str__(self) -> str:
        return "dips none"

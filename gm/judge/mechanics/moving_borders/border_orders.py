"""What a player can write where the borders may be moved: one event, and where his fleets shall lie afterwards."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from gm.judge.model.orders import OneMeaningStatement, Slot, Statement, UnitRef

EVENT: Slot = ("event", "")
Pair: TypeAlias = tuple[str, str]


def _names(pair: Pair) -> str:
    return " & ".join(pair)


class _OfThePhase(OneMeaningStatement):
    """One line a phase, whatever it says."""

    __slots__ = ()

    @property
    def slot(self) -> Slot:
        return EVENT


class Separation(_OfThePhase, Struct, frozen=True):
    """A and B separate, C and D connect. `number` (0: none) or `near` ("": none) say which border of A and B is meant.

    The order in which names are written means nothing.
    """

    apart: Pair
    joined: Pair
    number: int = 0
    near: str = ""

    def __str__(self) -> str:
        return f"{_names(self.apart)} separate, {_names(self.joined)} connect{_selector(self)}"


class Release(_OfThePhase, Struct, frozen=True):
    """A and C connect: across the province in which they lie on different boundaries."""

    joined: Pair
    number: int = 0
    near: str = ""

    def __str__(self) -> str:
        return f"{_names(self.joined)} connect{_selector(self)}"


def _selector(said: Separation | Release) -> str:
    return (f" #{said.number}" if said.number else "") + (f" near {said.near}" if said.near else "")


class NoEvent(_OfThePhase, Struct, frozen=True):
    """No event is wanted, in so many words."""

    def __str__(self) -> str:
        return "Seismic none"


Event: TypeAlias = Separation | Release


class Placement(Struct, frozen=True):
    """Where a fleet lies if events leave it a choice: the coast that the first of these provinces singles out.

    A sea marks the coasts that touch it, a neighbour those that end at it. `given`: only if this event takes place.
    """

    unit: UnitRef
    coasts: tuple[str, ...]
    given: Event | None = None

    @property
    def slot(self) -> Slot:
        return ("placement", self.unit.at.province)

    def __str__(self) -> str:
        plain = f"{self.unit} coast {', '.join(self.coasts)}"
        return f"If {self.given}: {plain}" if self.given else plain


def is_event(said: Statement) -> bool:
    return isinstance(said, Separation | Release)

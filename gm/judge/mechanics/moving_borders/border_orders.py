"""Orders for moving borders (Seismic): an event per power, and placements of its fleets."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from gm.judge.model.orders import OneMeaningStatement, Slot, Statement, UnitRef

EVENT: Slot = ("event", "")
Pair: TypeAlias = tuple[str, str]


def _names(pair: Pair) -> str:
    return " & ".join(pair)


class _OfThePhase(OneMeaningStatement):
    """A line that replaces the power's earlier event line of the phase."""

    __slots__ = ()

    @property
    def slot(self) -> Slot:
        return EVENT


class Separation(_OfThePhase, Struct, frozen=True):
    """A and B separate, C and D connect. `number` (0: none) or `near` ("": none) selects a border of A and B.

    The order of the names has no meaning.
    """

    apart: Pair
    joined: Pair
    number: int = 0
    near: str = ""

    def __str__(self) -> str:
        return f"{_names(self.apart)} separate, {_names(self.joined)} connect{_selector(self)}"


class Release(_OfThePhase, Struct, frozen=True):
    """A and C connect across the province in which they are on different boundaries."""

    joined: Pair
    number: int = 0
    near: str = ""

    def __str__(self) -> str:
        return f"{_names(self.joined)} connect{_selector(self)}"


def _selector(event: Separation | Release) -> str:
    return (f" #{event.number}" if event.number else "") + (f" near {event.near}" if event.near else "")


class NoEvent(_OfThePhase, Struct, frozen=True):
    """`Seismic none`: the power wants no event."""

    def __str__(self) -> str:
        return "Seismic none"


Event: TypeAlias = Separation | Release


class Placement(Struct, frozen=True):
    """Places a fleet if events leave it a choice: on the coast that the first of `coasts` selects.

    A sea selects the coasts that touch it, a neighbour those that end at it. `given`: only if this event takes place.
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


def is_event(statement: Statement) -> bool:
    return isinstance(statement, Separation | Release)

"""Statements: the lines that a player can write on a sheet, with the province codes of the board.

Statements hold places as written, not locations: an impossible order is still an order (a game master may force it),
and what a place means depends on the unit. A line replaces an earlier line of the same `slot`. A variant's own
statements need only satisfy `Statement`.
"""

from __future__ import annotations

from typing import ClassVar, Protocol, TypeAlias

from msgspec import Struct

from gm.judge.board.board import GROUND, Place

Slot: TypeAlias = tuple[str, str]
"""A family of statements and a key within it, for instance ("unit", "A Bud")."""


class UnitRef(Struct, frozen=True, order=True, cache_hash=True, gc=False):
    """A unit named in an order: the code of its kind and where it stands ("F", Place("Bul", "ec")).

    `number` and `power` select a unit where several stand; 0 means the first, "" the writer's or the only unit.
    """

    kind: str
    at: Place
    number: int = 0
    power: str = ""

    def __str__(self) -> str:
        named = f"{self.kind} {self.at}" if not self.power else f"{self.power} {self.kind} {self.at}"
        return f"{named}#{self.number}" if self.number else named


class Statement(Protocol):
    """A line of a sheet. Equal statements mean the same; a later one replaces an earlier one of the same slot."""

    @property
    def slot(self) -> Slot: ...
    def __hash__(self) -> int: ...


def slot_province(slot: Slot) -> str:
    """The province that a statement in this slot is about; "" for one about none."""
    return slot[1].rpartition(" ")[2].partition("#")[0]


class UnitOrder(Struct, frozen=True, cache_hash=True, gc=False):
    """A statement that orders a unit on the board."""

    unit: UnitRef

    @property
    def slot(self) -> Slot:
        number = f"#{self.unit.number}" if self.unit.number else ""
        return ("unit", f"{self.unit.kind} {self.unit.at.province}{number}")


class Hold(UnitOrder, frozen=True):
    pass


class Move(UnitOrder, frozen=True):
    """`via`: the writer asks for a convoy. `route`: the sea provinces named, in order; empty = any route."""

    to: Place
    via: bool = False
    route: tuple[str, ...] = ()


class Support(UnitOrder, frozen=True):
    """`to` is None for a support to hold. A coast in `to` is kept as written: a support for another coast is void."""

    target: UnitRef
    to: Place | None = None


class Convoy(UnitOrder, frozen=True):
    target: UnitRef
    to: Place


class Retreat(UnitOrder, frozen=True):
    to: Place


class Disband(UnitOrder, frozen=True):
    """Takes a unit off the board: a dislodged one in a retreat phase, a surplus one in an adjustment phase."""


class Build(Struct, frozen=True):
    """A second build in the same province and layer replaces the first."""

    unit: UnitRef
    layer: str = GROUND

    @property
    def slot(self) -> Slot:
        return ("build" if self.layer == GROUND else f"build {self.layer}", self.unit.at.province)


class Waive(Struct, frozen=True):
    """Leaves `count` builds unused; None: all that no other line uses."""

    count: int | None = None

    @property
    def slot(self) -> Slot:
        return ("waive", "")


class OneMeaningStatement:
    """Statements of which two different ones in the same slot void each other."""

    __slots__ = ()


class WholeSetStatement:
    """Statements that a letter replaces as a whole set: any of them replaces all of earlier letters.

    `nothing`: this statement says that there are none.
    """

    __slots__ = ()
    family: ClassVar[str] = "points"
    nothing: ClassVar[bool] = False


class Allocate(WholeSetStatement, Struct, frozen=True):
    """Points for an order of a minor power's unit: Hold or Support. Lines for the same order add up (`more`).

    `minor` is the power's name in the variant, or as written if it is unknown.
    """

    points: int
    minor: str
    order: Statement

    @property
    def slot(self) -> Slot:
        at = self.order.unit.at.province if isinstance(self.order, UnitOrder) else self.minor
        return (self.family, " ".join((*self.aim, at)))

    @property
    def aim(self) -> tuple[str, str, str, str]:
        """What is ordered, however it is written: equal aims are the same order, different ones conflict."""
        order = self.order
        target = order.target.at.province if isinstance(order, Support | Convoy) else ""
        to = getattr(order, "to", None)
        return self.minor, type(order).__name__, target, to.province if isinstance(to, Place) else ""

    def more(self, points: int) -> Allocate:
        return Allocate(self.points + points, self.minor, self.order)


class NoPoints(WholeSetStatement, Struct, frozen=True):
    """An explicit statement that all points are left unused."""

    nothing: ClassVar[bool] = True

    @property
    def slot(self) -> Slot:
        return (self.family, "")


class Passage(Struct, frozen=True):
    """Permission for other powers' units to use ferries that the writer's fleets close.

    `places`: a ferry's two ends, a sea of it, or none for all ferries; `whom`: a power, "" for all.
    """

    places: tuple[str, ...] = ()
    whom: str = ""

    @property
    def slot(self) -> Slot:
        return ("passage", " ".join((self.whom, *sorted(self.places))))


class Preferences(UnitOrder, frozen=True):
    """Retreat preferences, written before the retreat phase, best first; None disbands the unit."""

    to: tuple[Place | None, ...]

    def __str__(self) -> str:
        return f"{self.unit} - {', '.join('disband' if place is None else str(place) for place in self.to)}"


class Entry(Struct, frozen=True, gc=False):
    """A line on file. `forced`: entered by the game master; later lines of the player do not replace it."""

    statement: Statement
    forced: bool = False

"""What a player can write on a sheet, as frozen values with the province codes of the board.

Statements hold places as written, not locations: an order may be impossible and still be an order (a game master
may force it), and what a place means depends on the unit. `slot` says which earlier line a line replaces.
A variant's own statements need no more than to satisfy `Statement`.
"""

from __future__ import annotations

from typing import ClassVar, Protocol, TypeAlias

from msgspec import Struct

from gm.judge.board.board import GROUND, Place

Slot: TypeAlias = tuple[str, str]
"""A family of statements and a key within it, for instance ("unit", "A Bud")."""


class UnitRef(Struct, frozen=True, order=True, cache_hash=True):
    """A unit named in an order: the code of its kind and where it stands ("F", Place("Bul", "ec")).

    `number` and `power` say which one where a place holds several; 0 means the first, "" the writer's or the only one.
    """

    kind: str
    at: Place
    number: int = 0
    power: str = ""

    def __str__(self) -> str:
        named = f"{self.kind} {self.at}" if not self.power else f"{self.power} {self.kind} {self.at}"
        return f"{named}#{self.number}" if self.number else named


class Statement(Protocol):
    """One line of a sheet. Equal statements mean the same; a later one replaces an earlier one of the same slot."""

    @property
    def slot(self) -> Slot: ...
    def __hash__(self) -> int: ...


class UnitOrder(Struct, frozen=True, cache_hash=True):
    """Any statement that orders one unit on the board. It is looked up again and again, so it keeps its hash."""

    unit: UnitRef

    @property
    def slot(self) -> Slot:
        number = f"#{self.unit.number}" if self.unit.number else ""
        return ("unit", f"{self.unit.kind} {self.unit.at.province}{number}")


class Hold(UnitOrder, frozen=True):
    pass


class Move(UnitOrder, frozen=True):
    """`via`: the writer wants the convoy. `route`: the sea provinces he named, in order; empty = any route."""

    to: Place
    via: bool = False
    route: tuple[str, ...] = ()


class Support(UnitOrder, frozen=True):
    """`to` is None for a support to hold. A coast in `to` is kept as written: one the move does not take is void."""

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
    """One unit per centre and layer: a second build in the same space replaces the first."""

    unit: UnitRef
    layer: str = GROUND

    @property
    def slot(self) -> Slot:
        return ("build" if self.layer == GROUND else f"build {self.layer}", self.unit.at.province)


class Waive(Struct, frozen=True):
    """Leaves `count` builds unused; None = all that no other line uses."""

    count: int | None = None

    @property
    def slot(self) -> Slot:
        return ("waive", "")


class OneMeaningStatement:
    """Statements of which a letter may hold one kind of word only: two different ones of a slot void each other."""

    __slots__ = ()


class WholeSetStatement:
    """Statements of which a sheet holds what the last letter said, all of it: a letter with any replaces them all.

    `nothing`: this one says that there shall be none.
    """

    __slots__ = ()
    family: ClassVar[str] = "points"
    nothing: ClassVar[bool] = False


class Allocate(WholeSetStatement, Struct, frozen=True):
    """Points for an order of a minor power's unit. Every line of a letter counts: `more` of the same order adds up.

    `minor` is the power's name as the variant has it (or as written, where there is none such); only a Hold or a
    Support of its unit can be bought.
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
        """What is ordered, however it is written: equal aims are one order, and all others conflict with it."""
        order = self.order
        target = order.target.at.province if isinstance(order, Support | Convoy) else ""
        to = getattr(order, "to", None)
        return self.minor, type(order).__name__, target, to.province if isinstance(to, Place) else ""

    def more(self, points: int) -> Allocate:
        return Allocate(self.points + points, self.minor, self.order)


class NoPoints(WholeSetStatement, Struct, frozen=True):
    """All points are left unused, in so many words."""

    nothing: ClassVar[bool] = True

    @property
    def slot(self) -> Slot:
        return (self.family, "")


class Passage(Struct, frozen=True):
    """Leave for others' units to cross where fleets of the writer's lie. `places`: a ferry's two ends, a sea of it, or
    none for all there are; `whom`: the one power it is given to, "" for all.
    """

    places: tuple[str, ...] = ()
    whom: str = ""

    @property
    def slot(self) -> Slot:
        return ("passage", " ".join((self.whom, *sorted(self.places))))


class Preferences(UnitOrder, frozen=True):
    """Where a unit is to go if it is dislodged, best first; None takes it off the board. Written ahead of its phase."""

    to: tuple[Place | None, ...]

    def __str__(self) -> str:
        return f"{self.unit} - {', '.join('disband' if one is None else str(one) for one in self.to)}"


class Entry(Struct, frozen=True):
    """One line on file. `forced`: put there by the game master, and later lines of the player do not replace it."""

    statement: Statement
    forced: bool = False

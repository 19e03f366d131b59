"""What the grammars make of a line, before anyone looked at the board: the first of the two stages of reading.

Each class bears the name of the statement it will become and of the grammar's rule.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from msgspec import Struct

from gm.language.orders.parsing.lexer import Name


class Unit(NamedTuple):
    """`nation` and `kind` are "" where they were not written."""

    nation: str
    kind: str
    name: Name


Units: TypeAlias = tuple[Unit, ...]
Path: TypeAlias = tuple[Name, ...]


class Hold(Struct, frozen=True):
    """`there`: where it holds, said once more."""

    units: Units
    there: Name | None = None


class Move(Struct, frozen=True):
    """`path` ends at the destination. `via` None: no word about a convoy; else the seas written behind it."""

    units: Units
    path: Path
    via: Path | None = None


class Support(Struct, frozen=True):
    """`path` empty: a support to hold."""

    units: Units
    target: Unit
    path: Path = ()


class Convoy(Struct, frozen=True):
    units: Units
    target: Unit
    path: Path


class Supported(Struct, frozen=True):
    """ "A Par moves to Bur, supported by Marseilles": a move and its supports in one breath."""

    move: Move
    backers: Units


class Retreat(Struct, frozen=True):
    unit: Unit
    to: Name


class Disband(Struct, frozen=True):
    """`minus`: a dash in front says so, which may be a list's mark as well."""

    units: Units
    minus: bool = False


class Build(Struct, frozen=True):
    units: Units


class Alone(Struct, frozen=True):
    """Units without a verb on an adjustment sheet."""

    units: Units


class Waive(Struct, frozen=True):
    count: int | None


class Keep(Struct, frozen=True):
    units: Units


class Allocate(Struct, frozen=True):
    """`points` as written, standing at `at`. `whom`: the unit or the power named in front; `order` may name no unit."""

    points: str
    at: tuple[int, int]
    whom: Unit | str | None
    order: Hold | Move | Support | Convoy


class NoPoints(Struct, frozen=True):
    pass


class Points(Struct, frozen=True):
    """ "DP?": how many there are and how they stand."""


class Country(NamedTuple):
    """A country as written; `power` is "" where it is none."""

    power: str
    text: str
    start: int
    end: int


class DipSupport(Struct, frozen=True):
    """`dips` as written, "" where no number was. `path` empty: a hold is supported."""

    dips: str
    at: tuple[int, int]
    target: Unit
    path: Path = ()


class Bid(Struct, frozen=True):
    """`points` as written, at `at`. `whom`: the minor power, by its name or a place; `backs`: whom they help."""

    whom: str | Name
    points: str
    at: tuple[int, int]
    backs: str = ""


class NoBids(Struct, frozen=True):
    pass


class Passage(Struct, frozen=True):
    """`places`: a ferry's ends, or a sea."""

    places: Path
    whom: str = ""


class Bomb(Struct, frozen=True):
    """`target`: a place, or the unit there."""

    units: Units
    target: Unit


class InterceptMail(Struct, frozen=True):
    countries: tuple[Country, ...]
    at: tuple[int, int]


class Protect(Struct, frozen=True):
    countries: tuple[Country, ...]
    at: tuple[int, int]


class NoDips(Struct, frozen=True):
    pass


class Intercept(Struct, frozen=True):
    """`over`: the one to guard first in front; empty: any."""

    units: Units
    over: Path = ()


class Pair(NamedTuple):
    """Two provinces that part or that come together. `number` and `near`: which of their borders, as written."""

    apart: bool
    names: tuple[Name, Name]
    number: str = ""
    near: Name | None = None


class Upheaval(Struct, frozen=True):
    pairs: tuple[Pair, ...]


class Placement(Struct, frozen=True):
    unit: Unit
    coasts: Path
    given: Upheaval | None = None


class NoEvent(Struct, frozen=True):
    pass


Sketch: TypeAlias = (
    Hold | Move | Support | Convoy | Supported | Retreat | Disband | Build | Alone | Waive | Keep
    | Allocate | NoPoints | Points | DipSupport | InterceptMail | Protect | NoDips
    | Bid | NoBids | Passage | Bomb | Intercept | Upheaval | Placement | NoEvent
)  # fmt: skip

"""What the grammars make of a line, before anyone looked at the board: the first of the two stages of reading.

Each class bears the name of the statement it will become and of the grammar's rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from gm.text.lexer import Name


class Unit(NamedTuple):
    """`nation` and `kind` are "" where they were not written."""

    nation: str
    kind: str
    name: Name


Units: TypeAlias = tuple[Unit, ...]
Path: TypeAlias = tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Hold:
    """`there`: where it holds, said once more."""

    units: Units
    there: Name | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """`path` ends at the destination. `via` None: no word about a convoy; else the seas written behind it."""

    units: Units
    path: Path
    via: Path | None = None


@dataclass(frozen=True, slots=True)
class Support:
    """`path` empty: a support to hold."""

    units: Units
    target: Unit
    path: Path = ()


@dataclass(frozen=True, slots=True)
class Convoy:
    units: Units
    target: Unit
    path: Path


@dataclass(frozen=True, slots=True)
class Supported:
    """ "A Par moves to Bur, supported by Marseilles": a move and its supports in one breath."""

    move: Move
    backers: Units


@dataclass(frozen=True, slots=True)
class Retreat:
    unit: Unit
    to: Name


@dataclass(frozen=True, slots=True)
class Disband:
    """`minus`: a dash in front says so, which may be a list's mark as well."""

    units: Units
    minus: bool = False


@dataclass(frozen=True, slots=True)
class Build:
    units: Units


@dataclass(frozen=True, slots=True)
class Alone:
    """Units without a verb on an adjustment sheet."""

    units: Units


@dataclass(frozen=True, slots=True)
class Waive:
    count: int | None


@dataclass(frozen=True, slots=True)
class Keep:
    units: Units


@dataclass(frozen=True, slots=True)
class Allocate:
    """`points` as written, standing at `at`. `whom`: the unit or the power named in front; `order` may name no unit."""

    points: str
    at: tuple[int, int]
    whom: Unit | str | None
    order: Hold | Move | Support | Convoy


@dataclass(frozen=True, slots=True)
class NoPoints:
    pass


@dataclass(frozen=True, slots=True)
class Points:
    """ "DP?": how many there are and how they stand."""


class Country(NamedTuple):
    """A country as written; `power` is "" where it is none."""

    power: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class DipSupport:
    """`dips` as written, "" where no number was. `path` empty: a hold is supported."""

    dips: str
    at: tuple[int, int]
    target: Unit
    path: Path = ()


@dataclass(frozen=True, slots=True)
class Bid:
    """`points` as written, at `at`. `whom`: the minor power, by its name or a place; `backs`: whom they help."""

    whom: str | Name
    points: str
    at: tuple[int, int]
    backs: str = ""


@dataclass(frozen=True, slots=True)
class NoBids:
    pass


@dataclass(frozen=True, slots=True)
class Passage:
    """`places`: a ferry's ends, or a sea."""

    places: Path
    whom: str = ""


@dataclass(frozen=True, slots=True)
class Bomb:
    """`target`: a place, or the unit there."""

    units: Units
    target: Unit


@dataclass(frozen=True, slots=True)
class InterceptMail:
    countries: tuple[Country, ...]
    at: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Protect:
    countries: tuple[Country, ...]
    at: tuple[int, int]


@dataclass(frozen=True, slots=True)
class NoDips:
    pass


@dataclass(frozen=True, slots=True)
class Intercept:
    """`over`: the one to guard first in front; empty: any."""

    units: Units
    over: Path = ()


class Pair(NamedTuple):
    """Two provinces that part or that come together. `number` and `near`: which of their borders, as written."""

    apart: bool
    names: tuple[Name, Name]
    number: str = ""
    near: Name | None = None


@dataclass(frozen=True, slots=True)
class Upheaval:
    pairs: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Placement:
    unit: Unit
    coasts: Path
    given: Upheaval | None = None


@dataclass(frozen=True, slots=True)
class NoEvent:
    pass


Sketch: TypeAlias = (
    Hold | Move | Support | Convoy | Supported | Retreat | Disband | Build | Alone | Waive | Keep
    | Allocate | NoPoints | Points | DipSupport | InterceptMail | Protect | NoDips
    | Bid | NoBids | Passage | Bomb | Intercept | Upheaval | Placement | NoEvent
)  # fmt: skip

"""What the grammars make of a line, before anyone looked at the board: the first of the two stages of reading.

Each class bears the name of the statement it will become and of the grammar's rule.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from msgspec import Struct

from gm.language.orders.parsing.lexer import WrittenPlace


class UnitNode(NamedTuple):
    """`nation` and `kind` are "" where they were not written."""

    nation: str
    kind: str
    name: WrittenPlace


Units: TypeAlias = tuple[UnitNode, ...]
Path: TypeAlias = tuple[WrittenPlace, ...]


class HoldNode(Struct, frozen=True):
    """`there`: where it holds, said once more."""

    units: Units
    there: WrittenPlace | None = None


class MoveNode(Struct, frozen=True):
    """`path` ends at the destination. `via` None: no word about a convoy; else the seas written behind it."""

    units: Units
    path: Path
    via: Path | None = None


class SupportNode(Struct, frozen=True):
    """`path` empty: a support to hold."""

    units: Units
    target: UnitNode
    path: Path = ()


class ConvoyNode(Struct, frozen=True):
    units: Units
    target: UnitNode
    path: Path


class SupportedNode(Struct, frozen=True):
    """ "A Par moves to Bur, supported by Marseilles": a move and its supports in one breath."""

    move: MoveNode
    backers: Units


class RetreatNode(Struct, frozen=True):
    unit: UnitNode
    to: WrittenPlace


class DisbandNode(Struct, frozen=True):
    """`minus`: a dash in front says so, which may be a list's mark as well."""

    units: Units
    minus: bool = False


class BuildNode(Struct, frozen=True):
    units: Units


class AloneNode(Struct, frozen=True):
    """Units without a verb on an adjustment sheet."""

    units: Units


class WaiveNode(Struct, frozen=True):
    count: int | None


class KeepNode(Struct, frozen=True):
    units: Units


class AllocateNode(Struct, frozen=True):
    """`points` as written, standing at `at`. `whom`: the unit or the power named in front; `order` may name no unit."""

    points: str
    at: tuple[int, int]
    whom: UnitNode | str | None
    order: HoldNode | MoveNode | SupportNode | ConvoyNode


class NoPointsNode(Struct, frozen=True):
    pass


class PointsNode(Struct, frozen=True):
    """ "DP?": how many there are and how they stand."""


class CountryNode(NamedTuple):
    """A country as written; `power` is "" where it is none."""

    power: str
    text: str
    start: int
    end: int


class DipSupportNode(Struct, frozen=True):
    """`dips` as written, "" where no number was. `path` empty: a hold is supported."""

    dips: str
    at: tuple[int, int]
    target: UnitNode
    path: Path = ()


class BidNode(Struct, frozen=True):
    """`points` as written, at `at`. `whom`: the minor power, by its name or a place; `backs`: whom they help."""

    whom: str | WrittenPlace
    points: str
    at: tuple[int, int]
    backs: str = ""


class NoBidsNode(Struct, frozen=True):
    pass


class PassageNode(Struct, frozen=True):
    """`places`: a ferry's ends, or a sea."""

    places: Path
    whom: str = ""


class BombNode(Struct, frozen=True):
    """`target`: a place, or the unit there."""

    units: Units
    target: UnitNode


class InterceptMailNode(Struct, frozen=True):
    countries: tuple[CountryNode, ...]
    at: tuple[int, int]


class ProtectNode(Struct, frozen=True):
    countries: tuple[CountryNode, ...]
    at: tuple[int, int]


class NoDipsNode(Struct, frozen=True):
    pass


class InterceptNode(Struct, frozen=True):
    """`over`: the one to guard first in front; empty: any."""

    units: Units
    over: Path = ()


class PairNode(NamedTuple):
    """Two provinces that part or that come together. `number` and `near`: which of their borders, as written."""

    apart: bool
    names: tuple[WrittenPlace, WrittenPlace]
    number: str = ""
    near: WrittenPlace | None = None


class UpheavalNode(Struct, frozen=True):
    pairs: tuple[PairNode, ...]


class PlacementNode(Struct, frozen=True):
    unit: UnitNode
    coasts: Path
    given: UpheavalNode | None = None


class NoEventNode(Struct, frozen=True):
    pass


Sketch: TypeAlias = (
    HoldNode | MoveNode | SupportNode | ConvoyNode | SupportedNode | RetreatNode | DisbandNode | BuildNode |
    AloneNode | WaiveNode | KeepNode
    | AllocateNode | NoPointsNode | PointsNode | DipSupportNode | InterceptMailNode | ProtectNode | NoDipsNode
    | BidNode | NoBidsNode | PassageNode | BombNode | InterceptNode | UpheavalNode | PlacementNode | NoEventNode
)  # fmt: skip

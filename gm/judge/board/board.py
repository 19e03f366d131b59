"""The map: provinces, locations of units, borders and their uses, and the adjacencies that follow from them.

Terms:

* a *province* is a named area, by its canonical code ("Bul", "NTH");
* a *place* is what players write: a province and, where it matters, a coast ("Bul/ec");
* a *location* is where a unit stands: a province and a slot ("land", "sea", "coast", a named coast, "air");
* a *space* is what units compete for: a province and a layer ("ground", "air"). At most one unit stays in a
  space, unless its province is shared.

Borders are directed and join locations. `Use` says what a border may be used for, so canals, ferries, boxes off the
board and ocean passages need no special rules.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from enum import Flag
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct, field

GROUND = "ground"
AIR = "air"

LAND = "land"
SEA = "sea"
COAST = "coast"
STRANDED = "stranded"
"""The slot of a fleet whose province has lost its last coast. No border leads from it."""

NO_COASTS = (LAND, SEA, COAST, AIR, STRANDED)
"""Slots that are not named coasts."""


class Use(Flag):
    """What a border may be used for. MOVE includes retreats; CONVOY is one step of a convoyed army's route."""

    MOVE = 1
    SUPPORT = 2
    CONVOY = 4


class Place(Struct, frozen=True, order=True, cache_hash=True, gc=False):
    """A province as written in an order, with its coast ("nc"); "" means no coast was given."""

    province: str
    coast: str = ""

    def __str__(self) -> str:
        return f"{self.province}/{self.coast}" if self.coast else self.province


class Location(Struct, frozen=True, order=True, cache_hash=True, gc=False):
    """Where a unit stands. `slot` is "land", "sea", "air", "coast" (the only one) or a named coast."""

    province: str
    slot: str

    @property
    def place(self) -> Place:
        return Place(self.province, "" if self.slot in NO_COASTS else self.slot)


class Space(NamedTuple):
    province: str
    layer: str


class Border(NamedTuple):
    """A directed border. `name` identifies it: two locations may have several borders."""

    name: str
    start: Location
    end: Location
    uses: Use


class Province(Struct, frozen=True, dict=True):
    """A province. `slots` are the slots in which a unit can stand, in the map's order.

    `home` is the power that may build here from the start. `shared` provinces hold any number of units and are never
    contested. A `colony` is a centre owned from the start in which nobody may build. A `yard` is not a centre, but its
    home power may build there while it holds it.
    """

    code: str
    name: str
    slots: tuple[str, ...]
    centre: bool = False
    home: str | None = None
    aliases: tuple[str, ...] = ()
    shared: bool = False
    colony: bool = False
    yard: bool = False

    @cached_property
    def locations(self) -> tuple[Location, ...]:
        """One per slot: always the same objects, which makes dictionary lookups fast."""
        return tuple([Location(self.code, slot) for slot in self.slots])

    @cached_property
    def coasts(self) -> tuple[str, ...]:
        """The named coasts; empty where the province has at most one coast."""
        return tuple([slot for slot in self.slots if slot not in NO_COASTS])


class UnitKind(Struct, frozen=True):
    """A kind of unit. Strengths and support weights are in half units: an ordinary unit has 2.

    `terrain` lists the slots in which it can stand; "coast" includes named coasts.
    `support` maps a layer to the weight this kind adds there. `cost` is in half points: a centre produces 2.
    `reach` is how many provinces it crosses in one turn; more than 1 for kinds that fly.
    """

    code: str
    name: str
    terrain: frozenset[str]
    layer: str = GROUND
    strength: int = 2
    cost: int = 2
    support: Mapping[str, int] = field(default_factory=lambda: {GROUND: 2})
    convoys: bool = False
    convoyed: bool = False
    reach: int = 1

    def stands(self, slot: str) -> bool:
        return slot in self.terrain or (COAST in self.terrain and slot not in (LAND, SEA, AIR))

    def __hash__(self) -> int:
        return hash(self.code)


ARMY = UnitKind("A", "army", frozenset({LAND}), convoyed=True)
FLEET = UnitKind("F", "fleet", frozenset({SEA, COAST}), convoys=True)


def layer_of(slot: str) -> str:
    return AIR if slot == AIR else GROUND


def space_of(location: Location) -> Space:
    return Space(location.province, layer_of(location.slot))


class Adjacency:
    """Lookup tables of a board.

    `moves` and `convoys` are the locations one border away (`Use.MOVE`, `Use.CONVOY`), in the map's order; `supports`
    the spaces that a unit can support into; `near` the provinces that touch on the ground, for counting distances
    (borders for convoys alone do not count). `space_numbers` numbers the spaces, `spaces` lists them by number;
    `shared_spaces` are the numbers of those in `shared` provinces. `homes` are every power's home provinces, sorted,
    with its yards; `centres` and `yards` are province codes.
    """

    __slots__ = (
        "_steps", "centres", "convoys", "homes", "moves", "near", "shared", "shared_spaces", "space_numbers", "spaces",
        "supports", "yards",
    )  # fmt: skip

    def __init__(self, board: Board) -> None:
        moves: dict[Location, dict[Location, None]] = {}
        convoys: dict[Location, dict[Location, None]] = {}
        supports: dict[Location, set[Space]] = {}
        near: dict[str, dict[str, None]] = {code: {} for code in board.provinces}
        for province in board.provinces.values():
            for here in province.locations:
                moves[here], convoys[here], supports[here] = {}, {}, set()
        same = {at: at for at in moves}
        for border in board.borders:
            if Use.MOVE in border.uses:
                moves[border.start][same[border.end]] = None
            if Use.CONVOY in border.uses:
                convoys[border.start][same[border.end]] = None
            if Use.SUPPORT in border.uses:
                supports[border.start].add(space_of(border.end))
            if border.uses != Use.CONVOY and AIR not in (border.start.slot, border.end.slot):
                near[border.start.province][border.end.province] = None
        self.moves: Mapping[Location, Mapping[Location, None]] = moves
        self.convoys: Mapping[Location, tuple[Location, ...]] = {at: tuple(ends) for at, ends in convoys.items()}
        self.supports: Mapping[Location, frozenset[Space]] = {at: frozenset(ends) for at, ends in supports.items()}
        self.near: Mapping[str, tuple[str, ...]] = {code: tuple(others) for code, others in near.items()}
        numbers = {space: number for number, space in enumerate(dict.fromkeys(map(space_of, moves)))}
        self.spaces: tuple[Space, ...] = tuple(numbers)
        self.space_numbers: Mapping[Location, int] = {at: numbers[space_of(at)] for at in moves}
        self.shared = frozenset(p.code for p in board.provinces.values() if p.shared)
        self.shared_spaces = frozenset(n for space, n in numbers.items() if space.province in self.shared)
        self.centres = frozenset(p.code for p in board.provinces.values() if p.centre)
        self.yards = frozenset(p.code for p in board.provinces.values() if p.yard)
        homes: dict[str, list[str]] = {}
        for province in board.provinces.values():
            if province.home is not None:
                homes.setdefault(province.home, []).append(province.code)
        self._steps: dict[str, Mapping[str, int]] = {}
        self.homes: Mapping[str, tuple[str, ...]] = {power: tuple(sorted(codes)) for power, codes in homes.items()}

    def convoys_from(self, at: Location) -> tuple[Location, ...]:
        return self.convoys.get(at, ())

    def distances(self, targets: frozenset[str]) -> Mapping[str, int]:
        """Steps from every province to the nearest target, over land and sea alike; unreachable ones are absent."""
        steps = dict.fromkeys(targets, 0)
        edge = list(targets)
        while edge:
            ahead: list[str] = []
            for code in edge:
                for other in self.near.get(code, ()):
                    if other not in steps:
                        steps[other] = steps[code] + 1
                        ahead.append(other)
            edge = ahead
        return steps

    def steps_from(self, province: str) -> Mapping[str, int]:
        """The same for one target. Kept: each order that reaches too far asks for it."""
        known = self._steps.get(province)
        if known is None:
            known = self._steps[province] = self.distances(frozenset({province}))
        return known

    def within(self, start: str, reach: int) -> Mapping[str, int]:
        """The provinces at most `reach` steps away, the nearest first, with their distances."""
        return {code: steps for code, steps in self.steps_from(start).items() if steps <= reach}

    def moves_needed(self, start: Location, targets: frozenset[str]) -> int | None:
        """Moves that a unit needs to the nearest target by borders it can cross; None if it never arrives."""
        seen = {start}
        edge, steps = [start], 0
        while edge:
            if any(at.province in targets for at in edge):
                return steps
            edge = list(dict.fromkeys(there for at in edge for there in self.moves[at] if there not in seen))
            seen.update(edge)
            steps += 1
        return None


class Board(ABC):
    """A map. Boards are immutable: a border event makes a new one."""

    provinces: Mapping[str, Province]
    marks: Mapping[str, Mapping[str, str]] = MappingProxyType({})
    """Other names of coasts: province -> code of a neighbour -> slot; "" for a neighbour that several coasts have."""

    @property
    @abstractmethod
    def borders(self) -> tuple[Border, ...]: ...

    @abstractmethod
    def leaving(self, location: Location) -> tuple[Border, ...]:
        """Every border that begins at the location."""

    def neighbours(self, location: Location, use: Use) -> tuple[Location, ...]:
        """Locations that a border with this use leads to, each once."""
        return tuple(dict.fromkeys(border.end for border in self.leaving(location) if use in border.uses))

    @cached_property
    def adjacency(self) -> Adjacency:
        return Adjacency(self)


class TableBoard(Board):
    """A board given by its table of borders, from a variant's map.toml. It never changes during a game."""

    def __init__(self, provinces: Iterable[Province], borders: Iterable[Border]) -> None:
        self.provinces = {province.code: province for province in provinces}
        self._borders = tuple(borders)
        self._leaving: dict[Location, list[Border]] = {}
        for border in self._borders:
            self._leaving.setdefault(border.start, []).append(border)

    @property
    def borders(self) -> tuple[Border, ...]:
        return self._borders

    def leaving(self, location: Location) -> tuple[Border, ...]:
        return tuple(self._leaving.get(location, ()))


def locations(board: Board, kind: UnitKind, province: str) -> tuple[Location, ...]:
    """The locations of a province in which a unit of this kind can stand; none for an unknown province."""
    area = board.provinces.get(province)
    if area is None:
        return ()
    return tuple([at for at in area.locations if kind.stands(at.slot)])


def locate(board: Board, kind: UnitKind, place: Place) -> Location | None:
    """The location that a place means for a unit of this kind; None where there is none or the coast is ambiguous.

    A coast that the unit does not need is ignored (an army "on" a coast stands on the land).
    """
    ends = locations(board, kind, place.province)
    if len(ends) == 1:
        return ends[0]
    return next((at for at in ends if place.coast and at.slot == place.coast), None)

"""The map as the rules see it: provinces, where units stand, and what each border may be used for.

Four words, never mixed:

* a *province* is a named area, by its canonical code ("Bul", "NTH");
* a *place* is what people write: a province and, where it matters, a coast ("Bul/ec");
* a *location* is where a unit stands: a province and a slot ("land", "sea", "coast", a named coast, "air");
* a *space* is what units contend for: a province and a layer ("ground", "air"). At most one unit stays in a
  space, unless its province is shared.

Borders are directed and join locations. What one may be used for is data (`Use`), so canals, ferries, boxes off
the board and ocean passages need no rule of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Flag
from types import MappingProxyType
from typing import NamedTuple, Protocol

from msgspec import Struct, field

from gm.judge.board.cached import Once

GROUND = "ground"
AIR = "air"

LAND = "land"
SEA = "sea"
COAST = "coast"
STRANDED = "stranded"
"""Where a fleet lies whose province has lost its last coast: no border leads from there."""

NO_COASTS = (LAND, SEA, COAST, AIR, STRANDED)
"""Slots that are no named coast."""


class Use(Flag):
    """What a border lets a unit do. MOVE includes retreats; CONVOY is a leg of a convoyed army's way."""

    MOVE = 1
    SUPPORT = 2
    CONVOY = 4


class Place(Struct, frozen=True, order=True, cache_hash=True):
    """A province as written in an order, with its coast ("nc") or "" where none was given or none is needed."""

    province: str
    coast: str = ""

    def __str__(self) -> str:
        return f"{self.province}/{self.coast}" if self.coast else self.province


class Location(Struct, frozen=True, order=True, cache_hash=True):
    """Where a unit stands. `slot` is "land", "sea", "air", "coast" (the only one) or a named coast."""

    province: str
    slot: str

    @property
    def place(self) -> Place:
        return Place(self.province, "" if self.slot in NO_COASTS else self.slot)


class Space(NamedTuple):
    """What units contend for: one layer of one province."""

    province: str
    layer: str


class Border(NamedTuple):
    """One directed border. `name` is its identity: a map may have several between the same two locations."""

    name: str
    start: Location
    end: Location
    uses: Use


class Province(Struct, frozen=True, dict=True):
    """One area of the map. `slots` are all slots a unit can stand in, in the map's order.

    `home` is the power that may build here from the start; `shared` provinces hold any number of units
    and are never contested. In a `colony`, a centre owned from the start like a home, nobody may ever build. A `yard`
    is no centre, but its home power may build there while it holds it.
    `locations` are those of its slots: the same objects for everybody, so that finding one is quick. `coasts` are the
    named ones: empty where the province has one coast or none.
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

    @Once
    def locations(self) -> tuple[Location, ...]:
        return tuple([Location(self.code, slot) for slot in self.slots])

    @Once
    def coasts(self) -> tuple[str, ...]:
        return tuple([slot for slot in self.slots if slot not in NO_COASTS])


class UnitKind(Struct, frozen=True):
    """A kind of unit. Strengths and support weights are whole numbers of half units: an ordinary unit weighs 2.

    `terrain` lists the slots it can stand in; "coast" stands for named coasts too.
    `support` maps a layer to the weight this kind adds there.
    `cost` is what it takes of the production of centres, in half points: an ordinary unit costs 2, all that a centre
    gives. `reach` is how many provinces it crosses in one turn; more than 1 is for kinds that fly.
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


class Board(Protocol):
    """What the rules ask of a map. Both implementations are immutable values: an event on the map makes a new one."""

    @property
    def provinces(self) -> Mapping[str, Province]: ...

    @property
    def borders(self) -> tuple[Border, ...]: ...

    @property
    def marks(self) -> Mapping[str, Mapping[str, str]]:
        """What the coasts of a province are called beside their names: province -> code of a neighbour -> slot.

        "" stands for a neighbour that several of them have.
        """
        ...

    def leaving(self, location: Location) -> tuple[Border, ...]:
        """Every border that begins at the location."""
        ...

    def neighbours(self, location: Location, use: Use) -> tuple[Location, ...]:
        """Locations that one border with this use leads to, each once."""
        ...


UNMARKED: Mapping[str, Mapping[str, str]] = MappingProxyType({})


class TableBoard:
    """A board given by its table of borders, from a variant's map.toml. It never changes during a game."""

    __slots__ = ("__weakref__", "_leaving", "_neighbours", "borders", "provinces")

    def __init__(self, provinces: Iterable[Province], borders: Iterable[Border]) -> None:
        self.provinces: Mapping[str, Province] = {p.code: p for p in provinces}
        self.borders: tuple[Border, ...] = tuple(borders)
        leaving: dict[Location, list[Border]] = {
            Location(p.code, slot): [] for p in self.provinces.values() for slot in p.slots
        }
        for border in self.borders:
            leaving[border.start].append(border)
        self._leaving = {place: tuple(found) for place, found in leaving.items()}
        self._neighbours: dict[tuple[Location, Use], tuple[Location, ...]] = {}

    @property
    def marks(self) -> Mapping[str, Mapping[str, str]]:
        return UNMARKED

    def leaving(self, location: Location) -> tuple[Border, ...]:
        return self._leaving.get(location, ())

    def neighbours(self, location: Location, use: Use) -> tuple[Location, ...]:
        key = (location, use)
        found = self._neighbours.get(key)
        if found is None:
            found = tuple(dict.fromkeys(b.end for b in self.leaving(location) if use in b.uses))
            self._neighbours[key] = found
        return found


def locations(board: Board, kind: UnitKind, province: str) -> tuple[Location, ...]:
    """Where in a province a unit of this kind can stand: none, one, or one per coast. Unknown provinces have none."""
    area = board.provinces.get(province)
    if area is None:
        return ()
    return tuple([at for at in area.locations if kind.stands(at.slot)])


def locate(board: Board, kind: UnitKind, place: Place) -> Location | None:
    """The one location a place means for a unit of this kind, or None where there is none or the coast is open.

    A coast that the unit does not need is ignored (an army "on" a coast stands on the land).
    """
    found = locations(board, kind, place.province)
    if len(found) == 1:
        return found[0]
    return next((at for at in found if place.coast and at.slot == place.coast), None)

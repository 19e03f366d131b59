"""What one picture is drawn from, and where every token of it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from math import ceil, cos, dist, pi, sin, sqrt

from msgspec import Struct, field

from gm.judge.board.board import AIR, Location, locate
from gm.judge.mechanics.minor_powers import minor_at, recognised
from gm.judge.model.events import OrderResult, Outcome
from gm.judge.model.orders import Build, Move, Retreat
from gm.judge.model.position import Position, Unit
from gm.judge.model.variant import Minor, Variant
from gm.maps.drawing.geometry import DEEP, Geometry, GeometryError, Point
from gm.maps.drawing.palette import Palette

ROW = 1.6
"""How much wider than high a fan of tokens is."""
PLACES_ROUND = 12
CORRECTION = 0.92
"""A wing above a unit, and a unit driven out, are a little smaller."""


class MapToken(Struct, frozen=True):
    """A token: `count` equal units where a province is shared, else one."""

    unit: Unit
    place: Point
    size: float
    count: int = 1
    driven_out: bool = False
    built: bool = False


class MapScene(Struct, frozen=True, eq=False, dict=True):
    """A position with the orders that were given in it, and their outcomes (none: the position alone).

    `words` say what the picture says: the keys of [chart] in the catalogue, and names of the game in another language.
    `notes` are lines that stand under the picture.
    """

    geometry: Geometry
    variant: Variant
    position: Position
    palette: Palette
    results: tuple[OrderResult, ...] = ()
    title: str = ""
    subtitle: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def token(self) -> float:
        return self.geometry.token

    def word(self, key: str) -> str:
        return self.words.get(key, key)

    def colour(self, nation: str) -> str:
        return self.palette.ink(nation).key

    def passable(self, province: str) -> bool:
        known = self.position.board.provinces.get(province)
        return known is not None and bool(known.slots)

    def alive(self, minor: Minor) -> bool:
        """Whether a minor power is on the map: it owns a centre, or nobody has taken its home."""
        return minor.name in self.position.centres.values() or self.owner(minor.home) == minor.name

    def owner(self, province: str) -> str:
        """Whose land it is drawn as: a power's, a minor power's, or nobody's ("")."""
        owner = self.position.centres.get(province)
        if owner is not None:
            return owner
        minor = minor_at(self.variant, province)
        if minor is not None and recognised(self.position, minor):
            return minor.name
        holder = self.palette.land.get(province, "")
        return holder if holder in self._holders else ""

    @cached_property
    def _holders(self) -> frozenset[str]:
        """Powers that own a centre, and minor powers with a unit: theirs is the land without centres."""
        return frozenset(self.position.centres.values()) | {unit.power for unit in self.position.units}

    def anchor(self, at: Location) -> Point:
        """GeometryError where the drawn board has no place for a unit."""
        place = self.geometry.anchor(at.province, at.place.coast)
        if self._above(at) and place.air is not None:
            return place.air
        if place.unit is None:
            raise GeometryError(f"no place for a unit in {at.province}")
        return place.unit

    def _above(self, at: Location) -> bool:
        return at.slot == AIR

    @cached_property
    def stands(self) -> tuple[MapToken, ...]:
        """Every unit of the position once, those driven out last, then those that are built."""
        standing = tuple(self._standing())
        return (*standing, *self._driven_out(standing), *self._built())

    def _standing(self) -> Iterator[MapToken]:
        together: dict[str, dict[Unit, int]] = {}
        for unit in self.position.units:
            if self._shared(unit.at.province):
                fan = together.setdefault(unit.at.province, {})
                fan[unit] = fan.get(unit, 0) + 1
            else:
                yield self._alone(unit)
        for fan in together.values():
            yield from self._fan(fan)

    def _shared(self, province: str) -> bool:
        known = self.position.board.provinces.get(province)
        return known is not None and known.shared

    def _alone(self, unit: Unit) -> MapToken:
        """A wing above a unit on the ground stands off, up to the right, so that both are seen."""
        place = self.anchor(unit.at)
        if self._above(unit.at) and self.geometry.anchor(unit.at.province).air is None:
            below = any(one.at.province == unit.at.province and one != unit for one in self.position.units)
            off = self.token * 1.15 if below else 0.0
            return MapToken(unit, (place[0] + off, place[1] - off), self.token * CORRECTION)
        return MapToken(unit, place, self.token)

    def _fan(self, fan: Mapping[Unit, int]) -> Iterator[MapToken]:
        """Rows of tokens round the anchor, equal units as one token with their number."""
        wide = min(len(fan), ceil(sqrt(len(fan) * ROW)))
        rows = ceil(len(fan) / wide)
        for number, (unit, count) in enumerate(fan.items()):
            row, column = divmod(number, wide)
            across = min(wide, len(fan) - row * wide)
            x, y = self._clear_of_name(unit.at, wide, rows)
            x += (column - (across - 1) / 2) * self.token * 2.7
            y += (row - (rows - 1) / 2) * self.token * 2.3
            yield MapToken(unit, (x, y), self.token, count)

    def _clear_of_name(self, at: Location, wide: int, rows: int) -> Point:
        """The middle of a fan: at the anchor, or below an ocean's two lines of name where they would be covered."""
        x, y = self.anchor(at)
        label, text = self.geometry.anchor(at.province).label, self.geometry.text
        if label is None or self.geometry.ground(at.province) != DEEP:
            return x, y
        half = wide * self.token * 1.35 + 5 * text, rows * self.token * 1.15 + 2 * text
        if abs(x - label[0]) > half[0] or abs(y - label[1]) > half[1]:
            return x, y
        return label[0], label[1] + 1.6 * text + rows * self.token * 1.15

    def _driven_out(self, standing: tuple[MapToken, ...]) -> Iterator[MapToken]:
        """Beside the unit that drove it out, where most room is."""
        taken = [one.place for one in standing]
        for one in self.position.dislodged:
            x, y = self.anchor(one.unit.at)
            far = self.token * 1.9
            angles = (2 * pi * step / PLACES_ROUND for step in range(PLACES_ROUND))
            round_about = [(x + far * cos(angle), y + far * sin(angle)) for angle in angles]
            place = max(round_about, key=lambda spot: (min(dist(spot, other) for other in taken), spot))
            taken.append(place)
            yield MapToken(one.unit, place, self.token * CORRECTION, driven_out=True)

    def _built(self) -> Iterator[MapToken]:
        for result in self.results:
            if isinstance(result.order, Build) and result.outcome is Outcome.SUCCEEDS:
                kind, place = result.order.unit.kind, result.order.unit.at
                at = locate(self.position.board, self.variant.kinds[kind], place)
                if at is not None:
                    yield MapToken(Unit(result.power, kind, at), self.anchor(at), self.token, built=True)

    @cached_property
    def places(self) -> Mapping[Unit, Point]:
        """Where each unit's token is."""
        return {stand.unit: stand.place for stand in self.stands}

    @cached_property
    def crowded(self) -> frozenset[str]:
        """Provinces in which a token stands."""
        return frozenset(stand.unit.at.province for stand in self.stands)

    @cached_property
    def entered(self) -> frozenset[str]:
        """Provinces into which somebody moved."""
        orders = (result.order for result in self.results if result.outcome is Outcome.SUCCEEDS)
        return frozenset(order.to.province for order in orders if isinstance(order, Move | Retreat))

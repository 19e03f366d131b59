"""The content of one picture, and where its tokens stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from math import cos, dist, pi, sin

from msgspec import Struct

from gm.judge.board.board import AIR, Location, locate
from gm.judge.mechanics.minor_powers import minor_at, recognised
from gm.judge.model.events import OrderResult, Outcome
from gm.judge.model.orders import Build, Move, Retreat
from gm.judge.model.position import Position, Unit
from gm.judge.model.variant import Minor, Variant
from gm.maps.drawing.geometry import Geometry, GeometryError, Point
from gm.maps.drawing.palette import Palette
from gm.maps.drawing.shared_places import place_fan

PLACES_ROUND = 12
CORRECTION = 0.92
"""Wings above units and dislodged units are a little smaller."""


class MapToken(Struct, frozen=True):
    """A token: `count` equal units where a province is shared, else 1."""

    unit: Unit
    place: Point
    size: float
    count: int = 1
    dislodged: bool = False
    built: bool = False


class MapScene(Struct, frozen=True, eq=False, dict=True):
    """A position, the orders given in it, and their outcomes (no results: the position alone).

    `owners`: who owns the centres in the picture, after the census that followed; None: as in the position.
    `word` returns the text of the legend for a key ([chart] in the catalogue) or a name, translated. `notes` are lines
    below the picture.
    """

    geometry: Geometry
    variant: Variant
    position: Position
    palette: Palette
    results: tuple[OrderResult, ...] = ()
    title: str = ""
    subtitle: str = ""
    word: Callable[[str], str] = str
    notes: tuple[str, ...] = ()
    owners: Mapping[str, str] | None = None

    @property
    def token(self) -> float:
        return self.geometry.token

    def colour(self, nation: str) -> str:
        return self.palette.ink(nation).key

    @property
    def centres(self) -> Mapping[str, str]:
        """The owners of the centres in the picture."""
        return self.position.centres if self.owners is None else self.owners

    def passable(self, province: str) -> bool:
        known = self.position.board.provinces.get(province)
        return known is not None and bool(known.slots)

    def shows(self, minor: Minor) -> bool:
        """Tells whether a minor power is in the picture: it has a centre or a unit, has just lost its last centre, or
        nobody has taken its home.
        """
        driven = (dislodged.unit.power for dislodged in self.position.dislodged)
        known = {*self._holders, *self.position.centres.values(), *driven}
        return minor.name in known or self.owner(minor.home) == minor.name

    def owner(self, province: str) -> str:
        """Returns the power or minor power whose colour a province has; "" for none."""
        owner = self.centres.get(province)
        if owner is not None:
            return owner
        minor = minor_at(self.variant, province)
        if minor is not None and recognised(self.position, minor):
            return minor.name
        holder = self.palette.land.get(province, "")
        return holder if holder in self._holders else ""

    @cached_property
    def _holders(self) -> frozenset[str]:
        """Powers with a centre, and minor powers with a unit: they hold their land without centres."""
        return frozenset(self.centres.values()) | {unit.power for unit in self.position.units}

    def anchor(self, location: Location) -> Point:
        """Returns where a unit stands. Raises GeometryError if the board has no place for it."""
        anchor = self.geometry.anchor(location.province, location.place.coast)
        if location.slot == AIR and anchor.air is not None:
            return anchor.air
        if anchor.unit is None:
            raise GeometryError(f"no place for a unit in {location.province}")
        return anchor.unit

    @cached_property
    def tokens(self) -> tuple[MapToken, ...]:
        """One token per unit: standing units, then dislodged ones, then builds."""
        standing = tuple(self._standing_tokens())
        return (*standing, *self._dislodged_tokens(standing), *self._built())

    def _standing_tokens(self) -> Iterator[MapToken]:
        together: dict[str, dict[Unit, int]] = {}
        for unit in self.position.units:
            if self._shared(unit.at.province):
                fan = together.setdefault(unit.at.province, {})
                fan[unit] = fan.get(unit, 0) + 1
            else:
                yield self._single_token(unit)
        for fan in together.values():
            yield from self._fan_tokens(fan)

    def _shared(self, province: str) -> bool:
        known = self.position.board.provinces.get(province)
        return known is not None and known.shared

    def _single_token(self, unit: Unit) -> MapToken:
        """Places a wing above a unit on the ground up to the right of it, so that both are seen."""
        place = self.anchor(unit.at)
        if unit.at.slot == AIR and self.geometry.anchor(unit.at.province).air is None:
            below = any(other.at.province == unit.at.province and other != unit for other in self.position.units)
            off = self.token * 1.15 if below else 0.0
            return MapToken(unit, (place[0] + off, place[1] - off), self.token * CORRECTION)
        return MapToken(unit, place, self.token)

    def _fan_tokens(self, fan: Mapping[Unit, int]) -> Iterator[MapToken]:
        """Places rows of tokens in the province, equal units as one token with their number."""
        at = next(iter(fan)).at
        rows = place_fan(self.geometry, at.province, len(fan), self.anchor(at))
        for (unit, count), place in zip(fan.items(), rows.places(len(fan)), strict=True):
            yield MapToken(unit, place, rows.size, count)

    def _dislodged_tokens(self, standing: tuple[MapToken, ...]) -> Iterator[MapToken]:
        """Places dislodged units where there is most room round the province's anchor."""
        taken = [token.place for token in standing]
        for dislodged in self.position.dislodged:
            x, y = self.anchor(dislodged.unit.at)
            far = self.token * 1.9
            angles = (2 * pi * step / PLACES_ROUND for step in range(PLACES_ROUND))
            around = [(x + far * cos(angle), y + far * sin(angle)) for angle in angles]
            place = max(around, key=lambda spot: (min(dist(spot, other) for other in taken), spot))
            taken.append(place)
            yield MapToken(dislodged.unit, place, self.token * CORRECTION, dislodged=True)

    def _built(self) -> Iterator[MapToken]:
        for result in self.results:
            if isinstance(result.order, Build) and result.outcome is Outcome.SUCCEEDS:
                kind, place = result.order.unit.kind, result.order.unit.at
                at = locate(self.position.board, self.variant.kinds[kind], place)
                if at is not None:
                    yield MapToken(Unit(result.power, kind, at), self.anchor(at), self.token, built=True)

    @cached_property
    def places(self) -> Mapping[Unit, Point]:
        return {token.unit: token.place for token in self.tokens}

    @cached_property
    def occupied(self) -> frozenset[str]:
        """Provinces with a token."""
        return frozenset(token.unit.at.province for token in self.tokens)

    @cached_property
    def entered(self) -> frozenset[str]:
        """Provinces that a unit moved into."""
        orders = (result.order for result in self.results if result.outcome is Outcome.SUCCEEDS)
        return frozenset(order.to.province for order in orders if isinstance(order, Move | Retreat))

"""Positions as the JSON documents of `gm adjudicate`, for other programs; the format is stable.

    {"variant": "standard", "phase": "S1901M", "units": {"Austria": ["A Bud", "F Tri"]},
     "centers": {"Austria": ["Bud"]},
     "dislodged": {"Austria": [{"unit": "F Tri", "by": "A Ven", "retreats": ["Alb", "ADR"]}]}, "seed": 0}

Names are read without regard to case, provinces also by name and alias; they are written as the map has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gm.judge.board import Location, Place, locate, locations
from gm.judge.position import Dislodged, Position, Unit
from gm.judge.variant import Variant
from gm.text.write import unit as written


class ExchangeError(ValueError):
    """A document that is no position. Its text is one line."""


def position_to_json(variant: Variant, position: Position) -> dict[str, Any]:
    document: dict[str, Any] = {
        "variant": variant.id,
        "phase": _phase(variant, position),
        "units": _grouped(variant, ((u.power, written(u)) for u in position.units)),
        "centers": _grouped(variant, ((owner, code) for code, owner in sorted(position.centres.items()))),
        "dislodged": _grouped(variant, ((d.unit.power, _driven(d)) for d in position.dislodged)),
    }
    if position.seed:
        document["seed"] = position.seed
    if variant.options:
        document["options"] = dict(variant.options)
    return document


def _phase(variant: Variant, position: Position) -> str:
    """The step that comes next, or the next after it that players have a name for."""
    steps = len(variant.calendar)
    for ahead in range(steps):
        at = position.at + ahead
        step = variant.calendar[at % steps]
        if step.letter:
            return f"{step.season[0]}{position.year + at // steps}{step.letter}"
    return ""


def _grouped(variant: Variant, pairs: Iterator[tuple[str, Any]]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {power.name: [] for power in variant.powers}
    for power, item in pairs:
        found.setdefault(power, []).append(item)
    return {power: items for power, items in found.items() if items}


def _driven(one: Dislodged) -> dict[str, Any]:
    return {"unit": written(one.unit), "by": written(one.by), "retreats": [str(at.place) for at in one.retreats]}


def position_from_json(variant: Variant, document: object) -> Position:
    """ExchangeError, one line, where the document is no position of this variant."""
    return _Reader(variant).position(_mapping(document, "position"))


def _mapping(value: object, what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ExchangeError(f"{what} must be an object")
    return value


def _list(value: object, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise ExchangeError(f"{what} must be a list")
    return value


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise ExchangeError(f"{what} must be a text")
    return value


class _Reader:
    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.powers = {p.name.casefold(): p.name for p in variant.powers}
        self.board = variant.start.board
        self.codes: dict[str, str] = {}
        for province in self.board.provinces.values():
            for name in (*province.aliases, province.name, province.code):
                self.codes[name.casefold()] = province.code

    def position(self, told: Mapping[str, Any]) -> Position:
        phase = _text(told.get("phase"), "phase")
        try:
            year, at = self.variant.phase_at(phase)
        except ValueError as error:
            raise ExchangeError(str(error)) from None
        units = tuple(u for power, texts in self._by_power(told, "units") for u in self._units(power, texts))
        self._apart(units)
        centres = self._centres(told)
        dislodged = tuple(
            self._dislodged(power, one, units) for power, items in self._by_power(told, "dislodged") for one in items
        )
        seed = told.get("seed", 0)
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise ExchangeError("seed must be a whole number")
        return Position(year, at, self.board, units, centres, dislodged, before=dict(centres), seed=seed)

    def power(self, name: str) -> str:
        found = self.powers.get(name.casefold())
        if found is None:
            raise ExchangeError(
                f"no power {name!r} in {self.variant.title}; there are {', '.join(self.powers.values())}"
            )
        return found

    def _by_power(self, told: Mapping[str, Any], key: str) -> Iterator[tuple[str, list[Any]]]:
        for name, items in _mapping(told.get(key) or {}, key).items():
            yield self.power(name), _list(items, f"{key} of {name}")

    def _units(self, power: str, texts: list[Any]) -> Iterator[Unit]:
        for text in texts:
            yield self._unit(power, _text(text, f"a unit of {power}"))

    def _unit(self, power: str, text: str) -> Unit:
        code, _, written_place = text.strip().partition(" ")
        kind = self.variant.kinds.get(code.upper())
        if kind is None:
            raise ExchangeError(f"{text!r}: no kind of unit {code!r}; there are {', '.join(self.variant.kinds)}")
        place = self._place(written_place, text)
        at = locate(self.board, kind, place)
        if at is None:
            coasts = [str(one.place) for one in locations(self.board, kind, place.province)]
            why = f"which coast? {' or '.join(coasts)}" if coasts else f"a unit of kind {kind.name} cannot stand there"
            raise ExchangeError(f"{text!r}: {why}")
        return Unit(power, kind.code, at)

    def _place(self, text: str, whole: str) -> Place:
        name, _, coast = text.strip().partition("/")
        code = self.codes.get(name.strip().casefold())
        if code is None:
            raise ExchangeError(f"{whole!r}: no province {name.strip()!r}")
        return Place(code, coast.strip().casefold())

    def _apart(self, units: tuple[Unit, ...]) -> None:
        taken: dict[tuple[str, str], Unit] = {}
        for unit in units:
            if self.board.provinces[unit.at.province].shared:
                continue
            space = unit.at.province, self.variant.kinds[unit.kind].layer
            other = taken.setdefault(space, unit)
            if other is not unit:
                raise ExchangeError(f"two units in {unit.at.province}: {written(other)} and {written(unit)}")

    def _centres(self, told: Mapping[str, Any]) -> dict[str, str]:
        found: dict[str, str] = {}
        for power, items in self._by_power(told, "centers"):
            for item in items:
                code = self._place(_text(item, f"a centre of {power}"), str(item)).province
                if not self.board.provinces[code].centre:
                    raise ExchangeError(f"{code} is no supply centre")
                if found.setdefault(code, power) != power:
                    raise ExchangeError(f"{code} belongs to {found[code]} and to {power}")
        return dict(sorted(found.items()))

    def _dislodged(self, power: str, item: object, units: tuple[Unit, ...]) -> Dislodged:
        told = _mapping(item, f"dislodged of {power}")
        unit = self._unit(power, _text(told.get("unit"), f"dislodged of {power}: unit"))
        winner = next((u for u in units if u.at.province == unit.at.province), None)
        by = self._unit(winner.power if winner else power, _text(told.get("by"), f"{written(unit)}: by"))
        retreats = _list(told.get("retreats", []), f"{written(unit)}: retreats")
        return Dislodged(
            unit, by, tuple(self._retreat(unit, _text(at, f"{written(unit)}: retreats")) for at in retreats)
        )

    def _retreat(self, unit: Unit, text: str) -> Location:
        at = locate(self.board, self.variant.kinds[unit.kind], self._place(text, text))
        if at is None:
            raise ExchangeError(f"{written(unit)} cannot stand in {text!r}")
        return at

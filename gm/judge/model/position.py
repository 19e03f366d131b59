"""Position: the state of a game between two deadlines, as an immutable value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from gm.judge.board.board import Board, Location
from gm.judge.model.orders import Entry, UnitRef

MAX_CACHED_REFS = 8192


class Unit(Struct, frozen=True, order=True, cache_hash=True, gc=False):
    """A unit on the board. `kind` is the code of a `UnitKind`.

    `number` distinguishes units of the same power and kind in a shared province, from 1 in order of arrival (see
    `gm.judge.model.unit_numbers`); 0 for a unit that is the only one.
    """

    power: str
    kind: str
    at: Location
    number: int = 0

    def __str__(self) -> str:
        """A Bud, F StP/sc, F NAT#2."""
        return str(ref(self))

    def is_like(self, other: Unit) -> bool:
        """Whether they differ in nothing but their powers."""
        return self.kind == other.kind and self.at == other.at and self.number == other.number


class Dislodged(Struct, frozen=True, order=True):
    """A unit that must retreat: the attacker, and where it may go (empty: it is destroyed at once)."""

    unit: Unit
    by: Unit
    retreats: tuple[Location, ...]


class LedgerKey(NamedTuple):
    """An account: its purse ("DP", "IP", "dips", "strike" …), its power, and the subject ("" for none)."""

    purse: str
    power: str
    subject: str = ""


COLLAPSED = "collapsed"
"""The purse that marks a power in permanent civil disorder: it is not played again, builds nothing, wins nothing."""

EMPTY: Mapping[LedgerKey, int] = MappingProxyType({})
NOTHING: Mapping[str, tuple[Entry, ...]] = MappingProxyType({})


def alone_by_province(units: Sequence[Unit]) -> Mapping[str, Unit]:
    """The units that stand alone in their province, by province."""
    alone = {unit.at.province: unit for unit in units}
    if len(alone) == len(units):
        return alone
    return {code: here[0] for code, here in by_province(units).items() if len(here) == 1}


def by_province(units: Iterable[Unit]) -> Mapping[str, tuple[Unit, ...]]:
    """The units by province, in their order; empty provinces are absent."""
    provinces: dict[str, tuple[Unit, ...]] = {}
    for unit in units:
        code = unit.at.province
        provinces[code] = (*provinces[code], unit) if code in provinces else (unit,)
    return provinces


@lru_cache(maxsize=MAX_CACHED_REFS)
def ref(unit: Unit) -> UnitRef:
    """A unit as an order names it. Cached, only for speed: the same object for every power compares faster."""
    return _same_ref(UnitRef(unit.kind, unit.at.place, unit.number))


@lru_cache(maxsize=MAX_CACHED_REFS)
def _same_ref(named: UnitRef) -> UnitRef:
    return named


def _by_owner(centres: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
    owners: dict[str, list[str]] = {}
    for code in sorted(centres):
        owners.setdefault(centres[code], []).append(code)
    return {owner: tuple(codes) for owner, codes in owners.items()}


CACHED_BY_FIELD = {
    "units": ("standing", "alone", "_units_by_power", "_checker", "_allowances"),
    "board": ("_checker", "_allowances"),
    "centres": ("_centres_by_owner", "_allowances"),
    "before": ("_centres_before",),
    "ledger": ("_allowances",),
    "dislodged": ("_allowances",),
}
"""Cached values of a position, by the field from which they are computed; only for speed."""


class Position(Struct, frozen=True, dict=True):
    """`year` and `at` (an index into the variant's calendar) identify the next step; `variant.phase_name` names it.

    `centres` maps each owned supply centre to its owner; `before` are the owners at the last census. `humans` are the
    groups of powers that one player plays, sorted. `ahead` are lines that powers have written for a later step, secret
    until then. `seed` is used for every draw by lot. `ended` is not None once the game is over.
    """

    year: int
    at: int
    board: Board
    units: tuple[Unit, ...]
    centres: Mapping[str, str]
    dislodged: tuple[Dislodged, ...] = ()
    before: Mapping[str, str] = field(default_factory=dict)
    ledger: Mapping[LedgerKey, int] = field(default_factory=lambda: EMPTY)
    seed: int = 0
    ended: Ending | None = None
    humans: tuple[tuple[str, ...], ...] = ()
    ahead: Mapping[str, tuple[Entry, ...]] = field(default_factory=lambda: NOTHING)

    def having(self, **changed: Any) -> Position:
        """Like `replace`, but keeps cached values that do not depend on the changed fields."""
        made = replace(self, **changed)
        made.__dict__.update(self.__dict__)
        for name in changed:
            for cached in CACHED_BY_FIELD.get(name, ()):
                made.__dict__.pop(cached, None)
        return made

    def companions(self, power: str) -> tuple[str, ...]:
        """The other powers that the same player plays."""
        return tuple(other for group in self.humans if power in group for other in group if other != power)

    @cached_property
    def standing(self) -> Mapping[str, tuple[Unit, ...]]:
        """The units by province."""
        return by_province(self.units)

    @cached_property
    def alone(self) -> Mapping[str, Unit]:
        """The units that stand alone in their province, by province."""
        return alone_by_province(self.units)

    @cached_property
    def _units_by_power(self) -> Mapping[str, tuple[Unit, ...]]:
        units: dict[str, list[Unit]] = {}
        for unit in self.units:
            units.setdefault(unit.power, []).append(unit)
        return {power: tuple(own) for power, own in units.items()}

    @cached_property
    def _centres_by_owner(self) -> Mapping[str, tuple[str, ...]]:
        return _by_owner(self.centres)

    @cached_property
    def _centres_before(self) -> Mapping[str, tuple[str, ...]]:
        return _by_owner(self.before)

    def units_of(self, power: str) -> tuple[Unit, ...]:
        return self._units_by_power.get(power, ())

    def collapsed(self, power: str) -> bool:
        return bool(self.ledger) and LedgerKey(COLLAPSED, power) in self.ledger

    def survives(self, power: str) -> bool:
        """Whether a power is in play: it has a unit, also a dislodged one, or a centre, and has not collapsed."""
        held = bool(self.units_of(power) or self.centres_of(power))
        return (held or bool(self.dislodged_of(power))) and not self.collapsed(power)

    def centres_of(self, power: str) -> tuple[str, ...]:
        """Codes of the centres a power owns, sorted."""
        return self._centres_by_owner.get(power, ())

    def dislodged_of(self, power: str) -> tuple[Unit, ...]:
        return tuple(d.unit for d in self.dislodged if d.unit.power == power)

    def all_units_of(self, power: str) -> tuple[Unit, ...]:
        """Dislodged units come last."""
        return (*self.units_of(power), *self.dislodged_of(power))

    def centres_before(self, power: str) -> tuple[str, ...]:
        """The same at the last census."""
        return self._centres_before.get(power, ())


class Ending(Struct, frozen=True):
    """How a game ended. `why` is the key of a sentence ("solo", "draw", "stalemate", "terminated")."""

    winners: tuple[str, ...]
    why: str

"""Everything that is true between two deadlines, as one immutable value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from gm.judge.board.board import Board, Location

if TYPE_CHECKING:
    from gm.judge.model.orders import Entry


class Unit(Struct, frozen=True, order=True, cache_hash=True):
    """A unit on the board. `kind` is the code of a UnitKind; no two units of a layer stand in one unshared province.

    `number` tells those of one power and kind in one shared place apart, from 1 in order of arrival (see
    `gm.judge.model.unit_numbers`); 0 for whoever is the only one.
    """

    power: str
    kind: str
    at: Location
    number: int = 0


class Dislodged(Struct, frozen=True, order=True):
    """A unit that must retreat: who drove it out and where it may go (empty: it is destroyed at once)."""

    unit: Unit
    by: Unit
    retreats: tuple[Location, ...]


class LedgerKey(NamedTuple):
    """One account: a purse ("DP", "IP", "dips", "strike" …), whose it is, and about whom or what ("" for nobody)."""

    purse: str
    power: str
    subject: str = ""


COLLAPSED = "collapsed"
"""The purse that marks a power in civil disorder for good: it is never played again, builds nothing, wins nothing."""

EMPTY: Mapping[LedgerKey, int] = MappingProxyType({})
NOTHING: Mapping[str, tuple[Entry, ...]] = MappingProxyType({})


def by_province(units: Iterable[Unit]) -> Mapping[str, tuple[Unit, ...]]:
    """Who stands where, in the units' order; provinces that hold nobody are absent."""
    found: dict[str, tuple[Unit, ...]] = {}
    for unit in units:
        code = unit.at.province
        found[code] = (*found[code], unit) if code in found else (unit,)
    return found


def _by_owner(centres: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for code in sorted(centres):
        found.setdefault(centres[code], []).append(code)
    return {owner: tuple(codes) for owner, codes in found.items()}


WORKED_OUT = {
    "units": ("standing", "_ranks", "_checker", "_allowances"),
    "board": ("_checker", "_allowances"),
    "centres": ("_domains", "_allowances"),
    "before": ("_earlier",),
    "ledger": ("_allowances",),
    "dislodged": ("_allowances",),
}
"""What a position remembers, by the field that it follows from."""


class Position(Struct, frozen=True, dict=True):
    """`year` and `at` (an index into the variant's calendar) say which step comes next; variant.phase_name names it.

    `centres` maps each owned supply centre to its owner; unowned centres are absent.
    `before` are the owners at the last census, so that gains can be told.
    `humans` are the powers that one human plays together, where it is more than one: sorted, each power once.
    `ahead` are lines that powers have written for a later step, secret until then. `seed` feeds every draw by lot.
    `ended` is not None once the game is over.
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
        """`replace`, but what has been worked out about units and centres that stay is kept."""
        made = replace(self, **changed)
        made.__dict__.update(self.__dict__)
        for name in changed:
            for known in WORKED_OUT.get(name, ()):
                made.__dict__.pop(known, None)
        return made

    def companions(self, power: str) -> tuple[str, ...]:
        """The other powers that the same human plays."""
        return tuple(one for group in self.humans if power in group for one in group if one != power)

    @cached_property
    def standing(self) -> Mapping[str, tuple[Unit, ...]]:
        """The units by province."""
        return by_province(self.units)

    @cached_property
    def _ranks(self) -> Mapping[str, tuple[Unit, ...]]:
        found: dict[str, list[Unit]] = {}
        for unit in self.units:
            found.setdefault(unit.power, []).append(unit)
        return {power: tuple(units) for power, units in found.items()}

    @cached_property
    def _domains(self) -> Mapping[str, tuple[str, ...]]:
        return _by_owner(self.centres)

    @cached_property
    def _earlier(self) -> Mapping[str, tuple[str, ...]]:
        return _by_owner(self.before)

    def units_of(self, power: str) -> tuple[Unit, ...]:
        return self._ranks.get(power, ())

    def collapsed(self, power: str) -> bool:
        return bool(self.ledger) and LedgerKey(COLLAPSED, power) in self.ledger

    def centres_of(self, power: str) -> tuple[str, ...]:
        """Sorted codes of the centres a power owns."""
        return self._domains.get(power, ())

    def centres_before(self, power: str) -> tuple[str, ...]:
        """The same at the last census."""
        return self._earlier.get(power, ())


class Ending(Struct, frozen=True):
    """How a game ended. `why` is a key of the sentence catalogue ("solo", "draw", "stalemate", "terminated")."""

    winners: tuple[str, ...]
    why: str

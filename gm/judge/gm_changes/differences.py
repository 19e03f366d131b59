"""Compares two positions for a reader.

Accounts of the ledger are shown only to their power and to the game master; lines that wait for a later step
(`Position.ahead`) to nobody.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from msgspec import Struct

from gm.judge.model.position import Ending, LedgerKey, Position, Unit
from gm.judge.model.variant import Variant

T = TypeVar("T")


class UnitsChange(NamedTuple):
    """Units of a power that are gone or changed, and what is new (standing or dislodged)."""

    power: str
    was: tuple[Unit, ...]
    now: tuple[Unit, ...]


class CentresChange(NamedTuple):
    """Centres that an owner ("" for nobody) lost and gained."""

    power: str
    was: tuple[str, ...]
    now: tuple[str, ...]


class LedgerChange(NamedTuple):
    account: LedgerKey
    was: int
    now: int


class PhaseChange(NamedTuple):
    was: str
    now: str


class EndingChange(NamedTuple):
    was: Ending | None
    now: Ending | None


class Difference(Struct, frozen=True):
    """`phase` and `ended` are None if unchanged. `borders`: the map itself has changed."""

    phase: PhaseChange | None = None
    ended: EndingChange | None = None
    units: tuple[UnitsChange, ...] = ()
    driven: tuple[UnitsChange, ...] = ()
    centres: tuple[CentresChange, ...] = ()
    accounts: tuple[LedgerChange, ...] = ()
    borders: bool = False

    def __bool__(self) -> bool:
        return self != Difference()


def difference(
    variant: Variant, was: Position, now: Position, reader: str | None, *, master: bool = False
) -> Difference:
    """The differences that the power `reader` may know; None or "": a reader without a power."""
    powers = _all_powers(variant, was, now)
    phases = PhaseChange(variant.phase_name(was), variant.phase_name(now))
    return Difference(
        phase=phases if phases.was != phases.now else None,
        ended=EndingChange(was.ended, now.ended) if was.ended != now.ended else None,
        units=tuple(
            UnitsChange(power, *units)
            for power in powers
            if any(units := _lost_and_gained(was.units_of(power), now.units_of(power)))
        ),
        driven=tuple(
            UnitsChange(power, *units)
            for power in powers
            if any(units := _lost_and_gained(_dislodged(was, power), _dislodged(now, power)))
        ),
        centres=tuple(
            CentresChange(power, *centres)
            for power in (*powers, "")
            if any(centres := _lost_and_gained(_centres(was, power), _centres(now, power)))
        ),
        accounts=tuple(
            LedgerChange(key, was.ledger.get(key, 0), now.ledger.get(key, 0))
            for key in sorted({*was.ledger, *now.ledger})
            if was.ledger.get(key, 0) != now.ledger.get(key, 0) and (master or (reader and key.power == reader))
        ),
        borders=was.board != now.board,
    )


def _all_powers(variant: Variant, was: Position, now: Position) -> tuple[str, ...]:
    """All powers with units or centres, in the variant's order."""
    return tuple(dict.fromkeys((*variant.nations, *_owners(was), *_owners(now))))


def _owners(position: Position) -> Iterable[str]:
    return sorted({unit.power for unit in position.units} | set(position.centres.values()))


def _lost_and_gained(was: Iterable[T], now: Iterable[T]) -> tuple[tuple[T, ...], tuple[T, ...]]:
    before, after = tuple(was), tuple(now)
    return tuple(x for x in before if x not in after), tuple(x for x in after if x not in before)


def _dislodged(position: Position, power: str) -> tuple[Unit, ...]:
    return tuple(d.unit for d in position.dislodged if d.unit.power == power)


def _centres(position: Position, power: str) -> tuple[str, ...]:
    if power:
        return position.centres_of(power)
    provinces = position.board.provinces.values()
    return tuple(
        sorted(province.code for province in provinces if province.centre and province.code not in position.centres)
    )

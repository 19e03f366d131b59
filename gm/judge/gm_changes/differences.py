"""What is not as it was: two positions compared, for one reader.

Pure, and secret by construction: accounts of the ledger are told to the power whose they are and to the game master,
to nobody else; lines that wait for a later step (`Position.ahead`) to nobody at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from msgspec import Struct

from gm.judge.model.position import Ending, LedgerKey, Position, Unit
from gm.judge.model.variant import Variant

T = TypeVar("T")


class UnitsChange(NamedTuple):
    """Of one power: units that are no longer so, and units that were not so before (standing, or driven out)."""

    power: str
    was: tuple[Unit, ...]
    now: tuple[Unit, ...]


class CentresChange(NamedTuple):
    """Of one owner ("" for nobody): centres that are no longer his, and centres that were not."""

    power: str
    was: tuple[str, ...]
    now: tuple[str, ...]


class LedgerChange(NamedTuple):
    """One account of the ledger, with what it held and holds."""

    account: LedgerKey
    was: int
    now: int


class PhaseChange(NamedTuple):
    """The phase by its name, before and after."""

    was: str
    now: str


class EndingChange(NamedTuple):
    was: Ending | None
    now: Ending | None


class Difference(Struct, frozen=True):
    """`phase` and `ended` are None where they are as they were. `borders`: the map itself is another one."""

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
    """As the power `reader` may know it; None or "" is a reader without a power, who has no account."""
    powers = _powers(variant, was, now)
    phases = PhaseChange(variant.phase_name(was), variant.phase_name(now))
    return Difference(
        phase=phases if phases.was != phases.now else None,
        ended=EndingChange(was.ended, now.ended) if was.ended != now.ended else None,
        units=tuple(
            UnitsChange(power, *found)
            for power in powers
            if any(found := _parted(was.units_of(power), now.units_of(power)))
        ),
        driven=tuple(
            UnitsChange(power, *found)
            for power in powers
            if any(found := _parted(_driven(was, power), _driven(now, power)))
        ),
        centres=tuple(
            CentresChange(power, *held)
            for power in (*powers, "")
            if any(held := _parted(_held(was, power), _held(now, power)))
        ),
        accounts=tuple(
            LedgerChange(key, was.ledger.get(key, 0), now.ledger.get(key, 0))
            for key in sorted({*was.ledger, *now.ledger})
            if was.ledger.get(key, 0) != now.ledger.get(key, 0) and (master or (reader and key.power == reader))
        ),
        borders=was.board != now.board,
    )


def _powers(variant: Variant, was: Position, now: Position) -> tuple[str, ...]:
    """Everybody who has anything, in the variant's order."""
    return tuple(dict.fromkeys((*variant.nations, *_owners(was), *_owners(now))))


def _owners(position: Position) -> Iterable[str]:
    return sorted({unit.power for unit in position.units} | set(position.centres.values()))


def _parted(was: Iterable[T], now: Iterable[T]) -> tuple[tuple[T, ...], tuple[T, ...]]:
    before, after = tuple(was), tuple(now)
    return tuple(one for one in before if one not in after), tuple(one for one in after if one not in before)


def _driven(position: Position, power: str) -> tuple[Unit, ...]:
    return tuple(one.unit for one in position.dislodged if one.unit.power == power)


def _held(position: Position, power: str) -> tuple[str, ...]:
    if power:
        return position.centres_of(power)
    provinces = position.board.provinces.values()
    return tuple(
        sorted(province.code for province in provinces if province.centre and province.code not in position.centres)
    )

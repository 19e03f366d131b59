"""Compares two positions for a reader.

Accounts of the ledger are shown only to their power and to the game master; lines that wait for a later step
(`Position.ahead`) to nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, NamedTuple, TypeVar

from msgspec import Struct

from gm.judge.model.position import Ending, LedgerKey, Position, Unit
from gm.judge.model.variant import Variant

T = TypeVar("T")


class HoldingsChange(NamedTuple, Generic[T]):
    """Units (standing or dislodged) or centres that a power ("" for nobody) lost, and those that it gained.

    `unchanged` counts those that it had before and still has.
    """

    power: str
    was: tuple[T, ...]
    now: tuple[T, ...]
    unchanged: int


class LedgerChange(NamedTuple):
    account: LedgerKey
    was: int
    now: int


class Change(NamedTuple, Generic[T]):
    was: T
    now: T


class Difference(Struct, frozen=True):
    """`phase` and `ended` are None if unchanged. `borders`: the map itself has changed."""

    phase: Change[str] | None = None
    ended: Change[Ending | None] | None = None
    units: tuple[HoldingsChange[Unit], ...] = ()
    driven: tuple[HoldingsChange[Unit], ...] = ()
    centres: tuple[HoldingsChange[str], ...] = ()
    accounts: tuple[LedgerChange, ...] = ()
    borders: bool = False

    def __bool__(self) -> bool:
        return self != Difference()


def difference(
    variant: Variant, was: Position, now: Position, reader: str | None, *, master: bool = False
) -> Difference:
    """The differences that the power `reader` may know; None or "": a reader without a power."""
    powers = _all_powers(variant, was, now)
    phases = Change(variant.phase_name(was), variant.phase_name(now))
    return Difference(
        phase=phases if phases.was != phases.now else None,
        ended=Change(was.ended, now.ended) if was.ended != now.ended else None,
        units=_changes(powers, was, now, Position.units_of),
        driven=_changes(powers, was, now, Position.dislodged_of),
        centres=_changes((*powers, ""), was, now, _centres),
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


def _changes(
    powers: Iterable[str], was: Position, now: Position, held: Callable[[Position, str], tuple[T, ...]]
) -> tuple[HoldingsChange[T], ...]:
    """What each power that lost or gained something lost and gained."""
    changes = []
    for power in powers:
        before, after = held(was, power), held(now, power)
        lost = tuple(x for x in before if x not in after)
        gained = tuple(x for x in after if x not in before)
        if lost or gained:
            changes.append(HoldingsChange(power, lost, gained, len(before) - len(lost)))
    return tuple(changes)


def _centres(position: Position, power: str) -> tuple[str, ...]:
    if power:
        return position.centres_of(power)
    provinces = position.board.provinces.values()
    return tuple(
        sorted(province.code for province in provinces if province.centre and province.code not in position.centres)
    )

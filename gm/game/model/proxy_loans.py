"""PROXY A Par TO Germany: units that another player orders for a phase, if the setting `proxy` allows it.

A loan is a line on its owner's sheet in the slot of the unit's order; `SheetLine.lent` names who writes the order. A
later order of the owner replaces the loan, and it ends with the phase. The other player has a sheet for the owner's
power with the lent units only; at the deadline its lines replace the loans. A lent unit without an order holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model.records import SheetLine
from gm.judge.model.orders import Hold, Slot
from gm.judge.model.position import Position, Unit, ref
from gm.judge.model.sheets import DueOrders
from gm.language.orders.phase_names import MOVES
from gm.language.rendering import order_text

Lines = Mapping[tuple[str, str], tuple[SheetLine, ...]]
"""Sheets by author and power."""


class ProxyLoan(Struct, frozen=True):
    owner: str
    holder: str
    slot: Slot
    unit: Unit


def slot_of(unit: Unit) -> Slot:
    return Hold(ref(unit)).slot


def loans(position: Position, lines: Lines) -> tuple[ProxyLoan, ...]:
    """The loans on these sheets whose units exist."""
    return tuple(_loans(position, lines))


def _loans(position: Position, lines: Lines) -> Iterator[ProxyLoan]:
    for (author, power), sheet in lines.items():
        lent = {line.slot: line.lent for line in sheet if line.lent} if author == power else {}
        for unit in position.units_of(power) if lent else ():
            slot = slot_of(unit)
            if slot in lent:
                yield ProxyLoan(power, lent[slot], slot, unit)


def due_from_author(owed: DueOrders, author: str, power: str, every: Iterable[ProxyLoan]) -> DueOrders:
    """The part of a power's due orders that this author writes: a lent unit's order is due from its holder."""
    if not owed.units:
        return owed
    if author == power:
        gone = {loan.unit for loan in every if loan.owner == power}
        return replace(owed, units=tuple(unit for unit in owed.units if unit not in gone)) if gone else owed
    mine = {loan.unit for loan in every if (loan.owner, loan.holder) == (power, author)}
    return replace(owed, units=tuple(unit for unit in owed.units if unit in mine)) if mine else owed


def replace_loans(lines: Lines, every: Iterable[ProxyLoan]) -> dict[tuple[str, str], tuple[SheetLine, ...]]:
    """Replaces each loan by the holder's order, or by a hold."""
    result = {key: tuple(line for line in sheet if not line.lent) for key, sheet in lines.items()}
    for loan in every:
        theirs = lines.get((loan.holder, loan.owner), ())
        ordered = tuple(line for line in theirs if line.slot == loan.slot)
        held = SheetLine(loan.slot, order_text.statement(Hold(ref(loan.unit)), letter=MOVES))
        result[loan.owner, loan.owner] += ordered or (held,)
    return {key: sheet for key, sheet in result.items() if key not in {(loan.holder, loan.owner) for loan in every}}

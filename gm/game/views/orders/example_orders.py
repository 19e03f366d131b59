"""Example orders for letters: a move, a support and a hold of the reader's own units."""

from __future__ import annotations

from collections.abc import Iterator

from gm.game.model.recipient import Recipient
from gm.game.views.turns.turn_events import sorted_units
from gm.judge.board.board import Use
from gm.judge.model.orders import Hold, Move, Statement, Support
from gm.judge.model.position import Position, Unit, ref


def examples(reader: Recipient, position: Position) -> tuple[Statement, ...]:
    """A legal move, its support and a hold by the reader's units; fewer if they have fewer units."""
    units = sorted_units(position.units_of(reader.power or ""))
    moves = [move for unit in units for move in _moves_of(reader, position, unit)]
    pairs = ((move, help_) for move in moves for unit in units if (help_ := _support_of(position, unit, move)))
    orders: list[Statement] = list(next(pairs, moves[:1]))
    busy = {order.slot for order in orders}
    holds = (Hold(ref(unit)) for unit in units)
    idle = [hold for hold in holds if hold.slot not in busy]
    return (*orders, *idle[:1])


def move_in_words(reader: Recipient, position: Position) -> str:
    """A move of one of the reader's units in words: "Army Paris to Burgundy"."""
    units = sorted_units(position.units_of(reader.power or "")) or sorted_units(position.units)
    for unit in units:
        for move in _moves_of(reader, position, unit):
            names = [position.board.provinces[code].name for code in (unit.at.province, move.to.province)]
            kind = reader.called(reader.variant.kinds[unit.kind].name).capitalize()
            return reader.say("unit.moves", kind=kind, start=names[0], goal=names[1])
    return ""


def _moves_of(reader: Recipient, position: Position, unit: Unit) -> Iterator[Move]:
    """Moves to empty neighbouring provinces."""
    kind = reader.variant.kinds[unit.kind]
    taken = {other.at.province for other in position.units}
    for at in position.board.neighbours(unit.at, Use.MOVE):
        if kind.stands(at.slot) and at.province not in taken:
            yield Move(ref(unit), at.place)


def _support_of(position: Position, unit: Unit, move: Move) -> Support | None:
    reach = {at.province for at in position.board.neighbours(unit.at, Use.SUPPORT)}
    named = ref(unit)
    if named == move.unit or move.to.province not in reach:
        return None
    return Support(named, move.unit, move.to)

"""Orders of a letter that depend on another one: supports of units that move, and fleets on an army's way."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from gm.judge.board.board import Place
from gm.judge.model.orders import Move, Support, UnitOrder
from gm.language.lines.letter_contents import LetterContext, LineError, OrderLine
from gm.language.orders.line_reader import LineReader
from gm.language.orders.parsing.lexer import Token
from gm.language.orders.parsing.order_context import OrderContext
from gm.language.rendering.order_text import statement as written


def in_words(tokens: Sequence[Token]) -> bool:
    """Whether a support is written in words: "Trieste supports Budapest", not "A Tri S A Bud"."""
    letters = [token for token in tokens if token.type == "KIND" and token.end_pos - token.start_pos == 1]
    return not letters and not any(token.type == "HOLD" for token in tokens)


def supports_of_moves(
    orders: Sequence[OrderLine], spoken: Collection[OrderLine], sheet: LineReader, context: LetterContext
) -> list[OrderLine]:
    """With the move for its goal where words support a unit that moves: "Trieste supports Budapest"."""
    moves = {order.statement.unit: order.statement for order in orders if isinstance(order.statement, Move)}
    step = context.variant.step(context.position).letter
    made: list[OrderLine] = []
    for order in orders:
        support = order.statement
        if order in spoken and isinstance(support, Support) and support.to is None and support.target in moves:
            goal = Place(moves[support.target].to.province)
            meant = Support(support.unit, support.target, goal)
            if sheet.try_out(written(meant, step), context):
                order = replace(order, statement=meant)
        made.append(order)
    return made


def missing_carriers(
    orders: Sequence[OrderLine], sheet: LineReader | None, context: LetterContext
) -> Iterator[LineError]:
    """Fleets of the writer's that an army's way names, and that have no order: they would carry it."""
    journeys = [order for order in orders if isinstance(order.statement, Move) and order.statement.route]
    if not journeys or sheet is None:
        return
    every = (*(order.statement for order in orders), *context.on_file())
    ordered = {statement.unit.at.province for statement in every if isinstance(statement, UnitOrder)}
    own = {unit.at.province: unit for unit in context.position.units_of(context.power)}
    step = context.variant.step(context.position).letter
    for journey in journeys:
        move = journey.statement
        assert isinstance(move, Move)
        army = written(replace(move, via=False, route=()), step)
        fleets = [own[sea] for sea in move.route if sea in own and sea not in ordered]
        lines = [f"{OrderContext.ref(fleet).kind} {fleet.at.place} C {army}" for fleet in fleets]
        if lines and all(sheet.try_out(line, context) for line in lines):
            text = journey.text.strip()
            yield LineError(journey.line, text, 0, len(text), "carrier-without-order", (), ("\n".join(lines),))

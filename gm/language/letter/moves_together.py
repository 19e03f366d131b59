"""Orders of a letter that depend on another one: supports of units that move, fleets and armies of a convoy."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from gm.judge.board.board import Place, Use
from gm.judge.model.orders import Convoy, Hold, Move, Statement, Support, UnitOrder
from gm.judge.model.position import Unit
from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LetterContext, LineError, OrderLine
from gm.language.orders.line_reader import LineReader
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.memory import unit_of
from gm.language.prose.mentions import unit_called
from gm.language.rendering.order_text import statement as written

POSSESSIVE = re.compile(r"\w(?:'s|s') *$")
MOVE_MISSING = "move-not-ordered"
CONVOY_INCOMPLETE = "convoy-not-complete"
SIGN = re.compile(r"\bc\b")
"""A convoy in notation."""
SHORTEST_WORD = 4
"""Letters of a kind of unit that is no sign."""


def goes_with_another(order: Statement) -> bool:
    """Whether it may be for nothing without the order of another unit."""
    return isinstance(order, Support | Convoy | Move)


def last_act(orders: Sequence[OrderLine]) -> list[OrderLine]:
    """The last order, with those beside it that serve the same move: "Vienna and Budapest support Trieste"."""
    return [order for order in orders if _served(order.statement) == _served(orders[-1].statement)]


def _served(order: Statement) -> tuple[str, str]:
    """From where to where the unit goes that an order is for."""
    match order:
        case Move():
            return order.unit.at.province, order.to.province
        case Support() | Convoy():
            return order.target.at.province, order.to.province if order.to is not None else ""
        case _:
            return str(order.slot), ""


def in_words(tokens: Sequence[Token]) -> bool:
    """Whether a support is written as people talk: "Trieste supports Budapest", "tri s bud", not "A Tri S A Bud"."""
    named = (first for first, second in pairwise(tokens) if first.type == "KIND" and second.type == "PLACE")
    letters = [token for token in named if token.end_pos - token.start_pos < SHORTEST_WORD]
    return not letters


def spoken_together(orders: Iterable[OrderLine], tokens: Sequence[Token], kind: type[UnitOrder]) -> list[OrderLine]:
    """Orders of this kind in a clause that go with another one, unless it is in notation; moves and supports, unless
    words beside them say that a unit holds.
    """
    holding = any(token.type == "HOLD" for token in tokens)
    together = (order for order in orders if isinstance(order.statement, kind) and goes_with_another(order.statement))
    spoken = (order for order in together if isinstance(order.statement, Convoy) or not holding)
    return list(spoken) if in_words(tokens) else []


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


def convoys_elsewhere(
    orders: Sequence[OrderLine],
    spoken: Collection[OrderLine],
    proposed: Collection[str],
    sheet: LineReader,
    context: LetterContext,
) -> Iterator[LineError]:
    """The convoys on file that carried an army to where it went before the letter, with what they would be now.

    `proposed`: the units ("F ION") for which the letter's errors propose something.
    """
    stands = _ordered(context.on_file())
    ordered = _ordered(order.statement for order in orders)
    convoys = [each for at, each in stands.items() if isinstance(each, Convoy) and at not in ordered]
    units = {unit.at.province: unit for unit in context.own_units}
    step = context.variant.step(context.position).letter
    for order, move in _moves_elsewhere((order for order in orders if order in spoken), stands):
        unit = units.get(move.unit.at.province)
        if unit is None or move.to.province in _near(unit, context):
            continue
        lines = (written(replace(each, to=move.to), step) for each in convoys if each.target == move.unit)
        legal = [line for line in lines if unit_of(line) not in proposed and sheet.try_out(line, context)]
        if legal:
            yield _incomplete(order, CONVOY_INCOMPLETE, legal)


def _moves_elsewhere(orders: Iterable[OrderLine], stands: Mapping[str, UnitOrder]) -> Iterator[tuple[OrderLine, Move]]:
    """The moves of units that move to another province on file."""
    for order in orders:
        move = order.statement
        old = stands.get(move.unit.at.province) if isinstance(move, Move) else None
        if isinstance(move, Move) and isinstance(old, Move) and old.to.province != move.to.province:
            yield order, move


def _incomplete(order: OrderLine, key: str, lines: Sequence[str]) -> LineError:
    text = order.text.strip()
    return LineError(order.line, text, 0, len(text), key, (), ("\n".join(lines),))


def missing_for_convoys(
    orders: Sequence[OrderLine], spoken: Collection[OrderLine], sheet: LineReader, context: LetterContext
) -> Iterator[LineError]:
    """What a convoy lacks, or a support of a move: an order for a fleet that an army's way names, or for the writer's
    unit that is carried or supported.
    """
    lines = Counter(order.line for order in orders)
    journeys = [order for order in orders if order in spoken and (lines[order.line] > 1 or _says_both(order, sheet))]
    if not journeys:
        return
    ordered, stands = _ordered(order.statement for order in orders), _ordered(context.on_file())
    own = {unit.at.province: unit_called(unit) for unit in context.position.units_of(context.power)}
    own = {province: called for province, called in own.items() if province not in ordered}
    free = {province: called for province, called in own.items() if province not in stands}
    step = context.variant.step(context.position).letter
    for order in journeys:
        carried = isinstance(order.statement, Convoy) and not _goes(stands, order.statement)
        lacking = tuple(dict.fromkeys(_lacking(order.statement, own if carried else free, step)))
        if isinstance(order.statement, Move) and not lacking:
            lacking = _only_carrier(order.statement, (*ordered.values(), *stands.values()), free, sheet, context)
        if lacking and all(sheet.try_out(line, context) for line in lacking):
            key = MOVE_MISSING if isinstance(order.statement, Support) else CONVOY_INCOMPLETE
            yield _incomplete(order, key, lacking)


def _only_carrier(
    move: Move, every: Sequence[Statement], free: Mapping[str, str], sheet: LineReader, context: LetterContext
) -> tuple[str, ...]:
    """The convoy of an army that must go by sea, where no fleet carries it, and only one without an order can alone."""
    start, goal = move.unit.at.province, move.to.province
    near = {unit.at.province: _near(unit, context) for unit in context.position.units_of(context.power)}
    carried = any(isinstance(order, Convoy) and order.target == move.unit for order in every)
    if move.route or carried or goal in near.get(start, {goal}):
        return ()
    army = written(replace(move, via=False), context.variant.step(context.position).letter)
    lines = [f"{unit} C {army}" for at, unit in free.items() if {start, goal} <= near[at]]
    lines = [line for line in lines if sheet.try_out(line, context)]
    return tuple(lines) if len(lines) == 1 else ()


def _near(unit: Unit, context: LetterContext) -> set[str]:
    return {to.province for to in context.position.board.neighbours(unit.at, Use.MOVE)}


def _ordered(statements: Iterable[Statement]) -> dict[str, UnitOrder]:
    """The orders of units, by province."""
    return {each.unit.at.province: each for each in statements if isinstance(each, UnitOrder)}


def _goes(stands: Mapping[str, UnitOrder], convoy: Convoy) -> bool:
    """Whether the order on file of an army is the move for which a fleet carries it."""
    order = stands.get(convoy.target.at.province)
    return isinstance(order, Move) and order.to.province == convoy.to.province


def _says_both(order: OrderLine, sheet: LineReader) -> bool:
    """Whether a convoy needs other orders, or a support speaks of a move as a thing: "back Munich's move into …"."""
    if not isinstance(order.statement, Support):
        return True
    text = clean(order.text).text
    moves = (word for word in sheet.scanner.scan(text) if word.type == "MOVE")
    return any(POSSESSIVE.search(text[: move.start_pos]) for move in moves)


def armies_carried(
    orders: Sequence[OrderLine], spoken: Collection[OrderLine], sheet: LineReader, context: LetterContext
) -> Iterator[OrderLine]:
    """The move of an army without an order that a sentence says a fleet carries: "the North Sea ferries my army to
    Belgium". One that only holds on file moves as well.
    """
    stands = (order for order in context.on_file() if not isinstance(order, Hold))
    ordered = _ordered((*(order.statement for order in orders), *stands))
    own = {unit.at.province for unit in context.position.units_of(context.power)} - {*ordered}
    step = context.variant.step(context.position).letter
    for order in orders:
        convoy = order.statement
        if order not in spoken or not isinstance(convoy, Convoy) or SIGN.search(order.text.lower()):
            continue
        journey = Move(convoy.target, Place(convoy.to.province))
        if convoy.target.at.province in own and sheet.try_out(written(journey, step), context):
            own.discard(convoy.target.at.province)
            yield replace(order, statement=journey)


def _lacking(order: Statement, free: Mapping[str, str], step: str) -> Iterator[str]:
    """Orders for the fleets of an army's way, or for the army of a convoy, that have none."""
    if isinstance(order, Move):
        army = written(replace(order, via=False, route=()), step)
        yield from (f"{free[sea]} C {army}" for sea in order.route if sea in free)
    elif isinstance(order, Convoy | Support) and order.to is not None and order.target.at.province in free:
        yield f"{free[order.target.at.province]} - {order.to}"

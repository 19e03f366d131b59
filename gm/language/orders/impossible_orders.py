"""Impossible orders (setting `illegal_orders`): taken as they are written, and the unit holds.

A line that may mean two things, or lacks a coast or a route, is asked back all the same, and so is an order for a unit
that is not the writer's.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from gm.judge.mechanics.dips.usage_windows import TURN
from gm.judge.model.orders import Statement, UnitOrder
from gm.language.lines.letter_contents import LetterContext
from gm.language.orders.line_meaning import PieceMeaning
from gm.language.orders.line_reader import LineReader
from gm.language.orders.parsing.order_context import UnitsByProvince

ASKED_BACK = frozenset({"which-coast", "route-missing"})
"""Errors of orders that say too little."""


def with_impossible_orders(
    reader: LineReader, text: str, context: LetterContext, meanings: Sequence[PieceMeaning]
) -> Sequence[PieceMeaning]:
    """The meanings of a line, with impossible orders instead of their errors where the game takes them."""
    if not context.illegal or context.later or context.variant.step(context.position).letter != TURN:
        return meanings
    if all(meaning.error is None for meaning in meanings):
        return meanings
    anyway = reader.read(text, replace(context, any_unit=True))
    return [_choose(strict, loose, context) for strict, loose in zip(meanings, anyway, strict=True)]


def _choose(strict: PieceMeaning, loose: PieceMeaning, context: LetterContext) -> PieceMeaning:
    if strict.error is None or strict.error.key in ASKED_BACK or loose.error is not None:
        return strict
    own = bool(loose.statements) and all(_is_own(statement, context) for statement in loose.statements)
    return loose if own else strict


def _is_own(statement: Statement, context: LetterContext) -> bool:
    if not isinstance(statement, UnitOrder):
        return False
    unit = UnitsByProvince(context.variant, context.position).checker.find(statement.unit, context.power)
    return unit is not None and unit.power == context.power

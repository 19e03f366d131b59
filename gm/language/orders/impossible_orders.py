"""Orders that a unit cannot carry out, taken as they are written where a game has it so: the unit holds then.

Only what is plain is taken: a line that may mean two things, or lacks a coast or a route, is asked back all the same,
and so is an order for a unit that is not the writer's.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from gm.judge.mechanics.dips.usage_windows import TURN
from gm.judge.model.orders import UnitOrder
from gm.language.lines.letter_contents import LetterContext
from gm.language.orders.order_reader import PieceMeaning, SheetReader
from gm.language.orders.parsing.order_context import ground

ASKED = frozenset({"which-coast", "route-missing"})
"""Why an order is asked back that says too little."""


def taken(
    sheet: SheetReader, text: str, context: LetterContext, found: Sequence[PieceMeaning]
) -> Sequence[PieceMeaning]:
    """What a line means, impossible orders among it."""
    if not context.illegal or context.later or context.variant.step(context.position).letter != TURN:
        return found
    if not any(one.flaw is not None for one in found):
        return found
    anyway = sheet.read(text, replace(context, any_unit=True))
    return [_either(one, other, context) for one, other in zip(found, anyway, strict=True)]


def _either(one: PieceMeaning, other: PieceMeaning, context: LetterContext) -> PieceMeaning:
    asked = one.flaw is None or one.flaw.key in ASKED or other.flaw is not None
    return one if asked or not other.statements or not all(_own(said, context) for said in other.statements) else other


def _own(said: object, context: LetterContext) -> bool:
    if not isinstance(said, UnitOrder):
        return False
    unit = ground(context.variant, context.position).checker.find(said.unit, context.power)
    return unit is not None and unit.power == context.power

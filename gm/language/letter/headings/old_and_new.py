"""Lines that put the order on file of a unit beside its new one: "Marseilles: Burgundy -> Spain"."""

from __future__ import annotations

import re

from msgspec.structs import replace

from gm.judge.model.orders import Hold, Move, slot_province
from gm.language.lines.letter_contents import LetterContext
from gm.language.lines.lines import LetterLine
from gm.language.orders.line_reader import LineReader
from gm.language.orders.parsing.lexer import Token

BEHIND_UNIT = re.compile(r"\s*(?::|[=-]*>|[-/|,])\s*")
BEHIND_OLD = re.compile(r"\s*(?:[=-]*>|[/|,])\s*(?=\w)")
OLD = ("PLACE", "HOLD")
"""Token types of what a unit did before."""
MOST = 200
"""Characters of such a line."""


def with_new_alone(line: LetterLine, sheet: LineReader, context: LetterContext, *, headed: bool) -> LetterLine:
    """Without the order on file, where it stands between the unit and the new one. `headed`: a heading says that old
    and new stand side by side; else a colon and an arrow must show it.
    """
    body = line.body
    if not sheet.kind.holds or len(body) > MOST or not (headed or (":" in body and ">" in body)):
        return line
    named = [token for token in sheet.scanner.scan(body) if token.type in OLD]
    if len(named) < 2 or named[0].type != "PLACE" or not _stands(named[0], named[1], context):
        return line
    unit, old = named[:2]
    first = BEHIND_UNIT.fullmatch(body, unit.end_pos, old.start_pos)
    behind = BEHIND_OLD.match(body, old.end_pos)
    if first is None or behind is None or not (headed or (first.group().strip() == ":" and ">" in behind.group())):
        return line
    return replace(line, body=body[: unit.end_pos] + ":".ljust(behind.end() - unit.end_pos) + body[behind.end() :])


def _stands(unit: Token, old: Token, context: LetterContext) -> bool:
    """Whether what a unit did before is its order on file."""
    orders = [order for order in context.on_file() if slot_province(order.slot) in unit.value.provinces]
    if len(orders) != 1:
        return False
    order = orders[0]
    if old.type == "HOLD":
        return isinstance(order, Hold)
    return isinstance(order, Move) and order.to.province in old.value.provinces

"""Footnotes below orders: "F TYS - LYO*", and further down "*) or rather WES"."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from gm.judge.model.orders import UnitOrder
from gm.language.i18n.normalize import clean
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.letter_contents import LetterContext, LineError, OrderLine
from gm.language.orders.line_reader import LineReader
from gm.language.prose.memory import unit_of
from gm.language.prose.stance import error_key
from gm.language.rendering.order_text import statement

SIGN = r"(?P<sign>\*{1,4}|[¹²³⁴†‡]|\(\d\)|\[\d\])"
MARKED = re.compile(rf"\w\s?{SIGN}\s?[.,;]?\s*$")
NOTE = re.compile(rf"\s*{SIGN}\s*[):.]?\s*(?P<words>\w.*)$")


def sign_behind(text: str) -> str:
    """The sign of a footnote at the end of a line, else "": "*** sorry ***" has none."""
    mark = MARKED.search(text) if NOTE.match(text) is None else None
    return mark["sign"] if mark is not None else ""


def is_note(text: str, signs: Container[str]) -> bool:
    """Whether a line is the note to one of these signs."""
    note = NOTE.match(text)
    return note is not None and note["sign"] in signs


def with_footnotes(
    orders: Sequence[OrderLine], troubles: Sequence[LineError], lines: Sequence[NumberedLine], sheet: LineReader,
    context: LetterContext,
) -> tuple[list[OrderLine], list[LineError]]:  # fmt: skip
    """The orders and troubles of a letter. An order does not count while the note to it names another goal of its unit:
    the writer is asked which of them is meant.
    """
    notes = _notes(lines, {order.line for order in orders})
    kept, asked = list(orders), list(troubles)
    written = dict(lines)
    step = context.variant.step(context.position).letter
    for order in orders if notes else ():
        note = notes.get(sign_behind(written.get(order.line, "")))
        if note is None or order.power or not isinstance(order.statement, UnitOrder):
            continue
        line = statement(order.statement, step)
        if others := [other for other in _goals(unit_of(line), note[1], sheet, context) if other != line]:
            kept.remove(order)
            asked = [trouble for trouble in asked if trouble.line != note[0]]
            error = LineError(note[0], note[1], 0, len(note[1]), error_key("alternative"), (), (line, *others))
            asked.append(error)
    return kept, asked


def _notes(lines: Sequence[NumberedLine], ordering: set[int]) -> dict[str, NumberedLine]:
    """The notes by their signs, with their words; a line that gives orders is an item of a list."""
    matches = ((number, NOTE.match(text)) for number, text in lines if number not in ordering)
    return {match["sign"]: (number, match["words"]) for number, match in matches if match is not None}


def _goals(unit: str, words: str, sheet: LineReader, context: LetterContext) -> list[str]:
    """The moves of the unit to the places that words name."""
    places = (token.value.text for token in sheet.scanner.scan(clean(words).text) if token.type == "PLACE")
    step = context.variant.step(context.position).letter
    moves = (sheet.try_out(f"{unit} - {place}", context) for place in dict.fromkeys(places))
    return [statement(order, step) for meanings in moves for meaning in meanings for order in meaning.statements]

"""Footnotes below orders: "F TYS - LYO*", and further down "*) or rather WES"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gm.judge.model.orders import UnitOrder
from gm.language.i18n.normalize import clean
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.letter_contents import LetterContext, LineError, OrderLine
from gm.language.orders.line_reader import LineReader
from gm.language.prose.memory import unit_of
from gm.language.prose.phrases.prose_phrases import ProsePhrases, phrases_of
from gm.language.prose.stance import error_key
from gm.language.rendering.order_text import statement

SIGN = r"(?P<sign>\*{1,4}|[¹²³⁴†‡]|\(\d\)|\[\d\])"
MARKED = re.compile(rf"\w\s?{SIGN}\s?[.,;]?\s*$")
NOTE = re.compile(rf"\s*{SIGN}\s*[):.]?\s*(?P<words>\w.*)$")


def _sign_behind(text: str) -> str:
    """The sign of a footnote at the end of a line, else "": "*** sorry ***" has none."""
    mark = MARKED.search(text) if NOTE.match(text) is None else None
    return mark["sign"] if mark is not None else ""


def with_footnotes(
    orders: Sequence[OrderLine], troubles: Sequence[LineError], lines: Sequence[NumberedLine], sheet: LineReader,
    context: LetterContext,
) -> tuple[list[OrderLine], list[LineError]]:  # fmt: skip
    """The orders and troubles of a letter. An order does not count where the note to it begins with words of choice or
    of correction and names but another goal of its unit: the writer is asked which of them is meant.
    """
    notes = _notes(lines, {order.line for order in orders}, phrases_of(context.variant))
    kept, asked = list(orders), list(troubles)
    written = dict(lines)
    step = context.variant.step(context.position).letter
    for order in orders if notes else ():
        note = notes.get(_sign_behind(written.get(order.line, "")))
        if note is None or order.power or not isinstance(order.statement, UnitOrder):
            continue
        line = statement(order.statement, step)
        goals = [other for other in _goals(unit_of(line), note[1], sheet, context) if other != line]
        if len(goals) == 1:
            kept.remove(order)
            asked = [trouble for trouble in asked if trouble.line != note[0]]
            asked.append(LineError(note[0], note[1], 0, len(note[1]), error_key("alternative"), (), (line, *goals)))
    return kept, asked


def _notes(lines: Sequence[NumberedLine], ordering: set[int], phrases: ProsePhrases) -> dict[str, NumberedLine]:
    """The notes with such words by their signs; a line that gives orders is an item of a list."""
    notes: dict[str, NumberedLine] = {}
    for number, text in lines:
        note = NOTE.match(text) if number not in ordering else None
        low = clean(note["words"]).text.lower() if note is not None else ""
        chooses = any(pattern.match(low) for pattern in (phrases.alternative, phrases.correction))
        if note is not None and chooses and phrases.negated.search(low) is None:
            notes[note["sign"]] = (number, note["words"])
    return notes


def _goals(unit: str, words: str, sheet: LineReader, context: LetterContext) -> list[str]:
    """The moves of the unit to the places that words name; none where they name a unit of the writer's."""
    named = [token.value for token in sheet.scanner.scan(clean(words).text) if token.type == "PLACE"]
    own = {each.at.province for each in context.own_units}
    places = () if any(own & {*name.provinces} for name in named) else (name.text for name in named)
    step = context.variant.step(context.position).letter
    moves = (sheet.try_out(f"{unit} - {place}", context) for place in dict.fromkeys(places))
    return [statement(order, step) for meanings in moves for meaning in meanings for order in meaning.statements]

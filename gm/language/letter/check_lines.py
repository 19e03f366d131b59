"""Reads the lines of CHECK: the writer's own orders, and suppositions about other powers.

A Par - Bur                 the writer's own
Germany: A Mun - Bur        a supposition; a heading with the power's name does the same for the lines below it
A Ber - Mun                 also a supposition, as the unit belongs to another power
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.model.orders import Slot, Statement
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, LetterContext, LineError
from gm.language.lines.lines import heading, read_line, strip_line

FOREIGN = frozenset({"not-yours", "other-power", "unit-not-yours"})
"""Errors of an order for another power's unit."""


class Suppositions(Struct, frozen=True):
    """Sheets by power, and the errors of other lines."""

    sheets: Mapping[str, tuple[Statement, ...]]
    troubles: tuple[LineError, ...]


def suppose(lines: Sequence[str], context: LetterContext) -> Suppositions:
    """`context` is the writer's, without controlled powers."""
    sheets: dict[str, dict[Slot, Statement]] = {}
    troubles: list[LineError] = []
    for power, group in groupby(_owned(lines, context), key=lambda owned: owned[0]):
        texts = [text for _, text in group]
        reading = read_letter(tuple(enumerate(texts, 1)), replace(context, power=power))
        _write(sheets, power, reading)
        for trouble in reading.troubles:
            whose, theirs = _foreign(trouble, context) if trouble.key in FOREIGN else ("", None)
            if theirs is not None:
                _write(sheets, whose, theirs)
            elif not trouble.obeyed:
                troubles.append(trouble)
    return Suppositions({power: tuple(sheet.values()) for power, sheet in sheets.items()}, tuple(troubles))


def _write(sheets: dict[str, dict[Slot, Statement]], power: str, reading: LetterContents) -> None:
    """The last line for a unit counts."""
    for order in reading.orders:
        sheet = sheets.setdefault(power, {})
        sheet.pop(order.statement.slot, None)
        sheet[order.statement.slot] = order.statement


def _foreign(trouble: LineError, context: LetterContext) -> tuple[str, LetterContents | None]:
    """The line read for whoever has such a unit."""
    for power in context.variant.owners:
        reading = read_letter(((1, trouble.text),), replace(context, power=power))
        if reading.orders and not reading.troubles:
            return power, reading
    return "", None


def _owned(lines: Sequence[str], context: LetterContext) -> Iterator[tuple[str, str]]:
    """Each line with the power it is for: by its own heading, or the one above it."""
    variant, phase = context.variant, context.phase
    now = context.power
    for text in lines:
        line = read_line(1, text)
        above = heading(line.body.rstrip(" :"), variant, phase)
        if above is not None and above.power:
            now = above.power
            continue
        yield strip_line(line, variant, phase, dashes=True).power or now, text

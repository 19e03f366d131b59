"""Cuts a line at the names of powers whose orders its writer gives: "Naples to Ionian. Hungary: Hungary holds"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gm.language.lines.letter_contents import LetterContext
from gm.language.lines.lines import LetterLine, heading, read_line, skip_columns
from gm.language.orders.line_reader import LineReader

END = re.compile(r"[.!?;]\s+")
BREAK = re.compile(r"[.!?;,]\s+")
NAMED = re.compile(r"\s*:(?=\s*\S)")
UNIT_BEGINS = frozenset({"KIND", "OF", "FROM", "TALK"})
"""Types of tokens before the place of a unit."""
ACTS = frozenset({"HOLD", "ARROW", "MINUS", "MOVE", "TO", "SUPPORT", "CONVOY", "BOMB", "INTERCEPT"})


class PowerInLine(NamedTuple):
    start: int
    power: str
    past_name: int = 0
    """Where the words behind a heading begin; 0 without one."""


def parts_by_power(line: LetterLine, context: LetterContext, sheet: LineReader | None) -> tuple[LetterLine, ...]:
    """Lines of one power each. Behind a name stands what its units do, up to the next name or to a unit of another of
    the writer's powers.
    """
    if sheet is None or not context.controlled or sheet.kind.names_in_front:
        return (line,)
    parts: list[PowerInLine] = []
    for part, end in _with_ends(list(_headings(line.body, context)), line.body):
        parts += _by_unit(line.body, part, end, context, sheet)
    if not parts or (len(parts) == 1 and not parts[0].start):
        return (line,)
    parts = [PowerInLine(0, line.power), *parts] if parts[0].start else parts
    return tuple(_cut(line, part, end) for part, end in _with_ends(parts, line.body))


def _with_ends(parts: Sequence[PowerInLine], body: str) -> Iterator[tuple[PowerInLine, int]]:
    yield from zip(parts, [*(part.start for part in parts[1:]), len(body)], strict=False)


def _headings(body: str, context: LetterContext) -> Iterator[PowerInLine]:
    for mark in NAMED.finditer(body):
        start = max((end.end() for end in END.finditer(body, 0, mark.start())), default=0)
        named = heading(body[start : mark.start()].strip(" -"), context.variant, context.phase)
        if named is not None and named.power in context.powers and not named.other_phase:
            yield PowerInLine(start, named.power, mark.end())


def _by_unit(
    body: str, part: PowerInLine, end: int, context: LetterContext, sheet: LineReader
) -> Iterator[PowerInLine]:
    """A heading with what stands behind it, cut where the acts of other powers' units begin."""
    power = part.power
    yield part
    for mark in BREAK.finditer(body, part.past_name, end):
        past = next((other.start() for other in BREAK.finditer(body, mark.end(), end)), end)
        whose = _whose(body[mark.end() : past], part.power, context, sheet)
        if whose and whose != power:
            power = whose
            yield PowerInLine(mark.end(), power)


def _whose(words: str, power: str, context: LetterContext, sheet: LineReader) -> str:
    """The power whose unit does something by these words; "" where they begin with none."""
    tokens = sheet.scanner.scan(words)
    at = next((at for at, token in enumerate(tokens) if token.type not in UNIT_BEGINS), len(tokens))
    if at == len(tokens) or tokens[at].type != "PLACE" or not any(token.type in ACTS for token in tokens[at + 1 :]):
        return ""
    kinds = {token.value for token in tokens[: at + 2] if token.type == "KIND"}
    there = [unit for unit in context.own_units if unit.at.province in tokens[at].value.provinces]
    owners = {unit.power for unit in there if unit.kind in kinds} or {unit.power for unit in there}
    return power if power in owners else min(owners, default="")


def _cut(line: LetterLine, part: PowerInLine, end: int) -> LetterLine:
    past = line.column(end) if end < len(line.body) else len(line.text)
    cut = read_line(line.number, line.text[line.column(part.start) if part.start else 0 : past])
    return skip_columns(cut, max(part.past_name - part.start, 0), power=part.power)

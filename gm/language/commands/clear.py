"""Reads CLEAR: all orders, or those of some units."""

from __future__ import annotations

from typing import Protocol

from gm.language.commands import parser, requests
from gm.language.commands.command_line import CommandLine, is_in_capitals
from gm.language.commands.press_blocks import BlockReader
from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LetterContext
from gm.language.lines.lines import LetterLine
from gm.language.orders.line_reader import LineReader, any_sheet_reader


class SheetBlockReader(BlockReader, Protocol):
    @property
    def sheet(self) -> LineReader | None: ...


def clear(reader: SheetBlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    provinces = _cleared(reader, asked.words, line)
    if provinces is None:
        return 0
    if provinces != ("",):
        reader.take(line, requests.ClearRequest(provinces))
    return at + 1


def _cleared(reader: SheetBlockReader, text: str, line: LetterLine) -> tuple[str, ...] | None:
    """The provinces whose orders are deleted; () for all, None for talk, ("",) after an error."""
    words = text.lower().strip(" .!")
    if not words:
        return () if is_in_capitals(line.body) or len(line.body.split()) == 1 else None
    if words in parser.ALL_ORDERS:
        return ()
    context = reader.context
    scanner = (reader.sheet or any_sheet_reader(context)).scanner
    provinces: dict[str, None] = {}
    fresh = True
    for token in scanner.scan(clean(text).text):
        if token.type == "SEP":
            fresh = True
        elif token.type == "PLACE" and fresh:
            fresh = False
            codes = _held_at(context, token.value.provinces)
            if len(codes) != 1:
                reader.tell(line, "which-place", word=token.value.text, places=" ".join(codes))
                return ("",)
            provinces[codes[0]] = None
    if not provinces and is_in_capitals(line.body) and "@" not in text:
        reader.tell(line, "unknown-unit", word=text)
        return ("",)
    return tuple(provinces) or None


def _held_at(context: LetterContext, codes: tuple[str, ...]) -> tuple[str, ...]:
    position, power = context.position, context.power
    units = {unit.at.province for unit in position.units_of(power)}
    units |= {out.unit.at.province for out in position.dislodged if out.unit.power == power}
    return tuple(code for code in codes if code in units) or codes

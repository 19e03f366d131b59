"""The orders of the writer's in a quoted line, which words below it may answer."""

from __future__ import annotations

from collections.abc import Callable

from gm.judge.model.orders import Statement
from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LetterContext
from gm.language.orders.line_reader import LineReader
from gm.language.prose.mentions import mentions_of


def orders_quoted(
    sheet: LineReader, context: LetterContext, words: str, written: Callable[[Statement], str]
) -> list[str]:
    """Canonical lines; a unit that the words only name holds: "F London: North Sea", "A Ber"."""
    meanings = sheet.read(words, context)
    orders = [order for meaning in meanings if meaning.error is None for order in meaning.statements]
    if orders:
        return [written(order) for order in orders]
    named = mentions_of(sheet.scanner.scan(clean(words).text), context)
    return [f"{mention.called} H" for mention in named[:1] if mention.unit is not None]

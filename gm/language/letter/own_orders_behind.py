"""Where words for somebody end and the writer's own orders begin: "Tell Austria I come in peace, then War-Gal"."""

from __future__ import annotations

from collections.abc import Iterator

from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import LONGEST
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContext
from gm.language.lines.spans import Fate
from gm.language.orders.line_reader import open_sheet_reader
from gm.language.prose.clauses import COMMAS
from gm.language.prose.phrases.prose_phrases import phrases_of

MOST_CUTS = 8
"""Joints at which words are cut: each rest is read anew."""


def own_orders_behind(words: str, context: LetterContext) -> tuple[str, str]:
    """The words before the first clause from which on they are nothing but orders of the writer's own, and the rest:
    "" where there is none, or where the words before name such a unit as well.
    """
    reader = open_sheet_reader(context)
    if reader is None or not context.power or len(words) > LONGEST:
        return words, ""
    here = {unit.at.province for unit in context.own_units}
    for end, start in list(_joints(words, context))[:MOST_CUTS]:
        tokens = reader.scanner.scan(words[:end])
        if any(token.type == "PLACE" and here & set(token.value.provinces) for token in tokens):
            break
        if _orders_alone(words[start:], context):
            return words[:end].rstrip(), words[start:].strip()
    return words, ""


def _joints(words: str, context: LetterContext) -> Iterator[tuple[int, int]]:
    """Where clauses end, and where those behind them begin; adjacent marks and words, ", and then", are one joint."""
    cleaned = clean(words)
    low, phrases = cleaned.text.lower(), phrases_of(context.variant)
    joints = (phrases.joints, phrases.then)
    marks = sorted({match.span() for pattern in (COMMAS, *joints) for match in pattern.finditer(low)})
    end = past = -1
    for first, behind in [*marks, (len(low), len(low))]:
        if past >= 0 and low[past:first].strip():
            yield cleaned.column(end), cleaned.column(past)
            past = -1
        end, past = (first, behind) if past < 0 else (end, behind)


def _orders_alone(words: str, context: LetterContext) -> bool:
    reading = read_letter(((1, words),), context)
    fates = {span.fate for span in reading.spans if any(map(str.isalnum, span.text))}
    return bool(reading.orders) and not (reading.troubles or reading.requests) and fates == {Fate.ORDER}

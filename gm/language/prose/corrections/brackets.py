"""Brackets that say which orders the words before them are about."""

from __future__ import annotations

from collections.abc import Sequence

from gm.language.prose.clauses import Sentence
from gm.language.prose.corrections.orders_meant import repeats_on_file
from gm.language.prose.memory import CODES
from gm.language.prose.readings import ClauseReading
from gm.language.prose.stretches import StretchReader


def is_aside(reader: StretchReader, text: str, sentence: Sentence, last: Sequence[ClauseReading]) -> bool:
    """Whether a bracket says which orders the words before it take back: "I withdraw my quake (Rumania)"."""
    events = reader.sheet.kind.is_one_order_per_line
    columns = sentence.start, sentence.end
    if sentence.bracketed and repeats_on_file(reader, text, *columns):
        return True
    if sentence.bracketed and _lists_others(reader, text, sentence):
        return True
    takes_back = any(each.cancels or each.cancels_all or (each.orders and events) for each in last)
    if not sentence.bracketed or not takes_back or not reader.is_bare(text, *columns):
        return False
    on_file = {code for line in reader.lines(reader.memory.on_file) for code in CODES.findall(line)}
    tokens = reader.tokens(text, *columns)
    return all(on_file & set(token.value.provinces) for token in tokens if token.type == "PLACE")


def _lists_others(reader: StretchReader, text: str, sentence: Sentence) -> bool:
    """Whether a bracket lists what the words before it call the others: "everything else (Lyon, Brest) stays"."""
    before = reader.line.body[: sentence.start - 1].rstrip().lower()
    phrases = (reader.phrases.others, reader.phrases.quantity)
    ends = any(match.end() == len(before) for each in phrases for match in each.finditer(before))
    if not ends or not reader.is_bare(text, sentence.start, sentence.end):
        return False
    reader.memory.unchanged |= reader.own_places(text[: sentence.end], sentence.start)
    return True

"""Builds that the same sentence corrects: "a fleet in Kiel, an army in Berlin - no, in Munich".

Behind a full stop words of correction are about the builds before them; behind a comma or a dash they are no less.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from gm.language.prose.clauses import Sentence, first_word
from gm.language.prose.stretches import StretchReader

MARK = re.compile(r",|\s-+\s")
INSTEAD = (["PLACE"], ["KIND", "PLACE"], ["PLACE", "KIND"])
"""Types of the tokens behind words of correction that say what is built instead."""


def with_correction_apart(
    reader: StretchReader, text: str, sentence: Sentence, corrects: Callable[[str, int], int]
) -> Iterator[Sentence]:
    """The sentence, cut before words of correction at its end that name another build. `corrects`: where such words
    end that begin at a column, or 0.
    """
    at = 0
    if reader.sheet.kind.lists_units and reader.context.due.builds and not sentence.bracketed:
        at = _correction_at(reader, text, sentence, corrects)
    if not at:
        yield sentence
        return
    yield sentence._replace(end=at, past=at, mark="")
    yield sentence._replace(start=at)


def _correction_at(reader: StretchReader, text: str, sentence: Sentence, corrects: Callable[[str, int], int]) -> int:
    """The column before the words of correction; 0 where there are none."""
    low = text[: sentence.end].lower()
    for mark in MARK.finditer(low, sentence.start, sentence.end):
        begin = first_word(low, mark.end())
        past = corrects(low, begin)
        named = [
            token.type for token in reader.plain_tokens(low, past, sentence.end) if token.type in ("KIND", "PLACE")
        ]
        before = {token.type for token in reader.plain_tokens(low, sentence.start, mark.start())}
        if past and named in INSTEAD and before >= {"KIND", "PLACE"}:
            return begin
    return 0

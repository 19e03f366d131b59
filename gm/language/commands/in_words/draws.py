"""Reads for whom a draw is beside its names: "a seven-way draw", "Italy, Austria and the rest", "all except Luc".

`[draws]` of grammars/plain_questions/<language>.toml has the words; `sizes` are numbers with the words for them, `but`
stands before those who have no share; `own` are the writer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from gm.language.commands.in_words.plain_questions import LINE_MOST, tables_of
from gm.language.i18n.normalize import clean


def takes_in_the_rest(text: str, language: str) -> bool:
    """Whether a sentence about a draw counts in everybody whom it does not name."""
    low = _low(text)
    return any(re.search(table["rest"], low) for table in tables_of("draws", language))


def includes_the_writer(text: str, language: str) -> bool:
    """Whether a sentence about a draw counts in whoever writes it: "with England", "between Tom and me"."""
    low = _low(text)
    return any(re.search(table["own"], low) for table in tables_of("draws", language))


def draw_size(text: str, language: str) -> int:
    """Of how many powers a sentence says a draw is; 0 where it does not say."""
    low = _low(text)
    return next((size for size, pattern in _counts(language).items() if pattern.search(low)), 0)


def without_share(text: str, language: str) -> str:
    """The words that name those who have no share in a draw of all, in small letters; "" where all have one."""
    low = _low(text)
    matches = (re.search(rf"{table['but']}(?P<who>[^.;!?]*)", low) for table in tables_of("draws", language))
    return next((match["who"].strip() for match in matches if match is not None), "")


def _low(text: str) -> str:
    return clean(text[:LINE_MOST]).text.lower()


@lru_cache(maxsize=8)
def _counts(language: str) -> Mapping[int, re.Pattern[str]]:
    counts: dict[int, list[str]] = {}
    for table in tables_of("draws", language):
        for size, words in table["sizes"].items():
            counts.setdefault(int(size), []).append(words)
    return {size: re.compile("|".join(words)) for size, words in counts.items()}

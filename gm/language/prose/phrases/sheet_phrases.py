"""What people write on single kinds of sheets, in one language: grammars/prose/sheets/<language>.toml.

    plural                  words for several units of one kind
    [<sheet>] padding       words that say nothing on this sheet
    [<sheet>] keep          beside a name: what the sheet has for it stays
    [<sheet>] noticed       beside a power: words that may ask for something that this sheet has
    [<sheet>] includes      tables with signs for amounts that change; they count where points or bids stand
    [<sheet>.signs]         an order in other words -> the words for it, which are never longer
    [builds.signs]          those that count only where a power has builds
    number                  what `{number}` stands for in signs

Entries are regular expressions over a line in lower case, without accents. English ones work in every language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import Struct

from gm.language.i18n.needed_words import PatternIndex
from gm.language.i18n.normalize import clean
from gm.language.prose.phrases.phrase_tables import phrase_tables, whole_words


class Sign(NamedTuple):
    """What people write instead of a word of order, and that word."""

    pattern: re.Pattern[str]
    sign: str


Signs = PatternIndex[Sign]


class SheetPhrases(Struct, frozen=True):
    padding: re.Pattern[str]
    keep: re.Pattern[str]
    noticed: re.Pattern[str]
    signs: Signs
    changing: Signs
    building: Signs
    plural: frozenset[str]


@lru_cache(maxsize=64)
def sheet_phrases(language: str, sheet: str) -> SheetPhrases:
    tables = phrase_tables(language, "sheets")
    own: list[Mapping[str, Any]] = [table.get(sheet, {}) for table in tables]
    padding, keep, noticed = (
        whole_words([clean(entry).text for table in own for entry in table.get(key, ())])
        for key in ("padding", "keep", "noticed")
    )
    return SheetPhrases(
        padding,
        keep,
        noticed,
        Signs(sign for table in tables for sign in _signs_of(table, sheet)),
        Signs(sign for table in tables for name in _included(table, sheet) for sign in _signs_of(table, name)),
        Signs(sign for table in tables for sign in _signs_of(table, "builds")),
        frozenset(clean(word).text.lower() for table in tables for word in table.get("plural", ())),
    )


def _included(tables: Mapping[str, Any], sheet: str) -> Sequence[str]:
    return tuple(tables.get(sheet, {}).get("includes", ()))


def _signs_of(tables: Mapping[str, Any], name: str) -> Iterator[Sign]:
    for sign, entries in tables.get(name, {}).get("signs", {}).items():
        filled = (entry.replace("{number}", tables["number"]) for entry in entries)
        yield Sign(whole_words([clean(entry).text for entry in filled]), clean(sign).text)

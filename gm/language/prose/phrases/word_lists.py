"""Lists of single words of a language: grammars/prose/words/<language>.toml.

    going       verbs of a unit that goes somewhere, in every form that people write of the present and the future
    bringing    verbs of somebody who makes a unit go somewhere
    leaving     verbs of a unit that leaves a place; `bound`: words directly before where it goes
    taken       what a place is by the unit that goes there: "attacked by"
    staying     verbs of a unit that goes nowhere
    around      words that say nothing of what a unit does
    distinct    words before a unit that do not describe it: it may be somebody else's, or another one ("the other
                army"), or is to be stopped
    lending     verbs between a unit and the one that it supports: "Munich lends Berlin support"
    carrying    words of ships that carry somebody, and of who is carried
    pronouns    words for the unit that was spoken of, at the beginning of a clause
    other       words before a kind of unit that mean the only one of it without an order in the letter
    bearing     words before a unit for where on the board it is
    raising     words around a unit that is built
    all         words for all units, where a sentence names the writer's power instead: "Germany stays put"
    listing     words between the areas of one interception: "…, then Wales"
    letting     verbs by which a unit that was spoken of gives leave to pass
    every       words for all units of a power beside its name, and for somebody's vote on what they do

The English words work in every language. Words are in lower case, without accents, with blanks between them.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from gm.language.i18n.normalize import clean
from gm.language.prose.phrases.phrase_tables import phrase_tables


class WordLists(Struct, frozen=True):
    going: frozenset[str]
    bringing: frozenset[str]
    leaving: frozenset[str]
    bound: frozenset[str]
    taken: frozenset[str]
    staying: frozenset[str]
    around: frozenset[str]
    distinct: frozenset[str]
    lending: frozenset[str]
    carrying: frozenset[str]
    pronouns: frozenset[str]
    other: frozenset[str]
    bearing: frozenset[str]
    raising: frozenset[str]
    all: frozenset[str]
    listing: frozenset[str]
    every: frozenset[str]
    letting: frozenset[str]


@lru_cache(maxsize=8)
def word_lists(language: str) -> WordLists:
    """Cached only for speed: every clause asks for them."""
    tables = phrase_tables(language, "words")
    names = WordLists.__struct_fields__
    every = {name: " ".join(table.get(name, "") for table in tables) for name in names}
    return WordLists(**{name: frozenset(clean(text).text.lower().split()) for name, text in every.items()})

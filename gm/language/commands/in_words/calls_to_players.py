"""Sentences of a game master that call a player, and want nothing of the game: "Luc, send your orders in English"."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from gm.judge.model.variant import Power
from gm.language.i18n.joining_words import AND, BUT
from gm.language.i18n.normalize import clean
from gm.language.i18n.place_names import powers
from gm.language.lines.letter_contents import LetterContext
from gm.language.lines.sentences import sentence_at, sentences_of

OF_NOBODY = frozenset(("set", "language"))
"""Rows that are about the game or its writer, and never about the player who is called."""
SHORTEST_NAME = 3


def calls_player(sentence: str, context: LetterContext, *, by_own_name: bool = False) -> bool:
    """Whether a game master's sentence begins with the name of a player, or with that of a power as well."""
    if not context.master:
        return False
    seated = {name for name, seats in context.people().items() if set(seats) & set(context.variant.seated)}
    names = tuple(sorted(name for name in seated if len(name) >= SHORTEST_NAME))
    called = _calling(names, () if by_own_name else context.variant.powers)
    return called.match(clean(sentence).text.lower()) is not None


def is_for_player(line: str, at: int, rows: Collection[str], context: LetterContext) -> bool:
    """Whether the sentence at a column of a line calls a player and means none of these rows, or no command ()."""
    if rows and OF_NOBODY.isdisjoint(rows):
        return False
    return calls_player(sentence_at(line, at), context, by_own_name=not rows)


def without_calls(text: str, context: LetterContext) -> str:
    """The sentences of a text that call no player."""
    if not context.master:
        return text
    return "".join(sentence for sentence in sentences_of(text) if not calls_player(sentence, context))


@lru_cache(maxsize=32)
def _calling(names: tuple[str, ...], every: tuple[Power, ...]) -> re.Pattern[str]:
    """Kept only for speed."""
    called = (*names, *(name for name in powers(every) if len(name) > SHORTEST_NAME))
    any_name = "|".join(map(re.escape, sorted(called, key=len, reverse=True))) or r"(?!)"
    return re.compile(rf"\W*(?:(?:{AND}|{BUT})\W+)?(?:{any_name})\s*[,:!]")

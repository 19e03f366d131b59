"""Powers whose names a misspelt word may mean: "Fance", "Great Britian"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

from gm.language.i18n.similar_words import similar_words

NEAR_POWER = 78
"""How similar a word must be to a power's name: one wrong letter in five."""
SHORTEST = 4
"""Letters of the shortest word that may be a misspelt name."""
MOST_WORDS = 40
WORD = re.compile(r"[a-z]+")


def near_powers(text: str, named: Mapping[str, str]) -> tuple[str, ...]:
    """The powers meant by words that are no names, in their order. `text` and the names are in small letters."""
    words = WORD.findall(text)[:MOST_WORDS]
    pairs = (f"{first} {second}" for first, second in pairwise(words))
    known = [name for name in named if len(name) >= SHORTEST]
    near: dict[str, None] = {}
    for word in (*pairs, *words):
        if len(word) >= SHORTEST and word not in named:
            near |= dict.fromkeys(named[name] for name, _ in similar_words(word, known, NEAR_POWER))
    return tuple(near)

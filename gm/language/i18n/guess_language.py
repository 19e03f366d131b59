"""Guesses the language of plain words, from the words of talk in each language's vocabulary."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import ENGLISH, vocabulary_of

WORD = re.compile(r"[^\W\d_]+")
LINES_MOST, COLUMNS_MOST = 30, 400
ENGLISH_WORDS = frozenset(
    re.findall(
        r"\w+",
        "i you we they the a an are is was am be been to of and in on for with how do does did can could would "
        "like want will my your this that it not hello hi dear please what who when where am so war die hat man also "
        "at as",
    )
)
"""Common words of English; some of them are also words of another language and prove nothing."""


def guess_language(lines: Iterable[str], languages: Iterable[str], least: int = 1) -> str:
    """The language with most common words in these lines; "" if none stands out.

    `least`: how many different words of another language than English there must be. Names of provinces in orders are
    such words too ("Den", "Mal").
    """
    text = " ".join(clean(line[:COLUMNS_MOST]).text for line in list(lines)[:LINES_MOST])
    words = [word.casefold() for word in WORD.findall(text)]
    counts = {ENGLISH: sum(word in ENGLISH_WORDS for word in words)}
    for language in languages:
        own = _common_words(language) if language != ENGLISH else frozenset()
        if len(own.intersection(words)) >= least:
            counts[language] = sum(word in own for word in words)
    best = max(counts, key=lambda language: counts[language])
    rest = max((count for language, count in counts.items() if language != best), default=0)
    return best if counts[best] > rest else ""


@lru_cache(maxsize=8)
def _common_words(language: str) -> frozenset[str]:
    vocabulary = vocabulary_of(language)
    talk = (word for terminal in ("TALK", "FILLER") for word in vocabulary.words_for("", terminal))
    return frozenset((*talk, *(verb.casefold() for verb in vocabulary.verbs))) - ENGLISH_WORDS

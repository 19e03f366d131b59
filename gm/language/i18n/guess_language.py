"""Guesses the language of plain words, from the common words of each language's vocabulary."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
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
        "at as hey good morning evening greetings regards kind thanks thank cheers request question sign me up "
        "anybody anyone here there new player players game games open free looking next any seat seats "
        "interested registration beginner start which if or from by about have has us me one some our",
    )
)
"""Common words of English; those that are also words of another language prove nothing. Commands
are none of them: everybody may write those in English."""
AMBIGUOUS = frozenset(re.findall(r"\w+", "a also so war man in hi hey start request question interested registration"))
"""Those of them that people use in other languages as well."""
PLAINLY = 4
"""Different words of English that show that a letter is in it."""


def guess_language(
    lines: Iterable[str], languages: Iterable[str], least: int = 1, header: str = "", names: Container[str] = ()
) -> str:
    """The language with most common words in these lines; "" if none stands out.

    `least`: how many different words of another language than English there must be. `names` prove nothing: codes of
    provinces, in lower case, may be such words ("Den", "Ist"). `header`: the Content-Language of the letter, which
    counts where the words do not tell; English does not, for it is what programs write by default.
    """
    text = " ".join(clean(line[:COLUMNS_MOST]).text for line in list(lines)[:LINES_MOST])
    words = [word for word in map(str.casefold, WORD.findall(text)) if word not in names]
    known = tuple(languages)
    counts = {ENGLISH: sum(map(ENGLISH_WORDS.__contains__, words))}
    for language in known:
        own = _common_words(language) if language != ENGLISH else frozenset()
        if len(own.intersection(words)) >= least:
            counts[language] = sum(word in own for word in words)
            counts[ENGLISH] -= sum(word in ENGLISH_WORDS and word in _all_words(language) for word in words)
    best = max(counts, key=lambda language: counts[language])
    rest = max((count for language, count in counts.items() if language != best), default=0)
    if counts[best] > rest:
        return best
    return header if header in known and header != ENGLISH and not counts[ENGLISH] else ""


def is_plain_english(lines: Iterable[str], languages: Iterable[str]) -> bool:
    """Whether these lines have so many words of English that prove something, and hardly any of another language.

    Everybody may write orders and commands in English: a few words of it tell nothing of their writer.
    """
    text = " ".join(clean(line[:COLUMNS_MOST]).text for line in list(lines)[:LINES_MOST])
    words = {word.casefold() for word in WORD.findall(text)}
    others = [language for language in languages if language != ENGLISH]
    foreign = frozenset().union(*map(_all_words, others))
    english = (words & ENGLISH_WORDS) - AMBIGUOUS - foreign
    return len(english) >= PLAINLY and len((words & foreign) - ENGLISH_WORDS) <= len(english) // PLAINLY


def is_common_word(word: str, languages: Iterable[str]) -> bool:
    """Whether it is a common word of English or of one of these languages."""
    plain = clean(word).text.casefold()
    return plain in ENGLISH_WORDS or any(plain in _all_words(language) for language in languages)


@lru_cache(maxsize=8)
def _common_words(language: str) -> frozenset[str]:
    """Those that are no words of English."""
    return _all_words(language) - ENGLISH_WORDS


@lru_cache(maxsize=8)
def _all_words(language: str) -> frozenset[str]:
    vocabulary = vocabulary_of(language)
    talk = (word for terminal in ("TALK", "FILLER") for word in vocabulary.words_for("", terminal))
    return frozenset((*talk, *vocabulary.common, *(verb.casefold() for verb in vocabulary.commands.own_words)))

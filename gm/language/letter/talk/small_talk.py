"""Letters that thank, greet or wish luck, and ask for nothing: they get a short answer, or none.

`[small_talk]` of grammars/plain_questions/<language>.toml has the pieces such a letter is made of, in small letters
without accents: `thanks`, and `talk` that may stand beside them. Names may stand between.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from gm.language.commands.in_words import plain_questions
from gm.language.i18n.normalize import clean

LONGEST = 400
"""Characters of a letter that may be small talk."""
NAMES_MOST = 2
"""Capitalized words in a row that may be names."""


def is_thanks(words: str, languages: Sequence[str]) -> bool:
    """Whether a letter thanks somebody, and says nothing else but small talk."""
    if not words.strip() or len(words) > LONGEST:
        return False
    thanks, talk = _pieces(tuple(languages))
    low = " ".join(clean(words).text.lower().split())
    left = talk.sub(" ", thanks.sub(" ", low))
    names = {word.strip(".,!-").lower() for word in clean(words).text.split() if word[:1].isupper()}
    rest = [word for word in re.findall(r"[\w'@?]+", left) if word not in names]
    return thanks.search(low) is not None and not rest and len(re.findall(r"[\w']+", left)) <= NAMES_MOST


def without_small_talk(parts: Iterable[str], languages: Sequence[str]) -> Iterator[str]:
    """The parts of a letter that say more than small talk and a name."""
    thanks, talk = _pieces(tuple(languages))
    for part in parts:
        rest = talk.sub(" ", thanks.sub(" ", " ".join(clean(part).text.lower().split())))
        if len(re.findall(r"[\w']+", rest)) >= NAMES_MOST:
            yield part


@lru_cache(maxsize=8)
def _pieces(languages: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    words = plain_questions.joined_patterns("small_talk", *languages)
    return re.compile(rf"\b(?:{words['thanks']})"), re.compile(rf"\b(?:{words['talk']})")

"""Finds words behind a request that take it back: "Throw Luc out. No, not yet"."""

from __future__ import annotations

import re
from functools import lru_cache

from gm.language.commands.in_words.plain_questions import joined_patterns
from gm.language.i18n.normalize import clean

TAKEN_BACK = "request-taken-back"
"""Key of the error of such a request: nothing is done."""
TEXT_SEARCHED = 1000
"""Characters of the text that are searched."""


def behind_retraction(text: str, language: str) -> str:
    """What stands behind the first such words, with them; "" where there are none."""
    cleaned = clean(text[:TEXT_SEARCHED])
    match = _retraction(language).search(cleaned.text.lower())
    return text[cleaned.column(match.start("back")) :] if match is not None else ""


def is_retracted_behind(text: str, language: str) -> bool:
    """Whether such words are a sentence of their own: "EXTEND 2d, no, it is not for me" gives a reason."""
    cleaned = clean(text[:TEXT_SEARCHED])
    matches = _retraction(language).finditer(cleaned.text.lower())
    return any(match.group().startswith((".", "!", "\n")) for match in matches)


@lru_cache(maxsize=8)
def _retraction(language: str) -> re.Pattern[str]:
    """`[taken_back]` of a language and of English: words that stand behind a sentence, or in a line of their own."""
    words = joined_patterns("taken_back", language)["said"]
    return re.compile(rf"(?:[.!?;\u2026]+|,| -+| \u2013| \u2014|\n)[\"')]* *(?P<back>{words})")

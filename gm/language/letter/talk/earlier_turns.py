"""Words that want the orders of another turn: "Same as in spring, but Par H", "F Bre H. Rest as in Spring 1902"."""

from __future__ import annotations

import re

from gm.language.prose.clauses import SENTENCE_END, blank, first_word
from gm.language.prose.phrases.prose_phrases import ProsePhrases


def without_earlier_turns(body: str, phrases: ProsePhrases) -> tuple[str, bool]:
    """The line with blanks for such words; they begin a sentence, or speak of the other units. A question has none.
    Also, whether it speaks of earlier orders in any such way.
    """
    low = body.lower()
    if "?" in low:
        return body, False
    starts = (0, *(mark.end() for mark in SENTENCE_END.finditer(low)))
    matches = (phrases.earlier_turn.match(low, first_word(low, start)) for start in starts if start < len(low))
    for match in (*filter(None, matches), *phrases.rest_of_earlier_turn.finditer(low)):
        body = blank(body, *match.span())
    return body, body.lower() != low or phrases.as_earlier.search(low) is not None


def says_nothing(body: str) -> bool:
    """Whether only marks are left of a line."""
    return re.search(r"\w", body) is None

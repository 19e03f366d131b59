"""Words that look like a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile


def similar_words(word: str, known: Iterable[str], least: int, most: int = 1) -> list[tuple[str, float]]:
    """Known words with a similarity of `least` (of 100) or more, best first, each with its similarity."""
    from rapidfuzz import fuzz, process  # slow to import, and most runs read no misspelt word

    matches = process.extract(word, list(known), scorer=fuzz.ratio, limit=most, score_cutoff=least)
    return [(name, score) for name, score, _ in matches]


def has_one_slip(written: str, word: str) -> bool:
    """Whether a letter of the word is missing, one too many or another one, or two neighbours are swapped."""
    if abs(len(written) - len(word)) > 1 or written == word:
        return False
    alike = (a == b for a, b in zip(written, word, strict=False))
    at = sum(takewhile(bool, alike))
    ends = written[at:], word[at:]
    if len(written) == len(word):
        swapped = written[at : at + 2] == word[at : at + 2][::-1] and written[at + 2 :] == word[at + 2 :]
        return swapped or written[at + 1 :] == word[at + 1 :]
    longer, shorter = sorted(ends, key=len, reverse=True)
    return longer[1:] == shorter

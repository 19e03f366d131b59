"""Words that look like a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable


def similar_words(word: str, known: Iterable[str], least: int, most: int = 1) -> list[tuple[str, float]]:
    """Known words with a similarity of `least` (of 100) or more, best first, each with its similarity."""
    from rapidfuzz import fuzz, process  # slow to import, and most runs read no misspelt word

    matches = process.extract(word, list(known), scorer=fuzz.ratio, limit=most, score_cutoff=least)
    return [(name, score) for name, score, _ in matches]

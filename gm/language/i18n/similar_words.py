"""What a misspelt word may have been meant for: words that look like it."""

from __future__ import annotations

from collections.abc import Iterable


def similar_words(word: str, known: Iterable[str], least: int, most: int = 1) -> list[tuple[str, float]]:
    """Those of the known words that are so much (of 100) like this one, most alike first, each with how much."""
    from rapidfuzz import fuzz, process  # only who misspells waits for it: most runs read no such word

    matches = process.extract(word, list(known), scorer=fuzz.ratio, limit=most, score_cutoff=least)
    return [(name, score) for name, score, _ in matches]

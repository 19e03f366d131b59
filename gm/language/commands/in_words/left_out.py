"""The words of a line that a proposed command leaves out, so that its YES promises no more than it does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from gm.language.i18n.joining_words import AND

BREAK = re.compile(rf"[.,;!?]+(?=\s|$)|\s(?:{AND})(?=\s)", re.IGNORECASE)
"""Between the clauses of a line."""
REASON = re.compile(
    r"\W*(?:(?:because|since|as|weil|da|denn|wegen)\b|(?:they|er|sie)(?='| )|(?:their|sein|ihr)e?\b)",
    re.IGNORECASE,
)
"""The beginning of a clause that says why."""
WORD = re.compile(r"[^\W_]{3,}")
ADDRESS = re.compile(r"[^\s<>(),;:\"]+@[^\s<>(),;\"]+\w")
GAP = " … "
"""Between words that are left out."""
FEWEST = 2
"""Words of a clause that may ask for something; a number alone may."""


def beside_spans(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The clauses of the text that no span touches."""
    return _left(text, lambda start, end: any(first < end and start < past for first, past in spans))


def beside_lines(text: str, lines: str) -> str:
    """The clauses of the text that share no word with the proposed lines; of one with an address, no address."""
    low = lines.lower()
    known = set(WORD.findall(low))

    def is_in_lines(start: int, end: int) -> bool:
        clause = text[start:end].lower()
        if addresses := ADDRESS.findall(clause):
            return any(address in low for address in addresses)
        return not known.isdisjoint(WORD.findall(clause))

    return _left(text, is_in_lines)


def _left(text: str, covered: Callable[[int, int], bool]) -> str:
    left = [(start, end) for start, end in _clauses(text) if not covered(start, end) and _may_ask(text[start:end])]
    joined: list[tuple[int, int]] = []
    for start, end in left:
        if joined and joined[-1][1] == start:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    return GAP.join(text[start:end].strip(" ,;") for start, end in joined)


def _may_ask(clause: str) -> bool:
    words = clause.split()
    return REASON.match(clause) is None and (len(words) >= FEWEST or any(map(str.isdigit, clause)))


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for gap in BREAK.finditer(text):
        yield start, gap.end()
        start = gap.end()
    if text[start:].strip():
        yield start, len(text)

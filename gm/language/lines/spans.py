"""What became of the writer's own words: each stretch of a letter has exactly one fate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import groupby

from msgspec import Struct


class Fate(StrEnum):
    ORDER = "order"
    COMMAND = "command"
    PRESS = "press"
    HEADING = "heading"
    COMMENT = "comment"
    """Behind // or #, struck out, quoted, or replaced by other words of the letter."""
    REASON = "reason"
    TALK = "talk"
    """Names nothing that an order is made of: greetings, signatures, chat."""
    NOT_TAKEN = "not taken"
    """Quoted in the answer."""
    NOT_READ = "not read"
    """Beyond the limits of a letter, or below its END; the answer says so."""


QUIET = frozenset({Fate.TALK, Fate.REASON, Fate.COMMENT})
"""Fates of words that order nothing and take nothing back."""


class LetterSpan(Struct, frozen=True, gc=False):
    """The words of a line from one boundary to the next. All spans of a letter, in order, are its own text."""

    line: int
    text: str
    fate: Fate


def divided(line: int, text: str, stretches: Iterable[tuple[int, int, Fate]], other: Fate) -> Iterator[LetterSpan]:
    """The spans of a line. `stretches` are columns of `text`, later ones over earlier; what none covers has `other`."""
    fates = [other] * len(text)
    for start, end, fate in stretches:
        fates[max(start, 0) : end] = [fate] * (min(end, len(text)) - max(start, 0))
    at = 0
    pending = ""
    for fate, run in groupby(fates):
        past = at + sum(1 for _ in run)
        pending += text[at:past]
        at = past
        if pending.strip() and (fate is not other or pending.strip(" .,;:!?()[]-")):
            yield LetterSpan(line, pending, fate)
            pending = ""
    if pending.strip():
        yield LetterSpan(line, pending, other)


def remarks(spans: Iterable[LetterSpan]) -> tuple[int, ...]:
    """The lines of which all words are talk."""
    by_line = groupby(spans, key=lambda span: span.line)
    return tuple(line for line, group in by_line if all(span.fate is Fate.TALK for span in group))

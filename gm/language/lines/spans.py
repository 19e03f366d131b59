"""What became of the writer's own words: each stretch of a letter has exactly one fate."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Fate(StrEnum):
    ORDER = "order"
    COMMAND = "command"
    PRESS = "press"
    HEADING = "heading"
    COMMENT = "comment"
    REASON = "reason"
    TALK = "talk"
    """Names nothing that an order is made of: greetings, signatures, chat."""
    NOT_TAKEN = "not taken"
    """Quoted in the answer."""


class LetterSpan(Struct, frozen=True):
    """The words of a line from one boundary to the next. All spans of a letter, in order, are its own text."""

    line: int
    text: str
    fate: Fate

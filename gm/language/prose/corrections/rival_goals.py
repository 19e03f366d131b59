"""Places side by side of which one unit can go to each: "a coin between Galicia and Tyrolia for the army in Vienna"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from gm.language.lines.spans import Fate
from gm.language.orders.parsing.order_context import OrderWarning
from gm.language.prose.clauses import first_word
from gm.language.prose.memory import unit_of
from gm.language.prose.readings import ClauseReading
from gm.language.prose.stance import error_key
from gm.language.prose.stretches import StretchReader

MARKS = ("SEP", "PLUS")
OPEN = frozenset({Fate.TALK, Fate.NOT_TAKEN})
"""Fates of words that may offer the same unit another goal."""


def without_rival_goals(reader: StretchReader, text: str, readings: Sequence[ClauseReading]) -> Iterator[ClauseReading]:
    """A move does not count where its goal stands first in its words, directly behind another goal of the same unit
    in words that order nothing: the writer is asked which.
    """
    for at, reading in enumerate(readings):
        before = readings[at - 1] if at else None
        lines = _rivals(reader, text, before, reading) if before is not None and reader.sheet.kind.holds else ()
        yield _asked(reader, text, reading, lines) if lines else reading


def _rivals(reader: StretchReader, text: str, before: ClauseReading, reading: ClauseReading) -> tuple[str, ...]:
    moves = _moves(reader, reading)
    if len(moves) != 1 or before.fate not in OPEN or before.orders is not None or _goal(moves[0]) == "":
        return ()
    first = [token for token in reader.tokens(text, reading.start, reading.end) if token.type not in MARKS][:1]
    last = [token for token in reader.tokens(text, before.start, before.end) if token.type not in MARKS][-1:]
    if [token.type for token in (*first, *last)] != ["PLACE", "PLACE"]:
        return ()
    if _goal(moves[0]) not in first[0].value.provinces or reader.own_places(text[: before.end], before.start):
        return ()
    if reader.phrases.negated.search(text[: before.end].lower(), before.start):
        return ()
    other = reader.legal(f"{unit_of(moves[0])} - {last[0].value.text}")
    return (*other, *moves) if len(other) == 1 and other[0] != moves[0] else ()


def _moves(reader: StretchReader, reading: ClauseReading) -> list[str]:
    """The moves that words give, or may mean."""
    if reading.orders is not None:
        return list(reader.lines(reading.orders.statements))
    suggested = reading.error.suggestions if reading.error is not None else ()
    return [line for text in suggested for line in text.splitlines()]


def _goal(line: str) -> str:
    """The province where a move goes; "" of any other order."""
    parts = line.split(" - ")
    return parts[1].partition("/")[0].split()[0] if len(parts) == 2 and " S " not in line and " C " not in line else ""


def _asked(reader: StretchReader, text: str, reading: ClauseReading, lines: tuple[str, ...]) -> ClauseReading:
    unit, memory = unit_of(lines[-1]), reader.memory
    if reading.orders is not None:
        memory.orders.pop(unit, None)
        memory.statements = [order for order in memory.statements if order not in reading.orders.statements]
    memory.is_doubted = True
    first = first_word(text, reading.start, reading.end)
    error = OrderWarning(error_key("alternative"), first, reading.end, (), lines)
    return replace(reading, fate=Fate.NOT_TAKEN, orders=None, error=error)

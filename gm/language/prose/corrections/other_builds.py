"""Builds on file and those that take their place: "replace A Par with A Mar", "Paris should be Marseilles"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from msgspec.structs import replace

from gm.judge.model.orders import slot_province
from gm.language.prose.readings import ClauseReading, ReadOrders
from gm.language.prose.stretches import StretchReader

MOST_MARKS = 6
"""Words like "with" behind which the other build is sought."""


class OtherBuild(NamedTuple):
    """The word between a build or a removal on file and the one in its place, the orders that are left without the old
    one, and where the words for the new one end.
    """

    word: re.Match[str]
    left: ReadOrders
    end: int


def other_build(reader: StretchReader, text: str, begin: int, end: int) -> OtherBuild | None:
    if not reader.sheet.kind.lists_units:
        return None
    low, phrases = text[:end].rstrip(" .,!").lower(), reader.phrases
    verb = phrases.trading.match(low, begin)
    last = next((each for each in phrases.trading.finditer(low, begin) if each.end() == len(low)), None)
    first, end = verb.end() if verb is not None else begin, last.start() if verb is None and last is not None else end
    between = phrases.becomes if verb is last is None else phrases.traded_for  # "Paris durch Marseille ersetzen"
    for match in islice(between.finditer(low[:end], first), MOST_MARKS):
        left = reader.left_behind(text, first, match.start())
        if left is not None and _is_replaced(reader, left, text, match.end(), end):
            return OtherBuild(match, left, end)
    return None


def _is_replaced(reader: StretchReader, left: ReadOrders, text: str, start: int, end: int) -> bool:
    """Whether a stretch names what comes in the place of what has gone."""
    gone = tuple(order for order in reader.memory.on_file if slot_province(order.slot) in left.cancels)
    on_file = tuple(order for order in reader.memory.on_file if order not in gone)
    freed = next(iter(reader.lines(gone)), "") if len(gone) == 1 else reader.memory.freed
    statements = [order for order in reader.memory.statements if order.slot not in left.withdrawn]
    memory = replace(reader.memory, on_file=on_file, freed=freed, statements=statements)
    new = replace(reader, memory=memory).orders_in(text, start, end)
    return new is not None and bool(new.statements)


def gives_new(reader: StretchReader, readings: Sequence[ClauseReading]) -> bool:
    """Whether words before "instead of" give a build, or take one back: one on file goes only then."""
    if not reader.sheet.kind.lists_units:
        return True
    return any(each.is_settled for each in readings)

"""Supports that words take back by what they support: "no support for Vienna", "scrap the support for Vienna"."""

from __future__ import annotations

from collections.abc import Iterator

from gm.judge.model.orders import Support, slot_province
from gm.language.lines.spans import Fate
from gm.language.prose.memory import goals_of
from gm.language.prose.readings import ClauseReading
from gm.language.prose.stretches import StretchReader

OF_SUPPORT = frozenset({"SUPPORT", "PLACE", "KIND", "OF", "TO", "MINUS", "ARROW", "SEP", "NONE", "NO"})
"""Token types of words about a support alone."""
MOST_OTHERS = 2
"""Most other words in them: "any support for Vienna"."""


def support_cancelled(reader: StretchReader, text: str, start: int, named: int, end: int) -> ClauseReading | None:
    """The clause from `start` on, whose words from `named` on mean a single support."""
    meant = list(_meant(reader, text, named, end))
    if len(meant) != 1:
        return None
    province = slot_province(meant[0].slot)
    reader.free(province)
    return ClauseReading(start, end, Fate.COMMAND, cancels=(province,))


def _meant(reader: StretchReader, text: str, named: int, end: int) -> Iterator[Support]:
    """The supports of what words name behind a word for supports, and by no unit but those that they name."""
    tokens = reader.plain_tokens(text, named, end)
    at = next((at for at, token in enumerate(tokens) if token.type == "SUPPORT"), len(tokens))
    if at == len(tokens) or sum(token.type not in OF_SUPPORT for token in tokens) > MOST_OTHERS:
        return
    places = [{*token.value.provinces} for token in tokens if token.type == "PLACE"]
    helped = {code for token in tokens[at + 2 :] if token.type == "PLACE" for code in token.value.provinces}
    standing = {order.slot: order for order in (*reader.memory.on_file, *reader.memory.statements)}
    for order in standing.values():
        if isinstance(order, Support) and order.target.at.province in helped:
            named_by = {slot_province(order.slot), order.target.at.province} | goals_of(order)
            if all(place & named_by for place in places):
                yield order

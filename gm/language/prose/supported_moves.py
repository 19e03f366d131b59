"""Supports of a unit whose move stands elsewhere: "Paris backs up Marseilles, which goes to Burgundy"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from gm.language.lines.spans import Fate
from gm.language.prose.guess import mentions_of, without_coast
from gm.language.prose.readings import ClauseReading
from gm.language.prose.stance import is_plain
from gm.language.prose.stretches import StretchReader

PAIR = 2
"""The unit that supports and the one that moves."""


def with_moves_supported(
    reader: StretchReader, text: str, readings: Sequence[ClauseReading]
) -> Iterator[ClauseReading]:
    """The readings, where a support that is impossible without a goal is one of the move in the letter."""
    for reading in readings:
        lines = _supported(reader, text, reading) if reading.orders is not None and reading.orders.is_flawed else ()
        if len(lines) != 1:
            yield reading
            continue
        orders = reader.orders_of(lines, text, reading.start, reading.end)
        reader.note(orders)
        yield replace(reading, fate=Fate.ORDER, orders=orders, error=None)


def _supported(reader: StretchReader, text: str, reading: ClauseReading) -> tuple[str, ...]:
    if not reader.sheet.kind.holds or not is_plain(text[: reading.end].lower(), reading.start, reader.phrases):
        return ()
    tokens = reader.plain_tokens(text, reading.start, reading.end)
    mentions = mentions_of(tokens, reader.context)
    helps = [token.type for token in tokens].count("SUPPORT") == 1
    if len(mentions) != PAIR or not helps or any(mention.unit is None for mention in mentions):
        return ()
    helper, mover = (mention.called for mention in mentions)
    move = reader.memory.orders.get(mover, "")
    if " - " not in move or helper in reader.memory.orders:
        return ()
    return reader.legal(f"{helper} S {without_coast(move)}")

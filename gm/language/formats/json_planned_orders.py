"""Lines that wait for a later step ("ahead" in the document of a position), by power."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from gm.judge.mechanics.moving_borders.delayed_events import DelayedBorderStep
from gm.judge.model.orders import Entry
from gm.judge.model.position import Position
from gm.judge.model.variant import Variant
from gm.language.formats.json_values import ExchangeError
from gm.language.lines.letter_contents import LineError
from gm.language.orders.sheet_reader import KnownOrdersReader
from gm.language.rendering import order_text as write


def ahead_to_json(position: Position) -> dict[str, list[str]]:
    return {power: [write.statement(entry.statement) for entry in kept] for power, kept in position.ahead.items()}


def ahead_from_json(
    variant: Variant, position: Position, lines: Mapping[str, Sequence[str]]
) -> Mapping[str, tuple[Entry, ...]]:
    """Read as the step that they wait for reads them. Raises ExchangeError where no step ahead can mean them."""
    steps = len(variant.calendar)
    turns = ((position.at + more) % steps for more in range(steps))
    at = next((at for at in turns if isinstance(variant.calendar[at], DelayedBorderStep)), None)
    if at is None:
        raise ExchangeError(f"ahead: no lines wait for a later step in {variant.title}")
    reader = KnownOrdersReader(variant, replace(position, at=at), any_unit=True)
    return {power: tuple(_entries(reader, power, texts)) for power, texts in lines.items() if texts}


def _entries(reader: KnownOrdersReader, power: str, texts: Sequence[str]) -> list[Entry]:
    entries: list[Entry] = []
    for text, read in zip(texts, reader.orders(power, texts), strict=True):
        if isinstance(read, LineError):
            raise ExchangeError(f"ahead of {power}: {text[:80]!r} is no line that could wait")
        entries.append(Entry(read))
    return entries

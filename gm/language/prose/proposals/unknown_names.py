"""Orders of a unit whose place no map has: "Triest into the Adriatic", and Tripoli is meant."""

from __future__ import annotations

from gm.language.orders.parsing.order_context import OrderWarning
from gm.language.prose.mentions import TOWARDS, unit_called
from gm.language.prose.stretches import LONG_NAME, StretchReader

BETWEEN = frozenset({"SEP", "MINUS", "PLUS"})


def unknown_unit(reader: StretchReader, text: str, start: int, end: int) -> OrderWarning | None:
    """What is wrong with a clause that is an unknown name and a goal, and nothing else, while a unit has no order."""
    ordered = reader.memory.orders
    if not reader.sheet.kind.holds or all(unit_called(unit) in ordered for unit in reader.context.own_units):
        return None
    tokens = [token for token in reader.plain_tokens(text, start, end) if token.type not in BETWEEN]
    types = [token.type for token in tokens]
    goes = types[:1] == ["WORD"] and types[-1:] == ["PLACE"] and len(types) > 2 and set(types[1:-1]) <= TOWARDS
    if not goes:
        return None
    first, past = start + tokens[0].start_pos, start + tokens[0].end_pos
    word = reader.line.body[first:past]
    if len(word) < LONG_NAME or not word[0].isupper():
        return None
    return OrderWarning("unknown-place", first, past, (("word", word),))

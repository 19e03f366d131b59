"""A power's name where a place of its should stand: "Mar - Spain", where Spain is a power with the province Madrid."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from gm.language.lines.letter_contents import LetterContext
from gm.language.orders.line_meaning import OrderPiece
from gm.language.orders.parsing.line_parts import token_span
from gm.language.orders.parsing.order_context import OrderWarning

MOST_PLACES = 12
GOES = frozenset({"ARROW", "TO", "SUPPORT"})
"""Types of the token before the name."""


def power_for_place(
    piece: OrderPiece, context: LetterContext, lines: Callable[[Iterator[str]], Iterator[str]]
) -> OrderWarning | None:
    """Which place is meant is asked, with the orders into its provinces that would be obeyed; None for other lines.

    `lines`: the orders that texts are read as.
    """
    at = next((index for index, token in enumerate(piece.tokens) if token is piece.stuck), 0)
    token = piece.tokens[at] if at else None
    if token is None or token.type != "NATION" or piece.tokens[at - 1].type not in GOES:
        return None
    codes = _provinces(str(token.value), context)[:MOST_PLACES]
    start, end = token_span(piece.tokens)
    texts = (f"{piece.text[start : token.start_pos]}{code}{piece.text[token.end_pos : end]}" for code in codes)
    key = "power-for-place" if codes else "power-without-place"
    fields = (("word", piece.text[token.start_pos : token.end_pos]), ("places", " ".join(codes)))
    warning = OrderWarning(key, token.start_pos, token.end_pos, fields)
    return replace(warning, suggestions=tuple(lines(texts)))


def _provinces(power: str, context: LetterContext) -> tuple[str, ...]:
    """Its centres, and where its units stand."""
    position = context.position
    units = (unit.at.province for unit in position.units if unit.power == power)
    return tuple(dict.fromkeys((*position.centres_of(power), *units)))

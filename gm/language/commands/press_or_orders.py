"""Decides whether a reply to press was meant for the game master or for fewer readers, and must not be passed on."""

from __future__ import annotations

from collections.abc import Sequence

from gm.language.commands import addressees, parser
from gm.language.commands.command_line import is_in_capitals
from gm.language.commands.requests import PressRequest
from gm.language.commands.table import row_of
from gm.language.i18n.vocabulary import LONGEST
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.letter_contents import LetterContext
from gm.language.lines.lines import QUOTED, read_line, strip_line
from gm.language.lines.sentences import sentences_of
from gm.language.orders.line_meaning import OrderPiece
from gm.language.orders.line_reader import any_sheet_reader, open_sheet_reader

MOST_LINES = 1500
"""Most lines of a letter that are read."""


def looks_like_orders(lines: Sequence[NumberedLine], context: LetterContext) -> bool:
    """Whether a reply to press holds lines that were meant for the game master: whole lines of orders or commands.

    "I move to Burgundy if you hold" is talk; "A Par - Bur" alone on its line is not.
    """
    reader = any_sheet_reader(context)
    for number, text in lines[:MOST_LINES]:
        line = read_line(number, text)
        if QUOTED.match(line.plain) or not line.body.strip():
            continue
        asked = parser.read_command(line.body, context.variant)
        if (
            asked is not None
            and (row_of(asked.kind).talk != "small" or is_in_capitals(line.body))
            and (asked.kind not in ("message", "tell") or addressees.message_readers(asked, context))
            and row_of(asked.kind).talk != "always"
        ):
            return True
        kind = reader.kind
        dashes, numbers = not kind.minus_removes, kind.numbers_in_front
        stripped = strip_line(line, context.variant, context.phase, dashes=dashes, numbers=numbers)
        pieces = reader.pieces(stripped.body)
        if any(_meant(piece) for piece in pieces) and not _rambling(pieces):
            return True
    return False


def gives_own_orders(words: str, context: LetterContext) -> bool:
    """Whether a sentence of press, by itself, gives units of the writer their orders for the open phase."""
    reader = open_sheet_reader(context)
    if reader is None or not context.power:
        return False
    for sentence in sentences_of(words[:LONGEST]):
        if looks_like_orders(((1, sentence),), context):
            body = read_line(1, sentence).body
            if any(meaning.statements and meaning.error is None for meaning in reader.read(body, context)):
                return True
    return False


def press_address_line(lines: Sequence[NumberedLine], context: LetterContext) -> str:
    """The first line that addresses press to some powers (PRESS TO Germany), right or wrong; "" without one."""
    for number, text in lines[:MOST_LINES]:
        line = read_line(number, text)
        asked = None if QUOTED.match(line.plain) else parser.read_command(line.body, context.variant)
        if asked is None or row_of(asked.kind).request != PressRequest.__name__:
            continue
        if asked.kind in ("message", "tell"):
            if addressees.message_readers(asked, context) is not None:
                return text.strip()
            continue
        names = asked.words.partition(":")[0]
        _, everyone = addressees.read_addressees(names, context)
        known = addressees.are_known_powers(names, context)
        if names.strip() and not everyone and (known or is_in_capitals(line.body)):
            return text.strip()
    return ""


def _meant(piece: OrderPiece) -> bool:
    """Whether a piece is an order, or a mistaken order and no question or talk."""
    if piece.node is not None:
        return True
    return (
        piece.order and not piece.text.endswith("?") and all(token.type not in ("TALK", "IF") for token in piece.tokens)
    )


def _rambling(pieces: Sequence[OrderPiece]) -> bool:
    """Whether there are more pieces of talk than of orders."""
    return sum(not piece.order for piece in pieces) > sum(piece.order for piece in pieces)

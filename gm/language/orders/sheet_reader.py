"""Reads the lines of sheets: one order each, in canonical text, for one position."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from gm.judge.model.orders import Statement, UnitOrder
from gm.judge.model.position import Position
from gm.judge.model.variant import Variant
from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LetterContext, LineError
from gm.language.lines.lines import read_line, strip_line
from gm.language.orders.fleet_numbers import crowds, number_sheet
from gm.language.orders.line_meaning import PieceMeaning
from gm.language.orders.line_reader import LONGEST_LINE, LineReader, open_sheet_reader
from gm.language.orders.parsing.order_context import UnitsByProvince
from gm.language.orders.suggestions import explain
from gm.language.orders.unit_names import line_error


def read_order(text: str, context: LetterContext) -> Statement | LineError:
    """One order, as on a sheet. A warning does not count."""
    reader = KnownOrdersReader(context.variant, context.position, any_unit=context.any_unit)
    return reader.orders(context.power, (text,))[0]


class KnownOrdersReader:
    """Reads the lines of sheets that are known to be orders, one order each, for one position."""

    def __init__(self, variant: Variant, position: Position, *, any_unit: bool = False) -> None:
        self._context = LetterContext(variant, position, any_unit=any_unit)
        self._reader = open_sheet_reader(self._context)
        self._here = UnitsByProvince(variant, position)
        self._crowds = crowds(position)

    def orders(self, power: str, texts: Sequence[str]) -> list[Statement | LineError]:
        reader, here, any_unit = self._reader, self._here, self._context.any_unit
        if reader is None:
            return [LineError(0, text, 0, len(text), "no-orders-now") for text in texts]
        by_example = reader.examples.order
        answers: list[Statement | LineError] = []
        for text in texts:
            plain = text if text.isascii() else clean(text).text
            order = by_example(plain, here, power) if any_unit else None
            answers.append(order or self._order(reader, power, text, plain))
        return number_sheet(power, self._crowds, texts, answers) if self._crowds else answers

    def _order(self, reader: LineReader, power: str, text: str, plain: str) -> Statement | LineError:
        meaning = reader.meaning(plain, self._here, power, self._context.any_unit)
        only = meaning.only or self._under_its_name(reader, power, text, meaning.pieces)
        return only or _no_order(text, plain, meaning.pieces, reader, replace(self._context, power=power))

    def _under_its_name(
        self, reader: LineReader, power: str, text: str, pieces: tuple[PieceMeaning, ...]
    ) -> Statement | None:
        """The order behind its own power's name and a colon, or behind the power's initial.

        "France: A Par - Bur", "F: A Par - Bur", China's "C A Pek - Kan": the initial may be a word of orders, but not
        of this one.
        """
        context = self._context
        line = strip_line(
            read_line(0, text), context.variant, context.variant.phase_name(context.position), dashes=False
        )
        if line.power == power:
            return reader.meaning(line.body, self._here, power, context.any_unit).only
        initial, _, order = line.body.partition(" ")
        kind, _, _ = order.lower().partition(" ")
        own = reader.scanner.initials.get(initial.lower()) == power
        if not own or kind not in reader.scanner.kinds or any(meaning.piece.node is not None for meaning in pieces):
            return None
        return reader.meaning(order, self._here, power, context.any_unit).only

    def each(self, power: str, text: str) -> tuple[Statement, ...]:
        """All statements of a list in one line ("LON F, EDI A"), where it orders no unit on the board."""
        meanings = self._meanings(power, text)
        statements = tuple(statement for meaning in meanings for statement in meaning.statements)
        good = all(meaning.statements and meaning.error is None for meaning in meanings)
        return statements if good and not any(isinstance(each, UnitOrder) for each in statements) else ()

    @property
    def shared(self) -> bool:
        """Whether one line of these sheets may hold several orders of which each counts."""
        return self._reader is not None and self._reader.kind.shares_lines

    def every(self, power: str, texts: Sequence[str]) -> list[list[Statement] | LineError]:
        """As `orders`, but "Turkey 3, Rumania 2" is two, and leave to pass goes with the order before it."""
        answers: list[list[Statement] | LineError] = []
        for text, order in zip(texts, self.orders(power, texts), strict=True):
            if isinstance(order, LineError) and order.key == "several-orders":
                meanings = self._meanings(power, text)
                shared = any(meaning.piece.node is not None and meaning.piece.node.shares_line for meaning in meanings)
                if shared and all(meaning.error is None and meaning.statements for meaning in meanings):
                    answers.append([statement for meaning in meanings for statement in meaning.statements])
                    continue
            answers.append(order if isinstance(order, LineError) else [order])
        return answers

    def _meanings(self, power: str, text: str) -> tuple[PieceMeaning, ...]:
        """What each piece of a line means; none where nobody writes a sheet."""
        if self._reader is None:
            return ()
        return self._reader.meaning(clean(text).text, self._here, power, self._context.any_unit).pieces


def _no_order(
    text: str, plain: str, meanings: tuple[PieceMeaning, ...], reader: LineReader, context: LetterContext
) -> LineError:
    if not plain.strip():
        return LineError(0, text, 0, len(text), "empty-order")
    if len(plain) > LONGEST_LINE:
        return LineError(0, text, 0, len(text), "line-too-long", (("n", str(LONGEST_LINE)),))
    for meaning in meanings:
        piece = meaning.piece
        warning = meaning.error or (explain(reader, piece, context) if piece.node is None else None)
        if warning:
            return line_error(read_line(0, text), warning)
    if sum(len(meaning.statements) for meaning in meanings) > 1:
        return LineError(0, text, 0, len(text), "several-orders")
    return LineError(0, text, 0, len(text), "not-understood", (("word", plain.strip()),))

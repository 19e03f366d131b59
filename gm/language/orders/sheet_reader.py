"""Reads the lines of sheets: one order each, in canonical text, for one position."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from gm.judge.model.orders import Statement, UnitOrder
from gm.judge.model.position import Position
from gm.judge.model.variant import Variant
from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LetterContext, LineError
from gm.language.lines.lines import bare, row
from gm.language.orders.fleet_numbers import answered, crowds
from gm.language.orders.order_reader import LONGEST_LINE, PieceMeaning, SheetReader, desk
from gm.language.orders.parsing.order_context import ground
from gm.language.orders.parsing.parse_tree import PassageNode
from gm.language.orders.sheets import influence as wagers
from gm.language.orders.suggestions import explain
from gm.language.orders.unit_names import trouble


def read_order(text: str, context: LetterContext) -> Statement | LineError:
    """One order, as on a sheet. A remark does not count."""
    reader = KnownOrdersReader(context.variant, context.position, any_unit=context.any_unit)
    return reader.orders(context.power, (text,))[0]


class KnownOrdersReader:
    """Reads the lines of sheets that are known to be orders, one order each, for one position."""

    def __init__(self, variant: Variant, position: Position, *, any_unit: bool = False) -> None:
        self._of = LetterContext(variant, position, any_unit=any_unit)
        self._desk = desk(self._of)
        self._ground = ground(variant, position)
        self._crowds = crowds(position)

    def orders(self, power: str, texts: Sequence[str]) -> list[Statement | LineError]:
        reader, here, any_unit = self._desk, self._ground, self._of.any_unit
        if reader is None:
            return [LineError(0, text, 0, len(text), "no-orders-now") for text in texts]
        by_example = reader.examples.told
        answers: list[Statement | LineError] = []
        for text in texts:
            plain = text if text.isascii() else clean(text).text
            told = by_example(plain, here, power) if any_unit else None
            answers.append(told or self._order(reader, power, text, plain))
        return answered(power, self._crowds, texts, answers) if self._crowds else answers

    def _order(self, reader: SheetReader, power: str, text: str, plain: str) -> Statement | LineError:
        found = reader.reading(plain, self._ground, power, self._of.any_unit)
        only = found.only or self._under_its_name(reader, power, text, found.findings)
        return only or _no_order(text, plain, found.findings, reader, replace(self._of, power=power))

    def _under_its_name(
        self, reader: SheetReader, power: str, text: str, found: tuple[PieceMeaning, ...]
    ) -> Statement | None:
        """What stands behind its own power's name and a colon, or before a unit behind its letter where that is a word
        of orders, but not of this one: "France: A Par - Bur", "F: A Par - Bur"; China's "C A Pek - Kan".
        """
        of = self._of
        line = bare(row(0, text), of.variant, of.variant.phase_name(of.position), dashes=False)
        if line.power == power:
            return reader.reading(line.body, self._ground, power, of.any_unit).only
        letter, _, order = line.body.partition(" ")
        kind, _, _ = order.lower().partition(" ")
        own = reader.scanner.seals.get(letter.lower()) == power
        if not own or kind not in reader.scanner.kinds or any(one.piece.sketch is not None for one in found):
            return None
        return reader.reading(order, self._ground, power, of.any_unit).only

    def each(self, power: str, text: str) -> tuple[Statement, ...]:
        """All that a list in one line says ("LON F, EDI A"), where no unit on the board is ordered by it."""
        found = self._findings(power, text)
        said = tuple(said for one in found for said in one.statements)
        good = all(one.statements and one.flaw is None for one in found)
        return said if good and not any(isinstance(one, UnitOrder) for one in said) else ()

    @property
    def shared(self) -> bool:
        """Whether one line of these sheets may hold several orders that stand for themselves."""
        return self._desk is not None and (self._desk.wagers or wagers.ALLOW in self._desk.grammar.starters)

    def every(self, power: str, texts: Sequence[str]) -> list[list[Statement] | LineError]:
        """As `orders`, but "Turkey 3, Rumania 2" is two, and leave to pass goes with the order before it."""
        answers: list[list[Statement] | LineError] = []
        for text, read in zip(texts, self.orders(power, texts), strict=True):
            if isinstance(read, LineError) and read.key == "several-orders" and self._desk is not None:
                found = self._findings(power, text)
                shared = self._desk.wagers or any(isinstance(one.piece.sketch, PassageNode) for one in found)
                if shared and all(one.flaw is None and one.statements for one in found):
                    answers.append([statement for one in found for statement in one.statements])
                    continue
            answers.append(read if isinstance(read, LineError) else [read])
        return answers

    def _findings(self, power: str, text: str) -> tuple[PieceMeaning, ...]:
        """What each piece of a line means; none where nobody writes a sheet."""
        if self._desk is None:
            return ()
        return self._desk.reading(clean(text).text, self._ground, power, self._of.any_unit).findings


def _no_order(
    text: str, plain: str, found: tuple[PieceMeaning, ...], reader: SheetReader, context: LetterContext
) -> LineError:
    if not plain.strip():
        return LineError(0, text, 0, len(text), "empty-order")
    if len(plain) > LONGEST_LINE:
        return LineError(0, text, 0, len(text), "line-too-long", (("n", str(LONGEST_LINE)),))
    for one in found:
        remark = one.flaw or (explain(reader, one.piece, context) if one.piece.sketch is None else None)
        if remark:
            return trouble(row(0, text), remark)
    if sum(len(one.statements) for one in found) > 1:
        return LineError(0, text, 0, len(text), "several-orders")
    return LineError(0, text, 0, len(text), "not-understood", (("word", plain.strip()),))

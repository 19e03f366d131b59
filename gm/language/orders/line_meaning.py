"""What a line of a sheet means: its pieces, and the statements, warnings and errors of each."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from gm.judge.model.orders import Statement
from gm.judge.model.position import Dislodged, Unit
from gm.language.orders.parsing.lexer import Token
from gm.language.orders.parsing.order_context import OrderWarning, UnitsByProvince
from gm.language.orders.parsing.parse_tree import OrderNode

WORDS = frozenset({"WORD", "TALK"})
"""Token types of words that are none of orders."""


class OrderPiece(NamedTuple):
    """A part of a line between separators. `node` None and `order` True: it looks like an order and is none.

    `stuck` is the token where the grammar gave up. `preferences` are the columns of a list of retreats behind it.
    `aside`: words in brackets are no part of the order.
    """

    text: str
    start: int
    end: int
    tokens: tuple[Token, ...]
    node: OrderNode | None
    order: bool
    stuck: Token | None = None
    preferences: tuple[int, int] | None = None
    aside: bool = False

    @property
    def stray(self) -> bool:
        """Between orders, such a piece ("A Par - Bur, Pic") is no talk."""
        kinds = {token.type for token in self.tokens}
        return "PLACE" in kinds and not kinds & {"WORD", "TALK", "NUMBER"}

    @property
    def has_words(self) -> bool:
        """Whether there are words that are none of orders."""
        return any(token.type in WORDS for token in self.tokens)


class PieceMeaning(Struct, frozen=True):
    """What one piece means: statements with warnings, or an error. Columns are those of the cleaned line."""

    piece: OrderPiece
    statements: tuple[Statement, ...] = ()
    warnings: tuple[OrderWarning, ...] = ()
    error: OrderWarning | None = None


class LineMeaning(Struct, frozen=True):
    """What a power's line means, while the same units stand in the provinces looked at (None: on the whole board).

    The owners of the units do not matter, unless units were looked at as the writer's own, or `owners`: the line names
    powers. `only` is the statement where the line is one order that can be obeyed. `transient`: good for once.
    """

    pieces: tuple[PieceMeaning, ...]
    only: Statement | None
    owners: bool
    seen: tuple[tuple[str, tuple[Unit, ...], bool], ...] | None
    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...]
    transient: bool = False

    @property
    def is_example(self) -> bool:
        """Whether it is one order that was read without a warning, from the units it names alone."""
        if self.owners or self.transient or self.seen is None:
            return False
        return len(self.pieces) == 1 and not self.pieces[0].warnings

    def holds(self, here: UnitsByProvince, power: str) -> bool:
        """Whether the line still means this at another position."""
        if self.dislodged != here.position.dislodged:
            return False
        if self.seen is None or self.owners:
            return self.units == here.position.units
        units = here.units
        for code, before, whose in self.seen:
            now = units.get(code, ())
            if now != before and not _are_alike(now, before, power if whose else ""):
                return False
        return True


def _are_alike(now: tuple[Unit, ...], before: tuple[Unit, ...], power: str) -> bool:
    """Whether the units differ in nothing that a line can mean; `power`: as many of them must be that power's."""
    if len(now) != len(before):
        return False
    for unit, other in zip(now, before, strict=True):
        if unit.at != other.at or unit.kind != other.kind or unit.number != other.number:
            return False
        if power and (unit.power == power) != (other.power == power):
            return False
    return True

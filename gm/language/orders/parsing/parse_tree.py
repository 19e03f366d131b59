"""Order nodes: what the grammars make of a line before anybody looks at the board.

The nodes of one kind of sheet stand in the file of that sheet (`gm.language.orders.sheets`). Each has the name of its
grammar rule and of the statement it becomes.
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple, TypeAlias

from msgspec import Struct

from gm.language.orders.parsing.lexer import WrittenPlace


class UnitNode(NamedTuple):
    """`nation` and `kind` are "" where they were not written."""

    nation: str
    kind: str
    name: WrittenPlace


Units: TypeAlias = tuple[UnitNode, ...]
Path: TypeAlias = tuple[WrittenPlace, ...]


class OrderNode(Struct, frozen=True):
    """One order as written.

    `is_question`: it asks for the sheet and orders nothing. `has_verb` is False for units alone. `shares_line`: it may
    stand in one line with other orders, and each of them counts.
    """

    is_question: ClassVar[bool] = False
    has_verb: ClassVar[bool] = True
    shares_line: ClassVar[bool] = False

    def each(self) -> tuple[OrderNode, ...]:
        """The orders of a list of which each counts, whatever the others are."""
        return (self,)

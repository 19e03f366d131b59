"""`SheetKind`: all that the reader of orders asks about one kind of sheet. Each row stands in its mechanic's file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from gm.judge.model.orders import Statement
from gm.judge.model.variant import Variant
from gm.language.i18n.place_names import PlaceNames
from gm.language.orders.parsing.board_scanners import board_scanner
from gm.language.orders.parsing.lexer import Scanner, Token
from gm.language.orders.parsing.line_parts import Parts, join_units
from gm.language.orders.parsing.order_context import OrderContext, OrderWarning
from gm.language.orders.parsing.parse_tree import OrderNode, UnitNode
from gm.language.orders.parsing.tree_builder import TreeBuilder

Check: TypeAlias = Callable[[OrderContext, Any], Iterator[Statement]]
"""Second stage of reading: the statements that a node means at a position. Raises OrderError."""


def unfinished_order(context: OrderContext, written: UnitNode) -> OrderWarning:
    """A unit named without an order. Raises OrderError where the writer has no such unit."""
    unit = context.own(written)[0]
    reach = " ".join(context.here.checker.reach(unit))
    fields = (("unit", context.call(unit)), ("reach", reach))
    return OrderWarning("unfinished", written.name.start, written.name.end, fields)


class SheetKind(Struct, frozen=True):
    """One kind of order sheet.

    `name` is that of grammars/<name>.lark and of `Step.grammar`. `tree` makes the grammar's nodes, `checks` holds the
    second stage of reading for each of them. `also` names a sheet whose whole lines may stand on this one, too.
    """

    name: str
    tree: type[TreeBuilder]
    checks: Mapping[type[OrderNode], Check]
    scanner: Callable[[Variant, PlaceNames], type[Scanner]] = board_scanner
    also: str = ""

    # ---- the parts of a line
    regroup: Callable[[Parts], Parts] | None = None
    """Changes the parts of every line; `join` is for lines of several parts."""
    join: Callable[[Parts], Parts] = join_units
    line_separators: frozenset[str] = frozenset()
    """Where a line is one order: the types of tokens that are left out of it."""

    goes_on: Callable[[Sequence[Token], Sequence[Token]], bool] | None = None
    """Whether the order of one line, given its tokens, goes on in the next."""

    # ---- is it an order?
    is_meant: Callable[[Sequence[Token], Iterable[str]], bool] | None = None
    """Whether a part that the grammar does not take was meant as an order; also given the names of the powers."""
    is_rest: Callable[[Sequence[Token]], bool] | None = None
    """Whether a part beside a good order is no mere talk."""
    own_nodes: tuple[type[OrderNode], ...] = ()
    """Such a line is refused as a whole on the sheet of another phase."""

    # ---- what a line cannot be understood
    explain: Callable[[Variant, str, Sequence[Token]], OrderWarning] | None = None
    """What is wrong with a part that is no order, where this sheet has its own answer."""
    unclear: str = ""
    unclear_for: Callable[[Sequence[Token]], bool] | None = None
    """The lines that `unclear` is for; None: all."""
    """Sentence key for a line that cannot be followed, instead of the one for movement orders."""
    examples: Callable[[OrderContext], tuple[str, ...]] | None = None
    """Lines to propose with `unclear`."""
    unfinished: Callable[[OrderContext, UnitNode], OrderWarning] = unfinished_order
    takes_preferences: bool = False
    """Whether a list of places is a retreat preference."""

    # ---- the letter around it
    holds: bool = False
    """Whether ALL HOLD writes orders on it."""
    minus_removes: bool = False
    """Whether a dash in front of a unit removes it; on other sheets it is a list mark."""
    numbers_in_front: bool = False
    """Whether "2:" in front of an order belongs to it."""
    names_in_front: bool = False
    """Whether a power's name and a colon in front belong to the order."""
    lists_units: bool = False
    """Whether it lists new units: builds, or the first units of a power."""
    is_cached: bool = True
    """Whether the meaning of a line depends on nothing but units."""

    @property
    def is_one_order_per_line(self) -> bool:
        return bool(self.line_separators)

    @property
    def shares_lines(self) -> bool:
        """Whether a line may hold several orders of which each counts."""
        return any(node.shares_line for node in self.checks)

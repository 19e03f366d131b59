"""Only for speed: what the grammar made of a sequence of token types, for every later line with the same types.

The parser looks at types alone, and order nodes hold the values of tokens unchanged. So blank tokens are parsed once,
and the values of later lines are put where the blanks were.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from gm.language.orders.parsing.lexer import Token, WrittenPlace
from gm.language.orders.parsing.parse_tree import OrderNode, UnitNode

FILLABLE = frozenset(
    {"PLACE", "KIND", "NATION", "ARROW", "TO", "FROM", "OF", "HOLD", "MOVE", "SUPPORT", "SUPPORTED", "CONVOY", "VIA"}
    | {"LAND", "BY", "WITH", "SEP", "RETREAT", "DISBAND", "BUILD", "REMOVE", "KEEP", "ALL", "NO", "MINUS", "PLUS"}
)
"""Types whose tokens go into a node unchanged or not at all; a NUMBER is converted."""

Fill = Callable[[Sequence[Token]], Any]


class ParseShape(NamedTuple):
    """`fill` makes the node (None: there is none); `stuck` is the index of the token that fits no order."""

    fill: Fill | None
    stuck: int | None


class Blank(str):
    """Takes the place of the value of the token with this number."""

    __slots__ = ("number",)
    number: int


def blank_tokens(types: Sequence[str]) -> list[Token]:
    """Tokens of these types that hold nothing but their number."""
    made = []
    for index, kind in enumerate(types):
        blank = Blank()
        blank.number = index
        made.append(Token(kind, WrittenPlace("", index, index, ()) if kind == "PLACE" else blank, index, index))
    return made


def parse_shape(blank: Sequence[Token], node: OrderNode | None, stuck: Token | None) -> ParseShape:
    """From what the grammar made of blank tokens."""
    at = next((index for index, token in enumerate(blank) if token is stuck), None)
    return ParseShape(None if node is None else _filler(node), at)


def _filler(part: Any) -> Fill:
    if isinstance(part, WrittenPlace):
        return _value(part.start)
    if isinstance(part, Blank):
        return _value(part.number)
    if isinstance(part, UnitNode):
        return _several(UnitNode._make, [_filler(item) for item in part])
    if isinstance(part, tuple):
        return _several(tuple, [_filler(item) for item in part])
    if isinstance(part, Struct):
        cls: Callable[..., Any] = type(part)
        inner = [_filler(getattr(part, name)) for name in part.__struct_fields__]
        return _several(lambda values: cls(*values), inner)
    return lambda tokens: part


def _value(index: int) -> Fill:
    return lambda tokens: tokens[index].value


def _several(make: Callable[[list[Any]], Any], inner: Sequence[Fill]) -> Fill:
    return lambda tokens: make([fill(tokens) for fill in inner])

"""Base of the classes that turn Lark's rules into order nodes. Each kind of sheet adds methods for its rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lark import Transformer

from gm.language.orders.parsing.lexer import Token, WrittenPlace
from gm.language.orders.parsing.parse_tree import Path, UnitNode, Units

Child = Any
"""What Lark hands to a rule: tokens, results of the rules below it, None for an optional part that is missing."""


class ConvoySeas(tuple[WrittenPlace, ...]):
    """The seas of a convoy as written; its type tells it from a path."""

    __slots__ = ()


def units_in(children: Iterable[Child]) -> Units:
    """All units among the children of a rule, those of lists included."""
    units: list[UnitNode] = []
    for child in children:
        if isinstance(child, UnitNode):
            units.append(child)
        elif isinstance(child, tuple) and child and isinstance(child[0], UnitNode):
            units.extend(child)
    return tuple(units)


def places_in(children: Iterable[Child]) -> Path:
    return tuple(child for child in children if isinstance(child, WrittenPlace))


def path_in(children: Iterable[Child]) -> Path:
    """The first path; the seas of a convoy are none."""
    paths = (c for c in children if isinstance(c, tuple) and not isinstance(c, ConvoySeas))
    return next((path for path in paths if path and isinstance(path[0], WrittenPlace)), ())


def via_in(children: Iterable[Child]) -> Path | None:
    return next((tuple(child) for child in children if isinstance(child, ConvoySeas)), None)


def token_in(children: Iterable[Child], kind: str) -> Token | None:
    """The first token of that type."""
    return next((c for c in children if isinstance(c, Token) and c.type == kind), None)


def value_in(children: Iterable[Child], kind: str) -> Any:
    """The value of the first token of that type; "" where there is none."""
    token = token_in(children, kind)
    return token.value if token is not None else ""  # as it is: `parse_cache` puts blanks there


class TreeBuilder(Transformer[Token, Any]):
    """One method per rule. A rule imported from another grammar has that grammar's name before its own."""

    def __getattr__(self, name: str) -> Any:
        _, mark, rule = name.partition("__")
        if not mark or not rule or name.startswith("_"):
            raise AttributeError(name)
        return getattr(self, rule)

    def place(self, children: list[Child]) -> WrittenPlace:
        name: WrittenPlace = children[0].value
        return name

    def unit(self, children: list[Child]) -> UnitNode:
        return UnitNode(value_in(children, "NATION"), value_in(children, "KIND"), places_in(children)[0])

    def units(self, children: list[Child]) -> Units:
        return units_in(children)

    def path(self, children: list[Child]) -> Path:
        return places_in(children)

    def via(self, children: list[Child]) -> ConvoySeas:
        return ConvoySeas(places_in(children))

    via_route = via

    def overland(self, children: list[Child]) -> None:
        """ "via land" asks for no convoy, like any other move."""

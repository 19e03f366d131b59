"""Movement sheets on a board with ferries: leave for another power's units to pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from gm.judge.model.orders import Passage, Statement
from gm.language.orders.parsing.line_parts import Parts
from gm.language.orders.parsing.order_context import OrderContext, only_province, order_error
from gm.language.orders.parsing.parse_tree import OrderNode, Path
from gm.language.orders.parsing.tree_builder import Child, path_in, value_in
from gm.language.orders.sheets import moves
from gm.language.orders.sheets.sheet_kind import Check, SheetKind


class PassageNode(OrderNode, frozen=True):
    """`places`: a ferry's ends, or a sea."""

    shares_line: ClassVar[bool] = True
    places: Path
    whom: str = ""


class FerryTree(moves.MoveTree):
    def passage(self, children: list[Child]) -> PassageNode:
        return PassageNode(path_in(children), value_in(children, "NATION"))


def place_passages(parts: Parts) -> Parts:
    """Leave to pass behind an order of the same line is for where its unit stands: "F IRI H, allow passage"."""
    placed: Parts = []
    for part in parts:
        kinds = [token.type for token in part]
        if placed and kinds[:2] == ["ALLOW", "PASSAGE"] and "PLACE" not in kinds:
            here = next((token for token in placed[-1] if token.type == "PLACE"), None)
            part = [*part[:2], *([here] if here else []), *part[2:]]
        placed.append(part)
    return placed


def passage(context: OrderContext, node: PassageNode) -> Iterator[Statement]:
    if len(node.places) > 2:
        raise order_error("passage-places", node.places[2])
    places = tuple(only_province(name) for name in node.places)
    yield Passage(places, node.whom)


CHECKS: Mapping[type[OrderNode], Check] = {**moves.CHECKS, PassageNode: passage}
SHEET = SheetKind("ferries", FerryTree, CHECKS, regroup=place_passages, holds=True)

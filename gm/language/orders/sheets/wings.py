"""Movement sheets with wings: bombs and interceptions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gm.judge.mechanics.wings.wing_orders import Bomb, Intercept
from gm.judge.model.orders import Statement
from gm.judge.model.position import Unit
from gm.language.orders.parsing.lexer import Token, WrittenPlace
from gm.language.orders.parsing.line_parts import Parts
from gm.language.orders.parsing.order_context import OrderContext, order_error
from gm.language.orders.parsing.parse_tree import OrderNode, Path, UnitNode, Units
from gm.language.orders.parsing.tree_builder import Child, places_in, units_in
from gm.language.orders.sheets.ferries import CHECKS, FerryTree, place_passages
from gm.language.orders.sheets.moves import only_possible
from gm.language.orders.sheets.sheet_kind import SheetKind

LISTED = frozenset({"PLACE", "ARROW", "OF"})


class BombNode(OrderNode, frozen=True):
    """`target`: a place, or the unit there."""

    units: Units
    target: UnitNode


class InterceptNode(OrderNode, frozen=True):
    """`over` lists the provinces, the most important one first; empty: any."""

    units: Units
    over: Path = ()


class WingTree(FerryTree):
    def bomb(self, children: list[Child]) -> BombNode:
        *wings, target = units_in(children)
        return BombNode(tuple(wings), target)

    def bomb_with(self, children: list[Child]) -> BombNode:
        target, *wings = units_in(children)
        return BombNode(tuple(wings), target)

    def intercept(self, children: list[Child]) -> InterceptNode:
        return InterceptNode(units_in(children), places_in(children))


def join_interceptions(parts: Parts) -> Parts:
    """The provinces behind an interception are one list, whatever stands between them."""
    joined: Parts = []
    for part in parts:
        if joined and _listing(joined[-1]) and all(token.type in LISTED for token in part):
            joined[-1] = [*joined[-1], *part]
        else:
            joined.append(part)
    return joined


def _listing(tokens: Sequence[Token]) -> bool:
    return any(token.type == "INTERCEPT" for token in tokens)


def bomb(context: OrderContext, node: BombNode) -> Iterator[Statement]:
    for written in node.units:
        readings: list[tuple[Unit, Statement]] = [
            (unit, Bomb(context.ref(unit), place.province))
            for unit in context.own(written)
            for place in context.places(node.target.name)
        ]
        yield only_possible(context, readings, written.name, node.target.name)


def intercept(context: OrderContext, node: InterceptNode) -> Iterator[Statement]:
    for written in node.units:
        readings: list[tuple[Unit, Statement]] = [
            (unit, Intercept(context.ref(unit), _over(context, unit, node.over))) for unit in context.own(written)
        ]
        yield only_possible(context, readings, written.name, written.name)


def _over(context: OrderContext, unit: Unit, names: tuple[WrittenPlace, ...]) -> tuple[str, ...]:
    """Each province once. Of several that a word may mean, the one beside the wing is meant."""
    near = {unit.at.province, *context.here.checker.adjacency.near.get(unit.at.province, ())}
    provinces: dict[str, None] = {}
    for name in names:
        codes = [code for code in name.provinces if code in near] or list(name.provinces)
        if len(codes) > 1:
            raise order_error("which-place", name, word=name.text, places=" ".join(codes))
        provinces[codes[0]] = None
    return tuple(provinces)


SHEET = SheetKind(
    "wings",
    WingTree,
    {**CHECKS, BombNode: bomb, InterceptNode: intercept},
    regroup=lambda parts: join_interceptions(place_passages(parts)),
    holds=True,
)

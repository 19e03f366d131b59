"""Retreat sheets: dislodged units go where they still can, or are disbanded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gm.judge.board.board import Location
from gm.judge.model.orders import Disband, Retreat, Statement, UnitRef
from gm.judge.model.position import Dislodged
from gm.language.orders.parsing.lexer import Token, WrittenPlace
from gm.language.orders.parsing.order_context import OrderContext, OrderWarning, order_error
from gm.language.orders.parsing.parse_tree import OrderNode, UnitNode, Units
from gm.language.orders.parsing.tree_builder import Child, TreeBuilder, places_in, units_in
from gm.language.orders.sheets.sheet_kind import SheetKind

COAST_KEYS = ("which-coast", "wrong-coast")


class RetreatNode(OrderNode, frozen=True):
    unit: UnitNode
    to: WrittenPlace


class DisbandNode(OrderNode, frozen=True):
    units: Units


class RetreatTree(TreeBuilder):
    def retreat(self, children: list[Child]) -> RetreatNode:
        return RetreatNode(units_in(children)[0], places_in(children)[0])

    def disband(self, children: list[Child]) -> DisbandNode:
        return DisbandNode(units_in(children))


def retreat(context: OrderContext, node: RetreatNode) -> Iterator[Statement]:
    gone = _own(context, node.unit)
    possible: dict[Statement, None] = {}
    other_coasts: dict[Statement, None] = {}
    for out in gone:
        ref = context.ref(out.unit)
        for place in context.places(node.to):
            end = context.here.checker.retreat(out.unit, place, out.retreats)
            if isinstance(end, Location):
                possible[Retreat(ref, end.place)] = None
            elif end.key in COAST_KEYS:
                fitting = possible if end.key == "which-coast" else other_coasts
                fitting |= {Retreat(ref, at.place): None for at in out.retreats if str(at.place) in end.reach}
    lines = tuple(context.line(statement) for statement in possible)
    if len(possible) > 1:
        provinces = {s.to.province for s in possible if isinstance(s, Retreat)}
        key = "which-coast" if len(provinces) == 1 else "which-place"
        fields = {"word": node.to.text, "places": " ".join(sorted(provinces))}
        fields["place"] = context.name(node.to.provinces[0])
        fields["start"] = context.name(gone[0].unit.at.province)
        context.one_place(node.unit.name, [out.unit for out in gone], lines)
        fields["coasts"] = " ".join(str(s.to) for s in possible if isinstance(s, Retreat))
        raise order_error(key, node.to, suggestions=lines, **fields)
    if possible:
        yield next(iter(possible))
        return
    ref = context.ref(gone[0].unit)
    if context.any_unit and len(node.to.provinces) == 1:
        yield Retreat(ref, context.places(node.to)[0])
        return
    if other_coasts:
        lines = tuple(context.line(statement) for statement in other_coasts)
        raise order_error("wrong-coast", node.to, suggestions=lines, unit=str(ref), word=node.to.text)
    if len(node.to.provinces) > 1:
        raise order_error("which-place", node.to, word=node.to.text, places=" ".join(node.to.provinces))
    reach = " ".join(str(at.place) for at in gone[0].retreats)
    raise order_error(
        "no-retreat-there" if reach else "no-retreat-left",
        node.to,
        suggestions=_options(context, ref, gone[0].retreats),
        unit=str(ref),
        place=context.name(node.to.provinces[0]),
        reach=reach,
        word=node.to.text,
    )


def disband(context: OrderContext, node: DisbandNode) -> Iterator[Statement]:
    for written in node.units:
        gone = _own(context, written)
        if len(gone) > 1:
            lines = [context.line(Disband(context.ref(out.unit))) for out in gone]
            context.one_place(written.name, [out.unit for out in gone], lines)
            raise order_error(
                "which-place",
                written.name,
                suggestions=lines,
                word=written.name.text,
                places=" ".join(written.name.provinces),
            )
        yield Disband(context.ref(gone[0].unit))


def _options(context: OrderContext, ref: UnitRef, retreats: tuple[Location, ...]) -> tuple[str, ...]:
    return (*(context.line(Retreat(ref, at.place)) for at in retreats[:3]), context.line(Disband(ref)))


def retreats_open(context: OrderContext) -> tuple[str, ...]:
    """Lines for the first of the writer's units that must leave."""
    out = next((out for out in context.position.dislodged if out.unit.power == context.power), None)
    return _options(context, context.ref(out.unit), out.retreats) if out is not None else ()


def unfinished_retreat(context: OrderContext, written: UnitNode) -> OrderWarning:
    """A unit named without an order."""
    out = _own(context, written)[0]
    ref = context.ref(out.unit)
    reach = " ".join(str(at.place) for at in out.retreats)
    fields = (("unit", str(ref)), ("reach", reach))
    return OrderWarning(
        "unfinished-retreat", written.name.start, written.name.end, fields, _options(context, ref, out.retreats)
    )


def _own(context: OrderContext, written: UnitNode) -> tuple[Dislodged, ...]:
    """The writer's dislodged units the words may mean, at least one."""
    if written.nation and written.nation != context.power:
        raise order_error("other-power", written.name, power=written.nation, word=written.name.text)
    there = [out for code in written.name.provinces for out in context.here.dislodged.get(code, ())]
    mine = [out for out in there if out.unit.power == context.power and context.alike(written, out.unit)]
    if mine:
        same = tuple(out for out in mine if not written.kind or out.unit.kind == written.kind)
        if not same and len(mine) == 1:
            kind = context.variant.kinds[mine[0].unit.kind].name
            context.warn("wrong-kind", written.name, unit=context.call(mine[0].unit), kind=kind)
        return same or tuple(mine)
    if context.any_unit and len(written.name.provinces) == 1:
        standing = context.units_at(written.name, whose=True)
        own = [unit for unit in standing if unit.power == context.power and context.alike(written, unit)]
        others = [*own, *(out.unit for out in there), *standing]
        unit = others[0] if others else context.imagined(written)
        return (Dislodged(unit, unit, ()),)
    place = context.name(written.name.provinces[0])
    if there and not any(unit.power == context.power for unit in context.units_at(written.name, whose=True)):
        raise order_error(
            "not-yours", written.name, power=there[0].unit.power, unit=context.call(there[0].unit), place=place
        )
    due = " ".join(
        context.call(d.unit).replace(" ", "_") for d in context.position.dislodged if d.unit.power == context.power
    )
    key = "not-dislodged" if due else "nothing-dislodged"
    raise order_error(key, written.name, place=place, units=due, word=written.name.text)


LISTED = frozenset({"NUMBER", "SEP", "PLACE", "DISBAND"})


def is_next_wish(tokens: Sequence[Token], following: Sequence[Token]) -> bool:
    """ "1. Por" and below it "2. Bre": a list of places in several lines, the best one first."""
    kinds = [token.type for token in following]
    numbered = kinds[:1] == ["NUMBER"] and following[0].value != "1"
    first = tokens[0].value if tokens and tokens[0].type == "NUMBER" else ""
    return numbered and first == "1" and set(kinds) <= LISTED and kinds.count("PLACE") < 2


SHEET = SheetKind(
    "retreats",
    RetreatTree,
    {RetreatNode: retreat, DisbandNode: disband},
    goes_on=is_next_wish,
    unclear="retreat-unclear",
    examples=retreats_open,
    unfinished=unfinished_retreat,
    takes_preferences=True,
)

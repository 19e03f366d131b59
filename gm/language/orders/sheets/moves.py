"""Movement sheets. `gm.judge.movement.legality` says which statements could work.

Words that fit several provinces give several statements; the only possible one is obeyed, of two the writer is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.board.board import Place
from gm.judge.mechanics.wings.wing_orders import Bomb
from gm.judge.model.orders import Convoy, Hold, Move, Statement, Support
from gm.judge.model.position import Unit
from gm.judge.movement.battle import Intent
from gm.judge.movement.legality import IllegalOrder, SpecialOrder
from gm.language.orders.parsing.lexer import WrittenPlace
from gm.language.orders.parsing.order_context import OrderContext, OrderError, UnitsByProvince, order_error
from gm.language.orders.parsing.parse_tree import OrderNode, Path, UnitNode, Units
from gm.language.orders.parsing.tree_builder import Child, TreeBuilder, path_in, places_in, units_in, via_in
from gm.language.orders.sheets.sheet_kind import Check, SheetKind

MOST_READINGS = 60


class HoldNode(OrderNode, frozen=True):
    """`there` is where the unit holds, if that is repeated."""

    units: Units
    there: WrittenPlace | None = None


class MoveNode(OrderNode, frozen=True):
    """`path` ends at the destination. `via` None: no word about a convoy; else the seas written behind it."""

    units: Units
    path: Path
    via: Path | None = None


class SupportNode(OrderNode, frozen=True):
    """`path` empty: a support to hold."""

    units: Units
    target: UnitNode
    path: Path = ()


class ConvoyNode(OrderNode, frozen=True):
    units: Units
    target: UnitNode
    path: Path


class SupportedNode(OrderNode, frozen=True):
    """ "A Par moves to Bur, supported by Marseilles": a move and its supports."""

    move: MoveNode
    backers: Units

    def each(self) -> tuple[OrderNode, ...]:
        if len(self.move.units) > 1:  # which of them is supported?
            return (self,)
        return (self.move, *(SupportNode((unit,), self.move.units[0], self.move.path) for unit in self.backers))


class SupportTarget(Struct, frozen=True):
    """The supported unit and its path (empty: it holds)."""

    unit: UnitNode
    path: Path = ()


class MoveTree(TreeBuilder):
    def hold(self, children: list[Child]) -> HoldNode:
        return HoldNode(units_in(children), next(iter(places_in(children)), None))

    def move(self, children: list[Child]) -> MoveNode:
        return MoveNode(units_in(children), path_in(children), via_in(children))

    def supported(self, children: list[Child]) -> SupportedNode:
        first, *backers = units_in(children)
        return SupportedNode(MoveNode((first,), path_in(children), via_in(children)), tuple(backers))

    def support_hold(self, children: list[Child]) -> SupportTarget:
        return SupportTarget(units_in(children)[0])

    def support_move(self, children: list[Child]) -> SupportTarget:
        return SupportTarget(units_in(children)[0], path_in(children))

    def support_move_from(self, children: list[Child]) -> SupportTarget:
        return SupportTarget(units_in(children)[0], places_in(children))

    def support(self, children: list[Child]) -> SupportNode:
        target = next(child for child in children if isinstance(child, SupportTarget))
        return SupportNode(units_in(children), target.unit, target.path)

    def convoy(self, children: list[Child]) -> ConvoyNode:
        *fleets, target = units_in(children)
        return ConvoyNode(tuple(fleets), target, path_in(children))

    def convoy_from(self, children: list[Child]) -> ConvoyNode:
        *fleets, target = units_in(children)
        return ConvoyNode(tuple(fleets), target, places_in(children))

    def convoy_by(self, children: list[Child]) -> ConvoyNode:
        target, *fleets = units_in(children)
        return ConvoyNode(tuple(fleets), target, path_in(children))


def hold(context: OrderContext, node: HoldNode) -> Iterator[Statement]:
    for written in node.units:
        if node.there and not set(node.there.provinces) & set(written.name.provinces):
            raise order_error("no-verb", node.there, word=node.there.text)
        yield only_possible(
            context, [(unit, Hold(context.ref(unit))) for unit in context.own(written)], written.name, written.name
        )


def move(context: OrderContext, node: MoveNode) -> Iterator[Statement]:
    goal = node.path[-1]
    shared = (context.position.board.provinces[place.province].shared for place in context.places(goal))
    if len(node.units) > 1 and not all(shared):
        raise order_error("two-to-one", (node.units[0].name.start, goal.end), place=goal.text)
    for written in node.units:
        readings: list[tuple[Unit, Statement]] = []
        for unit in context.own(written):
            route = _route(context, unit, (*node.path[:-1], *(node.via or ())))
            for place in context.places(goal):
                readings.append((unit, Move(context.ref(unit), place, node.via is not None or bool(route), route)))
        yield only_possible(context, readings, written.name, goal)


def supported(context: OrderContext, node: SupportedNode) -> Iterator[Statement]:
    yield from move(context, replace(node.move, units=node.move.units[:1]))
    if len(node.move.units) > 1:  # which of them is supported?
        raise order_error("no-verb", node.move.units[1].name, word=node.move.units[1].name.text)
    yield from support(context, SupportNode(node.backers, node.move.units[0], node.move.path))


def support(context: OrderContext, node: SupportNode) -> Iterator[Statement]:
    targets = context.others(node.target)
    for written in node.units:
        readings: list[tuple[Unit, Statement]] = []
        for unit in context.own(written):
            for target in targets:
                for place in context.places(node.path[-1]) if node.path else (None,):
                    named = Support(
                        context.ref(unit), context.ref_of(target), needed_coast(context.here, target, place)
                    )
                    readings.append((unit, named))
        yield only_possible(context, readings, written.name, node.path[-1] if node.path else node.target.name)


def convoy(context: OrderContext, node: ConvoyNode) -> Iterator[Statement]:
    targets = context.others(node.target)
    for written in node.units:
        readings: list[tuple[Unit, Statement]] = [
            (unit, Convoy(context.ref(unit), context.ref(target), Place(place.province)))
            for unit in context.own(written)
            for target in targets
            for place in context.places(node.path[-1])
        ]
        yield only_possible(context, readings, written.name, node.path[-1])


def needed_coast(here: UnitsByProvince, target: Unit, place: Place | None) -> Place | None:
    """A coast in a support is kept as written for a unit that needs one."""
    if place is None or not place.coast:
        return place
    area = here.position.board.provinces[place.province]
    kind = here.variant.kinds[target.kind]
    return place if any(kind.stands(slot) for slot in area.coasts) else Place(place.province)


def _route(context: OrderContext, unit: Unit, written: Iterable[WrittenPlace]) -> tuple[str, ...]:
    """The seas of a convoy as written: each a place where a fleet can lie."""
    route = []
    checker = context.here.checker
    for name in written:
        manned = [code for code in name.provinces if any(at.province == code for at in checker.carriers)]
        if len(manned) == 1 or (context.any_unit and len(name.provinces) == 1):
            route.append(manned[0] if manned else name.provinces[0])
        elif not context.variant.kinds[unit.kind].convoyed:
            raise order_error("one-step", name, unit=context.call(unit), word=name.text)
        elif len(manned) > 1:
            raise order_error("which-place", name, word=name.text, places=" ".join(manned))
        else:
            raise order_error("no-fleet-on-route", name, word=name.text, place=context.name(name.provinces[0]))
    return tuple(route)


def only_possible(
    context: OrderContext, readings: list[tuple[Unit, Statement]], subject: WrittenPlace, object_: WrittenPlace
) -> Statement:
    """The one reading that is possible."""
    if context.any_unit and len(readings) == 1 and _as_written(context, readings[0][1]):
        return readings[0][1]
    possible: dict[Statement, None] = {}
    faults: list[tuple[Unit, Statement, IllegalOrder]] = []
    for unit, statement in readings[:MOST_READINGS]:
        intent = context.here.checker.intent(unit, statement)
        if isinstance(intent, Intent):
            possible[_with_coast(statement, intent)] = None
            context.local = context.local and context.here.checker.is_independent(intent)
        else:
            faults.append((unit, statement, intent))
    if len(possible) == 1:
        return next(iter(possible))
    if possible:
        _ask(context, possible, subject, object_)
    faults = [fault for fault in faults if fault[2].key != "only-wings"] or faults
    unit, statement, fault = faults[0]
    if context.any_unit and len(faults) == 1:
        return statement
    raise _refusal(context, unit, statement, fault, subject, object_, several=len({s for _, s, _ in faults}) > 1)


def _as_written(context: OrderContext, statement: Statement) -> bool:
    """Whether it is the same statement, possible or not, wherever other units stand."""
    if not isinstance(statement, Move):
        return True
    return not statement.route and not context.position.board.provinces[statement.to.province].coasts


def _with_coast(statement: Statement, intent: Intent) -> Statement:
    """A move's destination with the coast it will stand on."""
    if isinstance(statement, Move) and intent.to is not None:
        return Move(statement.unit, intent.to.place, statement.via, statement.route)
    return statement


def _ask(context: OrderContext, possible: Iterable[Statement], subject: WrittenPlace, object_: WrittenPlace) -> None:
    at = object_ if len(object_.provinces) > 1 else subject
    lines = tuple(context.line(statement) for statement in possible)
    for name in (subject, object_):
        context.one_place(name, context.here.units.get(name.provinces[0], ()), lines)
    places = " ".join(at.provinces)
    raise order_error("which-place", at, suggestions=lines, word=at.text, places=places)


def _refusal(
    context: OrderContext,
    unit: Unit,
    statement: Statement,
    fault: IllegalOrder,
    subject: WrittenPlace,
    object_: WrittenPlace,
    *,
    several: bool,
) -> OrderError:
    if fault.key == "which-coast" and isinstance(statement, Move):
        lines = [context.line(Move(statement.unit, _place(at), statement.via)) for at in fault.reach]
        return order_error(
            "which-coast",
            object_,
            suggestions=lines,
            word=object_.text,
            place=context.name(statement.to.province),
            start=context.name(unit.at.province),
            coasts=" ".join(fault.reach),
        )
    if several:
        return order_error("which-place", object_, word=object_.text, places=" ".join(object_.provinces))
    key = fault.key
    steps, most = fault.places[2:4] if key == "out-of-range" else ("", "")
    at = subject if key in ("convoy-by-kind", "convoy-on-coast", "support-kind") else object_
    return order_error(
        key,
        at,
        suggestions=_nearest(context, statement, fault),
        unit=context.call(unit),
        kind=context.variant.kinds[unit.kind].name,
        word=at.text,
        here=str(unit.at.place) if unit.at.place.coast else context.name(unit.at.province),
        code=unit.at.province,
        place=context.name(_goal(statement)),
        target=_target(statement),
        reach=" ".join(context.here.checker.reach(unit)),
        steps=steps,
        most=most,
    )


def _nearest(context: OrderContext, statement: Statement, fault: IllegalOrder) -> tuple[str, ...]:
    """The move onto the coast that can be reached, or by fleets that could carry it, where only that was wrong."""
    if fault.key == "route-missing" and isinstance(statement, Move) and fault.reach:
        return (context.line(Move(statement.unit, statement.to, True, fault.reach)),)
    if fault.key == "wrong-coast" and isinstance(statement, Move):
        return tuple(context.line(Move(statement.unit, _place(at))) for at in fault.reach)
    return ()


def _place(text: str) -> Place:
    province, _, coast = text.partition("/")
    return Place(province, coast)


def _goal(statement: Statement) -> str:
    match statement:
        case Move(to=to) | Convoy(to=to):
            return to.province
        case Support(target=target, to=goal):
            return goal.province if goal else target.at.province
        case Bomb(target=code):
            return code
        case SpecialOrder(unit=unit) | Hold(unit=unit):
            return unit.at.province
    return ""


def _target(statement: Statement) -> str:
    return str(statement.target) if isinstance(statement, Support | Convoy) else ""


CHECKS: Mapping[type[OrderNode], Check] = {
    HoldNode: hold, MoveNode: move, SupportNode: support, ConvoyNode: convoy, SupportedNode: supported,
}  # fmt: skip
SHEET = SheetKind("moves", MoveTree, CHECKS, holds=True)

"""Second stage of reading for movement sheets: a sketch -> statements that could work, by `gm.judge.movement.legality`.

Words that fit several provinces give several statements; the one that is possible is obeyed, of two we ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gm.judge.board.board import Place
from gm.judge.mechanics.wings.wing_orders import Bomb
from gm.judge.model.orders import Convoy, Hold, Move, Statement, Support
from gm.judge.model.position import Unit
from gm.judge.movement.battle import Intent
from gm.judge.movement.legality import IllegalOrder, SpecialOrder
from gm.language.orders.parsing import parse_tree as sketches
from gm.language.orders.parsing.lexer import WrittenPlace
from gm.language.orders.parsing.order_context import OrderContext, OrderError, UnitsByProvince, flaw

MOST_READINGS = 60


def hold(bench: OrderContext, sketch: sketches.HoldNode) -> Iterator[Statement]:
    for written in sketch.units:
        if sketch.there and not set(sketch.there.provinces) & set(written.name.provinces):
            raise flaw("no-verb", sketch.there, word=sketch.there.text)
        yield one_of(bench, [(unit, Hold(bench.ref(unit))) for unit in bench.own(written)], written.name, written.name)


def move(bench: OrderContext, sketch: sketches.MoveNode) -> Iterator[Statement]:
    if len(sketch.units) > 1:
        raise flaw("two-to-one", sketch.path[-1], place=sketch.path[-1].text)
    written = sketch.units[0]
    goal = sketch.path[-1]
    readings: list[tuple[Unit, Statement]] = []
    for unit in bench.own(written):
        route = _route(bench, unit, (*sketch.path[:-1], *(sketch.via or ())))
        for place in bench.places(goal):
            readings.append((unit, Move(bench.ref(unit), place, sketch.via is not None or bool(route), route)))
    yield one_of(bench, readings, written.name, goal)


def supported(bench: OrderContext, sketch: sketches.SupportedNode) -> Iterator[Statement]:
    (ordered,) = move(bench, sketch.move)
    yield ordered
    yield from support(bench, sketches.SupportNode(sketch.backers, sketch.move.units[0], sketch.move.path))


def support(bench: OrderContext, sketch: sketches.SupportNode) -> Iterator[Statement]:
    targets = bench.others(sketch.target)
    for written in sketch.units:
        readings: list[tuple[Unit, Statement]] = []
        for unit in bench.own(written):
            for target in targets:
                for place in bench.places(sketch.path[-1]) if sketch.path else (None,):
                    named = Support(bench.ref(unit), bench.ref_of(target), of_use(bench.ground, target, place))
                    readings.append((unit, named))
        yield one_of(bench, readings, written.name, sketch.path[-1] if sketch.path else sketch.target.name)


def convoy(bench: OrderContext, sketch: sketches.ConvoyNode) -> Iterator[Statement]:
    targets = bench.others(sketch.target)
    for written in sketch.units:
        readings: list[tuple[Unit, Statement]] = [
            (unit, Convoy(bench.ref(unit), bench.ref(target), Place(place.province)))
            for unit in bench.own(written)
            for target in targets
            for place in bench.places(sketch.path[-1])
        ]
        yield one_of(bench, readings, written.name, sketch.path[-1])


def of_use(here: UnitsByProvince, target: Unit, place: Place | None) -> Place | None:
    """A coast in a support is kept as written for a unit that needs one."""
    if place is None or not place.coast:
        return place
    area = here.position.board.provinces[place.province]
    kind = here.variant.kinds[target.kind]
    return place if any(kind.stands(slot) for slot in area.coasts) else Place(place.province)


def _route(bench: OrderContext, unit: Unit, written: Iterable[WrittenPlace]) -> tuple[str, ...]:
    """The seas of a convoy as written: each a place where a fleet can lie."""
    route = []
    checker = bench.ground.checker
    for name in written:
        manned = [code for code in name.provinces if any(at.province == code for at in checker.carriers)]
        if len(manned) == 1 or (bench.any_unit and len(name.provinces) == 1):
            route.append(manned[0] if manned else name.provinces[0])
        elif not bench.variant.kinds[unit.kind].convoyed:
            raise flaw("one-step", name, unit=bench.call(unit), word=name.text)
        elif len(manned) > 1:
            raise flaw("which-place", name, word=name.text, places=" ".join(manned))
        else:
            raise flaw("no-fleet-on-route", name, word=name.text, place=bench.name(name.provinces[0]))
    return tuple(route)


def one_of(
    bench: OrderContext, readings: list[tuple[Unit, Statement]], subject: WrittenPlace, object_: WrittenPlace
) -> Statement:
    """The one reading that is possible."""
    if bench.any_unit and len(readings) == 1 and _as_written(bench, readings[0][1]):
        return readings[0][1]
    possible: dict[Statement, None] = {}
    faults: list[tuple[Unit, Statement, IllegalOrder]] = []
    for unit, statement in readings[:MOST_READINGS]:
        found = bench.ground.checker.intent(unit, statement)
        if isinstance(found, Intent):
            possible[_settled(statement, found)] = None
            bench.local = bench.local and bench.ground.checker.is_independent(found)
        else:
            faults.append((unit, statement, found))
    if len(possible) == 1:
        return next(iter(possible))
    if possible:
        _ask(bench, possible, subject, object_)
    faults = [found for found in faults if found[2].key != "only-wings"] or faults
    unit, statement, fault = faults[0]
    if bench.any_unit and len(faults) == 1:
        return statement
    raise _refusal(bench, unit, statement, fault, subject, object_, several=len({s for _, s, _ in faults}) > 1)


def _as_written(bench: OrderContext, statement: Statement) -> bool:
    """Whether it is the same statement, possible or not, wherever other units stand."""
    if not isinstance(statement, Move):
        return True
    return not statement.route and not bench.position.board.provinces[statement.to.province].coasts


def _settled(statement: Statement, found: Intent) -> Statement:
    """A move's destination with the coast it will stand on."""
    if isinstance(statement, Move) and found.to is not None:
        return Move(statement.unit, found.to.place, statement.via, statement.route)
    return statement


def _ask(bench: OrderContext, possible: Iterable[Statement], subject: WrittenPlace, object_: WrittenPlace) -> None:
    at = object_ if len(object_.provinces) > 1 else subject
    lines = tuple(bench.line(statement) for statement in possible)
    for name in (subject, object_):
        bench.one_place(name, bench.ground.units.get(name.provinces[0], ()), lines)
    places = " ".join(at.provinces)
    raise flaw("which-place", at, suggestions=lines, word=at.text, places=places)


def _refusal(
    bench: OrderContext,
    unit: Unit,
    statement: Statement,
    fault: IllegalOrder,
    subject: WrittenPlace,
    object_: WrittenPlace,
    *,
    several: bool,
) -> OrderError:
    if fault.key == "which-coast" and isinstance(statement, Move):
        lines = [bench.line(Move(statement.unit, _place(at), statement.via)) for at in fault.reach]
        return flaw(
            "which-coast",
            object_,
            suggestions=lines,
            word=object_.text,
            place=bench.name(statement.to.province),
            start=bench.name(unit.at.province),
            coasts=" ".join(fault.reach),
        )
    if several:
        return flaw("which-place", object_, word=object_.text, places=" ".join(object_.provinces))
    key = fault.key
    steps, most = fault.places[2:4] if key == "out-of-range" else ("", "")
    at = subject if key in ("convoy-by-kind", "convoy-on-coast", "support-kind") else object_
    return flaw(
        key,
        at,
        suggestions=_nearest(bench, statement, fault),
        unit=bench.call(unit),
        kind=bench.variant.kinds[unit.kind].name,
        word=at.text,
        here=str(unit.at.place) if unit.at.place.coast else bench.name(unit.at.province),
        code=unit.at.province,
        place=bench.name(_goal(statement)),
        target=_target(statement),
        reach=" ".join(bench.ground.checker.reach(unit)),
        steps=steps,
        most=most,
    )


def _nearest(bench: OrderContext, statement: Statement, fault: IllegalOrder) -> tuple[str, ...]:
    """The move onto the coast that can be reached, or by fleets that could carry it, where only that was wrong."""
    if fault.key == "route-missing" and isinstance(statement, Move) and fault.reach:
        return (bench.line(Move(statement.unit, statement.to, True, fault.reach)),)
    if fault.key == "wrong-coast" and isinstance(statement, Move):
        return tuple(bench.line(Move(statement.unit, _place(at))) for at in fault.reach)
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

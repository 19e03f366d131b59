"""Second stage of reading for points put on minor powers' orders: a sketch -> one line that counts.

A line that names no minor power, or asks for more than a hold or a support, is refused. One that cannot be carried
out (its unit is gone, the place out of reach) is kept: it counts among the points spent, and the step says so.
"""

from __future__ import annotations

from collections.abc import Iterator

from gm.judge.board.board import Place
from gm.judge.mechanics.minor_powers import garrison, minor_at, minor_named, recognised, unit_of
from gm.judge.model.orders import Allocate, Hold, NoPoints, Statement, Support, UnitRef
from gm.judge.model.position import Unit
from gm.judge.model.sheets import Budget
from gm.judge.model.variant import Minor
from gm.judge.movement.battle import Intent
from gm.language.orders.parsing import parse_tree as sketches
from gm.language.orders.parsing.lexer import WrittenPlace
from gm.language.orders.parsing.order_context import OrderContext, OrderError, flaw
from gm.language.orders.sheets import moves as reading_moves

Spot = tuple[int, int]


def allocate(bench: OrderContext, sketch: sketches.AllocateNode) -> Iterator[Statement]:
    bench.fleeting = True
    points = _points(bench, sketch)
    minor = _minor(bench, sketch)
    if not isinstance(sketch.order, sketches.HoldNode | sketches.SupportNode):
        raise flaw("points-hold-or-support", sketch.at)
    yield Allocate(points, minor.name, _order(bench, sketch, minor))


def no_points(bench: OrderContext, sketch: sketches.NoPointsNode) -> Iterator[Statement]:
    yield NoPoints()


def points(bench: OrderContext, sketch: sketches.PointsNode) -> Iterator[Statement]:
    """A question, answered with the sheet."""
    return iter(())


def _purse(bench: OrderContext) -> Budget:
    purses = bench.variant.step(bench.position).purses(bench.position, bench.variant, bench.power)
    return next(iter(purses), Budget("", 0, 0))


def _points(bench: OrderContext, sketch: sketches.AllocateNode) -> int:
    purse = _purse(bench)
    whole = sketch.points.isdigit() and len(sketch.points) < 4
    if whole and (bench.any_unit or 1 <= int(sketch.points) <= purse.most):
        return int(sketch.points)
    numbers = " ".join(str(number) for number in range(1, purse.most + 1))
    raise flaw("points-number", sketch.at, purse=purse.name, places=numbers)


# ---- whose unit


def _minor(bench: OrderContext, sketch: sketches.AllocateNode) -> Minor:
    """The one minor power that the line may mean, by its name in front and by the unit ordered."""
    units = sketch.order.units
    if len(units) > 1:
        raise flaw("points-one-unit", units[1].name, purse=_purse(bench).name)
    named = [sketch.whom] if sketch.whom is not None else []
    spots = [_spot(sketch, one) for one in (*named, *units)]
    found = [_minors(bench, one, spot) for one, spot in zip((*named, *units), spots, strict=True)]
    for one, spot in zip(found, spots, strict=True):
        if not one:
            raise _no_minor(bench, sketch, spot)
    common = [minor for minor in found[0] if all(minor in others for others in found)]
    if not common:
        raise flaw("points-two-units", spots[-1], unit=found[0][0].name, place=found[-1][0].name)
    if len(common) > 1:
        raise flaw(
            "which-place",
            spots[-1],
            word=units[0].name.text if units else "",
            places=" ".join(minor.home for minor in common),
        )
    return common[0]


def _spot(sketch: sketches.AllocateNode, one: sketches.UnitNode | str) -> Spot:
    return sketch.at if isinstance(one, str) else (one.name.start, one.name.end)


def _minors(bench: OrderContext, one: sketches.UnitNode | str, spot: Spot) -> tuple[Minor, ...]:
    variant = bench.variant
    named = minor_named(variant, one if isinstance(one, str) else one.nation)
    at = () if isinstance(one, str) else one.name.provinces
    found = [named] if isinstance(one, str) else [minor_at(variant, code) for code in at]
    return tuple(
        minor for minor in found if minor and recognised(bench.position, minor) and (not named or named is minor)
    )


def _no_minor(bench: OrderContext, sketch: sketches.AllocateNode, spot: Spot) -> OrderError:
    """Who it is instead: a great power, or the writer himself, who needs no points for his own unit."""
    if isinstance(sketch.whom, str) and spot == sketch.at:
        return flaw("points-not-minor", spot, power=sketch.whom)
    units = [sketch.whom] if isinstance(sketch.whom, sketches.UnitNode) else list(sketch.order.units)
    name = next((unit.name for unit in units if (unit.name.start, unit.name.end) == spot), units[0].name)
    there = bench.units_at(name, whose=True)
    if any(unit.power == bench.power for unit in there) and sketch.order.units:
        return flaw("points-own-unit", spot, suggestions=_own_lines(bench, sketch), purse=_purse(bench).name)
    whose = there[0].power if there else bench.position.centres.get(name.provinces[0], bench.name(name.provinces[0]))
    return flaw("points-not-minor", spot, power=whose)


def _own_lines(bench: OrderContext, sketch: sketches.AllocateNode) -> tuple[str, ...]:
    """The order without its points, where it would be obeyed."""
    again = OrderContext(bench.ground, bench.power)
    try:
        match sketch.order:
            case sketches.HoldNode():
                found = tuple(reading_moves.hold(again, sketch.order))
            case sketches.MoveNode():
                found = tuple(reading_moves.move(again, sketch.order))
            case sketches.SupportNode():
                found = tuple(reading_moves.support(again, sketch.order))
            case _:
                found = ()
    except OrderError:
        return ()
    return tuple(bench.line(one) for one in found)


# ---- what it shall do


def _order(bench: OrderContext, sketch: sketches.AllocateNode, minor: Minor) -> Statement:
    unit = unit_of(bench.position, minor.name) or garrison(bench.position, bench.variant, minor)
    ref = OrderContext.ref(unit) if unit else UnitRef(minor.kind, Place(minor.home))
    for written in sketch.order.units:
        if written.kind and written.kind != ref.kind:
            kind = bench.variant.kinds[ref.kind].name
            bench.remark("wrong-kind", written.name, unit=str(ref), kind=kind)
    if not isinstance(sketch.order, sketches.SupportNode):
        return Hold(ref)
    return _support(bench, sketch.order, unit, ref)


def _support(bench: OrderContext, order: sketches.SupportNode, unit: Unit | None, ref: UnitRef) -> Support:
    """Coasts are left out: with and without them it is the same order."""
    goal: WrittenPlace | None = order.path[-1] if order.path else None
    places = dict.fromkeys(Place(place.province) for place in bench.places(goal)) if goal else {None: None}
    readings = [Support(ref, OrderContext.ref(target), to) for target in bench.others(order.target) for to in places]
    theatre = bench.ground.theatre
    standing = unit is not None and unit in bench.position.units
    possible = [one for one in readings if standing and unit and isinstance(theatre.intent(unit, one), Intent)]
    chosen = possible or readings
    if len(chosen) > 1:
        at = goal if goal and len(goal.provinces) > 1 else order.target.name
        raise flaw("which-place", at, word=at.text, places=" ".join(at.provinces))
    return chosen[0]

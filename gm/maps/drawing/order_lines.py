"""Order lines: where the line of each order begins, bends and ends, and what it means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import lru_cache

from msgspec import Struct

from gm.judge.board.board import AIR, LAND, Location, Place, Use
from gm.judge.board.convoy_routes import shortest_route
from gm.judge.mechanics.wings.wing_orders import Bomb, Intercept
from gm.judge.model.events import OrderResult, Outcome
from gm.judge.model.orders import Convoy, Move, Retreat, Support
from gm.judge.model.position import Unit
from gm.judge.movement.unnumbered_fleets import goes_to
from gm.maps.drawing.curves import Polyline, bend_line, end_bar, point_along, smooth_line, trim_ends, unroll
from gm.maps.drawing.geometry import Point
from gm.maps.drawing.scene import MapScene

OFF = 1.14
"""A line begins this many radii from the middle of a token …"""
ROOM = 1.36
"""… and keeps this far from the tokens it passes."""
MEETING = 0.55
"""Where on the path of a supported move the line of its support ends."""


class LineStyle(Enum):
    """The kind of a line: the order, and whether it succeeded."""

    MOVE = "move"
    FAILED = "failed"
    CONVOYED = "convoyed"
    RETREAT = "retreat"
    SUPPORT = "support"
    CUT = "cut"
    BOMB = "bomb"
    STOPPED = "stopped"
    INTERCEPT = "intercept"


class OrderLinePath(Struct, frozen=True):
    """`end` closes a support: a dot on the path of the move it supports, also of one that nobody ordered, a bar before
    the unit it helps to hold.

    `burst`: where a move failed. `again`: how far to the side the path is drawn again, because it leaves the picture at
    one edge and enters at the other."""

    style: LineStyle
    nation: str
    path: Polyline
    end: tuple[Point, Point] | None = None
    burst: Point | None = None
    again: tuple[float, ...] = ()

    @property
    def copies(self) -> list[Polyline]:
        return [[(x + off, y) for x, y in self.path] for off in (0.0, *self.again)]


@lru_cache(maxsize=4)
def order_paths(scene: MapScene) -> tuple[OrderLinePath, ...]:
    """Returns supports, moves, bombings and interceptions, so that each lies over what it is aimed at."""
    moves = {result.unit: path for result in scene.results if (path := _move_path(scene, result)) and result.unit}
    supports = [path for result in scene.results if (path := _support_path(scene, result, moves))]
    raids = {result.unit: path for result in scene.results if (path := _raid_path(scene, result)) and result.unit}
    return (*supports, *moves.values(), *raids.values(), *_interceptions(scene, raids))


def _unit_place(scene: MapScene, place: Place, *, above: bool = False) -> Point:
    """Returns where a unit would stand, a wing `above` others; the label's place where no unit can."""
    anchor = scene.geometry.anchor(place.province, place.coast)
    return (anchor.air if above else None) or anchor.unit or anchor.label or (0.0, 0.0)


def _move_path(scene: MapScene, result: OrderResult) -> OrderLinePath | None:
    """Returns the path of a move or retreat; None for other orders and for those that did not count."""
    order, unit = result.order, result.unit
    if unit is None or not isinstance(order, Move | Retreat):
        return None
    if result.outcome in (Outcome.ILLEGAL, Outcome.SUPERSEDED, Outcome.VOID):
        return None
    succeeded = result.outcome is Outcome.SUCCEEDS
    start = scene.places.get(unit) or scene.anchor(unit.at)
    seas = _convoy_route(scene, result)
    goal = _unit_place(scene, order.to, above=unit.at.slot == AIR)
    stops, again = unroll([start, *(_unit_place(scene, Place(sea)) for sea in seas), goal], scene.geometry.around)
    stopped = not succeeded or order.to.province in scene.occupied
    size = scene.token
    line = smooth_line(stops) if seas else _bent(scene, stops)
    path = trim_ends(line, size * OFF, size * ROOM if stopped else size * 0.25)
    if isinstance(order, Retreat) and succeeded:
        return OrderLinePath(LineStyle.RETREAT, result.power, path, again=again)
    if not succeeded:
        burst = _burst(scene, order.to, goal, (path[-1][0] + (goal[0] - stops[-1][0]), path[-1][1]))
        return OrderLinePath(LineStyle.FAILED, result.power, path, burst=burst, again=again)
    return OrderLinePath(LineStyle.CONVOYED if seas else LineStyle.MOVE, result.power, path, again=again)


def _burst(scene: MapScene, to: Place, goal: Point, end: Point) -> Point:
    """Returns the middle of a province that nobody holds or enters, else the end of the path."""
    return end if to.province in scene.occupied or to.province in scene.entered else goal


def _bent(scene: MapScene, stops: Sequence[Point]) -> Polyline:
    return bend_line(stops[0], stops[-1], list(scene.places.values()), scene.token * ROOM)


def _convoy_route(scene: MapScene, result: OrderResult) -> tuple[str, ...]:
    """Returns the seas of the convoy that carried the army, or would have by the orders; () by land.

    The orders of all its fleets may not be known: then it goes by the seas that the army's own order names.
    """
    if result.cause is not None and result.cause.route:
        return result.cause.route
    order, unit = result.order, result.unit
    if unit is None or not isinstance(order, Move):
        return ()
    neighbours = scene.position.board.neighbours(unit.at, Use.MOVE)
    if any(at.province == order.to.province for at in neighbours) and not order.via:
        return ()
    fleets = {
        convoy.unit.at
        for convoy in scene.results
        if convoy.unit is not None
        and isinstance(convoy.order, Convoy)
        and convoy.order.target.at.province == unit.at.province
        and convoy.order.to.province == order.to.province
    }
    steps = scene.position.board.adjacency.convoys_from
    route = shortest_route(steps, unit.at, Location(order.to.province, LAND), fleets)
    return tuple(at.province for at in route) if route else order.route


def _support_path(scene: MapScene, result: OrderResult, moves: Mapping[Unit, OrderLinePath]) -> OrderLinePath | None:
    order, unit = result.order, result.unit
    if unit is None or not isinstance(order, Support):
        return None
    if result.outcome in (Outcome.ILLEGAL, Outcome.SUPERSEDED):
        return None
    target = _supported_unit(scene, result.power, order)
    style = LineStyle.SUPPORT if result.outcome is Outcome.SUCCEEDS else LineStyle.CUT
    goal = scene.places[target] if target else _unit_place(scene, order.target.at)
    if order.to is not None:
        supported = moves.get(target) if target and _makes(scene, target, order.to) else None
        goal = _place_on_move(scene, goal, order.to, supported)
    stops, again = unroll([scene.places.get(unit) or scene.anchor(unit.at), goal], scene.geometry.around)
    off = scene.token * (1.45 if order.to is None else 0.2)
    path = trim_ends(_bent(scene, stops), scene.token * OFF, off)
    end = end_bar(path, scene.token * 0.62) if order.to is None else (path[-1], path[-1])
    return OrderLinePath(style, result.power, path, end=end, again=again)


def _place_on_move(scene: MapScene, start: Point, to: Place, move: OrderLinePath | None) -> Point:
    """Returns where on the path of a move its support ends. A move that nobody ordered has the path it would have."""
    around = scene.geometry.around
    x, y = point_along(move.path if move else _bent(scene, unroll([start, _unit_place(scene, to)], around)[0]), MEETING)
    return x % around if around else x, y


def _raid_path(scene: MapScene, result: OrderResult) -> OrderLinePath | None:
    order, unit = result.order, result.unit
    if unit is None or not isinstance(order, Bomb) or result.outcome in (Outcome.ILLEGAL, Outcome.SUPERSEDED):
        return None
    style = LineStyle.STOPPED if result.outcome is Outcome.DISRUPTED else LineStyle.BOMB
    return _flight(scene, style, unit, order.target)


def _flight(scene: MapScene, style: LineStyle, unit: Unit, to: str) -> OrderLinePath:
    """Returns the way of a wing to what it does over a province; over its own it does that below itself."""
    size, start = scene.token, scene.places.get(unit) or scene.anchor(unit.at)
    if to == unit.at.province:
        goal, off = (start[0], start[1] + 3 * size), 0.0
    else:
        goal, off = _unit_place(scene, Place(to)), size * (ROOM if to in scene.occupied else 0.25)
    return OrderLinePath(style, unit.power, trim_ends(_bent(scene, [start, goal]), size * OFF, off))


def _interceptions(scene: MapScene, raids: Mapping[Unit, OrderLinePath]) -> Iterator[OrderLinePath]:
    """Yields the way of each intercepting wing to the bomber that it met, else to each province on its list."""
    for result, order, unit in interceptors(scene):
        met = [raids[bomber] for bomber in result.cause.by if bomber in raids] if result.cause else []
        for raid in met:
            stops = [scene.places.get(unit) or scene.anchor(unit.at), point_along(raid.path, MEETING)]
            path = trim_ends(_bent(scene, stops), scene.token * OFF, 0)
            yield OrderLinePath(LineStyle.INTERCEPT, unit.power, path)
        for code in order.over if not met else ():
            yield _flight(scene, LineStyle.INTERCEPT, unit, code)


def interceptors(scene: MapScene) -> Iterator[tuple[OrderResult, Intercept, Unit]]:
    """Yields the wings whose order to intercept counted."""
    for result in scene.results:
        if isinstance(result.order, Intercept) and result.unit is not None and result.outcome is not Outcome.ILLEGAL:
            yield result, result.order, result.unit


def _makes(scene: MapScene, unit: Unit, to: Place) -> bool:
    """Whether a unit was ordered to move there."""
    return any(result.unit == unit and goes_to(result.order, to) for result in scene.results)


def _supported_unit(scene: MapScene, power: str, support: Support) -> Unit | None:
    """Returns the unit that a support names; of several without a number the one that makes the move."""
    named, to = support.target, support.to
    there = [u for u in scene.position.units if u.kind == named.kind and u.at.province == named.at.province]
    there = [unit for unit in there if unit.power == (named.power or power)] or there
    there = [unit for unit in there if named.number in (0, unit.number)] or there
    orders = {result.unit: result.order for result in scene.results if result.unit in there}
    going = [unit for unit in there if to is not None and goes_to(orders.get(unit), to)]
    return next(iter((*going, *there)), None)


def convoying_fleets(scene: MapScene) -> Iterator[tuple[Unit, Point]]:
    """Yields the fleets whose convoy order counted."""
    for result in scene.results:
        if isinstance(result.order, Convoy) and result.unit and result.outcome not in (Outcome.ILLEGAL, Outcome.VOID):
            place = scene.places.get(result.unit)
            if place is not None:
                yield result.unit, place

"""The orders of a scene as lines: where each begins, bends and ends, and what it means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import lru_cache
from math import dist

from msgspec import Struct

from gm.judge.board.board import AIR, Location, Place, Use
from gm.judge.model.events import OrderResult, Outcome
from gm.judge.model.orders import Convoy, Move, Retreat, Support, UnitRef
from gm.judge.model.position import Unit
from gm.maps.drawing.curves import Path, along, bent, crossing, cut, through
from gm.maps.drawing.geometry import Point
from gm.maps.drawing.scene import MapScene

OFF = 1.14
"""Lines begin so many radii from the middle of a token."""
ROOM = 1.36
"""And keep this far from the tokens they pass."""
FAR = 0.55
"""A way across more than this share of a board round the world goes the other way round."""
MEETING = 0.55
"""Where on the way of a supported unit the line of its support ends."""


class LineStyle(Enum):
    """What a line is: an order's kind and whether it came to anything."""

    MOVE = "move"
    FAILED = "failed"
    CONVOYED = "convoyed"
    RETREAT = "retreat"
    SUPPORT = "support"
    CUT = "cut"


class OrderLinePath(Struct, frozen=True):
    """`end` closes a support: a dot on the line of the unit it helps to move, a bar before one it helps to hold.

    `burst`: where a move came to nothing. `again`: how far to the side the whole is drawn once more, for it goes out
    at one edge of the picture and comes in at the other."""

    style: LineStyle
    nation: str
    path: Path
    end: tuple[Point, Point] | None = None
    burst: Point | None = None
    again: float = 0.0


@lru_cache(maxsize=4)
def tracks(scene: MapScene) -> tuple[OrderLinePath, ...]:
    """Supports first, so that moves lie over them."""
    moving = {result.unit: track for result in scene.results if (track := _moving(scene, result)) and result.unit}
    found = [track for result in scene.results if (track := _supporting(scene, result, moving))]
    return (*found, *moving.values())


def _spot(scene: MapScene, place: Place, *, above: bool = False) -> Point:
    """Where a unit would stand there, a wing `above` others; the name's place where none can."""
    anchor = scene.geometry.anchor(place.province, place.coast)
    return (anchor.air if above else None) or anchor.unit or anchor.label or (0.0, 0.0)


def _moving(scene: MapScene, result: OrderResult) -> OrderLinePath | None:
    """None where nothing moved or tried to."""
    order, unit = result.order, result.unit
    if unit is None or not isinstance(order, Move | Retreat):
        return None
    if result.outcome in (Outcome.ILLEGAL, Outcome.SUPERSEDED, Outcome.VOID):
        return None
    well = result.outcome is Outcome.SUCCEEDS
    start = scene.places.get(unit) or scene.anchor(unit.at)
    seas = _seas(scene, result)
    goal = _spot(scene, order.to, above=unit.at.slot == AIR)
    round_it = 0.0 if seas else _round(scene, start, goal)
    way = _way(scene, start, (goal[0] - round_it, goal[1]), seas)
    stopped = not well or order.to.province in scene.crowded
    size = scene.token
    path = cut(way, size * OFF, size * ROOM if stopped else size * 0.25)
    if isinstance(order, Retreat) and well:
        return OrderLinePath(LineStyle.RETREAT, result.power, path, again=round_it)
    if not well:
        return OrderLinePath(
            LineStyle.FAILED, result.power, path, burst=_burst(scene, order.to, goal, path, round_it), again=round_it
        )
    return OrderLinePath(LineStyle.CONVOYED if seas else LineStyle.MOVE, result.power, path, again=round_it)


def _burst(scene: MapScene, to: Place, goal: Point, path: Path, round_it: float) -> Point:
    """In the middle of a province nobody stands in or enters, else where the arrow met resistance."""
    met = to.province in scene.crowded or to.province in scene.entered
    return (path[-1][0] + round_it, path[-1][1]) if met else goal


def _round(scene: MapScene, start: Point, goal: Point) -> float:
    """On a board round the world: how far to the side the goal is drawn from where the way leads; 0 on a plain way."""
    geometry = scene.geometry
    if not geometry.wrap and not geometry.boxes:
        return 0.0
    across = goal[0] - start[0]
    return 0.0 if abs(across) < geometry.width * FAR else geometry.width * (1 if across > 0 else -1)


def _way(scene: MapScene, start: Point, end: Point, seas: Iterable[str]) -> Path:
    by_sea = [_spot(scene, Place(sea)) for sea in seas]
    if by_sea:
        return through([start, *by_sea, end])
    return bent(start, end, list(scene.places.values()), scene.token * ROOM)


def _seas(scene: MapScene, result: OrderResult) -> tuple[str, ...]:
    """The seas of a convoy: those that carried the army, or would have by the fleets' orders; none by land."""
    if result.cause is not None and result.cause.route:
        return result.cause.route
    order, unit = result.order, result.unit
    if unit is None or not isinstance(order, Move):
        return ()
    neighbours = scene.position.board.neighbours(unit.at, Use.MOVE)
    if any(at.province == order.to.province for at in neighbours) and not order.via:
        return ()
    carriers = {
        one.unit.at
        for one in scene.results
        if one.unit is not None
        and isinstance(one.order, Convoy)
        and one.order.target.at.province == unit.at.province
        and one.order.to.province == order.to.province
    }
    return _chain(scene, unit.at, order.to, carriers)


def _chain(scene: MapScene, start: Location, to: Place, carriers: set[Location]) -> tuple[str, ...]:
    """The shortest row of carriers from start to end; none where they do not join."""
    board = scene.position.board
    before: dict[Location, Location | None] = {start: None}
    reached = [start]
    for here in reached:
        ahead = [b.end for b in board.leaving(here) if Use.CONVOY in b.uses]
        if here != start and any(at.province == to.province for at in ahead):
            seas = [here]
            while (back := before[seas[-1]]) is not None and back != start:
                seas.append(back)
            return tuple(at.province for at in reversed(seas))
        for at in ahead:
            if at in carriers and at not in before:
                before[at] = here
                reached.append(at)
    return ()


def _supporting(scene: MapScene, result: OrderResult, moving: Mapping[Unit, OrderLinePath]) -> OrderLinePath | None:
    order, unit = result.order, result.unit
    if unit is None or not isinstance(order, Support):
        return None
    if result.outcome in (Outcome.ILLEGAL, Outcome.SUPERSEDED):
        return None
    start = scene.places.get(unit) or scene.anchor(unit.at)
    target = _target(scene, order.target)
    helped = moving.get(target) if target else None
    style = LineStyle.SUPPORT if result.outcome is Outcome.SUCCEEDS else LineStyle.CUT
    others = list(scene.places.values())
    if order.to is not None and helped is not None:
        goal = along(helped.path, MEETING)
        if helped.again and dist((goal[0] + helped.again, goal[1]), start) < dist(goal, start):
            goal = goal[0] + helped.again, goal[1]
        path = cut(bent(start, goal, others, scene.token * ROOM), scene.token * OFF, scene.token * 0.2)
        return OrderLinePath(style, result.power, path, end=(path[-1], path[-1]))
    goal = scene.places[target] if target else _spot(scene, order.target.at)
    path = cut(bent(start, goal, others, scene.token * ROOM), scene.token * OFF, scene.token * 1.45)
    return OrderLinePath(style, result.power, path, end=crossing(path, scene.token * 0.62))


def _target(scene: MapScene, named: UnitRef) -> Unit | None:
    def is_it(unit: Unit) -> bool:
        return unit.kind == named.kind and unit.at.province == named.at.province

    return next(filter(is_it, scene.position.units), None)


def carriers(scene: MapScene) -> Iterator[tuple[Unit, Point]]:
    """Fleets with an order to convoy that could be followed."""
    for result in scene.results:
        if isinstance(result.order, Convoy) and result.unit and result.outcome not in (Outcome.ILLEGAL, Outcome.VOID):
            place = scene.places.get(result.unit)
            if place is not None:
                yield result.unit, place

"""Crops: the parts of a picture round one power's units, at a size that can be read on a phone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gm.judge.board.board import Place
from gm.judge.mechanics.wings.wing_orders import Bomb, Intercept
from gm.judge.model.orders import Build, Move, Retreat, Statement
from gm.maps.drawing.geometry import Point
from gm.maps.drawing.inset import Area
from gm.maps.drawing.scene import MapScene

WIDE, HIGH, LOW = 30.0, 32.0, 15.0
"""The width of a crop, its greatest and its least height, in heights of a code: on a phone a code is 12 pixels high."""
ROOM = 2.6
"""In token radii: how much is shown round the outermost places."""
MOST = 4


def crop_areas(scene: MapScene, power: str) -> tuple[Area, ...]:
    """Returns the parts round a power's units and where they go, else round its centres; () if it has neither.

    Each is as wide as the others. They come from top to bottom; the most crowded ones if there are more than four.
    """
    units = [token.place for token in scene.tokens if token.unit.power == power]
    places = [*units, *_goals(scene, power)] if units else list(_centres(scene, power))
    areas: list[Area] = []
    while places and len(areas) < MOST:
        around = _most_crowded(scene, places, units or places)
        areas.append(_fit(scene, around))
        places = [place for place in places if place not in around]
        units = [place for place in units if place not in around]
        if not units:
            break
    return tuple(sorted(areas, key=lambda area: (area.top, area.left)))


def _goals(scene: MapScene, power: str) -> Iterator[Point]:
    for result in scene.results:
        for goal in _goals_of(result.order) if result.power == power else ():
            anchor = scene.geometry.anchor(goal.province, goal.coast)
            yield from (place for place in (anchor.unit,) if place is not None)


def _goals_of(order: Statement) -> tuple[Place, ...]:
    match order:
        case Move() | Retreat():
            return (order.to,)
        case Bomb():
            return (Place(order.target),)
        case Intercept():
            return tuple(map(Place, order.over))
    return ()


def _centres(scene: MapScene, power: str) -> Iterator[Point]:
    built = (result.order.unit.at.province for result in scene.results if isinstance(result.order, Build))
    owned = (code for code, owner in scene.centres.items() if owner == power)
    for code in dict.fromkeys((*owned, *(code for code in built if scene.centres.get(code) == power))):
        anchor = scene.geometry.anchor(code)
        yield from (place for place in (anchor.unit or anchor.centre,) if place is not None)


def _most_crowded(scene: MapScene, places: Sequence[Point], units: Sequence[Point]) -> list[Point]:
    """Returns the places in the crop that holds most of them, and at least one of `units`."""
    room = 2 * ROOM * scene.token
    width, height = WIDE * scene.geometry.text - room, HIGH * scene.geometry.text - room

    def inside(left: float, top: float, some: Sequence[Point]) -> list[Point]:
        return [(x, y) for x, y in some if left <= x <= left + width and top <= y <= top + height]

    corners = {(x, y) for x, _ in places for _, y in places}
    left, top = max(corners, key=lambda at: (len(inside(at[0], at[1], units)), len(inside(at[0], at[1], places)), at))
    return inside(left, top, places)


def _fit(scene: MapScene, places: Sequence[Point]) -> Area:
    """Returns the crop round these places, inside the picture."""
    geometry, room = scene.geometry, ROOM * scene.token
    width = min(WIDE * geometry.text, geometry.width)
    left, right = min(x for x, _ in places), max(x for x, _ in places)
    top, bottom = min(y for _, y in places) - room, max(y for _, y in places) + room
    height = min(max(bottom - top, LOW * geometry.text), geometry.height)
    return Area(
        min(max(0.0, (left + right - width) / 2), geometry.width - width),
        min(max(0.0, (top + bottom - height) / 2), geometry.height - height),
        width,
        height,
    )

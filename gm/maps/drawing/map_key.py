"""The key below a map: every sign that the picture uses, with what it means."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from gm.judge.model.orders import Build, Convoy, Hold
from gm.maps.drawing.geometry import Point
from gm.maps.drawing.labels import BOX, OCEAN_INK, WOOD, crossing_colour, render_corner, render_crossing
from gm.maps.drawing.order_layers import (
    FLIGHTS,
    GREEN,
    RED,
    leaves_board,
    render_arrow,
    render_flight,
    render_number,
    render_support,
)
from gm.maps.drawing.order_lines import LineStyle, OrderLinePath, interceptors, order_paths
from gm.maps.drawing.scene import MapScene
from gm.maps.drawing.signs import (
    ARMY,
    RADIUS,
    render_burst,
    render_cross,
    render_star,
    render_token,
    render_watch,
    token_shape,
)
from gm.maps.drawing.svg import circle_element, num, text_element, text_width
from gm.maps.drawing.terrain import HATCHING, SCENERY, SEA_BORDER, SHALLOWS, closed_faces, shallow_faces

INK = "#2e2a26"
SOFT = "#5b5248"
SIGN = "#5b554d"


class LegendItem(NamedTuple):
    """A piece of the legend, `width` wide; `draw` takes the left end of its middle line."""

    width: float
    draw: Callable[[Point], str]


def key_items(scene: MapScene) -> Iterator[LegendItem]:
    """Yields the signs that this picture uses."""
    kinds = {unit.kind for unit in scene.position.units}
    for code, kind in scene.variant.kinds.items():
        if code in kinds:
            yield _token_item(token_shape(kind), scene.word(kind.name))
    if scene.variant.minors and any(scene.palette.ink(unit.power).minor for unit in scene.position.units):
        yield _token_item(ARMY, scene.word("minor-unit"), minor=True)
    yield _sign_item(scene, "centre", 14, lambda x, y: render_star((x + 5, y), INK, INK), 2)
    yield from _line_items(scene)
    yield from _mark_items(scene)
    yield from _ground_items(scene)


def _token_item(name: str, label: str, *, minor: bool = False) -> LegendItem:
    def draw(place: Point) -> str:
        x, y = place
        return render_token(name, (x + 12, y), SIGN, RADIUS * 0.86, minor=minor) + text_element(
            label, (x + 30, y + 4.5), 13, "regular", f' fill="{SOFT}"'
        )

    return LegendItem(30 + _label_width(label), draw)


def _label_width(label: str) -> float:
    return text_width(label, 13) + 18


def _label(scene: MapScene, key: str, place: Point, off: float) -> str:
    return text_element(scene.word(key), (place[0] + off, place[1] + 4.5), 13, "regular", f' fill="{SOFT}"')


def _line_items(scene: MapScene) -> Iterator[LegendItem]:
    used = {track.style for track in order_paths(scene)}
    holding = any(track.end and track.end[0] != track.end[1] for track in order_paths(scene))
    for style in LineStyle:
        if style in used or (style is LineStyle.SUPPORT and LineStyle.CUT in used):
            yield _line_item(scene, style)
    if holding:
        yield _line_item(scene, LineStyle.SUPPORT, "support-hold")
    if LineStyle.INTERCEPT not in used and any(interceptors(scene)):
        yield _sign_item(scene, LineStyle.INTERCEPT.value, 26, lambda x, y: render_watch((x + 11, y), 8, SIGN), 1)


def _line_item(scene: MapScene, style: LineStyle, key: str = "") -> LegendItem:
    def draw(place: Point) -> str:
        x, y = place
        path = [(x + step, y) for step in range(31)]
        label = _label(scene, key or style.value, place, 37)
        if style in FLIGHTS:
            return render_flight(OrderLinePath(style, "", path[:29]), SIGN) + label
        if style not in (LineStyle.SUPPORT, LineStyle.CUT):
            return render_arrow(path, SIGN, style) + label
        end = ((x + 29, y - 7), (x + 29, y + 7)) if key else ((x + 28, y), (x + 28, y))
        return render_support(OrderLinePath(style, "", path[:29], end), SIGN) + label

    return LegendItem(38 + _label_width(scene.word(key or style.value)), draw)


def _mark_items(scene: MapScene) -> Iterator[LegendItem]:
    if any(track.burst for track in order_paths(scene)):
        yield _sign_item(scene, "bounce", 24, lambda x, y: render_burst((x + 10, y), 10))
    if any(result.dislodged_by for result in scene.results):
        yield _sign_item(scene, "dislodged", 24, lambda x, y: render_cross((x + 9, y), 8))
    elif any(result.unit and leaves_board(result) for result in scene.results):
        yield _sign_item(scene, "removed", 24, lambda x, y: render_cross((x + 9, y), 8))
    if scene.position.dislodged:
        yield _ring_item(scene, "retreats", "3 2.4", RED)
    rings = {Hold: ("hold", "0"), Convoy: ("convoy", "4 3")}
    for order, (key, dash) in rings.items():
        if any(isinstance(result.order, order) and result.given for result in scene.results):
            yield _ring_item(scene, key, dash)
    if any(isinstance(result.order, Build) for result in scene.results):
        yield _ring_item(scene, "build", "0", GREEN)
    for key, shown in (
        ("number", any(unit.number for unit in scene.position.units)),
        ("count", any(token.count > 1 for token in scene.tokens)),
    ):
        if shown:
            yield _sign_item(scene, key, 22, lambda x, y: render_number("2", (x + 8, y), 7.5, INK), 1)


def _ground_items(scene: MapScene) -> Iterator[LegendItem]:
    """Yields what is drawn of the board itself: signs on borders, edges, boxes, land and sea of a special kind."""
    geometry = scene.geometry
    for kind in dict.fromkeys(sign.kind for sign in geometry.signs):
        yield _border_item(scene, kind)
    if geometry.wrap:
        yield _sign_item(scene, "edge", 18, _edge)
    for key, fill, rim, shown in (
        ("box", BOX, WOOD, geometry.boxes),
        ("shallows", SHALLOWS, SEA_BORDER, shallow_faces(scene)),
        ("closed", SCENERY, HATCHING, any(closed_faces(scene))),
    ):
        if shown:
            yield _swatch_item(scene, key, fill, rim)


def _border_item(scene: MapScene, kind: str) -> LegendItem:
    if kind == "corner":
        return _sign_item(scene, kind, 20, lambda x, y: render_corner((x + 7, y)))
    colour = crossing_colour(kind)
    return _sign_item(scene, kind, 37, lambda x, y: render_crossing((x, y), (x + 30, y), colour))


def _edge(x: float, y: float) -> str:
    chevron = f"M{num(x + 8)} {num(y - 7)}L{num(x + 3)} {num(y)}L{num(x + 8)} {num(y + 7)}"
    return f'<path d="{chevron}" fill="none" stroke="{OCEAN_INK}" stroke-width="2"/>'


def _swatch_item(scene: MapScene, key: str, fill: str, rim: str) -> LegendItem:
    """A patch of ground; hatched where it is drawn with hatching."""
    lines = "m5 7l6-14m4 14l6-14" if key == "closed" else ""

    def draw(x: float, y: float) -> str:
        corner = f"M{num(x)} {num(y)}"
        return (
            f'<path d="{corner}m0-7h24v14h-24z" fill="{fill}" stroke="{rim}" stroke-width="1.3"/>'
            f'<path d="{corner}{lines}" fill="none" stroke="{rim}" stroke-width="1.1"/>'
        )

    return _sign_item(scene, key, 31, draw)


def _ring_item(scene: MapScene, key: str, dash: str, colour: str = SIGN) -> LegendItem:
    style = f'fill="none" stroke="{colour}" stroke-width="2.2" stroke-dasharray="{dash}"'
    return _sign_item(scene, key, 25, lambda x, y: circle_element((x + 10, y), 9, style), 1)


def _sign_item(
    scene: MapScene, key: str, indent: float, sign: Callable[[float, float], str], space: float = 0
) -> LegendItem:
    """A sign with its label `indent` to the right; `space` is added to its width."""
    width = indent + space + _label_width(scene.word(key))
    return LegendItem(width, lambda place: sign(*place) + _label(scene, key, place, indent))

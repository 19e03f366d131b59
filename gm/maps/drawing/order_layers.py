"""Layers with orders and their outcomes: arrows, supports, rings, tokens, marks."""

from __future__ import annotations

from gm.judge.model.events import OrderResult, Outcome
from gm.judge.model.orders import Disband, Hold, Retreat
from gm.maps.drawing.curves import Polyline, direction, split_arrow, thin_points
from gm.maps.drawing.geometry import Point
from gm.maps.drawing.order_lines import LineStyle, OrderLinePath, convoying_fleets, interceptors, order_paths
from gm.maps.drawing.scene import MapScene, MapToken
from gm.maps.drawing.signs import (
    MINUS,
    PLUS,
    RADIUS,
    render_badge,
    render_bomb,
    render_burst,
    render_cross,
    render_ring,
    render_sight,
    render_token,
    render_watch,
    token_shape,
)
from gm.maps.drawing.svg import circle_element, line_data, num, polygon_data, text_element, xy

WIDTHS = {LineStyle.MOVE: 4.4, LineStyle.CONVOYED: 4.4, LineStyle.FAILED: 3.0, LineStyle.RETREAT: 5.2}
FLIGHTS = (LineStyle.BOMB, LineStyle.STOPPED, LineStyle.INTERCEPT)
DASHES = {LineStyle.CONVOYED: "9 3.5", LineStyle.FAILED: "5.5 3.6"}
HEAD = 12.0, 7.2
GREEN, RED = "#1d7a34", "#c11d1d"


def order_lines(scene: MapScene) -> str:
    return "".join(_render_path(scene, path) for path in order_paths(scene))


def bursts(scene: MapScene) -> str:
    """Draws one burst for each place, however many moves failed there."""
    places = {}
    for path in order_paths(scene):
        if path.burst is not None:
            on_arrow = any(copy[-1] == path.burst for copy in path.copies)
            places[xy(path.burst)] = path.burst, on_arrow
    return "".join(render_burst(spot, scene.token * (0.66 if on_arrow else 0.9)) for spot, on_arrow in places.values())


def _render_path(scene: MapScene, track: OrderLinePath) -> str:
    colour, size = scene.colour(track.nation), scene.token / RADIUS
    if track.style in (LineStyle.SUPPORT, LineStyle.CUT):
        drawn = render_support(track, colour, size)
    elif track.style in FLIGHTS:
        drawn = render_flight(track, colour, size)
    else:
        drawn = render_arrow(track.path, colour, track.style, size)
    return drawn + "".join(f'<g transform="translate({num(off)})">{drawn}</g>' for off in track.again)


def render_arrow(path: Polyline, colour: str, style: LineStyle, size: float = 1.0) -> str:
    """Draws an arrow: thin and dashed for failed moves, long dashes for convoyed ones, hollow for retreats."""
    width = WIDTHS[style] * size
    long, half = HEAD[0] * size, HEAD[1] * size * (0.86 if style is LineStyle.FAILED else 1.0)
    shaft, corners = split_arrow(path, long, half)
    body, head = line_data(thin_points(shaft)), polygon_data(corners)
    dashes = f' stroke-dasharray="{DASHES[style]}"' if style in DASHES else ""
    core = f'<path d="{body}" stroke="#fff" stroke-width="{num(width * 0.42)}"/>' if style is LineStyle.RETREAT else ""
    return (
        f'<g class="{style.value}" fill="none" stroke-linejoin="round">'
        f'<path d="{body}" stroke="#fff" stroke-width="{num(width + 3.2 * size)}"/>'
        f'<path d="{head}" fill="#fff" stroke="#fff" stroke-width="{num(3.6 * size)}"/>'
        f'<path d="{body}" stroke="{colour}" stroke-width="{num(width)}"{dashes}/>{core}'
        f'<path d="{head}" fill="{colour}"/></g>'
    )


def render_support(track: OrderLinePath, colour: str, size: float = 1.0) -> str:
    """Draws a dotted line; a support that was cut is pale, with a slash through it."""
    assert track.end is not None
    body = line_data(thin_points(track.path, 6))
    start, end = track.end
    faded = track.style is LineStyle.CUT
    if start == end:
        finish = (
            f'<circle cx="{num(end[0])}" cy="{num(end[1])}" r="{num(4 * size)}" fill="{"#fff" if faded else colour}" '
            f'stroke="{colour if faded else "#fff"}" stroke-width="{num(1.6 * size)}"/>'
        )
    else:
        bar = f"M{xy(start)}L{xy(end)}"
        finish = (
            f'<path d="{bar}" stroke="#fff" stroke-width="{num(6.4 * size)}"/>'
            f'<path d="{bar}" stroke="{colour}" stroke-width="{num(3.4 * size)}"/>'
        )
    slash = _render_slash(track.path, size) if faded else ""
    return (
        f'<g class="{track.style.value}" fill="none" stroke-linecap="round"><path d="{body}" stroke="#fff" '
        f'stroke-width="{num(5.8 * size)}" stroke-opacity=".85"/><path d="{body}" stroke="{colour}" '
        f'stroke-width="{num(3.4 * size)}" stroke-dasharray=".1 {num(5.8 * size)}"/>{finish}{slash}</g>'
    )


def render_flight(track: OrderLinePath, colour: str, size: float = 1.0) -> str:
    """Draws a thin line of dashes and dots: to a bomb, hollow where the bomber was stopped, or to a sight."""
    body, tip = line_data(thin_points(track.path)), track.path[-1]
    if track.style is LineStyle.INTERCEPT:
        finish = render_sight(tip, 6.4 * size, colour)
    else:
        way = direction(track.path[max(0, len(track.path) - 5)], tip)
        finish = render_bomb(tip, way, size, colour, hollow=track.style is LineStyle.STOPPED)
    return (
        f'<g class="{track.style.value}" fill="none"><path d="{body}" stroke="#fff" stroke-width="{num(5.4 * size)}" '
        f'stroke-opacity=".85"/><path d="{body}" stroke="{colour}" stroke-width="{num(2.8 * size)}" '
        f'stroke-dasharray="{num(8 * size)} {num(2.6 * size)} {num(2.4 * size)} {num(2.6 * size)}"/>{finish}</g>'
    )


def _render_slash(path: Polyline, size: float) -> str:
    x, y = path[len(path) // 2]
    half = 5.0 * size
    d = f"M{xy((x - half, y + half))}L{xy((x + half, y - half))}"
    return (
        f'<path d="{d}" stroke="#fff" stroke-width="{num(5.4 * size)}"/>'
        f'<path d="{d}" stroke="{RED}" stroke-width="{num(2.6 * size)}"/>'
    )


def holds(scene: MapScene) -> str:
    """Draws a ring round units that were ordered to hold, except those of minor powers."""
    svg = ""
    for result in scene.results:
        if scene.palette.ink(result.power).minor:
            continue
        if isinstance(result.order, Hold) and result.given and result.outcome is not Outcome.ILLEGAL and result.unit:
            place = scene.places.get(result.unit)
            if place:
                svg += render_ring(place, scene.token * 1.3, scene.colour(result.power), scene.token * 0.13)
    return svg


def convoys(scene: MapScene) -> str:
    return "".join(
        render_ring(place, scene.token * 1.5, scene.colour(unit.power), scene.token * 0.18, "4 3")
        for unit, place in convoying_fleets(scene)
    )


def patrols(scene: MapScene) -> str:
    """Draws a sight round wings that intercept whatever comes, and met nobody: they have no line."""
    return "".join(
        render_watch(scene.places[unit], scene.token * 1.3, scene.colour(unit.power))
        for result, order, unit in interceptors(scene)
        if not order.over and not (result.cause and result.cause.by) and unit in scene.places
    )


def units(scene: MapScene) -> str:
    """Draws every token in the order of `tokens`. Units that leave the board are paler."""
    return "".join(_render_unit(scene, map_token, _is_gone(scene, map_token)) for map_token in scene.tokens)


def _render_unit(scene: MapScene, map_token: MapToken, gone: bool) -> str:
    unit = map_token.unit
    ink = scene.palette.ink(unit.power)
    label = f' class="unit" data-unit="{unit.kind} {unit.at.place}" data-count="{map_token.count}"'
    pale = ' opacity=".6"' if gone else ""
    kind = token_shape(scene.variant.kinds[unit.kind])
    drawn = render_token(kind, map_token.place, ink.key, map_token.size, minor=ink.minor, extra=label + pale)
    before = (
        render_ring(map_token.place, map_token.size * 1.3, RED, map_token.size * 0.16, "3 2.4")
        if map_token.dislodged
        else ""
    )
    if map_token.built:
        before = render_ring(map_token.place, map_token.size * 1.34, GREEN, map_token.size * 0.2)
    return before + drawn + _render_count(map_token) + _render_initial(scene, map_token)


def _is_gone(scene: MapScene, map_token: MapToken) -> bool:
    return any(result.unit == map_token.unit and leaves_board(result) for result in scene.results)


def leaves_board(result: OrderResult) -> bool:
    """Tells whether the unit is off the board after this."""
    if isinstance(result.order, Disband):
        return result.outcome in (Outcome.SUCCEEDS, Outcome.DESTROYED)
    return result.outcome is Outcome.DESTROYED or (
        isinstance(result.order, Retreat) and result.outcome is not Outcome.SUCCEEDS
    )


def _render_count(map_token: MapToken) -> str:
    """Draws how many equal units a token stands for, or the number of a fleet among several."""
    number = map_token.count if map_token.count > 1 else map_token.unit.number
    return _render_disc(map_token, 0.95, str(number), "#2e2a26") if number else ""


def _render_initial(scene: MapScene, map_token: MapToken) -> str:
    """Draws the power's initial beside its token, where `palette.letters` is set."""
    power = map_token.unit.power
    initial = next((owner.letter for owner in scene.variant.powers if owner.name == power), "")
    return _render_disc(map_token, -0.95, initial, scene.colour(power)) if scene.palette.letters and initial else ""


def _render_disc(map_token: MapToken, side: float, words: str, rim: str) -> str:
    """Draws a small disc with a letter or number at an upper corner of a token."""
    size = map_token.size
    place = map_token.place[0] + size * side, map_token.place[1] - size * 0.8
    return render_number(words, place, size * 0.6, rim)


def render_number(words: str, place: Point, radius: float, rim: str) -> str:
    """Draws a disc with a letter or a number."""
    style = ' fill="#1c1a18" text-anchor="middle"'
    return circle_element(place, radius, f'fill="#fff" stroke="{rim}" stroke-width="1.3"') + text_element(
        words, (place[0], place[1] + radius * 0.34 / 0.6), radius * 1.6, "bold", style
    )


def marks(scene: MapScene) -> str:
    """Draws marks on top of tokens: dislodged, destroyed, removed, built."""
    svg = ""
    for result in scene.results:
        place = scene.places.get(result.unit) if result.unit else None
        if place is None:
            continue
        size = scene.token
        if result.dislodged_by is not None or leaves_board(result):
            svg += render_cross(place, size * 0.86)
        if isinstance(result.order, Disband) and result.outcome is Outcome.SUCCEEDS:
            svg += render_badge((place[0] + size, place[1] - size), size * 0.48, RED, MINUS)
    for map_token in scene.tokens:
        if map_token.built:
            x, y = map_token.place
            svg += render_badge((x + scene.token * 1.05, y - scene.token * 0.95), scene.token * 0.5, GREEN, PLUS)
    return svg

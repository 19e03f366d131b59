"""Layers of what was ordered and what came of it."""

from __future__ import annotations

from gm.judge.model.events import OrderResult, Outcome
from gm.judge.model.orders import Disband, Hold, Retreat
from gm.maps.drawing.curves import Path, headed, thinned
from gm.maps.drawing.order_lines import LineStyle, OrderLinePath, carriers, tracks
from gm.maps.drawing.scene import MapScene, MapToken
from gm.maps.drawing.signs import MINUS, PLUS, RADIUS, badge, burst, cross, ring, shape, token
from gm.maps.drawing.svg import at, circle, closed, line, num, text

WIDTHS = {LineStyle.MOVE: 4.4, LineStyle.CONVOYED: 4.4, LineStyle.FAILED: 3.0, LineStyle.RETREAT: 5.2}
DASHES = {LineStyle.CONVOYED: "9 3.5", LineStyle.FAILED: "5.5 3.6"}
HEAD = 12.0, 7.2
GREEN, RED = "#1d7a34", "#c11d1d"


def order_lines(scene: MapScene) -> str:
    found = tracks(scene)
    lines = [
        _support(scene, one) if one.style in (LineStyle.SUPPORT, LineStyle.CUT) else _arrow(scene, one) for one in found
    ]
    return "".join(lines)


def bursts(scene: MapScene) -> str:
    """One for each place, however many moves came to nothing there."""
    places = {}
    for track in tracks(scene):
        if track.burst is not None:
            places[at(track.burst)] = track.burst, track.burst == track.path[-1]
    return "".join(burst(spot, scene.token * (0.66 if on_arrow else 0.9)) for spot, on_arrow in places.values())


def _arrow(scene: MapScene, track: OrderLinePath) -> str:
    drawn = arrow(track.path, scene.colour(track.nation), track.style, scene.token / RADIUS)
    return drawn + (f'<g transform="translate({num(track.again)})">{drawn}</g>' if track.again else "")


def arrow(path: Path, colour: str, style: LineStyle, size: float = 1.0) -> str:
    """Failed ones are thin and dashed, convoyed ones long-dashed, retreats hollow."""
    width = WIDTHS[style] * size
    long, half = HEAD[0] * size, HEAD[1] * size * (0.86 if style is LineStyle.FAILED else 1.0)
    shaft, corners = headed(path, long, half)
    body, head = line(thinned(shaft)), closed(corners)
    dashes = f' stroke-dasharray="{DASHES[style]}"' if style in DASHES else ""
    core = f'<path d="{body}" stroke="#fff" stroke-width="{num(width * 0.42)}"/>' if style is LineStyle.RETREAT else ""
    return (
        f'<g class="{style.value}" fill="none" stroke-linejoin="round">'
        f'<path d="{body}" stroke="#fff" stroke-width="{num(width + 3.2 * size)}"/>'
        f'<path d="{head}" fill="#fff" stroke="#fff" stroke-width="{num(3.6 * size)}"/>'
        f'<path d="{body}" stroke="{colour}" stroke-width="{num(width)}"{dashes}/>{core}'
        f'<path d="{head}" fill="{colour}"/></g>'
    )


def _support(scene: MapScene, track: OrderLinePath) -> str:
    return support(track, scene.colour(track.nation), scene.token / RADIUS)


def support(track: OrderLinePath, colour: str, size: float = 1.0) -> str:
    """Dots; a support that was cut is pale, with a slash through it."""
    assert track.end is not None
    body = line(thinned(track.path, 6))
    start, end = track.end
    faded = track.style is LineStyle.CUT
    if start == end:
        finish = (
            f'<circle cx="{num(end[0])}" cy="{num(end[1])}" r="{num(4 * size)}" fill="{"#fff" if faded else colour}" '
            f'stroke="{colour if faded else "#fff"}" stroke-width="{num(1.6 * size)}"/>'
        )
    else:
        bar = f"M{at(start)}L{at(end)}"
        finish = (
            f'<path d="{bar}" stroke="#fff" stroke-width="{num(6.4 * size)}"/>'
            f'<path d="{bar}" stroke="{colour}" stroke-width="{num(3.4 * size)}"/>'
        )
    slash = _slash(track.path, size) if faded else ""
    return (
        f'<g class="{track.style.value}" fill="none" stroke-linecap="round"><path d="{body}" stroke="#fff" '
        f'stroke-width="{num(5.8 * size)}" stroke-opacity=".85"/><path d="{body}" stroke="{colour}" '
        f'stroke-width="{num(3.4 * size)}" stroke-dasharray=".1 {num(5.8 * size)}"/>{finish}{slash}</g>'
    )


def _slash(path: Path, size: float) -> str:
    x, y = path[len(path) // 2]
    half = 5.0 * size
    d = f"M{at((x - half, y + half))}L{at((x + half, y - half))}"
    return (
        f'<path d="{d}" stroke="#fff" stroke-width="{num(5.4 * size)}"/>'
        f'<path d="{d}" stroke="{RED}" stroke-width="{num(2.6 * size)}"/>'
    )


def holds(scene: MapScene) -> str:
    """A ring round units ordered to hold; minor powers' always do where they do nothing else."""
    found = ""
    for result in scene.results:
        if scene.palette.ink(result.power).minor:
            continue
        if isinstance(result.order, Hold) and result.given and result.outcome is not Outcome.ILLEGAL and result.unit:
            place = scene.places.get(result.unit)
            if place:
                found += ring(place, scene.token * 1.3, scene.colour(result.power), scene.token * 0.13)
    return found


def convoys(scene: MapScene) -> str:
    return "".join(
        ring(place, scene.token * 1.5, scene.colour(unit.power), scene.token * 0.18, "4 3")
        for unit, place in carriers(scene)
    )


def units(scene: MapScene) -> str:
    """Every token, those below first. Units that leave the board are paler."""
    return "".join(_unit(scene, stand, _gone(scene, stand)) for stand in scene.stands)


def _unit(scene: MapScene, stand: MapToken, gone: bool) -> str:
    unit = stand.unit
    ink = scene.palette.ink(unit.power)
    label = f' class="unit" data-unit="{unit.kind} {unit.at.place}" data-count="{stand.count}"'
    pale = ' opacity=".6"' if gone else ""
    kind = shape(scene.variant.kinds[unit.kind])
    drawn = token(kind, stand.place, ink.key, stand.size, minor=ink.minor, extra=label + pale)
    before = ring(stand.place, stand.size * 1.3, RED, stand.size * 0.16, "3 2.4") if stand.driven_out else ""
    if stand.built:
        before = ring(stand.place, stand.size * 1.34, GREEN, stand.size * 0.2)
    return before + drawn + _count(stand) + _letter(scene, stand)


def _gone(scene: MapScene, stand: MapToken) -> bool:
    return any(result.unit == stand.unit and _leaves(result) for result in scene.results)


def _leaves(result: OrderResult) -> bool:
    """Whether the unit is off the board after this."""
    if isinstance(result.order, Disband):
        return result.outcome in (Outcome.SUCCEEDS, Outcome.DESTROYED)
    return result.outcome is Outcome.DESTROYED or (
        isinstance(result.order, Retreat) and result.outcome is not Outcome.SUCCEEDS
    )


def _count(stand: MapToken) -> str:
    return "" if stand.count == 1 else _medal(stand, 0.95, str(stand.count), "#2e2a26")


def _letter(scene: MapScene, stand: MapToken) -> str:
    """The power's letter beside its token, where colours alone shall not be relied on."""
    power = stand.unit.power
    letter = next((one.letter for one in scene.variant.powers if one.name == power), "")
    return _medal(stand, -0.95, letter, scene.colour(power)) if scene.palette.letters and letter else ""


def _medal(stand: MapToken, side: float, words: str, rim: str) -> str:
    """A small disc at a token's upper corner, with a letter or a number."""
    size = stand.size
    x, y = stand.place[0] + size * side, stand.place[1] - size * 0.8
    style = ' fill="#1c1a18" text-anchor="middle"'
    return circle((x, y), size * 0.6, f'fill="#fff" stroke="{rim}" stroke-width="1.3"') + text(
        words, (x, y + size * 0.34), size * 0.96, "bold", style
    )


def marks(scene: MapScene) -> str:
    """On top of tokens: driven out, destroyed, removed, built."""
    found = ""
    for result in scene.results:
        place = scene.places.get(result.unit) if result.unit else None
        if place is None:
            continue
        size = scene.token
        if result.dislodged_by is not None or _leaves(result):
            found += cross(place, size * 0.86)
        if isinstance(result.order, Disband) and result.outcome is Outcome.SUCCEEDS:
            found += badge((place[0] + size, place[1] - size), size * 0.48, RED, MINUS)
    for stand in scene.stands:
        if stand.built:
            x, y = stand.place
            found += badge((x + scene.token * 1.05, y - scene.token * 0.95), scene.token * 0.5, GREEN, PLUS)
    return found

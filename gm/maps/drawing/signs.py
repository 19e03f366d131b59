"""Shapes of tokens and marks. A token's shape shows the kind of unit, so that nobody needs its colour.

All are drawn round (0, 0) for a radius of 12.5, and take their power's colour from `color`.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, pi, sin

from gm.judge.board.board import AIR, SEA, UnitKind
from gm.maps.drawing.geometry import Point
from gm.maps.drawing.svg import circle_element, num, polygon_data, xy

RADIUS = 12.5
ARMY, FLEET, WING = "army", "fleet", "wing"
HULL = (
    "M-15.2 1.2L-6.5 1.2L-6.5-3L-3.6-3L-3.6-8.6L.2-8.6L.2-5L2.2-5L2.2-8.6L6-8.6L6-3L8-3L8 1.2L15.2 1.2"
    "Q13.4 9.4 8.6 9.4L-9.4 9.4Q-13.6 7.4-15.2 1.2Z"
)
PORTHOLES = "".join(f'<circle cx="{num(x)}" cy="5.2" r="1.2"/>' for x in (-6.4, -2.0, 2.4, 6.8))
PLANE = (
    "M0-12.6C1.5-12.6 2.1-10.6 2.1-8.4L2.1-4.6L14.4 3.4L14.4 6.6L2.1 3.4L1.6 8.2L5.2 10.6L5.2 12.8L0 11.6"
    "L-5.2 12.8L-5.2 10.6L-1.6 8.2L-2.1 3.4L-14.4 6.6L-14.4 3.4L-2.1-4.6L-2.1-8.4C-2.1-10.6-1.5-12.6 0-12.6Z"
)
GUN = (
    '<g fill="none" stroke="{0}" stroke-linecap="round"><circle cx="-2.2" cy="3.6" r="3.6" stroke-width="1.9"/>'
    '<path d="M-4.2-.6L7.4-5" stroke-width="3.5"/><path d="M-3.6 2.2L-8.3 6.4" stroke-width="2.1"/></g>'
)
FULL: Mapping[str, str] = {
    ARMY: '<circle r="12.9" fill="#fff"/><circle r="11.4" fill="currentColor"/>' + GUN.format("#fff"),
    FLEET: f'<path d="{HULL}" fill="#fff" stroke="#fff" stroke-width="3.4" stroke-linejoin="round"/>'
    f'<path d="{HULL}" fill="currentColor"/><g fill="#fff">{PORTHOLES}</g>',
    WING: f'<path d="{PLANE}" fill="#fff" stroke="#fff" stroke-width="3.6" stroke-linejoin="round"/>'
    f'<path d="{PLANE}" fill="currentColor"/><circle cy="-5.6" r="1.3" fill="#fff"/>',
}
"""Tokens of great powers: coloured, with white signs."""
HOLLOW: Mapping[str, str] = {
    ARMY: '<circle r="12.9" fill="#fff"/><circle r="11.2" fill="#fff" stroke="currentColor" stroke-width="1.8"/>'
    + GUN.format("currentColor"),
    FLEET: f'<path d="{HULL}" fill="#fff" stroke="#fff" stroke-width="4.2" stroke-linejoin="round"/><path d="{HULL}" '
    f'fill="#fff" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round"/><g fill="currentColor">{PORTHOLES}'
    "</g>",
    WING: f'<path d="{PLANE}" fill="#fff" stroke="#fff" stroke-width="4.2" stroke-linejoin="round"/><path d="{PLANE}" '
    'fill="#fff" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round"/>',
}
"""Tokens of minor powers: white, with coloured rim and sign."""


def token_shape(kind: UnitKind) -> str:
    if kind.layer == AIR:
        return WING
    return FLEET if kind.stands(SEA) else ARMY


def symbol_definitions() -> str:
    """Returns the definitions that every picture needs."""
    full = "".join(f'<g id="{name}">{drawn}</g>' for name, drawn in FULL.items())
    return full + "".join(f'<g id="minor-{name}">{drawn}</g>' for name, drawn in HOLLOW.items())


def render_token(name: str, place: Point, colour: str, size: float, *, minor: bool = False, extra: str = "") -> str:
    """Draws a token; `size` is its radius."""
    scale = f" scale({size / RADIUS:.3g})" if size != RADIUS else ""
    return (
        f'<use href="#{"minor-" if minor else ""}{name}" color="{colour}" '
        f'transform="translate({xy(place)}){scale}"{extra}/>'
    )


def render_burst(place: Point, size: float) -> str:
    """Draws the mark of a bounce."""
    points = []
    for step in range(16):
        radius = size * (1.0 if step % 2 == 0 else 0.5)
        angle = step * pi / 8 + 0.2
        points.append((place[0] + radius * cos(angle), place[1] + radius * sin(angle)))
    width = num(max(1.0, size * 0.15))
    style = f'fill="#ffc03d" stroke="#8a1c12" stroke-width="{width}" stroke-linejoin="round"'
    return f'<path d="{polygon_data(points)}" {style}/>'


def render_cross(place: Point, size: float) -> str:
    """Draws the mark of a dislodged or destroyed unit."""
    x, y = place
    d = f"M{xy((x - size, y - size))}L{xy((x + size, y + size))}M{xy((x + size, y - size))}L{xy((x - size, y + size))}"
    return (
        f'<g fill="none" stroke-linecap="round"><path d="{d}" stroke="#fff" stroke-width="{num(size * 0.55)}"/>'
        f'<path d="{d}" stroke="#d01f1f" stroke-width="{num(size * 0.29)}"/></g>'
    )


def render_badge(place: Point, size: float, fill: str, sign: str) -> str:
    """Draws a small disc with a white sign: PLUS or MINUS."""
    disc = circle_element((0, 0), size, f'fill="{fill}" stroke="#fff" stroke-width="1.4"')
    stroke = f'transform="scale({size / 6:.3g})" stroke="#fff" stroke-width="2" stroke-linecap="round"'
    return f'<g transform="translate({xy(place)})">{disc}<path d="{sign}" {stroke}/></g>'


PLUS = "M-3 0H3M0-3V3"
MINUS = "M-3 0H3"


def render_ring(place: Point, radius: float, colour: str, width: float, dash: str = "") -> str:
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return circle_element(
        place, radius, f'fill="none" stroke="#fff" stroke-width="{num(width + 2.2)}"'
    ) + circle_element(place, radius, f'fill="none" stroke="{colour}" stroke-width="{num(width)}"{dashes}')


def render_star(place: Point, fill: str, rim: str, size: float = 4.0) -> str:
    """Draws a supply centre."""
    outer = circle_element(place, size, f'fill="#fff" stroke="{rim}" stroke-width="{num(size * 0.33)}"')
    return outer + circle_element(place, size * 0.43, f'fill="{fill}"')

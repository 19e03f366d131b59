"""Shapes of tokens and marks. A token's shape shows the kind of unit, so that nobody needs its colour.

All are drawn round (0, 0) for a radius of 12.5, and take their power's colour from `color`.
"""

from __future__ import annotations

from functools import cache
from math import atan2, cos, degrees, pi, sin
from pathlib import Path

from gm.judge.board.board import AIR, SEA, UnitKind
from gm.maps.drawing.geometry import Point
from gm.maps.drawing.svg import circle_element, num, polygon_data, xy

RADIUS = 12.5
ARMY, FLEET, WING = "army", "fleet", "wing"
TOKENS = Path(__file__).with_name("tokens.svg")
"""Tokens of great powers are coloured with white signs; of minor powers white, with coloured rim and sign."""


def token_shape(kind: UnitKind) -> str:
    if kind.layer == AIR:
        return WING
    return FLEET if kind.stands(SEA) else ARMY


@cache
def symbol_definitions() -> str:
    """Returns the definitions that every picture needs."""
    drawing = TOKENS.read_text(encoding="utf-8")
    return "".join(line for line in drawing.splitlines() if line.startswith("<g "))


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


BOMB = "M0 0C-2-5-11-5.8-14.8-1.8L-14.8 1.8C-11 5.8-2 5 0 0ZM-13.8 0L-21-6L-18.8 0L-21 6Z"


def render_bomb(tip: Point, way: Point, size: float, colour: str, *, hollow: bool = False) -> str:
    """Draws a bomb with its nose at a place, flying `way`, a step of length 1."""
    turned = f"translate({xy(tip)}) rotate({degrees(atan2(way[1], way[0])):.0f}) scale({size:.3g})"
    fill, rim = ("#fff", colour) if hollow else (colour, "#fff")
    return (
        f'<g transform="{turned}"><path d="{BOMB}" fill="#fff" stroke="#fff" stroke-width="4.4"/>'
        f'<path d="{BOMB}" fill="{fill}" stroke="{rim}" stroke-width="{1.4 if hollow else 0.4}"/></g>'
    )


def render_sight(place: Point, radius: float, colour: str) -> str:
    """Draws a ring with a cross in it: a wing intercepts here."""
    (x, y), far = place, radius * 1.45
    cross = f"M{num(x - far)} {num(y)}h{num(2 * far)}M{num(x)} {num(y - far)}v{num(2 * far)}"
    return (
        f'<path d="{cross}" stroke="#fff" stroke-width="{num(radius * 0.62)}"/>'
        + circle_element(place, radius, f'fill="#fff" stroke="{colour}" stroke-width="{num(radius * 0.28)}"')
        + f'<path d="{cross}" stroke="{colour}" stroke-width="{num(radius * 0.25)}"/>'
    )


def render_watch(place: Point, radius: float, colour: str) -> str:
    """Draws a sight round a wing that intercepts over any province near it."""
    (x, y), inner, far = place, radius * 0.82, radius * 1.3
    ticks = "".join(
        f"M{xy((x + inner * across, y + inner * down))}L{xy((x + far * across, y + far * down))}"
        for across, down in ((1, 0), (0, 1), (-1, 0), (0, -1))
    )
    line = f'<path d="{ticks}" stroke="{colour}" stroke-width="{num(radius * 0.14)}"/>'
    return f'<g class="intercept" fill="none">{render_ring(place, radius, colour, radius * 0.1)}{line}</g>'

"""An inset: the crowded part of a large board once more, larger, below the picture."""

from __future__ import annotations

from typing import NamedTuple

from gm.maps.drawing.scene import MapScene
from gm.maps.drawing.svg import num

BEGIN, END = '<g id="board">', "</g><!-- board -->"
"""What stands round the picture of the board, so that the inset can use it."""
LARGER = 2.0
MARGIN = 22.0
ROOM = 2.5
"""In token radii: how much is shown round the outermost places."""


class Area(NamedTuple):
    """A rectangle of the picture."""

    left: float
    top: float
    width: float
    height: float


def inset_area(scene: MapScene) -> Area | None:
    """Returns the part of the picture that holds the places of `Palette.inset`; None without an inset."""
    geometry = scene.geometry
    anchors = [anchor for code in scene.palette.inset if (anchor := geometry.anchors.get(code)) is not None]
    places = [place for anchor in anchors for place in (anchor.unit, anchor.label, anchor.centre) if place is not None]
    if not places:
        return None
    room = geometry.token * ROOM
    left, right = max(0.0, min(x for x, _ in places) - room), max(x for x, _ in places) + room
    top, bottom = max(0.0, min(y for _, y in places) - room), max(y for _, y in places) + room
    return Area(left, top, min(right, geometry.width) - left, min(bottom, geometry.height) - top)


def render_inset(area: Area, top: float) -> tuple[str, float, float]:
    """Returns the drawn inset below `top`, and the width and height that it takes."""
    width, height = area.width * LARGER, area.height * LARGER
    x, y = num(MARGIN), num(top + MARGIN)
    view = " ".join(map(num, area))
    drawn = (
        f'<svg class="inset" x="{x}" y="{y}" width="{num(width)}" height="{num(height)}" viewBox="{view}">'
        '<use href="#board"/></svg>'
        f'<rect x="{x}" y="{y}" width="{num(width)}" height="{num(height)}" fill="none" stroke="#8c7b5e" '
        'stroke-width="1.5"/>'
    )
    return drawn, width + MARGIN, height + 2 * MARGIN

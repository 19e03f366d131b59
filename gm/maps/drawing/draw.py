"""A picture of a position, with the orders given in it and what came of them, as SVG.

A drawing is its layers, one upon the other; each is a function from the scene to SVG. Nothing is drawn that is not in
the scene: who draws for the public gives public results only.
"""

from __future__ import annotations

from collections.abc import Callable

from gm.maps.drawing import labels as names
from gm.maps.drawing import legend as frame
from gm.maps.drawing import order_layers as orders
from gm.maps.drawing import signs
from gm.maps.drawing import terrain as ground
from gm.maps.drawing.scene import MapScene
from gm.maps.drawing.svg import SANS, escaped, num

Layer = Callable[[MapScene], str]

ON_THE_MAP: tuple[Layer, ...] = (
    ground.land,
    ground.realms,
    ground.borders,
    names.edges,
    names.boxes,
    names.signs,
    orders.order_lines,
    names.names,
    names.centres,
    orders.convoys,
    orders.holds,
    orders.units,
    orders.marks,
    orders.bursts,
)
"""From the ground up. The sea lies under all of them."""


def draw(scene: MapScene) -> str:
    """GeometryError where the drawn board has no place for a unit of the position."""
    geometry = scene.geometry
    foot, high = frame.foot(scene)
    width, height = num(geometry.width), num(geometry.height + high)
    shown = " \u00b7 ".join(filter(None, (scene.title, scene.subtitle)))
    layers = "".join(f'<g class="{layer.__name__.replace("_", "-")}">{layer(scene)}</g>' for layer in ON_THE_MAP)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="{SANS}"><title>{escaped(shown)}</title>'
        f"<defs>{ground.definitions(geometry)}{signs.definitions()}</defs>"
        f'<g class="sea">{ground.sea(geometry)}</g>{layers}'
        f'<rect y="{num(geometry.height)}" width="{width}" height="{num(high)}" fill="{ground.PAPER}"/>'
        f'<rect x=".75" y=".75" width="{num(geometry.width - 1.5)}" height="{num(geometry.height - 1.5)}" fill="none" '
        f'stroke="#8c7b5e" stroke-width="1.5"/>{frame.title(scene)}{foot}</svg>'
    )

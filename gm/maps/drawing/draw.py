"""Draws a position, its orders and their outcomes as SVG: layers, one upon the other.

A layer is a function from the scene to SVG; its name is the CSS class of its group. Only what is in the scene is
drawn: whoever draws for the public puts only public results into it.
"""

from __future__ import annotations

from collections.abc import Callable

from gm.maps.drawing import inset, labels, legend, order_layers, signs, terrain
from gm.maps.drawing.scene import MapScene
from gm.maps.drawing.svg import SANS, escape_xml, num

Layer = Callable[[MapScene], str]

LAYERS: tuple[Layer, ...] = (
    terrain.land,
    terrain.realms,
    terrain.borders,
    labels.edges,
    labels.boxes,
    labels.signs,
    order_layers.order_lines,
    labels.names,
    labels.centres,
    order_layers.convoys,
    order_layers.holds,
    order_layers.patrols,
    order_layers.units,
    order_layers.marks,
    order_layers.bursts,
)
"""Bottom to top. The sea lies below all of them."""


def draw_map(scene: MapScene) -> str:
    """Returns the SVG document. Raises GeometryError where a unit has no place on the drawn board."""
    geometry = scene.geometry
    area = inset.inset_area(scene)
    again, left, low = inset.render_inset(area, geometry.height) if area else ("", 0.0, 0.0)
    before, behind = (inset.BEGIN, inset.END) if area else ("", "")
    foot, high = legend.render_legend(scene, left)
    high = max(high, low)
    width, height = num(geometry.width), num(geometry.height + high)
    shown = " \u00b7 ".join(filter(None, (scene.title, scene.subtitle)))
    layers = "".join(f'<g class="{layer.__name__.replace("_", "-")}">{layer(scene)}</g>' for layer in LAYERS)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="{SANS}"><title>{escape_xml(shown)}</title>'
        f"<defs>{terrain.ground_definitions(geometry)}{signs.symbol_definitions()}</defs>"
        f'{before}<g class="sea">{terrain.sea(geometry)}</g>{layers}{behind}'
        f'<rect y="{num(geometry.height)}" width="{width}" height="{num(high)}" fill="{terrain.PAPER}"/>'
        f'<rect x=".75" y=".75" width="{num(geometry.width - 1.5)}" height="{num(geometry.height - 1.5)}" fill="none" '
        f'stroke="#8c7b5e" stroke-width="1.5"/>{legend.title(scene)}{again}{foot}</svg>'
    )

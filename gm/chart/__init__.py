"""Maps: a position and what happened in it -> SVG -> PNG. Reads the judge's values and nothing else of the project.

    scene = Scene(geometry, variant, position, palette(variant, pinned), results, title="Fall 1901", words=words)
    svg = draw(scene)
    png = paint(svg)

Where players move borders, `shifted` gives the geometry that the picture is drawn on, or raises Unfollowed: then the
picture is drawn on the board as it was, with `notes` that say in words what has changed.

Read in this order: geometry (the drawn board), palette, scene, drawing (the layers), then the layers themselves.
"""

from gm.chart.drawing import draw
from gm.chart.geometry import Geometry, GeometryError
from gm.chart.geometry import read as read_geometry
from gm.chart.paint import paint, shrunk
from gm.chart.palette import Palette, PaletteError, palette
from gm.chart.scene import Scene
from gm.chart.shifts import Change, Joining, Parting, Unfollowed, contacts, shifted

__all__ = [
    "Change",
    "Geometry",
    "GeometryError",
    "Joining",
    "Palette",
    "PaletteError",
    "Parting",
    "Scene",
    "Unfollowed",
    "contacts",
    "draw",
    "paint",
    "palette",
    "read_geometry",
    "shifted",
    "shrunk",
]

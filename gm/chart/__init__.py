"""Maps: a position and what happened in it -> SVG -> PNG. Reads the judge's values and nothing else of the project.

    scene = Scene(geometry, variant, position, palette(variant, pinned), results, title="Fall 1901", words=words)
    svg = draw(scene)
    png = paint(svg)

Read in this order: geometry (the drawn board), palette, scene, drawing (the layers), then the layers themselves.
"""

from gm.chart.drawing import draw
from gm.chart.geometry import Geometry, GeometryError
from gm.chart.geometry import read as read_geometry
from gm.chart.paint import paint
from gm.chart.palette import Palette, PaletteError, palette
from gm.chart.scene import Scene

__all__ = ["Geometry", "GeometryError", "Palette", "PaletteError", "Scene", "draw", "paint", "palette", "read_geometry"]

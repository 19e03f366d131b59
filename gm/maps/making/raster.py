"""Rasterises the land, with the strokes that open and close straits."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from gm.maps.making.natural_earth import NaturalEarth
from gm.maps.making.projection import Projection
from gm.maps.making.sites import Sites, Stroke

FINE = 2
"""Cells of the fine grid per picture unit."""
OVER = 2
LONGEST = 0.5
"""Degrees: longer lines are divided before projection."""

Mask = npt.NDArray[np.bool_]


def land_mask(sites: Sites, projection: Projection, atlas: NaturalEarth) -> Mask:
    """Returns which cells of the fine grid are land."""
    width, height = projection.width * FINE, projection.height * FINE
    picture = Image.new("L", (width * OVER, height * OVER), 0)
    pen = ImageDraw.Draw(picture)
    rim = 255 if len(sites.coastlines) > 1 else None  # closes the seams between two coastlines
    for land in atlas.land(sites.coastlines, projection.turns):
        for polygon in getattr(land, "geoms", [land]):
            _draw(pen, polygon, projection, rim)
    mask = np.array(picture.resize((width, height), Image.Resampling.BOX)) >= 128
    return apply_strokes(mask, sites, projection)


def _draw(pen: ImageDraw.ImageDraw, polygon: BaseGeometry, projection: Projection, rim: int | None) -> None:
    if not isinstance(polygon, Polygon):
        return
    for number, ring in enumerate([polygon.exterior, *polygon.interiors]):
        points = np.array(ring.segmentize(LONGEST).coords)
        x, y = projection(points[:, 1], points[:, 0])
        if x.max() < -9 or x.min() > projection.width + 9:
            continue
        corners = list(zip((x * FINE * OVER).tolist(), (y * FINE * OVER).tolist(), strict=True))
        pen.polygon(corners, fill=0 if number else 255, outline=None if number else rim)


def apply_strokes(mask: Mask, sites: Sites, projection: Projection) -> Mask:
    """Applies the `fill` strokes, then the `cut` strokes."""
    picture = Image.fromarray(mask.astype(np.uint8) * 255)
    pen = ImageDraw.Draw(picture)
    for strokes, value in ((sites.fill, 255), (sites.cut, 0)):
        for stroke in strokes:
            _stroke(pen, stroke, value, projection)
    return np.array(picture) > 0


def _stroke(pen: ImageDraw.ImageDraw, stroke: Stroke, value: int, projection: Projection) -> None:
    """Draws a stroke with round ends, except along the frame."""
    width = max(2.0, stroke.km * projection.per_km(stroke.spots[0]) * FINE)
    points = [(x * FINE, y * FINE) for x, y in map(projection.spot, stroke.spots)]
    pen.line(points, fill=value, width=round(width))
    if not stroke.spots[0].framed:
        for x, y in points:
            pen.ellipse([x - width / 2, y - width / 2, x + width / 2, y + width / 2], fill=value)


def to_coarse_grid(mask: Mask) -> Mask:
    """Returns the mask at one cell per picture unit."""
    height, width = mask.shape
    picture = Image.fromarray(mask.astype(np.uint8) * 255)
    return np.array(picture.resize((width // FINE, height // FINE), Image.Resampling.BOX)) >= 128


def barrier_mask(sites: Sites, projection: Projection, atlas: NaturalEarth, width: int) -> Mask:
    """Returns the modern borders that the board follows, as lines `width` cells of the coarse grid wide."""
    picture = Image.new("L", (projection.width, projection.height), 0)
    pen = ImageDraw.Draw(picture)
    lines = [line for pair, line in atlas.borders() if pair in sites.barriers] if sites.barriers else []
    for line in lines:
        for turn in projection.turns:
            x, y = projection(line[:, 1], line[:, 0] + turn)
            if x.max() >= -9 and x.min() <= projection.width + 9:
                pen.line(list(zip(x.tolist(), y.tolist(), strict=True)), fill=255, width=width)
    return np.array(picture) > 0

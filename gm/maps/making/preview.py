"""Renders a plain picture of a drawn board for its maker: every face, and every place on it."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import shapely
from PIL import Image, ImageDraw, ImageFont

from gm.maps.drawing.geometry import SECOND, Geometry, Point
from gm.maps.making.check import CENTRE
from gm.maps.making.rings import drawn_sides, rings

WIDTH, OVER = 1400, 2
GROUNDS = {"land": "#f3ebd8", "water": "#c5dce6", "deep": "#a3c4d6"}
SCENERY, LINE, COAST, TOKEN, MARK = "#dcd3c0", "#4a4a4a", "#3f6f86", "#b9850b", "#333333"
FONT = Path(__file__).parent.parent / "drawing" / "fonts" / "SourceSansPro-Semibold.ttf"


def render_preview(geometry: Geometry, known: frozenset[str]) -> bytes:
    """Returns a PNG. `known` are the provinces; other land is scenery."""
    scale = WIDTH * OVER / geometry.width
    size = WIDTH * OVER, round(geometry.height * scale)
    picture = Image.new("RGB", size, GROUNDS["water"])
    pen = ImageDraw.Draw(picture)
    drawn = drawn_sides(geometry)
    outlines = [ring for name in geometry.grounds for ring in rings(geometry, drawn, name, joined=False)]
    for ring in sorted(outlines, key=lambda ring: shapely.Polygon(ring.points).area, reverse=True):
        name = geometry.contact(ring.face)
        scenery = name not in known and geometry.grounds[ring.face] == "land" and not ring.face.endswith("*")
        colour = SCENERY if scenery else GROUNDS[geometry.grounds[ring.face]]
        pen.polygon([(x * scale / 10, y * scale / 10) for x, y in ring.points], fill=colour)
    for arc in geometry.arcs:
        coast = {geometry.grounds.get(face) == "land" for face in (arc.left, arc.right)} == {True, False}
        line = [(x * scale / 10, y * scale / 10) for x, y in arc.points]
        pen.line(line, fill=COAST if coast else LINE, width=round((1.6 if coast else 1.0) * OVER))
    _draw_places(pen, geometry, scale)
    out = io.BytesIO()
    picture.resize((size[0] // OVER, size[1] // OVER), Image.Resampling.LANCZOS).save(out, "PNG")
    return out.getvalue()


def _draw_places(pen: ImageDraw.ImageDraw, geometry: Geometry, scale: float) -> None:
    font = ImageFont.truetype(str(FONT), geometry.text * scale)
    for box in geometry.boxes.values():
        x, y, width, height = (v * scale for v in (*box.corner, *box.size))
        pen.rectangle([x, y, x + width, y + height], outline=LINE, fill="white", width=OVER)
        _polyline(pen, box.arrow, scale)
    for line in geometry.lines:
        _polyline(pen, line, scale)
    for sign in geometry.signs:
        _polyline(pen, sign.points, scale)
        for at in sign.points:
            _disc(pen, at, 4, scale, outline="#a02020")
    for name, anchor in geometry.anchors.items():
        places = anchor.pieces
        for piece in ("unit", "air"):
            if piece in places:
                _disc(pen, places[piece], geometry.token, scale, outline=TOKEN if piece == "unit" else "#7a3fa0")
        if "sc" in places:
            _disc(pen, places["sc"], CENTRE, scale, fill=MARK)
        if "label" in places:
            x, y = places["label"]
            text = name.split(SECOND)[0]
            pen.text(
                (x * scale, y * scale), text, font=font, fill="black", anchor="mm", stroke_width=3, stroke_fill="white"
            )


def _polyline(pen: ImageDraw.ImageDraw, line: Sequence[Sequence[float]], scale: float) -> None:
    pen.line([(x * scale, y * scale) for x, y in line], fill="#a02020", width=2 * OVER)


def _disc(pen: ImageDraw.ImageDraw, at: Point | Sequence[float], radius: float, scale: float, **style: str) -> None:
    x, y = at[0] * scale, at[1] * scale
    pen.ellipse(
        [x - radius * scale, y - radius * scale, x + radius * scale, y + radius * scale], width=OVER * 2, **style
    )

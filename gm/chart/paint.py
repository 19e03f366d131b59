"""SVG to PNG, by resvg and our own fonts: the same picture on every machine, small enough for a letter.

The palette of a picture holds every colour its SVG names, so that no power's tokens lose theirs to a gradient.
"""

from __future__ import annotations

import io
import re

import resvg_py
from PIL import Image

from gm.chart.markup import FILES, SANS

WIDTH = 1400
"""Pixels: twice the width it is shown at, so that it is sharp on every screen."""
WIDEST = 4000
COLOURS = 256
SAMPLED = 4
"""The colours nobody named are chosen from every so-manieth pixel of every so-manieth row."""
NAMED = re.compile(r'"(#[0-9a-f]{6}|#fff)"')


def paint(svg: str, width: int = WIDTH) -> bytes:
    """A PNG with a palette. ValueError where the text is no SVG, or the width none a picture has."""
    if not 1 <= width <= WIDEST:
        raise ValueError(f"a picture may be 1 to {WIDEST} pixels wide, not {width}")
    with Image.open(io.BytesIO(_rendered(svg, width))) as full:
        picture = full.convert("RGB")
    out = io.BytesIO()
    picture.quantize(palette=_palette(svg, picture), dither=Image.Dither.NONE).save(out, "PNG", compress_level=7)
    return out.getvalue()


def _rendered(svg: str, width: int) -> bytes:
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            font_family=SANS,
            font_files=[str(file) for file in FILES.values()],
            skip_system_fonts=True,
        )
    )


def _palette(svg: str, picture: Image.Image) -> Image.Image:
    """Every colour that the SVG names, and of the rest those that the picture has most of."""
    named = sorted(set(NAMED.findall(svg)))[: COLOURS // 2]
    levels = [int(part, 16) for colour in named for part in _parts(colour)]
    small = picture.resize((picture.width // SAMPLED + 1, picture.height // SAMPLED + 1), Image.Resampling.NEAREST)
    found = small.quantize(COLOURS - len(named), method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    rest = (found.getpalette() or [])[: 3 * (COLOURS - len(named))]
    table = Image.new("P", (1, 1))
    table.putpalette(levels + rest)
    return table


def _parts(colour: str) -> tuple[str, str, str]:
    full = colour if len(colour) == 7 else "#ffffff"
    return full[1:3], full[3:5], full[5:7]

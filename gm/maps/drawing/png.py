"""SVG to PNG, by resvg and our own fonts: the same picture on every machine, small enough for a letter.

The palette of a picture holds every colour its SVG names, so that no power's tokens lose theirs to a gradient.

Most of a picture is the same in many: seas, coasts and borders in all of a board, the land as long as nobody takes a
centre. So the ground is painted in pieces that are kept, and what moves is painted for itself and laid upon them.
"""

from __future__ import annotations

import io
import re
from functools import lru_cache, reduce
from itertools import pairwise
from math import ceil, gcd
from typing import Any

import numpy as np
import resvg_py
from PIL import Image

from gm.maps.drawing.svg import FILES, SANS
from gm.maps.drawing.terrain import PAPER

Levels = np.ndarray[Any, Any]
WIDTH = 1400
"""Pixels: twice the width it is shown at, so that it is sharp on every screen."""
WIDEST = 4000
COLOURS = 256
SEAMS = ('<g class="sea">', '<g class="realms">', '<g class="borders">', '<g class="order-lines">')
"""Where the pieces begin. The second is another when centres change hands, the last in every picture."""
SEA = re.compile(r'<g class="sea"><rect width="[0-9.]+" height="([0-9.]+)"')
"""How high the map is in the drawing."""
SIZE = re.compile(r'viewBox="0 0 ([0-9]+) ([0-9]+)" width="[0-9]+" height="[0-9]+"')
STEP_MOST = 64
"""Units by which a piece may be too high; at widths that would need more a drawing is painted at once."""
TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)
DEFINED = re.compile(r'<path id="([^"]+)"[^>]*/>')
KEPT = 8
"""Pieces, of some 8 MB each. The lower ones of a board that is in use are never the oldest."""
SAMPLED = 4
"""The colours nobody named are chosen from every so-manieth pixel of every so-manieth row."""
NAMED = re.compile(r'"(#[0-9a-f]{6}|#fff)"')


def paint(svg: str, width: int = WIDTH) -> bytes:
    """A PNG with a palette. ValueError where the text is no SVG, or the width none a picture has."""
    if not 1 <= width <= WIDEST:
        raise ValueError(f"a picture may be 1 to {WIDEST} pixels wide, not {width}")
    picture = raster(svg, width)
    colours = _palette(svg, picture)
    flat = Image.fromarray(_nearest(np.asarray(picture), colours))
    flat.putpalette(colours.astype(np.uint8).tobytes())
    out = io.BytesIO()
    flat.save(out, "PNG", compress_level=7)
    return out.getvalue()


def raster(svg: str, width: int) -> Image.Image:
    """The drawing in pixels, in all its colours."""
    size = SIZE.search(svg)
    step = int(size[1]) // gcd(int(size[1]), width) if size else STEP_MOST + 1
    if size is None or step > STEP_MOST:
        return _image(svg, width).convert("RGB")
    *under, last = _pieces(svg, step)
    picture = _image(last, width)
    whole = Image.new("RGBA", picture.size, PAPER)
    if under:
        whole.paste(reduce(Image.alpha_composite, (_kept(one, width) for one in under)))
    rows = ceil(int(size[2]) * width / int(size[1]))
    return Image.alpha_composite(whole, picture).crop((0, 0, width, rows)).convert("RGB")


def _pieces(svg: str, step: int) -> list[str]:
    """The drawing as pictures to be laid upon each other; one, where it cannot be parted.

    The lower ones are as high as the map, without what stands under it, and have no title: they serve many pictures.
    All are made up to a multiple of `step` units: then they are whole pixels high, at the very same scale.
    """
    places, sea = [svg.find(seam) for seam in SEAMS], SEA.search(svg)
    if -1 in places or sea is None:
        return [_made_up(svg, step)]
    head = TITLE.sub("", svg[: places[0]])
    *under, last = [svg[begin:end] for begin, end in pairwise([*places, len(svg)])]
    lower = _made_up(head, step, ceil(float(sea[1])))
    return [*(f"{_needed(lower, part)}{part}</svg>" for part in under), _made_up(_needed(head, last), step) + last]


def _made_up(head: str, step: int, high: int = 0) -> str:
    """So many units high, or as high as it was, rounded up to whole steps."""

    def sized(found: re.Match[str]) -> str:
        whole = -(-(high or int(found[2])) // step) * step
        return f'viewBox="0 0 {found[1]} {whole}" width="{found[1]}" height="{whole}"'

    return SIZE.sub(sized, head, count=1)


def _needed(head: str, part: str) -> str:
    """Without the paths that this part makes no use of."""
    return DEFINED.sub(lambda found: found[0] if f'"#{found[1]}"' in part else "", head)


@lru_cache(maxsize=KEPT)
def _kept(svg: str, width: int) -> Image.Image:
    return _image(svg, width)


def _image(svg: str, width: int) -> Image.Image:
    with Image.open(io.BytesIO(_rendered(svg, width))) as full:
        return full.convert("RGBA")


def shrunk(png: bytes, width: int) -> bytes:
    """A small copy of a picture."""
    with Image.open(io.BytesIO(png)) as full:
        size = width, round(full.height * width / full.width)
        small = full.convert("RGB").resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0)
    out = io.BytesIO()
    small.quantize(COLOURS // 2, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(out, "PNG")
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


def _palette(svg: str, picture: Image.Image) -> Levels:
    """Every colour that the SVG names, and of the rest those that the picture has most of, one a row."""
    named = sorted(set(NAMED.findall(svg)))[: COLOURS // 2]
    first = [[int(part, 16) for part in _parts(colour)] for colour in named]
    small = picture.resize((picture.width // SAMPLED + 1, picture.height // SAMPLED + 1), Image.Resampling.NEAREST)
    found = small.quantize(COLOURS - len(named), method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    rest = np.array(found.getpalette(), dtype=np.int32).reshape(-1, 3)[: COLOURS - len(named)]
    return np.concatenate([np.array(first, dtype=np.int32).reshape(-1, 3), rest])


def _parts(colour: str) -> tuple[str, str, str]:
    full = colour if len(colour) == 7 else "#ffffff"
    return full[1:3], full[3:5], full[5:7]


def _nearest(picture: Levels, colours: Levels) -> Levels:
    """Of every pixel the row of the colour most like it. Pixels that differ in their lowest two bits are one."""
    red, green, blue = (picture[..., part].astype(np.int32) >> 2 for part in range(3))
    cells = (red << 12) | (green << 6) | blue
    there = np.flatnonzero(np.bincount(cells.ravel(), minlength=1 << 18))
    middles = np.stack([there >> 12, (there >> 6) & 63, there & 63], axis=1).astype(np.int32) * 4 + 2
    far = (middles**2).sum(1)[:, None] - 2 * middles @ colours.T + (colours**2).sum(1)[None, :]
    table = np.zeros(1 << 18, dtype=np.uint8)
    table[there] = far.argmin(1)
    return np.asarray(table[cells])

"""SVG to PNG, by resvg with the bundled fonts: the same picture on every machine, small enough for a letter.

The PNG's palette holds every colour that the SVG names, so that no power's tokens lose theirs to a gradient.

Most of a picture is the same in many: seas, coasts and borders in all of a board, land until a centre changes hands.
So the lower layers are rendered apart and cached, only for speed, and the rest is rendered and laid over them.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from functools import lru_cache, reduce
from itertools import pairwise
from math import ceil, gcd
from typing import Any

import numpy as np
import resvg_py
from PIL import Image, ImageColor

from gm.maps.drawing.inset import BEGIN, END, Area
from gm.maps.drawing.svg import FILES, SANS, num
from gm.maps.drawing.terrain import PAPER

Levels = np.ndarray[Any, Any]
WIDTH = 1400
"""Pixels: twice the width it is shown at, so that it is sharp on every screen."""
WIDEST = 4000
CROP_WIDTH = 800
"""Pixels of a crop, which phones show 320 to 480 wide."""
GAP = 14
"""Pixels between two crops."""
COLOURS = 256
SEAMS = ('<g class="sea">', '<g class="realms">', '<g class="borders">', '<g class="order-lines">')
"""Where the pieces begin. The second changes when centres change hands, the last in every picture."""
SEA = re.compile(r'<g class="sea"><rect width="[0-9.]+" height="([0-9.]+)"')
"""Finds the height of the map in the drawing."""
SIZE = re.compile(r'viewBox="0 0 ([0-9]+) ([0-9]+)" width="[0-9]+" height="[0-9]+"')
INSET = re.compile(
    r'<svg class="inset" x="(?P<x>[0-9.]+)" y="(?P<y>[0-9.]+)" width="(?P<w>[0-9.]+)" height="(?P<h>[0-9.]+)" '
    r'viewBox="(?P<view>[0-9. ]+)"><use href="#board"/></svg>'
)
"""The inset, which is rendered apart: the layers below it are rendered for themselves."""
STEP_MOST = 64
"""A piece may be this many units too high; at widths that need more, a drawing is rendered at once."""
TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)
TEXT = re.compile(r'<text x="([0-9.-]+)" y="([0-9.-]+)" font-size="([0-9.]+)"[^>]*>([^<]*)</text>')
"""Finds the base line, size and words of a text."""
DEFINED = re.compile(r'<path id="([^"]+)"[^>]*/>')
CACHED_LAYERS = 12
"""About 8 MB each. The lower layers of a board in use are never the oldest."""
SAMPLED = 4
"""Colours that the SVG does not name are chosen from every fourth pixel of every fourth row."""
NAMED = re.compile(r'"(#[0-9a-f]{6}|#fff)"')


def svg_to_png(svg: str, width: int = WIDTH) -> bytes:
    """Renders a PNG with a palette. Raises ValueError for text that is no SVG, or a wrong width."""
    if not 1 <= width <= WIDEST:
        raise ValueError(f"a picture may be 1 to {WIDEST} pixels wide, not {width}")
    return _encode(svg, rasterise(svg, width))


def crops_to_png(svg: str, areas: Sequence[Area]) -> bytes:
    """Renders parts of a drawing, one below the other. Raises ValueError without any."""
    whole = INSET.sub("", svg).replace(BEGIN, "").replace(END, "")
    parts = [
        _render(SIZE.sub(_view(area), _drop_far_text(whole, area), count=1), CROP_WIDTH).convert("RGB")
        for area in areas
    ]
    if not parts:
        raise ValueError("there is no part of the picture to show")
    picture = Image.new("RGB", (CROP_WIDTH, sum(part.height for part in parts) + GAP * (len(parts) - 1)), PAPER)
    top = 0
    for part in parts:
        picture.paste(part, (0, top))
        top += part.height + GAP
    return _encode(svg, picture)


def _drop_far_text(svg: str, area: Area) -> str:
    """Removes texts that end outside the area: setting them takes a fifth of the time of a crop."""
    left, top, width, height = area

    def kept(text: re.Match[str]) -> str:
        x, y, size = float(text[1]), float(text[2]), float(text[3])
        far = size * len(text[4])
        seen = left - far <= x <= left + width + far and top - 2 * size <= y <= top + height + 2 * size
        return text[0] if seen else ""

    return TEXT.sub(kept, svg)


def _view(area: Area) -> str:
    left, top, width, height = map(num, area)
    return f'viewBox="{left} {top} {width} {height}" width="{width}" height="{height}"'


def _encode(svg: str, picture: Image.Image) -> bytes:
    """Writes a PNG with the colours that the drawing names, and the most frequent others."""
    colours = _choose_colours(svg, picture)
    flat = Image.fromarray(_nearest_colours(np.asarray(picture), colours))
    flat.putpalette(colours.astype(np.uint8).tobytes())
    out = io.BytesIO()
    flat.save(out, "PNG", compress_level=7)
    return out.getvalue()


def rasterise(svg: str, width: int) -> Image.Image:
    """Renders the drawing in full colour, with its inset."""
    again, size = INSET.search(svg), SIZE.search(svg)
    if again is None or size is None:
        return _rasterise(svg, width)
    picture = _rasterise(INSET.sub("", svg).replace(BEGIN, "").replace(END, ""), width)
    x, y, wide, high = (float(again[name]) * width / int(size[1]) for name in ("x", "y", "w", "h"))
    board = svg[: svg.index(END)].replace(BEGIN, "") + "</svg>"
    larger = _render_part(board, f'viewBox="{again["view"]}" width="{again["w"]}" height="{again["h"]}"', round(wide))
    picture.paste(larger.crop((0, 0, round(wide), round(high))), (round(x), round(y)))
    return picture


def _render_part(svg: str, view: str, width: int) -> Image.Image:
    """Renders the part of a drawing that `view` names."""
    *under, last = (SIZE.sub(view, piece, count=1) for piece in _split_layers(svg, 1))
    pieces = [*(_cached_layer(piece, width) for piece in under), _render(last, width)]
    return reduce(Image.alpha_composite, pieces).convert("RGB")


def _rasterise(svg: str, width: int) -> Image.Image:
    size = SIZE.search(svg)
    step = int(size[1]) // gcd(int(size[1]), width) if size else STEP_MOST + 1
    if size is None or step > STEP_MOST:
        return _render(svg, width).convert("RGB")
    *under, last = _split_layers(svg, step)
    picture = _render(last, width)
    whole = Image.new("RGBA", picture.size, PAPER)
    if under:
        whole.paste(reduce(Image.alpha_composite, (_cached_layer(part, width) for part in under)))
    rows = ceil(int(size[2]) * width / int(size[1]))
    return Image.alpha_composite(whole, picture).crop((0, 0, width, rows)).convert("RGB")


def _split_layers(svg: str, step: int) -> list[str]:
    """Splits the drawing into pictures to be laid over each other; one, if it cannot be split.

    The lower ones are as high as the map, without legend and title: they serve many pictures. All are rounded up to a
    multiple of `step` units: then they are whole pixels high at the same scale.
    """
    places, sea = [svg.find(seam) for seam in SEAMS], SEA.search(svg)
    if -1 in places or sea is None:
        return [_round_up_height(svg, step)]
    head = TITLE.sub("", svg[: places[0]])
    *under, last = [svg[begin:end] for begin, end in pairwise([*places, len(svg)])]
    lower = _round_up_height(head, step, ceil(float(sea[1])))
    return [
        *(f"{_drop_unused_paths(lower, part)}{part}</svg>" for part in under),
        _round_up_height(_drop_unused_paths(head, last), step) + last,
    ]


def _round_up_height(head: str, step: int, high: int = 0) -> str:
    """Sets the height (or keeps it), rounded up to whole steps."""

    def sized(size: re.Match[str]) -> str:
        whole = -(-(high or int(size[2])) // step) * step
        return f'viewBox="0 0 {size[1]} {whole}" width="{size[1]}" height="{whole}"'

    return SIZE.sub(sized, head, count=1)


def _drop_unused_paths(head: str, part: str) -> str:
    """Removes the definitions of paths that this part does not use."""
    return DEFINED.sub(lambda path: path[0] if f'"#{path[1]}"' in part else "", head)


@lru_cache(maxsize=CACHED_LAYERS)
def _cached_layer(svg: str, width: int) -> Image.Image:
    return _render(svg, width)


def _render(svg: str, width: int) -> Image.Image:
    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        font_family=SANS,
        font_files=[str(file) for file in FILES.values()],
        skip_system_fonts=True,
    )
    with Image.open(io.BytesIO(bytes(png))) as picture:
        return picture.convert("RGBA")


def shrink_png(png: bytes, width: int) -> bytes:
    """Returns a smaller copy of a picture; itself if it is no wider."""
    with Image.open(io.BytesIO(png)) as picture:
        if picture.width <= width:
            return png
        size = width, round(picture.height * width / picture.width)
        small = picture.convert("RGB").resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0)
    out = io.BytesIO()
    small.quantize(COLOURS // 2, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(out, "PNG")
    return out.getvalue()


def _choose_colours(svg: str, picture: Image.Image) -> Levels:
    """Returns every colour that the SVG names, then the most frequent others; one per row."""
    named = sorted(set(NAMED.findall(svg)))[: COLOURS // 2]
    first = [ImageColor.getrgb(colour) for colour in named]
    small = picture.resize((picture.width // SAMPLED + 1, picture.height // SAMPLED + 1), Image.Resampling.NEAREST)
    quantized = small.quantize(COLOURS - len(named), method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    rest = np.array(quantized.getpalette(), dtype=np.int32).reshape(-1, 3)[: COLOURS - len(named)]
    return np.concatenate([np.array(first, dtype=np.int32).reshape(-1, 3), rest])


def _nearest_colours(picture: Levels, colours: Levels) -> Levels:
    """Returns for every pixel the row of the nearest colour. Pixels equal but for the lowest two bits share one."""
    red, green, blue = (picture[..., part].astype(np.int32) >> 2 for part in range(3))
    cells = (red << 12) | (green << 6) | blue
    used_cells = np.flatnonzero(np.bincount(cells.ravel(), minlength=1 << 18))
    middles = np.stack([used_cells >> 12, (used_cells >> 6) & 63, used_cells & 63], axis=1).astype(np.int32) * 4 + 2
    far = (middles**2).sum(1)[:, None] - 2 * middles @ colours.T + (colours**2).sum(1)[None, :]
    table = np.zeros(1 << 18, dtype=np.uint8)
    table[used_cells] = far.argmin(1)
    return np.asarray(table[cells])

"""SVG building blocks: numbers, texts and paths. Text of players enters only through `escape_xml`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

from PIL import ImageFont

from gm.maps.drawing.geometry import Point

FONTS = Path(__file__).parent / "fonts"
SANS = "Source Sans Pro"
SERIF = "Source Serif Pro"
MEASURED = 100
"""The size at which texts are measured: widths grow linearly with it."""
COMMON = 0x180
NONE = "\uffff"
"""No character: its glyph is the one shown for every character that the font lacks."""
FILES = {
    "regular": FONTS / "SourceSansPro-Regular.ttf",
    "semibold": FONTS / "SourceSansPro-Semibold.ttf",
    "bold": FONTS / "SourceSansPro-Bold.ttf",
    "serif-italic": FONTS / "SourceSerifPro-SemiboldIt.ttf",
    "serif-bold": FONTS / "SourceSerifPro-Bold.ttf",
}
"""All fonts. A picture must name no other: resvg silently leaves out text without its font."""
WEIGHTS = {
    "regular": "",
    "semibold": ' font-weight="600"',
    "bold": ' font-weight="700"',
    "serif-italic": f' font-family="{SERIF}" font-weight="600" font-style="italic"',
    "serif-bold": f' font-family="{SERIF}" font-weight="700"',
}


def num(value: float) -> str:
    """Formats a number with at most one decimal."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def xy(point: Point) -> str:
    return f"{num(point[0])} {num(point[1])}"


def escape_xml(text: str) -> str:
    """Escapes text for elements and attributes. Characters that XML does not allow become question marks."""
    shown = "".join(letter if _allowed(letter) else "?" for letter in text)
    return shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _allowed(letter: str) -> bool:
    code = ord(letter)
    return letter in "\t\n\r" or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000


@cache
def _font(face: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FILES[face]), MEASURED, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def text_width(words: str, size: float, face: str = "regular") -> float:
    return float(_font(face).getlength(words)) * size / MEASURED


@lru_cache(maxsize=4096)
def _has(face: str, letter: str) -> bool:
    """Tells whether the font has the character. A test checks that European alphabets are there."""
    if ord(letter) < COMMON or letter.isspace():
        return True
    return bytes(_font(face).getmask(letter)) != bytes(_font(face).getmask(NONE))


def text_element(words: str, place: Point, size: float, face: str = "regular", extra: str = "") -> str:
    """Draws text on a base line; `extra` are further attributes."""
    shown = "".join(letter if _has(face, letter) else "?" for letter in words)
    return (
        f'<text x="{num(place[0])}" y="{num(place[1])}" font-size="{num(size)}"{WEIGHTS[face]}{extra}>'
        f"{escape_xml(shown)}</text>"
    )


def circle_element(place: Point, radius: float, style: str) -> str:
    return f'<circle cx="{num(place[0])}" cy="{num(place[1])}" r="{num(radius)}" {style}/>'


def line_data(points: Iterable[Point]) -> str:
    """Returns path data of an open line."""
    return "M" + "L".join(xy(point) for point in points)


def polygon_data(points: Iterable[Point]) -> str:
    return line_data(points) + "Z"

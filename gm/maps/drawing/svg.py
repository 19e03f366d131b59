"""Small pieces of SVG: numbers, names, texts and paths. What players wrote goes in through `escaped` alone."""

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
"""The size in which texts are measured: advances grow evenly with it."""
COMMON = 0x180
NONE = "\uffff"
"""No character: its picture is that of every one the type lacks."""
FILES = {
    "regular": FONTS / "SourceSansPro-Regular.ttf",
    "semibold": FONTS / "SourceSansPro-Semibold.ttf",
    "bold": FONTS / "SourceSansPro-Bold.ttf",
    "serif-italic": FONTS / "SourceSerifPro-SemiboldIt.ttf",
    "serif-bold": FONTS / "SourceSerifPro-Bold.ttf",
}
"""Every face of type that a picture uses: it must name no other, for a text without its font is left out unsaid."""
WEIGHTS = {
    "regular": "",
    "semibold": ' font-weight="600"',
    "bold": ' font-weight="700"',
    "serif-italic": f' font-family="{SERIF}" font-weight="600" font-style="italic"',
    "serif-bold": f' font-family="{SERIF}" font-weight="700"',
}


def num(value: float) -> str:
    """With one decimal where it needs one."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def at(point: Point) -> str:
    return f"{num(point[0])} {num(point[1])}"


def escaped(text: str) -> str:
    """For between tags and for attributes. Characters that XML has no place for become a question mark."""
    shown = "".join(letter if _allowed(letter) else "?" for letter in text)
    return shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _allowed(letter: str) -> bool:
    code = ord(letter)
    return letter in "\t\n\r" or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000


@cache
def _font(face: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FILES[face]), MEASURED, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def wide(words: str, size: float, face: str = "regular") -> float:
    """How long a text is."""
    return float(_font(face).getlength(words)) * size / MEASURED


@lru_cache(maxsize=4096)
def _has(face: str, letter: str) -> bool:
    """Whether the face of type has the character. What all of Europe writes with is there (a test looks)."""
    if ord(letter) < COMMON or letter.isspace():
        return True
    return bytes(_font(face).getmask(letter)) != bytes(_font(face).getmask(NONE))


def text(words: str, place: Point, size: float, face: str = "regular", extra: str = "") -> str:
    """`extra` are further attributes; the place is on the text's base line."""
    shown = "".join(letter if _has(face, letter) else "?" for letter in words)
    return (
        f'<text x="{num(place[0])}" y="{num(place[1])}" font-size="{num(size)}"{WEIGHTS[face]}{extra}>'
        f"{escaped(shown)}</text>"
    )


def circle(place: Point, radius: float, style: str) -> str:
    """`style` are its attributes."""
    return f'<circle cx="{num(place[0])}" cy="{num(place[1])}" r="{num(radius)}" {style}/>'


def line(points: Iterable[Point]) -> str:
    """Path data of an open line."""
    return "M" + "L".join(at(point) for point in points)


def closed(points: Iterable[Point]) -> str:
    return line(points) + "Z"

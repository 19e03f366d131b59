"""Colour arithmetic: OKLCH, colour blindness, and sets of colours that everybody can tell apart.

OKLab (Björn Ottosson, 2020): equal distances look equally far apart. Colour blindness: the matrices of Machado,
Oliveira and Fernandes (2009) at full severity, on linear RGB. Distances are OKLab times 100: a trained eye sees 2,
everybody sees 5.
"""

from __future__ import annotations

from functools import lru_cache
from math import atan2, cos, degrees, dist, hypot, radians, sin

Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]

BLINDNESS: dict[str, Matrix] = {
    "none": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
TO_CONES: Matrix = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
TO_LAB: Matrix = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
FROM_LAB: Matrix = (
    (1.0, 0.3963377774, 0.2158037573),
    (1.0, -0.1055613458, -0.0638541728),
    (1.0, -0.0894841775, -1.2914855480),
)
FROM_CONES: Matrix = (
    (4.0767416621, -3.3077115913, 0.2309699292),
    (-1.2684380046, 2.6097574011, -0.3413193965),
    (-0.0041960863, -0.7034186147, 1.7076147010),
)
LIGHTNESSES = (0.30, 0.42, 0.53, 0.64)
"""Lightness of token colours: dark enough for white symbols on them."""
CHROMAS = (0.03, 0.09, 0.14, 0.19)
HUES = 24
MOST_COLOURS = 14
"""The most colours that `distinct_colours` makes."""
FIRST_COLOUR = "#1f5fa8"


def _multiply(matrix: Matrix, triple: Triple) -> Triple:
    a, b, c = (row[0] * triple[0] + row[1] * triple[1] + row[2] * triple[2] for row in matrix)
    return a, b, c


def _linear_from_hex(colour: str) -> Triple:
    """Returns linear RGB for "#rrggbb"."""
    red, green, blue = (_decode_gamma(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return red, green, blue


def _decode_gamma(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)


def _encode_gamma(value: float) -> float:
    return value * 12.92 if value <= 0.0031308 else float(1.055 * value ** (1 / 2.4) - 0.055)


def _oklab_from_linear(linear: Triple) -> Triple:
    long, middle, short = (abs(cone) ** (1 / 3) for cone in _multiply(TO_CONES, linear))
    return _multiply(TO_LAB, (long, middle, short))


def _linear_from_oklch(lightness: float, chroma: float, hue: float) -> Triple:
    """Returns linear RGB, which may lie outside the sRGB gamut (below 0 or above 1)."""
    lab = (lightness, chroma * cos(radians(hue)), chroma * sin(radians(hue)))
    long, middle, short = (cone**3 for cone in _multiply(FROM_LAB, lab))
    return _multiply(FROM_CONES, (long, middle, short))


def _is_in_gamut(linear: Triple) -> bool:
    return all(-1e-4 <= part <= 1 + 1e-4 for part in linear)


def oklch_from_hex(colour: str) -> Triple:
    """Returns lightness (0 to 1), chroma (0 to about 0.3) and hue (degrees)."""
    lightness, a, b = _oklab_from_linear(_linear_from_hex(colour))
    return lightness, hypot(a, b), degrees(atan2(b, a)) % 360


def hex_from_oklch(lightness: float, chroma: float, hue: float) -> str:
    """Returns "#rrggbb" with this lightness and hue, and as much of the chroma as sRGB can show."""
    while chroma > 0 and not _is_in_gamut(_linear_from_oklch(lightness, chroma, hue)):
        chroma -= 0.004
    linear = _linear_from_oklch(lightness, max(0.0, chroma), hue)
    parts = (round(255 * _encode_gamma(min(1.0, max(0.0, part)))) for part in linear)
    return "#" + "".join(f"{part:02x}" for part in parts)


def mix_colours(base: str, layer: str, share: float) -> str:
    """Returns `share` of the second colour over the first, like a translucent layer."""
    pairs = ((int(base[at : at + 2], 16), int(layer[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


@lru_cache(maxsize=4096)
def oklab_seen(colour: str, blindness: str = "none") -> Triple:
    """Returns the OKLab coordinates of a colour as somebody with this colour blindness sees it."""
    red, green, blue = (min(1.0, max(0.0, part)) for part in _multiply(BLINDNESS[blindness], _linear_from_hex(colour)))
    return _oklab_from_linear((red, green, blue))


def colour_distance(first: str, second: str, blindness: str = "none") -> float:
    return 100 * dist(oklab_seen(first, blindness), oklab_seen(second, blindness))


def worst_distance(first: str, second: str) -> float:
    """Returns the distance under the kind of colour blindness that confuses them most."""
    return min(colour_distance(first, second, blindness) for blindness in BLINDNESS)


@lru_cache(maxsize=MOST_COLOURS)
def distinct_colours(count: int) -> tuple[str, ...]:
    """Returns `count` token colours, each as far as possible from those before it, for everybody.

    Raises ValueError beyond MOST_COLOURS.
    """
    if count > MOST_COLOURS:
        raise ValueError(f"colours for {count} powers; {MOST_COLOURS} are the most")
    chosen = [FIRST_COLOUR]
    nearest = {candidate: worst_distance(candidate, FIRST_COLOUR) for candidate in _candidates()}
    while len(chosen) < count:
        best = max(nearest, key=lambda candidate: (nearest[candidate], candidate))
        chosen.append(best)
        nearest = {candidate: min(near, worst_distance(candidate, best)) for candidate, near in nearest.items()}
    return tuple(chosen[:count])


@lru_cache(maxsize=1)
def _candidates() -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(
            hex_from_oklch(lightness, chroma, 360 * step / HUES)
            for lightness in LIGHTNESSES
            for chroma in CHROMAS
            for step in range(HUES)
        )
    )

"""Colours as people see them: OKLCH, the three kinds of colour blindness, and sets of colours that all can tell apart.

OKLab is Björn Ottosson's (2020), in which equal distances look equally far apart; colour blindness is simulated by the
matrices of Machado, Oliveira and Fernandes (2009) at full severity, on linear RGB. Distances are hundredfold OKLab:
2 is the least that a trained eye sees, 5 is plain to everybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
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
"""Of tokens, dark enough for a white sign on them."""
CHROMAS = (0.03, 0.09, 0.14, 0.19)
HUES = 24
MOST = 14
"""Powers for which `distinct` makes colours."""
FIRST = "#1f5fa8"


def _times(matrix: Matrix, triple: Triple) -> Triple:
    a, b, c = (row[0] * triple[0] + row[1] * triple[1] + row[2] * triple[2] for row in matrix)
    return a, b, c


def _linear(colour: str) -> Triple:
    """Linear light from "#rrggbb"."""
    red, green, blue = (_unfold(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return red, green, blue


def _unfold(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)


def _folded(value: float) -> float:
    return value * 12.92 if value <= 0.0031308 else float(1.055 * value ** (1 / 2.4) - 0.055)


def _lab(linear: Triple) -> Triple:
    long, middle, short = (abs(cone) ** (1 / 3) for cone in _times(TO_CONES, linear))
    return _times(TO_LAB, (long, middle, short))


def _rgb(lightness: float, chroma: float, hue: float) -> Triple:
    """Linear light, which may lie outside of what a screen shows (below 0 or above 1)."""
    lab = (lightness, chroma * cos(radians(hue)), chroma * sin(radians(hue)))
    long, middle, short = (cone**3 for cone in _times(FROM_LAB, lab))
    return _times(FROM_CONES, (long, middle, short))


def _shown(linear: Triple) -> bool:
    return all(-1e-4 <= part <= 1 + 1e-4 for part in linear)


def oklch(colour: str) -> Triple:
    """Lightness 0 to 1, chroma 0 to about 0.3, hue in degrees."""
    lightness, a, b = _lab(_linear(colour))
    return lightness, hypot(a, b), degrees(atan2(b, a)) % 360


def colour(lightness: float, chroma: float, hue: float) -> str:
    """ "#rrggbb" of that lightness and hue, with as much of the chroma as a screen shows."""
    while chroma > 0 and not _shown(_rgb(lightness, chroma, hue)):
        chroma -= 0.004
    parts = (round(255 * _folded(min(1.0, max(0.0, part)))) for part in _rgb(lightness, max(0.0, chroma), hue))
    return "#" + "".join(f"{part:02x}" for part in parts)


def mixed(one: str, other: str, share: float) -> str:
    """`share` of the other in the one, as paint laid thinly over it looks."""
    pairs = ((int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


@lru_cache(maxsize=4096)
def seen(colour: str, blindness: str = "none") -> Triple:
    """The place in OKLab where somebody with that blindness sees the colour."""
    red, green, blue = (min(1.0, max(0.0, part)) for part in _times(BLINDNESS[blindness], _linear(colour)))
    return _lab((red, green, blue))


def apart(one: str, other: str, blindness: str = "none") -> float:
    return 100 * dist(seen(one, blindness), seen(other, blindness))


def apart_for_all(one: str, other: str) -> float:
    """How far apart the two are for whoever tells them apart worst."""
    return min(apart(one, other, blindness) for blindness in BLINDNESS)


def closest(colours: Sequence[str]) -> float:
    """The least distance between any two, for whoever sees it worst."""
    return min((apart_for_all(a, b) for a, b in combinations(colours, 2)), default=100.0)


@lru_cache(maxsize=MOST)
def distinct(count: int) -> tuple[str, ...]:
    """So many token colours, chosen one after the other, each as far as can be from all before it for everybody.

    ValueError beyond MOST: nobody tells more apart on one map.
    """
    if count > MOST:
        raise ValueError(f"colours for {count} powers; {MOST} are the most")
    found = [FIRST]
    candidates = _candidates()
    nearest = {candidate: apart_for_all(candidate, FIRST) for candidate in candidates}
    while len(found) < count:
        best = max(candidates, key=lambda one: (nearest[one], one))
        found.append(best)
        nearest = {one: min(near, apart_for_all(one, best)) for one, near in nearest.items()}
    return tuple(found[:count])


@lru_cache(maxsize=1)
def _candidates() -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(
            colour(lightness, chroma, 360 * step / HUES)
            for lightness in LIGHTNESSES
            for chroma in CHROMAS
            for step in range(HUES)
        )
    )

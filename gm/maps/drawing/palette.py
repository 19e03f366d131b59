"""Colours of powers, and which land without a centre is drawn as whose: a variant's palette.toml.

Powers without a pinned colour get one that everybody can tell from the others.

    [Austria]
    colour = "#A8322A"
    land = ["Boh", "Gal", "Tyr"]     # provinces without a centre, Austria's while it owns a centre
    minor = true                     # drawn as a minor power, though it has a seat

Above the powers may stand which part of a large board is drawn once more, larger: a rectangle round these provinces.

    inset = ["LIS", "BAL", "SMY"]
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from gm.judge.model.variant import Variant
from gm.maps.drawing.colours import MOST_COLOURS, colour_distance, distinct_colours, hex_from_oklch, oklch_from_hex

HEX = re.compile(r"#[0-9a-fA-F]{6}")
MINOR_COLOUR = "#33363a"
"""Colour of minor powers without a pinned one."""
KEYS = frozenset({"colour", "land", "minor"})
INSET = "inset"


class PaletteError(ValueError):
    """palette.toml is wrong at `key`. The text is one line."""

    def __init__(self, key: str, what: str) -> None:
        super().__init__(f"{key}: {what}")
        self.key = key
        self.what = what


class PowerInk(Struct, frozen=True):
    """The colours of a nation's tokens (`key`) and land (`tint`), and of the `band` inside its outline."""

    key: str
    tint: str
    band: str
    minor: bool = False


class Palette(Struct, frozen=True):
    """`letters`: tokens show their power's initial, for readers who cannot tell the colours apart."""

    inks: Mapping[str, PowerInk]
    land: Mapping[str, str]
    letters: bool = False
    inset: tuple[str, ...] = ()

    def ink(self, nation: str) -> PowerInk:
        return self.inks.get(nation) or _make_ink(MINOR_COLOUR, minor=True)


def build_palette(variant: Variant, table: Mapping[str, Any], *, colourblind: bool = False) -> Palette:
    """Makes a palette from the table of palette.toml (may be empty). Raises PaletteError."""
    inset = _checked_provinces(variant, INSET, table.get(INSET, []))
    table = {name: row for name, row in table.items() if name != INSET}
    _check(variant, table)
    minors = {name for name, row in table.items() if row.get("minor")} | {minor.name for minor in variant.minors}
    pinned = {name: str(row["colour"]).lower() for name, row in table.items() if "colour" in row}
    free = [name for name in (power.name for power in variant.powers) if name not in pinned]
    pinned |= zip(free, _unlike_colours(tuple(pinned.values()), len(free)), strict=True)
    if colourblind:
        pinned = _colourblind_colours(variant, pinned)
    inks = {name: _make_ink(key, minor=name in minors, spread=colourblind) for name, key in pinned.items()}
    land = {province: name for name, row in table.items() for province in row.get("land", ())}
    return Palette(inks, land, letters=colourblind, inset=inset)


def _check(variant: Variant, table: Mapping[str, Any]) -> None:
    for name, row in table.items():
        if name not in variant.nations:
            raise PaletteError(name, f"is no power of {variant.title}; there are {', '.join(variant.nations)}")
        if not isinstance(row, Mapping) or not KEYS.issuperset(row):
            raise PaletteError(name, f"must be a table with {', '.join(sorted(KEYS))}")
        if not HEX.fullmatch(str(row.get("colour", "#000000"))):
            raise PaletteError(f"{name}.colour", f"{row['colour']!r} is no colour like #A8322A")
        if not isinstance(row.get("minor", False), bool):
            raise PaletteError(f"{name}.minor", "must be true or false")
        _checked_provinces(variant, f"{name}.land", row.get("land", []))


def _checked_provinces(variant: Variant, key: str, codes: object) -> tuple[str, ...]:
    if not isinstance(codes, list) or not all(isinstance(code, str) for code in codes):
        raise PaletteError(key, "must be a list of provinces")
    for code in codes:
        if code not in variant.start.board.provinces:
            raise PaletteError(key, f"no province {code!r} on the map")
    return tuple(codes)


@lru_cache(maxsize=64)
def _unlike_colours(taken: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Returns `count` colours unlike those taken; they repeat where there are more powers than colours."""
    pool = distinct_colours(MOST_COLOURS)
    ranked = sorted(
        pool,
        key=lambda candidate: (
            -min((colour_distance(candidate, other) for other in taken), default=-pool.index(candidate))
        ),
    )
    return tuple(ranked[number % MOST_COLOURS] for number in range(count))


def _colourblind_colours(variant: Variant, pinned: Mapping[str, str]) -> dict[str, str]:
    """Replaces each pinned colour by the most similar one that everybody can tell from the others.

    Powers with a seat choose first, among the colours that are furthest apart.
    """
    seated = {power.name for power in variant.powers}
    first = [name for name in pinned if name in seated]
    second = [name for name in variant.nations if name in pinned and name not in seated]
    pool = list(distinct_colours(min(MOST_COLOURS, len(first) + len(second))))
    assigned = _assign_similar(first, pool[: len(first)], pinned)
    return assigned | _assign_similar(second, pool[len(first) :], pinned)


def _assign_similar(names: Sequence[str], colours: Sequence[str], pinned: Mapping[str, str]) -> dict[str, str]:
    left = list(colours)
    assigned: dict[str, str] = {}
    for name in names:
        left = left or list(distinct_colours(MOST_COLOURS))
        assigned[name] = min(left, key=lambda candidate: (colour_distance(candidate, pinned[name]), candidate))
        left.remove(assigned[name])
    return assigned


@lru_cache(maxsize=512)
def _make_ink(key: str, *, minor: bool, spread: bool = False) -> PowerInk:
    """Makes tints that are light enough to read names on. `spread`: tints differ in lightness too."""
    lightness, chroma, hue = oklch_from_hex(key)
    if minor:
        return PowerInk(
            key, "#fdfcf8", hex_from_oklch(0.75 if key == MINOR_COLOUR else lightness + 0.08, chroma, hue), minor=True
        )
    light = 0.62 + 0.42 * lightness if spread else 0.655 + 0.345 * lightness
    return PowerInk(key, hex_from_oklch(light, chroma * 0.46, hue), hex_from_oklch(lightness + 0.07, chroma, hue))

"""Who is drawn in which colour, and which land without a centre counts as whose.

A variant pins its colours in palette.toml; powers it does not name get colours that all can tell apart:

    [Austria]
    colour = "#A8322A"
    land = ["Boh", "Gal", "Tyr"]     # provinces without a centre, Austria's while it owns a centre
    minor = true                     # drawn as a minor power, though it has a seat
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from gm.judge.model.variant import Variant
from gm.maps.drawing.colours import MOST, apart, colour, distinct, oklch

HEX = re.compile(r"#[0-9a-fA-F]{6}")
MINOR = "#33363a"
"""Minor powers that nobody pinned a colour for."""
KEYS = frozenset({"colour", "land", "minor"})


class PaletteError(ValueError):
    """A palette.toml that cannot be used: what is wrong at which key. Its text is one line."""

    def __init__(self, key: str, what: str) -> None:
        super().__init__(f"{key}: {what}")
        self.key = key
        self.what = what


class PowerInk(Struct, frozen=True):
    """One nation's colours: of its tokens, of its land, and of the band inside its outline."""

    key: str
    tint: str
    band: str
    minor: bool = False


class Palette(Struct, frozen=True):
    """`letters`: tokens carry the letter of their power, for readers who see few colours."""

    inks: Mapping[str, PowerInk]
    land: Mapping[str, str]
    letters: bool = False

    def ink(self, nation: str) -> PowerInk:
        return self.inks.get(nation) or _ink(MINOR, minor=True)


def palette(variant: Variant, told: Mapping[str, Any], *, colourblind: bool = False) -> Palette:
    """`told` is what palette.toml holds, empty where there is none. PaletteError for what cannot be meant."""
    _check(variant, told)
    minor = {name for name, one in told.items() if one.get("minor")} | {one.name for one in variant.minors}
    pinned = {name: str(one["colour"]).lower() for name, one in told.items() if "colour" in one}
    free = [name for name in (power.name for power in variant.powers) if name not in pinned]
    pinned |= zip(free, _unlike(tuple(pinned.values()), len(free)), strict=True)
    if colourblind:
        pinned = _for_all(variant, pinned)
    inks = {name: _ink(key, minor=name in minor, spread=colourblind) for name, key in pinned.items()}
    land = {province: name for name, one in told.items() for province in one.get("land", ())}
    return Palette(inks, land, letters=colourblind)


def _check(variant: Variant, told: Mapping[str, Any]) -> None:
    for name, one in told.items():
        if name not in variant.nations:
            raise PaletteError(name, f"is no power of {variant.title}; there are {', '.join(variant.nations)}")
        if not isinstance(one, Mapping) or not KEYS.issuperset(one):
            raise PaletteError(name, f"must be a table with {', '.join(sorted(KEYS))}")
        if not HEX.fullmatch(str(one.get("colour", "#000000"))):
            raise PaletteError(f"{name}.colour", f"{one['colour']!r} is no colour like #A8322A")
        if not isinstance(one.get("minor", False), bool):
            raise PaletteError(f"{name}.minor", "must be true or false")
        land = one.get("land", [])
        if not isinstance(land, list) or not all(isinstance(province, str) for province in land):
            raise PaletteError(f"{name}.land", "must be a list of provinces")
        for province in land:
            if province not in variant.start.board.provinces:
                raise PaletteError(f"{name}.land", f"no province {province!r} on the map")


def _unlike(taken: Sequence[str], count: int) -> tuple[str, ...]:
    """So many colours that are unlike those taken; the same again where a map has more powers than eyes can tell."""
    pool = distinct(MOST)
    ranked = sorted(pool, key=lambda one: -min((apart(one, other) for other in taken), default=-pool.index(one)))
    return tuple(ranked[number % MOST] for number in range(count))


def _for_all(variant: Variant, pinned: Mapping[str, str]) -> dict[str, str]:
    """Every power's pinned colour exchanged for one that all can tell from the others, as like it as is left.

    Powers with a seat choose first, among those that are furthest apart.
    """
    seated = {power.name for power in variant.powers}
    first = [name for name in pinned if name in seated]
    second = [name for name in variant.nations if name in pinned and name not in seated]
    pool = list(distinct(min(MOST, len(first) + len(second))))
    found = _likest(first, pool[: len(first)], pinned)
    return found | _likest(second, pool[len(first) :], pinned)


def _likest(names: Sequence[str], colours: Sequence[str], pinned: Mapping[str, str]) -> dict[str, str]:
    left = list(colours)
    found: dict[str, str] = {}
    for name in names:
        left = left or list(distinct(MOST))
        found[name] = min(left, key=lambda one: (apart(one, pinned[name]), one))
        left.remove(found[name])
    return found


def _ink(key: str, *, minor: bool, spread: bool = False) -> PowerInk:
    """Tints are light enough to read names on, bands between the two. `spread`: tints differ in lightness too."""
    lightness, chroma, hue = oklch(key)
    if minor:
        return PowerInk(key, "#fdfcf8", colour(0.75 if key == MINOR else lightness + 0.08, chroma, hue), minor=True)
    light = 0.62 + 0.42 * lightness if spread else 0.655 + 0.345 * lightness
    return PowerInk(key, colour(light, chroma * 0.46, hue), colour(lightness + 0.07, chroma, hue))

"""Colours that everybody can tell apart, and the colours that variants pin."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations

import pytest
from support.shipped import LIBRARY
from support.small_board import PINNED, variant

from gm.maps.drawing.colours import (
    BLINDNESS,
    MOST_COLOURS,
    colour_distance,
    distinct_colours,
    oklab_seen,
    oklch_from_hex,
    worst_distance,
)
from gm.maps.drawing.palette import PaletteError, build_palette
from gm.maps.drawing.terrain import NEUTRAL

LEAST = {2: 25, 3: 25, 4: 16, 5: 15, 6: 11, 7: 11, 8: 9, 9: 9, 10: 9, 11: 7, 12: 6, 13: 5.5, 14: 5.5}
"""The least OKLab distance (times 100) for each number of powers; everybody sees 5."""
TOKENS, TINTS, MINORS = 10.0, 4.5, 8.5
"""The least distances without colour blindness: of tokens, of land (also from land that nobody owns), and of tokens
with those of minor powers, which have another shape."""
STANDARD = {
    "Austria": "#a8322a",
    "England": "#43398a",
    "France": "#1f73b3",
    "Germany": "#45423e",
    "Italy": "#2f7d45",
    "Russia": "#8e4a7c",
    "Turkey": "#b9850b",
}


def _least_distance(colours: Iterable[str], distance: Callable[[str, str], float] = colour_distance) -> float:
    return min(distance(a, b) for a, b in combinations(colours, 2))


@pytest.mark.parametrize("count", range(2, MOST_COLOURS + 1))
def test_distinct_colours_differ_for_everybody(count: int) -> None:
    colours = distinct_colours(count)
    assert len(set(colours)) == count
    assert _least_distance(colours, worst_distance) >= LEAST[count]
    for colour in colours:
        assert oklch_from_hex(colour)[0] < 0.7, "too light for a white sign"


def test_distinct_colours_refuses_too_many() -> None:
    with pytest.raises(ValueError, match="14 are the most"):
        distinct_colours(MOST_COLOURS + 1)


def test_colour_blindness_confuses_red_and_green_and_keeps_grey() -> None:
    assert colour_distance("#c80000", "#6a7000", "deuteranopia") < colour_distance("#c80000", "#6a7000") / 3
    for blindness in BLINDNESS:
        _, a, b = oklab_seen("#808080", blindness)
        assert abs(a) + abs(b) < 0.005


def test_standard_has_the_customary_colours() -> None:
    standard = LIBRARY.variant("standard")
    colours = build_palette(standard, LIBRARY.drawing("standard")[1])
    assert {name: colours.ink(name).key for name in STANDARD} == STANDARD


@pytest.mark.parametrize("name", LIBRARY.ids())
def test_colours_of_each_variant_differ(name: str) -> None:
    variant = LIBRARY.variant(name)
    pinned = LIBRARY.drawing(name)[1]
    plain, careful = build_palette(variant, pinned), build_palette(variant, pinned, colourblind=True)
    powers = [power.name for power in variant.powers]
    assert _least_distance([plain.ink(p).key for p in powers]) >= TOKENS
    assert _least_distance([NEUTRAL, *(plain.ink(p).tint for p in powers if not plain.ink(p).minor)]) >= TINTS
    assert _least_distance([ink.key for ink in plain.inks.values()]) >= MINORS
    assert _least_distance([careful.ink(p).key for p in powers], worst_distance) >= LEAST[len(powers)]
    assert careful.letters
    assert not plain.letters


def test_a_free_colour_differs_from_pinned_colours() -> None:
    colours = build_palette(variant(), {"Red": PINNED["Red"]})
    assert colour_distance(colours.ink("Red").key, colours.ink("Blue").key) > 20


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"Green": {}}, "Green: is no power"),
        ({"Red": {"color": "#ffffff"}}, "Red: must be a table with colour, land, minor"),
        ({"Red": {"colour": "red"}}, "Red.colour: 'red' is no colour"),
        ({"Red": {"land": ["Xyz"]}}, "Red.land: no province 'Xyz'"),
    ],
)
def test_a_wrong_palette_is_an_error_of_one_line(table: dict[str, dict[str, object]], message: str) -> None:
    with pytest.raises(PaletteError, match=message):
        build_palette(variant(), table)

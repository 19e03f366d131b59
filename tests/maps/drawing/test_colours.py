"""Colours that everybody can tell apart, and those our variants pin."""

from __future__ import annotations

from itertools import combinations

import pytest
from support.paths import VARIANTS
from support.small_board import PINNED, variant

from gm.maps.drawing.colours import BLINDNESS, MOST, apart, closest, distinct, oklch, seen
from gm.maps.drawing.palette import PaletteError, palette
from gm.variant_files.library import Library

LIBRARY = Library([VARIANTS])
LEAST = {2: 25, 3: 25, 4: 16, 5: 15, 6: 11, 7: 11, 8: 9, 9: 9, 10: 9, 11: 7, 12: 6, 13: 5.5, 14: 5.5}
"""How far apart in hundredfold OKLab: 5 is plain to everybody."""
STANDARD = {
    "Austria": "#a8322a",
    "England": "#43398a",
    "France": "#1f73b3",
    "Germany": "#45423e",
    "Italy": "#2f7d45",
    "Russia": "#8e4a7c",
    "Turkey": "#b9850b",
}


@pytest.mark.parametrize("count", range(2, MOST + 1))
def test_everybody_tells_the_colours_of_so_many_powers_apart(count: int) -> None:
    colours = distinct(count)
    assert len(set(colours)) == count
    assert closest(colours) >= LEAST[count]
    for colour in colours:
        assert oklch(colour)[0] < 0.7, "too light for a white sign"


def test_more_powers_than_that_nobody_tells_apart() -> None:
    with pytest.raises(ValueError, match="14 are the most"):
        distinct(MOST + 1)


def test_red_and_green_are_one_to_the_colour_blind_and_grey_is_grey_to_all() -> None:
    assert apart("#c80000", "#6a7000", "deuteranopia") < apart("#c80000", "#6a7000") / 3
    for blindness in BLINDNESS:
        _, a, b = seen("#808080", blindness)
        assert abs(a) + abs(b) < 0.005


def test_standards_colours_are_the_ones_players_know() -> None:
    standard = LIBRARY.variant("standard")
    colours = palette(standard, LIBRARY.drawn("standard")[1])
    assert {name: colours.ink(name).key for name in STANDARD} == STANDARD


@pytest.mark.parametrize("name", LIBRARY.ids())
def test_a_variants_powers_are_told_apart_by_most_and_with_the_option_by_all(name: str) -> None:
    variant = LIBRARY.variant(name)
    pinned = LIBRARY.drawn(name)[1]
    plain, careful = palette(variant, pinned), palette(variant, pinned, colourblind=True)
    powers = [power.name for power in variant.powers]
    assert min(apart(a, b) for a, b in combinations([plain.ink(p).key for p in powers], 2)) >= 6
    assert closest([careful.ink(p).key for p in powers]) >= LEAST[len(powers)]
    assert careful.letters
    assert not plain.letters


def test_powers_without_a_pinned_colour_get_one_unlike_the_pinned() -> None:
    colours = palette(variant(), {"Red": PINNED["Red"]})
    assert apart(colours.ink("Red").key, colours.ink("Blue").key) > 20


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"Green": {}}, "Green: is no power"),
        ({"Red": {"color": "#ffffff"}}, "Red: must be a table with colour, land, minor"),
        ({"Red": {"colour": "red"}}, "Red.colour: 'red' is no colour"),
        ({"Red": {"land": ["Xyz"]}}, "Red.land: no province 'Xyz'"),
    ],
)
def test_a_palette_that_cannot_be_meant_is_told_in_one_line(told: dict[str, dict[str, object]], says: str) -> None:
    with pytest.raises(PaletteError, match=says):
        palette(variant(), told)

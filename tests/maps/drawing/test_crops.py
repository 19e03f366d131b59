"""Crops for phones: in the picture, readable, round the units of one power."""

from __future__ import annotations

import io

import pytest
from msgspec.structs import replace
from PIL import Image
from support.scripted_players import game
from support.shipped import LIBRARY

from gm.judge.model.events import OrderResult, visible
from gm.maps.drawing.crops import MOST, crop_areas
from gm.maps.drawing.draw import draw_map
from gm.maps.drawing.geometry import read_geometry
from gm.maps.drawing.inset import Area
from gm.maps.drawing.palette import build_palette
from gm.maps.drawing.png import CROP_WIDTH, crops_to_png
from gm.maps.drawing.scene import MapScene

PHONE, READABLE = 360, 11
"""Width of a phone, and the least height of a code on it, in CSS pixels."""


def scenes(name: str) -> list[MapScene]:
    variant, (geometry, table) = LIBRARY.variant(name), LIBRARY.drawing(name)
    drawn = read_geometry(geometry), variant, variant.start, build_palette(variant, table)
    played = [MapScene(*drawn)]
    for here, _, legs in game(variant, 12, 8):
        results = tuple(event for event in visible(legs[0].turn.events, None) if isinstance(event, OrderResult))
        if here.board == variant.start.board:
            played.append(replace(played[0], position=here, results=results))
    return played


def within(area: Area, place: tuple[float, float]) -> bool:
    left, top, width, height = area
    return left <= place[0] <= left + width and top <= place[1] <= top + height


@pytest.mark.parametrize("name", LIBRARY.ids())
def test_every_unit_is_in_a_readable_crop(name: str) -> None:
    for scene in scenes(name):
        for power in scene.variant.powers:
            areas = crop_areas(scene, power.name)
            assert len(areas) <= MOST
            for left, top, width, height in areas:
                assert left >= 0 <= top
                assert left + width <= scene.geometry.width
                assert top + height <= scene.geometry.height
                assert scene.geometry.text * PHONE / width >= READABLE
            units = [token.place for token in scene.tokens if token.unit.power == power.name]
            shown = [place for place in units if any(within(area, place) for area in areas)]
            assert len(shown) == len(units) if len(areas) < MOST else 2 * len(shown) >= len(units)


def test_a_power_without_units_sees_its_centres_and_one_without_both_nothing() -> None:
    scene = scenes("standard")[0]
    empty = replace(scene, position=replace(scene.position, units=()))
    assert any(within(area, scene.anchor(scene.position.units[0].at)) for area in crop_areas(empty, "Austria"))
    assert crop_areas(replace(empty, owners={}), "Austria") == ()


def test_crops_are_drawn_one_below_the_other() -> None:
    scene = scenes("standard")[1]
    areas = [*crop_areas(scene, "England"), *crop_areas(scene, "Turkey")]
    with Image.open(io.BytesIO(crops_to_png(draw_map(scene), areas))) as picture:
        assert picture.width == CROP_WIDTH
        assert picture.height > sum(area.height * CROP_WIDTH / area.width for area in areas)
    with pytest.raises(ValueError, match="no part"):
        crops_to_png(draw_map(scene), ())

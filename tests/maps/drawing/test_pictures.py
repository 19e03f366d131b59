"""Whole pictures: well-formed, the same each time, every unit in its place, every text seen, small enough to send."""

from __future__ import annotations

import io
import re
from random import Random
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image
from shapely import Point, Polygon, unary_union
from support.paths import VARIANTS
from support.scripted_players import game
from support.small_board import BLUE, DOCUMENT, RED, SHIP, colours, position, scene, variant

from gm.judge.model.events import OrderResult, visible
from gm.judge.model.position import Position
from gm.judge.model.variant import Variant
from gm.maps.drawing.draw import draw
from gm.maps.drawing.geometry import GeometryError
from gm.maps.drawing.geometry import read as read_geometry
from gm.maps.drawing.outline import rings
from gm.maps.drawing.palette import palette
from gm.maps.drawing.png import paint, raster
from gm.maps.drawing.scene import MapScene
from gm.maps.drawing.svg import FILES, WEIGHTS, text
from gm.variant_files.library import Library

LIBRARY = Library([VARIANTS])
GEOMETRIES = {name: read_geometry(LIBRARY.drawn(name)[0]) for name in LIBRARY.ids()}
SVG = "{http://www.w3.org/2000/svg}"
PHASES = 12


def played(name: str, seed: int) -> list[tuple[Variant, Position, tuple[OrderResult, ...]]]:
    chosen = LIBRARY.variant(name)
    found = []
    for here, _, legs in game(chosen, seed, PHASES):
        shown = visible(legs[0].turn.events, None)
        found.append((chosen, here, tuple(one for one in shown if isinstance(one, OrderResult))))
    return found


def picture(name: str, seed: int, at: int) -> MapScene:
    chosen, here, results = played(name, seed)[at]
    return MapScene(
        GEOMETRIES[name], chosen, here, palette(chosen, LIBRARY.drawn(name)[1]), results, "A title", "of it"
    )


@pytest.mark.parametrize("name", LIBRARY.ids())
def test_every_unit_of_a_game_has_one_token_and_the_picture_is_the_same_again(name: str) -> None:
    for chosen, here, results in played(name, 3):
        drawn = MapScene(GEOMETRIES[name], chosen, here, palette(chosen, {}), results)
        svg = draw(drawn)
        assert svg == draw(MapScene(GEOMETRIES[name], chosen, here, palette(chosen, {}), results))
        tokens = [one for one in ElementTree.fromstring(svg).iter(f"{SVG}use") if one.get("class") == "unit"]
        built = sum(stand.built for stand in drawn.stands)
        count = sum(int(token.get("data-count", "")) for token in tokens)
        assert count == len(here.units) + len(here.dislodged) + built


@pytest.mark.parametrize("name", LIBRARY.ids())
def test_every_place_of_a_token_lies_in_its_own_province(name: str) -> None:
    """On a named coast it may stand before the shore, by less than a token's breadth."""
    geometry = GEOMETRIES[name]
    for code, province in LIBRARY.variant(name).start.board.provinces.items():
        faces = frozenset(face for face in geometry.faces if geometry.name(face) == code)
        area = unary_union([Polygon(ring).buffer(0) for ring in rings(geometry, faces)])
        for coast in ("", *province.coasts) if province.slots and code not in geometry.boxes else ():
            place = geometry.anchor(code, coast).unit
            assert place is not None, code
            off = area.distance(Point(place[0] / geometry.scale, place[1] / geometry.scale)) * geometry.scale
            assert off <= (2 * geometry.token if coast else 0), f"{code}/{coast}: {off:.1f} off at {place}"


@given(st.text(max_size=40), st.text(max_size=40))
def test_whatever_a_game_is_called_the_picture_is_xml_and_says_so(title: str, note: str) -> None:
    told = ElementTree.fromstring(draw(scene(RED, BLUE, title=title, subtitle=note, notes=(note,))))
    assert told.tag == f"{SVG}svg"
    assert {one.tag for one in told.iter()} <= {f"{SVG}{name}" for name in TAGS}


TAGS = ["svg", "title", "defs", "linearGradient", "stop", "pattern", "path", "g", "rect", "circle", "text", "use"]


def test_a_hostile_name_stays_a_text() -> None:
    svg = draw(scene(RED, title='</text><script>x()</script>"', subtitle="<!--"))
    assert "<script>" not in svg
    told = ElementTree.fromstring(svg)
    assert any((one.text or "").startswith("</text><script>") for one in told.iter(f"{SVG}text"))


def test_a_power_with_a_hostile_name_is_drawn() -> None:
    name = '<b onload="x">&amp;'
    here = position(replace(RED, power=name))
    drawn = MapScene(read_geometry(DOCUMENT), variant(here, red=name), here, colours(), title="x")
    assert ElementTree.fromstring(draw(drawn)) is not None


def test_a_unit_that_has_no_place_on_the_drawn_board_is_told() -> None:
    document = DOCUMENT | {"anchors": {"Wes": {"label": [1, 1]}}}
    here = position(RED)
    with pytest.raises(GeometryError, match="no place for a unit in Wes"):
        draw(MapScene(read_geometry(document), variant(here), here, colours()))


def test_pictures_ask_for_no_type_that_is_not_bundled() -> None:
    svg = draw(picture("standard", 5, 0))
    asked = {
        f' font-family="{family}"' * bool(family)
        + f' font-weight="{weight}"' * bool(weight)
        + ' font-style="italic"' * bool(style)
        for family, weight, style in (
            (one.get("font-family"), one.get("font-weight"), one.get("font-style"))
            for one in ElementTree.fromstring(svg).iter(f"{SVG}text")
        )
    }
    assert asked <= set(WEIGHTS.values())


@pytest.mark.parametrize("face", FILES)
@pytest.mark.parametrize("words", ["Par", "ÄÖÜßéèçñøåłőşžČΩ", "Fin de Siècle · “ostend” — 1½", "\u6771\u4eac"])
def test_no_text_is_dropped(face: str, words: str) -> None:
    """resvg leaves out, without a word, what it has no font for: every text must leave ink on the paper."""
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 60" width="600" height="60" font-family="Source Sans '
        f'Pro"><rect width="600" height="60" fill="#ffffff"/>{text(words, (10.0, 40.0), 24.0, face)}</svg>'
    )
    grey = np.asarray(Image.open(io.BytesIO(paint(svg, 600))).convert("L"))
    assert (grey.min(axis=0) < 100).sum() > 4 * len(words)


@pytest.mark.parametrize("name", LIBRARY.ids())
def test_a_picture_fits_into_a_letter(name: str) -> None:
    png = paint(draw(picture(name, 4, 6)))
    shown = Image.open(io.BytesIO(png))
    assert shown.format == "PNG"
    assert shown.mode == "P"
    assert shown.width == 1400
    assert len(png) < 400_000


@pytest.mark.parametrize("name", ["standard", "youngstown"])
def test_pieces_laid_upon_each_other_are_the_whole(name: str) -> None:
    """Nobody's eye tells them from the drawing painted at once: the second picture uses what the first has kept."""
    first, second = (draw(picture(name, 2, at)) for at in (0, 1))
    raster(first, 700)
    kept = np.asarray(raster(second, 700)).astype(int)
    at_once = np.asarray(raster(second.replace('<g class="realms">', '<g class="one-piece">'), 700)).astype(int)
    assert kept.shape == at_once.shape
    assert np.abs(kept - at_once).max() <= 8


def test_a_powers_colour_survives_the_palette() -> None:
    drawn = scene(RED, BLUE, SHIP)
    shown = Image.open(io.BytesIO(paint(draw(drawn), 700))).convert("RGB")
    colours_there = {colour for _, colour in shown.getcolors(1 << 24) or ()}
    for key in ("#a8322a", "#1f73b3"):
        assert tuple(int(key[at : at + 2], 16) for at in (1, 3, 5)) in colours_there


@pytest.mark.parametrize("width", [0, -1, 100_000])
def test_a_width_no_picture_has_is_refused(width: int) -> None:
    with pytest.raises(ValueError, match="pixels wide"):
        paint("<svg/>", width)


def test_options_with_letters_name_every_powers_tokens() -> None:
    chosen = LIBRARY.variant("standard")
    colours_for_all = palette(chosen, {}, colourblind=True)
    svg = draw(MapScene(GEOMETRIES["standard"], chosen, chosen.start, colours_for_all))
    for power in chosen.powers:
        assert len(re.findall(f">{power.letter}</text>", svg)) >= len(chosen.start.units_of(power.name))


def test_words_of_a_random_picture_are_all_on_it() -> None:
    drawn = picture("standard", Random(1).randrange(9), 2)
    svg = draw(drawn)
    for code, anchor in drawn.geometry.anchors.items():
        if anchor.label is not None and "#" not in code and code in drawn.position.board.provinces:
            assert f">{code}</text>" in svg or f">{code.upper()}</text>" in svg

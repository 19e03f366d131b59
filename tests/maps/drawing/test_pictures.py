"""Whole pictures: well-formed, reproducible, every unit in its place, every text visible, small enough to send."""

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
from support.scripted_players import game
from support.shipped import LIBRARY, drawn_board
from support.small_board import BLUE, DOCUMENT, RED, SHIP, colours, position, scene, variant

from gm.judge.model.events import OrderResult, visible
from gm.judge.model.position import Position
from gm.judge.model.variant import Variant
from gm.maps.drawing.draw import draw_map
from gm.maps.drawing.geometry import GeometryError, read_geometry
from gm.maps.drawing.outline import rings
from gm.maps.drawing.palette import build_palette
from gm.maps.drawing.png import rasterise, svg_to_png
from gm.maps.drawing.scene import MapScene
from gm.maps.drawing.svg import FILES, WEIGHTS, text_element

GEOMETRIES = {name: drawn_board(name)[0] for name in LIBRARY.ids()}
SVG = "{http://www.w3.org/2000/svg}"
PHASES = 12


def played(name: str, seed: int) -> list[tuple[Variant, Position, tuple[OrderResult, ...]]]:
    chosen = LIBRARY.variant(name)
    phases = []
    for here, _, legs in game(chosen, seed, PHASES):
        shown = visible(legs[0].turn.events, None)
        phases.append((chosen, here, tuple(event for event in shown if isinstance(event, OrderResult))))
    return phases


def picture(name: str, seed: int, at: int) -> MapScene:
    chosen, here, results = played(name, seed)[at]
    return MapScene(
        GEOMETRIES[name], chosen, here, build_palette(chosen, LIBRARY.drawing(name)[1]), results, "A title", "of it"
    )


@pytest.mark.parametrize("name", LIBRARY.ids())
def test_every_unit_has_a_token_and_pictures_are_reproducible(name: str) -> None:
    for chosen, here, results in played(name, 3):
        drawn = MapScene(GEOMETRIES[name], chosen, here, build_palette(chosen, {}), results)
        svg = draw_map(drawn)
        assert svg == draw_map(MapScene(GEOMETRIES[name], chosen, here, build_palette(chosen, {}), results))
        tokens = [
            element for element in ElementTree.fromstring(svg).iter(f"{SVG}use") if element.get("class") == "unit"
        ]
        built = sum(token.built for token in drawn.tokens)
        count = sum(int(token.get("data-count", "")) for token in tokens)
        assert count == len(here.units) + len(here.dislodged) + built


@pytest.mark.parametrize("name", LIBRARY.ids())
def test_anchors_lie_in_their_province(name: str) -> None:
    """On a named coast a token may stand off the shore, by less than its width."""
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
def test_any_title_gives_well_formed_xml(title: str, note: str) -> None:
    tree = ElementTree.fromstring(draw_map(scene(RED, BLUE, title=title, subtitle=note, notes=(note,))))
    assert tree.tag == f"{SVG}svg"
    assert {element.tag for element in tree.iter()} <= {f"{SVG}{name}" for name in TAGS}


TAGS = ["svg", "title", "defs", "linearGradient", "stop", "pattern", "path", "g", "rect", "circle", "text", "use"]


def test_markup_in_a_title_is_escaped() -> None:
    svg = draw_map(scene(RED, title='</text><script>x()</script>"', subtitle="<!--"))
    assert "<script>" not in svg
    tree = ElementTree.fromstring(svg)
    assert any((element.text or "").startswith("</text><script>") for element in tree.iter(f"{SVG}text"))


def test_markup_in_a_power_name_is_escaped() -> None:
    name = '<b onload="x">&amp;'
    here = position(replace(RED, power=name))
    drawn = MapScene(read_geometry(DOCUMENT), variant(here, red=name), here, colours(), title="x")
    assert ElementTree.fromstring(draw_map(drawn)) is not None


def test_a_unit_without_an_anchor_is_an_error() -> None:
    document = DOCUMENT | {"anchors": {"Wes": {"label": [1, 1]}}}
    here = position(RED)
    with pytest.raises(GeometryError, match="no place for a unit in Wes"):
        draw_map(MapScene(read_geometry(document), variant(here), here, colours()))


def test_pictures_use_bundled_fonts_only() -> None:
    svg = draw_map(picture("standard", 5, 0))
    fonts = {
        f' font-family="{family}"' * bool(family)
        + f' font-weight="{weight}"' * bool(weight)
        + ' font-style="italic"' * bool(style)
        for family, weight, style in (
            (element.get("font-family"), element.get("font-weight"), element.get("font-style"))
            for element in ElementTree.fromstring(svg).iter(f"{SVG}text")
        )
    }
    assert fonts <= set(WEIGHTS.values())


@pytest.mark.parametrize("face", FILES)
@pytest.mark.parametrize("words", ["Par", "ÄÖÜßéèçñøåłőşžČΩ", "Fin de Siècle · “ostend” — 1½", "\u6771\u4eac"])
def test_every_text_is_visible(face: str, words: str) -> None:
    """resvg silently leaves out text without a font: every text must leave ink on the paper."""
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 60" width="600" height="60" font-family="Source Sans '
        f'Pro"><rect width="600" height="60" fill="#ffffff"/>{text_element(words, (10.0, 40.0), 24.0, face)}</svg>'
    )
    grey = np.asarray(Image.open(io.BytesIO(svg_to_png(svg, 600))).convert("L"))
    assert (grey.min(axis=0) < 100).sum() > 4 * len(words)


@pytest.mark.parametrize("name", LIBRARY.ids())
def test_a_picture_is_small_enough_for_a_letter(name: str) -> None:
    png = svg_to_png(draw_map(picture(name, 4, 6)))
    shown = Image.open(io.BytesIO(png))
    assert shown.format == "PNG"
    assert shown.mode == "P"
    assert shown.width == 1400
    assert len(png) < 400_000


@pytest.mark.parametrize("name", ["standard", "youngstown"])
def test_layers_rendered_apart_equal_the_whole(name: str) -> None:
    """The second picture uses layers cached by the first, and looks like one rendered at once."""
    first, second = (draw_map(picture(name, 2, at)) for at in (0, 1))
    rasterise(first, 700)
    kept = np.asarray(rasterise(second, 700)).astype(int)
    at_once = np.asarray(rasterise(second.replace('<g class="realms">', '<g class="one-piece">'), 700)).astype(int)
    assert kept.shape == at_once.shape
    assert np.abs(kept - at_once).max() <= 8


def test_power_colours_are_in_the_palette() -> None:
    drawn = scene(RED, BLUE, SHIP)
    shown = Image.open(io.BytesIO(svg_to_png(draw_map(drawn), 700))).convert("RGB")
    colours_there = {colour for _, colour in shown.getcolors(1 << 24) or ()}
    for key in ("#a8322a", "#1f73b3"):
        assert tuple(int(key[at : at + 2], 16) for at in (1, 3, 5)) in colours_there


@pytest.mark.parametrize("width", [0, -1, 100_000])
def test_an_impossible_width_is_an_error(width: int) -> None:
    with pytest.raises(ValueError, match="pixels wide"):
        svg_to_png("<svg/>", width)


def test_the_colourblind_option_adds_initials_to_tokens() -> None:
    chosen = LIBRARY.variant("standard")
    colours_for_all = build_palette(chosen, {}, colourblind=True)
    svg = draw_map(MapScene(GEOMETRIES["standard"], chosen, chosen.start, colours_for_all))
    for power in chosen.powers:
        assert len(re.findall(f">{power.letter}</text>", svg)) >= len(chosen.start.units_of(power.name))


def test_every_province_code_is_on_the_picture() -> None:
    drawn = picture("standard", Random(1).randrange(9), 2)
    svg = draw_map(drawn)
    for code, anchor in drawn.geometry.anchors.items():
        if anchor.label is not None and "#" not in code and code in drawn.position.board.provinces:
            assert f">{code}</text>" in svg or f">{code.upper()}</text>" in svg

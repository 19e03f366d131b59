"""Many fleets in one ocean: each is seen with its number, and no name is hidden."""

from __future__ import annotations

import json
import re

import pytest
from msgspec.structs import replace
from support.shipped import LIBRARY

from gm.judge.board.board import Place
from gm.judge.model.events import OrderResult, Outcome
from gm.judge.model.orders import Move, Support, UnitRef
from gm.judge.model.position import Unit, ref
from gm.judge.model.variant import Variant
from gm.language.formats.json_position import position_from_json
from gm.maps.drawing import order_layers
from gm.maps.drawing.draw import draw_map
from gm.maps.drawing.geometry import Geometry, label_size, read_geometry
from gm.maps.drawing.order_lines import order_paths
from gm.maps.drawing.palette import build_palette
from gm.maps.drawing.png import rasterise
from gm.maps.drawing.scene import MapScene

VARIANT: Variant = LIBRARY.variant("fin-de-siecle")
DRAWING, PALETTE = LIBRARY.drawing("fin-de-siecle")
GEOMETRY: Geometry = read_geometry(DRAWING)
OCEANS = ("NAT", "SAT", "IDO", "NPO", "SPO")


def scene(units: dict[str, list[str]], results: tuple[OrderResult, ...] = ()) -> MapScene:
    document = {"variant": VARIANT.id, "phase": "S1885M", "units": units, "centers": {}}
    position = position_from_json(VARIANT, json.loads(json.dumps(document)))
    return MapScene(GEOMETRY, VARIANT, position, build_palette(VARIANT, PALETTE), results=results)


@pytest.mark.parametrize("ocean", OCEANS)
@pytest.mark.parametrize("count", [1, 2, 5, 9, 16, 28])
def test_fleets_hide_no_name_and_no_other_fleet(ocean: str, count: int) -> None:
    powers = [power.name for power in VARIANT.powers]
    units: dict[str, list[str]] = {}
    for number in range(count):
        units.setdefault(powers[number % len(powers)], []).append(f"F {ocean}")
    tokens = scene(units).tokens
    assert len(tokens) == count
    for token in tokens:
        x, y = token.place
        assert 0 < x < GEOMETRY.width
        assert 0 < y < GEOMETRY.height
        for name, anchor in GEOMETRY.anchors.items():
            if anchor.label is not None:
                wide, high = label_size(GEOMETRY.text, name, GEOMETRY.grounds)
                apart = abs(x - anchor.label[0]) - wide, abs(y - anchor.label[1]) - high
                assert apart[0] > token.size or apart[1] > token.size, (name, token)
        others = [other.place for other in tokens if other is not token]
        assert all(abs(x - a) > 2 * token.size or abs(y - b) > 1.8 * token.size for a, b in others)


def test_a_fleet_among_several_shows_its_number() -> None:
    here = scene({"Great Britain": ["F NAT", "F NAT"], "Spain": ["F NAT"]})
    drawn = order_layers.units(here)
    assert re.findall(r">(\d)</text>", drawn) == ["1", "2"]


def test_a_support_without_a_number_leads_to_the_fleet_that_moves() -> None:
    standing = scene({"Great Britain": ["F NAT", "F NAT", "F SAR"]})
    first, second, helper = standing.position.units
    to = Place("GSL")
    results = (
        ordered(first, Move(ref(first), Place("WAL"))),
        ordered(second, Move(ref(second), to)),
        ordered(helper, Support(ref(helper), UnitRef("F", Place("NAT")), to)),
    )
    supported = order_paths(replace(standing, results=results))[0]
    named = replace(results[2], order=Support(ref(helper), ref(second), to))
    assert supported == order_paths(replace(standing, results=(*results[:2], named)))[0]


def ordered(unit: Unit, order: Move | Support) -> OrderResult:
    return OrderResult(unit.power, order, Outcome.SUCCEEDS, unit=unit)


def test_europe_is_drawn_again_larger() -> None:
    here = scene({"France": ["A PAR"]})
    svg = draw_map(here)
    assert svg.count('class="inset"') == 1
    assert svg.count('data-unit="A PAR"') == 1
    picture = rasterise(svg, 900)
    assert picture.height > picture.width
    below = picture.crop((50, picture.height * 6 // 10, 500, picture.height * 9 // 10))
    assert len(below.getcolors(1 << 20) or ()) > 50
    plain = draw_map(replace(here, palette=replace(here.palette, inset=())))
    assert "inset" not in plain
    assert rasterise(plain, 900).height < picture.height

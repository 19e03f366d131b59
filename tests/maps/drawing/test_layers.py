"""Compares each layer of a small picture with a golden file. GM_WRITE_GOLDEN=1 rewrites them; check the diff."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.small_board import BLUE, PLANE, RED, SHIP, ref, result, scene

from gm.judge.board.board import Place
from gm.judge.model.events import Outcome
from gm.judge.model.orders import Hold, Move, Support
from gm.maps.drawing import labels, legend, order_layers, terrain
from gm.maps.drawing.draw import Layer
from gm.maps.drawing.order_lines import order_paths
from gm.maps.drawing.scene import MapScene

GOLDEN = Path(__file__).parent / "golden"
RESULTS = (
    result(RED, Move(ref(RED), Place("Eas")), Outcome.BOUNCED),
    result(BLUE, Hold(ref(BLUE))),
    result(SHIP, Support(ref(SHIP), ref(BLUE)), Outcome.CUT),
)
LAYERS: tuple[Layer, ...] = (
    terrain.land,
    terrain.realms,
    terrain.borders,
    order_layers.order_lines,
    order_layers.holds,
    order_layers.units,
    order_layers.bursts,
    labels.names,
    labels.centres,
    legend.title,
)


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.__name__)
def test_a_layer_matches_its_golden_file(layer: Layer) -> None:
    drawn = layer(scene(RED, BLUE, SHIP, PLANE, results=RESULTS)).replace("><", ">\n<") + "\n"
    path = GOLDEN / f"{layer.__name__}.svg"
    if os.environ.get("GM_WRITE_GOLDEN"):
        path.write_text(drawn, encoding="utf-8")
    assert drawn == path.read_text(encoding="utf-8")


def test_the_sea_matches_its_golden_file() -> None:
    geometry = scene().geometry
    drawn = terrain.sea(geometry).replace("><", ">\n<") + "\n"
    path = GOLDEN / "sea.svg"
    if os.environ.get("GM_WRITE_GOLDEN"):
        path.write_text(drawn, encoding="utf-8")
    assert drawn == path.read_text(encoding="utf-8")


def drawn(of: MapScene) -> str:
    return order_layers.units(of)


def test_a_wing_stands_beside_the_unit_below_it() -> None:
    here = scene(BLUE, PLANE)
    assert here.places[PLANE] != here.places[BLUE]
    assert 'href="#wing"' in drawn(here)
    assert scene(PLANE).places[PLANE] == (100.0, 60.0)


def test_equal_units_in_a_shared_sea_are_one_token_with_a_number() -> None:
    red = replace(SHIP, power="Red")
    here = scene(SHIP, SHIP, SHIP, red, shared=True)
    assert [(token.unit.power, token.count) for token in here.tokens] == [("Blue", 3), ("Red", 1)]
    assert 'data-count="3"' in drawn(here)
    assert ">3</text>" in drawn(here)


def test_a_long_note_is_wrapped() -> None:
    note = "Por and Spa have separated; MAO lies between them, and the picture could not follow."
    below, high = legend.render_legend(scene(RED, notes=(note,)))
    plain, lower = legend.render_legend(scene(RED))
    assert high > lower + 40
    assert below.count("<text") > plain.count("<text") + 1


def test_a_bounce_is_drawn_before_a_province_that_another_unit_won() -> None:
    lost = result(RED, Move(ref(RED), Place("SOU")), Outcome.BOUNCED)
    won = result(replace(SHIP, at=BLUE.at), Move(ref(BLUE), Place("SOU")))
    alone = order_paths(scene(RED, BLUE, results=(lost,)))[-1].burst
    beaten = order_paths(scene(RED, BLUE, results=(lost, won)))[0].burst
    assert alone == (165.0, 50.0)
    assert beaten is not None
    assert beaten[0] < 160

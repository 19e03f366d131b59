"""The key below a map explains every sign that is drawn on it, and no other."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace
from support import scripted_players, scripted_wing_players
from support.pictures.drawn_orders import drawn_orders
from support.shipped import LIBRARY, letter_templates, map_drawer

from gm.judge.model.events import OrderResult, visible
from gm.maps.drawing import labels, order_layers, terrain
from gm.maps.drawing.geometry import read_geometry
from gm.maps.drawing.legend import render_legend
from gm.maps.drawing.palette import build_palette
from gm.maps.drawing.scene import MapScene

PHASES = 9
SIGNS = {
    "corner": "#ffcf3d",
    "ferry": "#8a2a16",
    "bridge": f'stroke="{labels.INK}" stroke-width="2.4"',
    "edge": f'stroke="{labels.OCEAN_INK}" stroke-width="2"',
    "box": "<rect",
    "closed": "url(#closed)",
    "shallows": terrain.SHALLOWS,
    "move": 'class="move"',
    "failed": 'class="failed"',
    "convoyed": 'class="convoyed"',
    "retreat": 'class="retreat"',
    "cut": 'class="cut"',
    "bomb": 'class="bomb"',
    "stopped": 'class="stopped"',
    "intercept": 'class="intercept"',
    "bounce": "#ffc03d",
    "dislodged|removed": "#d01f1f",
    "retreats": f'stroke="{order_layers.RED}" stroke-width="2" stroke-dasharray="3 2.4"',
    "build": f'fill="{order_layers.GREEN}" stroke="#fff"',
}
"""What is drawn for each word of the key."""
LAYERS = (
    terrain.land,
    labels.signs,
    labels.edges,
    labels.boxes,
    order_layers.order_lines,
    order_layers.patrols,
    order_layers.units,
    order_layers.marks,
    order_layers.bursts,
)


@pytest.mark.parametrize("name", [*LIBRARY.ids(), "europe-1933 wings"])
def test_the_key_explains_every_sign_and_no_other(name: str) -> None:
    name, _, wings = name.partition(" ")
    players, options = (scripted_wing_players, {"wings": "on"}) if wings else (scripted_players, {})
    variant, catalogue = LIBRARY.variant(name, options), letter_templates().catalogue("en")
    document, table = LIBRARY.drawing(name)
    geometry, palette = read_geometry(document), build_palette(variant, table)
    for position, _, legs in players.game(variant, 7, PHASES):
        events = visible(legs[0].turn.events, None)
        results = tuple(event for event in events if isinstance(event, OrderResult))
        scene = MapScene(geometry, variant, position, palette, results)
        drawn = "".join(layer(scene) for layer in LAYERS)
        words = set(re.findall(r">([a-z-]+)</text>", render_legend(scene)[0]))
        for key, sign in SIGNS.items():
            ring = re.sub(r'stroke-width="[0-9.]+"', 'stroke-width="2"', drawn) if key == "retreats" else drawn
            assert (sign in ring) == bool(set(key.split("|")) & words), (key, variant.phase_name(position))
        sentences = {word for word in words if f"chart.{word}" in catalogue}
        assert sentences == words - {kind.name for kind in variant.kinds.values()}


@pytest.mark.parametrize("name", LIBRARY.ids())
def test_the_legend_names_every_power_whose_colour_is_drawn(name: str) -> None:
    variant = LIBRARY.variant(name)
    for position, _, legs in scripted_players.game(variant, 3, PHASES):
        scene = map_drawer().scene(variant, position, legs[0].turn.events, after=legs[-1].turn.position)
        land = {scene.owner(code) for code, province in position.board.provinces.items() if province.slots} - {""}
        units = {token.unit.power for token in scene.tokens}
        named = [nation for nation in land | units if nation in scene.palette.inks]
        legend = render_legend(scene)[0]
        assert [nation for nation in named if f">{scene.word(nation)}</text>" not in legend] == []


def test_a_minor_power_that_has_just_lost_its_last_centre_is_in_the_legend() -> None:
    orders = {"Germany": ["A Sil - War", "A EPr S A Sil - War"]}
    units = {"Germany": ["A Sil", "A EPr"], "Poland": ["A War"]}
    scene = drawn_orders("europe-1933", "F1933M", units, orders)
    before = replace(scene.position, centres={"War": "Poland"})
    legend = render_legend(replace(scene, position=before, owners={"War": "Germany"}))[0]
    assert "1 \u2192 0" in legend
    assert ">Poland</text>" in legend

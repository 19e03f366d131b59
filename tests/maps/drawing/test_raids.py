"""Bombings and interceptions of wings: where their lines lead, and who sees them."""

from __future__ import annotations

from math import dist

import pytest
from msgspec.structs import replace
from support.pictures.drawn_orders import drawn_orders
from support.shipped import LIBRARY, map_drawer

from gm.game.phase.orders_picture import own_results
from gm.judge.model.events import OrderResult
from gm.maps.drawing.crops import crop_areas
from gm.maps.drawing.order_layers import order_lines, patrols
from gm.maps.drawing.order_lines import LineStyle, OrderLinePath, order_paths
from gm.maps.drawing.scene import MapScene

UNITS = {
    "France": ["W Mar", "A Mar"],
    "England": ["W Lon"],
    "Germany": ["W Han", "A Hol", "W Ber", "W Mun"],
    "Italy": ["A Ven"],
}
ORDERS = {
    "France": ["W Mar bomb Ven"],
    "England": ["W Lon bomb Hol"],
    "Germany": ["W Han intercept (Hol, Den)", "W Ber intercept", "W Mun intercept (Pra, Aus)"],
}


@pytest.fixture(scope="module")
def scene() -> MapScene:
    return drawn_orders("europe-1933", "S1934M", UNITS, ORDERS, wings="on")


def lines(scene: MapScene, style: LineStyle, nation: str) -> list[OrderLinePath]:
    return [path for path in order_paths(scene) if path.style is style and path.nation == nation]


def place(scene: MapScene, code: str) -> tuple[float, float]:
    place = scene.geometry.anchor(code).unit
    assert place is not None
    return place


def test_a_bombing_leads_from_the_wing_to_its_target(scene: MapScene) -> None:
    (track,) = lines(scene, LineStyle.BOMB, "France")
    (wing,) = (token.place for token in scene.tokens if str(token.unit.at.province) == "Mar" and token.unit.kind == "W")
    assert dist(track.path[0], wing) < 1.5 * scene.token
    assert scene.token < dist(track.path[-1], place(scene, "Ven")) < 1.7 * scene.token


def test_an_intercepted_bombing_looks_otherwise_and_is_met_on_its_way(scene: MapScene) -> None:
    (bomber,) = lines(scene, LineStyle.STOPPED, "England")
    (met,) = (track for track in lines(scene, LineStyle.INTERCEPT, "Germany") if track.path[-1] in bomber.path)
    assert dist(met.path[0], scene.geometry.anchor("Han").air or (0, 0)) < 1.5 * scene.token
    assert not lines(scene, LineStyle.BOMB, "England")


def test_a_wing_that_meets_nobody_watches_the_places_on_its_list(scene: MapScene) -> None:
    ends = [track.path[-1] for track in lines(scene, LineStyle.INTERCEPT, "Germany")]
    assert len(ends) == 3
    for code in ("Pra", "Aus"):
        assert min(dist(end, place(scene, code)) for end in ends) < 0.5 * scene.token


def test_a_wing_that_watches_any_place_has_a_sight_round_it(scene: MapScene) -> None:
    assert patrols(scene).count('class="intercept"') == 1


def test_a_wing_over_its_target_has_a_line_all_the_same() -> None:
    scene = drawn_orders("europe-1933", "S1934M", {"France": ["W Par"]}, {"France": ["W Par bomb Par"]}, wings="on")
    (track,) = lines(scene, LineStyle.BOMB, "France")
    assert dist(track.path[0], track.path[-1]) > scene.token / 2


def test_impossible_orders_of_wings_are_not_drawn() -> None:
    units = {"Germany": ["W Mun", "A Ber"]}
    orders = {"Germany": ["W Mun bomb Mos", "A Ber bomb War"]}
    assert order_paths(drawn_orders("europe-1933", "S1934M", units, orders, wings="on")) == ()


def test_only_what_everybody_may_know_is_drawn(scene: MapScene) -> None:
    secret = [replace(result, audience=frozenset({result.power})) for result in scene.results]
    shown = map_drawer().scene(scene.variant, scene.position, secret)
    assert order_paths(shown) == ()
    assert order_lines(shown) + patrols(shown) == ""


@pytest.mark.parametrize(("power", "lines_drawn"), [("France", 1), ("England", 1), ("Germany", 4), ("Italy", 0)])
def test_the_picture_of_a_sheet_shows_ones_own(scene: MapScene, power: str, lines_drawn: int) -> None:
    variant = LIBRARY.variant("europe-1933", {"wings": "on"})
    own = tuple(own_results(variant, scene.position, power, tuple(ORDERS.get(power, ()))))
    assert all(isinstance(result, OrderResult) for result in own)
    shown = order_paths(replace(scene, results=own))
    assert len(shown) == lines_drawn
    assert {track.nation for track in shown} <= {power}


def test_a_crop_reaches_to_what_a_wing_bombs(scene: MapScene) -> None:
    x, y = place(scene, "Ven")
    assert any(
        area.left < x < area.left + area.width and area.top < y < area.top + area.height
        for area in crop_areas(scene, "France")
    )

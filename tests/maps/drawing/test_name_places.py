"""Names step aside: on every board, with units everywhere and in played games, nothing lies on a name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
import shapely
from msgspec.structs import replace
from support.scripted_players import game
from support.shipped import LIBRARY, drawn_board
from support.small_board import BLUE, RED, ref, result
from support.small_board import scene as small_scene

from gm.judge.board.board import Place, locate
from gm.judge.model.events import OrderResult, Outcome, visible
from gm.judge.model.orders import Move
from gm.judge.model.position import Unit
from gm.judge.model.variant import Variant
from gm.maps.drawing.name_places import (
    FAR,
    STRAY,
    NamePlace,
    Rectangle,
    arrow_boxes,
    name_box,
    name_places,
    obstacles,
)
from gm.maps.drawing.outline import province_area
from gm.maps.drawing.palette import build_palette
from gm.maps.drawing.scene import MapScene

LEAST = 0.02
"""The share of a name that may lie under something."""
ARROWS = 0.01
"""The same for arrows, on average over all names: a world's smallest countries have no room for both."""
PHASES = 8


def drawn(name: str, variant: Variant, units: tuple[Unit, ...], results: tuple[OrderResult, ...] = ()) -> MapScene:
    geometry, table = drawn_board(name)
    position = replace(variant.start, units=units)
    return MapScene(geometry, variant, position, build_palette(variant, table), results)


def everywhere(variant: Variant, kinds: str, coast: int) -> Iterator[Unit]:
    """Yields a unit in every province: of the first of these kinds that can stand there, on this of its coasts."""
    board, powers = variant.start.board, [power.name for power in variant.powers]
    for number, (code, province) in enumerate(board.provinces.items()):
        coasts = province.coasts[coast:][:1]
        places = [
            (kind, locate(board, variant.kinds[kind], Place(code, at)))
            for kind in kinds
            if kind in variant.kinds
            for at in (*coasts, "")
        ]
        here = next(((kind, at) for kind, at in places if at is not None), None)
        if here is not None:
            yield Unit(powers[number % len(powers)], *here)


def covered(scene: MapScene, names: Mapping[str, NamePlace], boxes: list[Rectangle]) -> dict[str, float]:
    """Returns the share of each name under the boxes."""
    above = shapely.STRtree([shapely.box(*box) for box in boxes])
    own = {key: shapely.box(*name_box(scene, key, name)) for key, name in names.items()}
    return {key: _area_under(box, above) / box.area for key, box in own.items()}


def _area_under(box: shapely.Polygon, above: shapely.STRtree) -> float:
    here = above.geometries.take(above.query(box))
    return float(box.intersection(shapely.union_all(here)).area)


def _touch(first: Rectangle, second: Rectangle) -> bool:
    return first[0] <= second[2] and second[0] <= first[2] and first[1] <= second[3] and second[1] <= first[3]


def hidden(scene: MapScene) -> dict[str, float]:
    """Returns the names under tokens, marks, supply centres, boxes or other names."""
    names = name_places(scene)
    shares = covered(scene, names, list(obstacles(scene)))
    wrong = {key: round(share, 2) for key, share in shares.items() if share > LEAST}
    taken = {key: name_box(scene, key, name) for key, name in names.items()}
    for key in names:
        others = [box for other, box in taken.items() if other != key and _touch(box, taken[key])]
        share = covered(scene, {key: names[key]}, others)[key]
        wrong |= {f"{key} under a name": share} if share > LEAST else {}
    return wrong


@pytest.mark.parametrize(("kinds", "coast"), [("AF", 0), ("FA", 0), ("FA", 1), ("WAF", 0)])
@pytest.mark.parametrize("name", LIBRARY.ids())
def test_no_name_lies_under_a_unit_with_units_everywhere(name: str, kinds: str, coast: int) -> None:
    variant = LIBRARY.variant(name)
    assert hidden(drawn(name, variant, tuple(everywhere(variant, kinds, coast)))) == {}


@pytest.mark.parametrize("name", LIBRARY.ids())
def test_no_name_lies_under_the_orders_of_a_game(name: str) -> None:
    variant = LIBRARY.variant(name)
    shares: list[float] = []
    for position, _, legs in game(variant, 11, PHASES):
        events = visible(legs[0].turn.events, None)
        results = tuple(event for event in events if isinstance(event, OrderResult))
        scene = replace(drawn(name, variant, ()), position=position, results=results)
        if position.board == variant.start.board:
            assert hidden(scene) == {}
            shares += covered(scene, name_places(scene), list(arrow_boxes(scene))).values()
    assert sum(shares) / len(shares) < ARROWS


@pytest.mark.parametrize("name", LIBRARY.ids())
def test_names_stay_in_their_places_on_an_empty_board(name: str) -> None:
    scene = drawn(name, LIBRARY.variant(name), ())
    for key, place in name_places(scene).items():
        usual = scene.geometry.anchors[key].label
        assert usual is not None
        off = max(abs(usual[0] - place.place[0]), abs(usual[1] - place.place[1]))
        outside = outside_share(scene, key, NamePlace(usual))
        assert off < (3 if outside < STRAY else FAR + 1) * scene.token, key
        assert place.size == 1 or outside > STRAY


def outside_share(scene: MapScene, key: str, name: NamePlace) -> float:
    """Returns the share of a name that lies outside its province."""
    box, area = shapely.box(*name_box(scene, key, name)), province_area(scene.geometry, key.partition("#")[0])
    return float(1 - box.intersection(area).area / box.area)


@pytest.mark.parametrize(
    ("name", "most"), [("standard", 0), ("locarno", 0), ("europe-1933", 0), ("youngstown", 1), ("fin-de-siecle", 17)]
)
def test_names_lie_in_their_provinces_where_the_picture_has_room(name: str, most: int) -> None:
    """Usual places leave room for units that most pictures do not have; a world's smallest countries have none."""
    scene = drawn(name, LIBRARY.variant(name), ())
    shares = {key: outside_share(scene, key, place) for key, place in name_places(scene).items()}
    assert len([key for key, share in shares.items() if share > 0.12]) <= most


def test_a_name_steps_aside_for_an_arrow() -> None:
    plain = small_scene(RED, BLUE, results=(result(RED, Move(ref(RED), Place("Eas")), Outcome.BOUNCED),))
    wes = plain.geometry.anchors["Wes"]._replace(label=(55.0, 60.0))
    scene = replace(plain, geometry=replace(plain.geometry, anchors={**plain.geometry.anchors, "Wes": wes}))
    arrows = list(arrow_boxes(scene))
    assert covered(scene, {"Wes": NamePlace((55.0, 60.0))}, arrows)["Wes"] > 0.1
    assert covered(scene, {"Wes": name_places(scene)["Wes"]}, arrows)["Wes"] == 0

"""The lines of orders lead where the orders lead: by the seas of a convoy in turn, over the edge of a round board."""

from __future__ import annotations

from itertools import pairwise
from math import dist

import pytest
from msgspec.structs import replace
from support.pictures.drawn_orders import drawn_orders

from gm.judge.model.events import OrderResult, Outcome
from gm.judge.model.orders import Move
from gm.maps.drawing.curves import Polyline, unroll
from gm.maps.drawing.order_lines import LineStyle, OrderLinePath, order_paths
from gm.maps.drawing.scene import MapScene

CONVOYS = (
    ("youngstown", "A Tok - Ire", "NPO ObL ObA NAT", "ObK ObB", True),
    ("youngstown", "A Ire - Tok", "NAT ObA ObL NPO", "MAO SPO", True),
    ("youngstown", "A Por - Tok", "MAO ObB ObL NPO", "ObK ObC NAT", True),
    ("fin-de-siecle", "A SFR - VLA", "GAK OKH", "CLF NPO", True),
    ("fin-de-siecle", "A BRE - SUZ", "BIS CNY WMD ION EMD", "ENG", False),
    ("standard", "A Lon - Gre", "ENG MAO WES TYS ION", "NTH NAO", False),
    ("standard", "A Edi - Gas", "NTH ENG MAO", "NWG NAO IRI", False),
    ("europe-1933", "A Lon - Ven", "ENG MAO WES TYS ION ADR", "NTH", False),
)
"""A variant, an army's order, the seas of its shortest route, other fleets of the convoy or beside it, and whether the
way leads over the edge."""


def convoy(name: str, army: str, seas: str, others: str) -> MapScene:
    start = army.split(" - ")[0]
    fleets = [f"F {sea}" for sea in (*seas.split(), *others.split())]
    power = {"youngstown": "Japan", "fin-de-siecle": "Japan"}.get(name, "England")
    orders = [army, *(f"{fleet} C {army}" for fleet in fleets)]
    return drawn_orders(name, "S1935M", {power: [start, *fleets]}, {power: orders})


def stops(scene: MapScene, army: str, seas: str) -> list[tuple[float, float]]:
    start, end = army.removeprefix("A ").split(" - ")
    places = [scene.geometry.anchor(code).unit for code in (start, *seas.split(), end)]
    return [place for place in places if place]


def nearest(path: Polyline, place: tuple[float, float], around: float) -> int:
    """The point of a path at a place, or beside the picture where the place would be."""
    x, y = place
    copies = [(x + turn * around, y) for turn in (-1, 0, 1)]
    return min(range(len(path)), key=lambda at: min(dist(path[at], copy) for copy in copies))


@pytest.mark.parametrize(("name", "army", "seas", "others", "over"), CONVOYS, ids=lambda value: str(value)[:12])
def test_a_convoy_is_drawn_from_sea_to_sea(name: str, army: str, seas: str, others: str, over: bool) -> None:
    scene = convoy(name, army, seas, others)
    (track,) = (path for path in order_paths(scene) if path.style is LineStyle.CONVOYED)
    around = scene.geometry.around
    ways = [nearest(track.path, stop, around) for stop in stops(scene, army, seas)]
    assert ways == sorted(ways)
    for (x, y), at in zip(stops(scene, army, seas)[1:-1], ways[1:-1], strict=True):
        assert min(dist(track.path[at], (x + turn * around, y)) for turn in (-1, 0, 1)) < 1
    assert all(dist(here, there) < scene.geometry.width / 20 for here, there in pairwise(track.path))
    assert bool(track.again) == over


@pytest.mark.parametrize(("name", "army", "seas", "others", "over"), CONVOYS, ids=lambda value: str(value)[:12])
def test_all_of_a_convoy_is_in_the_picture(name: str, army: str, seas: str, others: str, over: bool) -> None:
    """Each of its seas is reached by one of the line's copies, and the army's goal by an arrow."""
    scene = convoy(name, army, seas, others)
    (track,) = (path for path in order_paths(scene) if path.style is LineStyle.CONVOYED)
    drawn = [point for copy in track.copies for point in copy]
    for stop in stops(scene, army, seas):
        assert min(dist(stop, point) for point in drawn) < 2 * scene.token


def test_the_line_of_a_failed_convoy_ends_at_its_burst() -> None:
    fleets = [f"F {sea}" for sea in ("NPO", "ObL", "ObA", "NAT")]
    orders = {"Japan": ["A Tok - Ire", *(f"{fleet} C A Tok - Ire" for fleet in fleets)]}
    scene = drawn_orders("youngstown", "S1905M", {"Japan": ["A Tok", *fleets], "England": ["A Ire"]}, orders)
    (track,) = (path for path in order_paths(scene) if path.style is LineStyle.FAILED)
    goal = scene.geometry.anchor("Ire").unit
    assert track.burst is not None
    assert goal is not None
    assert dist(track.burst, goal) < 2 * scene.token
    assert track.again


def test_where_the_fleets_are_not_known_a_convoy_goes_by_the_seas_that_it_names() -> None:
    """As in the picture of a sheet, which shows no orders of others."""
    army = "A Tok - NPO - ObL - ObA - NAT - Ire"
    known = drawn_orders("youngstown", "S1905M", {"Japan": ["A Tok", "F NPO"]}, {"Japan": [army]})
    (result,) = (result for result in known.results if isinstance(result.order, Move))
    scene = replace(known, results=(OrderResult("Japan", result.order, Outcome.SUCCEEDS, unit=result.unit),))
    (track,) = order_paths(scene)
    assert track.style is LineStyle.CONVOYED
    ways = [nearest(track.path, stop, scene.geometry.around) for stop in stops(scene, "A Tok - Ire", "NPO ObL ObA NAT")]
    assert ways == sorted(ways)


@pytest.mark.parametrize(
    ("name", "power", "units", "order"),
    [
        ("youngstown", "Japan", ["F ObL", "F ObB"], "F ObL S F ObB"),
        ("youngstown", "Japan", ["F ObB", "F ObL", "F ObK"], "F ObB S F ObK - ObL"),
        ("fin-de-siecle", "Japan", ["F OKH", "F GAK"], "F OKH S F GAK"),
        ("fin-de-siecle", "Japan", ["F OKH", "F CLF"], "F OKH S F CLF - GAK"),
    ],
)
def test_a_support_over_the_edge_does_not_cross_the_board(name: str, power: str, units: list[str], order: str) -> None:
    scene = drawn_orders(name, "S1885M", {power: units}, {power: [order]})
    (track,) = supports(scene)
    assert track.again
    assert length(track.path) < scene.geometry.width / 4
    assert any(0 < copy[-1][0] < scene.geometry.width for copy in track.copies)


def supports(scene: MapScene) -> list[OrderLinePath]:
    return [path for path in order_paths(scene) if path.style in (LineStyle.SUPPORT, LineStyle.CUT)]


def length(path: Polyline) -> float:
    return sum(dist(here, there) for here, there in pairwise(path))


def test_a_way_round_the_world_is_unrolled() -> None:
    stops = [(900.0, 0.0), (990.0, 0.0), (40.0, 0.0), (120.0, 0.0)]
    assert unroll(stops, 1000.0) == ([(900.0, 0.0), (990.0, 0.0), (1040.0, 0.0), (1120.0, 0.0)], (-1000.0,))
    assert unroll(stops, 0.0) == (stops, ())
    back = [(40.0, 0.0), (990.0, 0.0), (60.0, 0.0)]
    assert unroll(back, 1000.0) == ([(40.0, 0.0), (-10.0, 0.0), (60.0, 0.0)], (1000.0,))

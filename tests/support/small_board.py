"""A board of four provinces to draw: two lands, a sea, and a mountain nobody enters, with two powers on it."""

from __future__ import annotations

from typing import Any

from gm.judge.board.board import AIR, ARMY, FLEET, LAND, SEA, Border, Location, Province, TableBoard, UnitKind, Use
from gm.judge.model.events import OrderResult, Outcome
from gm.judge.model.orders import Statement, UnitRef
from gm.judge.model.position import Position, Unit
from gm.judge.model.variant import FREE_PRESS, Power, Variant
from gm.judge.movement.movement_step import MovementStep
from gm.judge.steps.adjustments import AdjustmentStep
from gm.judge.steps.build_rules import AT_HOME
from gm.maps.drawing.geometry import read_geometry
from gm.maps.drawing.palette import Palette, build_palette
from gm.maps.drawing.scene import MapScene

WING = UnitKind("W", "wing", frozenset({AIR}), layer=AIR)
WES, EAS, SOU = Location("Wes", LAND), Location("Eas", LAND), Location("SOU", SEA)
SHORE, ABOVE = Location("Eas", "coast"), Location("Eas", AIR)
DOCUMENT: dict[str, Any] = {
    "width": 200,
    "height": 100,
    "scale": 0.1,
    "token": 8,
    "text": 9,
    "grounds": {"Wes": "land", "Eas": "land", "Mtn": "land", "SOU": "water"},
    "arcs": [
        ["Mtn", "Wes", [0, 300, 700, 0]],
        ["Mtn", "Eas", [700, 300, 600, 0]],
        ["Eas", "Wes", [700, 300, 0, 700]],
        ["SOU", "Eas", [1300, 300, 0, 700]],
        ["SOU", "Mtn", [1300, 0, 0, 300]],
        ["", "Mtn", [0, 300, 0, -300, 1300, 0]],
        ["", "SOU", [1300, 0, 700, 0, 0, 1000, -700, 0]],
        ["", "Eas", [1300, 1000, -600, 0]],
        ["", "Wes", [700, 1000, -700, 0, 0, -700]],
    ],
    "anchors": {
        "Wes": {"unit": [30, 60], "label": [50, 85], "sc": [15, 45]},
        "Eas": {"unit": [100, 60], "label": [115, 85], "sc": [85, 45]},
        "SOU": {"unit": [165, 50], "label": [165, 80]},
        "Mtn": {"label": [65, 15]},
    },
}


def board(*, shared: bool = False) -> TableBoard:
    provinces = (
        Province("Wes", "Westland", (LAND,), centre=True, home="Red"),
        Province("Eas", "Eastland", (LAND, "coast", AIR), centre=True, home="Blue"),
        Province("SOU", "Southern Sea", (SEA,), shared=shared),
        Province("Mtn", "Mountain", ()),
    )
    both = ((WES, EAS), (EAS, WES), (SHORE, SOU), (SOU, SHORE))
    return TableBoard(provinces, [Border(f"{a}-{b}", a, b, Use.MOVE | Use.SUPPORT) for a, b in both])


def position(*units: Unit, shared: bool = False, **more: Any) -> Position:
    return Position(1901, 0, board(shared=shared), units, {"Wes": "Red", "Eas": "Blue"}, **more)


def variant(start: Position | None = None, red: str = "Red") -> Variant:
    powers = (Power(red, "R", red), Power("Blue", "B", "Blue"))
    kinds = {"A": ARMY, "F": FLEET, "W": WING}
    return Variant(
        "islet",
        "Islet",
        powers,
        kinds,
        (MovementStep("Spring"), AdjustmentStep("Winter")),
        start or position(),
        2,
        FREE_PRESS,
        AT_HOME,
    )


RED, BLUE = Unit("Red", "A", WES), Unit("Blue", "A", EAS)
SHIP, PLANE = Unit("Blue", "F", SOU), Unit("Blue", "W", ABOVE)
PINNED = {"Red": {"colour": "#a8322a"}, "Blue": {"colour": "#1f73b3"}}


def ref(unit: Unit) -> UnitRef:
    return UnitRef(unit.kind, unit.at.place)


def result(unit: Unit, order: Statement, outcome: Outcome = Outcome.SUCCEEDS, **more: Any) -> OrderResult:
    return OrderResult(unit.power, order, outcome, unit=unit, **more)


def colours() -> Palette:
    return build_palette(variant(), PINNED)


def scene(*units: Unit, results: tuple[OrderResult, ...] = (), shared: bool = False, **more: Any) -> MapScene:
    here = position(*units, shared=shared)
    options: dict[str, Any] = {"title": "Spring 1901", "subtitle": "Islet"} | more
    return MapScene(read_geometry(DOCUMENT), variant(here), here, colours(), results, **options)

"""What variants add to a battle, as data: backings, closed borders, spoiled supports, barred moves, weights, layers."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from gm.judge.board.board import AIR, GROUND, Border, Location, Place, Province, TableBoard, UnitKind, Use
from gm.judge.mechanics.wings.movement_step import adjudicate_layers
from gm.judge.model.events import Outcome
from gm.judge.model.orders import Move, Statement, Support
from gm.judge.model.position import Unit, ref
from gm.judge.model.variant import Variant
from gm.judge.movement.adjudicate import adjudicate
from gm.judge.movement.battle import Battle, BoughtSupport, Intent, IntentKind, Resolution
from gm.judge.movement.legality import IllegalOrder, LegalityChecker

PASS = Use.MOVE | Use.SUPPORT


def army(power: str, code: str) -> Unit:
    return Unit(power, "A", Location(code, "land"))


def land(code: str) -> Location:
    return Location(code, "land")


VIE, WAR, BUD = army("Austria", "Vie"), army("Russia", "War"), army("Austria", "Bud")
TO_GAL = (Intent(VIE, IntentKind.MOVE, land("Gal")), Intent(WAR, IntentKind.MOVE, land("Gal")))


def outcomes(battle: Battle) -> list[str]:
    return [order_outcome.outcome.value for order_outcome in adjudicate(battle).outcomes]


def battle(standard: Variant, *intents: Intent) -> Battle:
    return Battle(standard.start.board, standard.kinds, intents)


def test_a_backing_counts_and_nothing_cuts_it(standard: Variant) -> None:
    plain = battle(standard, *TO_GAL)
    assert outcomes(plain) == ["bounced", "bounced"]
    backed = replace(plain, bought_supports=(BoughtSupport("Italy", VIE, Place("Gal")),))
    assert outcomes(backed) == ["succeeds", "bounced"]


def test_a_backing_for_what_the_unit_does_not_do_is_worth_nothing(standard: Variant) -> None:
    backed = replace(
        battle(standard, *TO_GAL),
        bought_supports=(BoughtSupport("Italy", VIE, None), BoughtSupport("Italy", VIE, Place("Tyr"))),
    )
    assert outcomes(backed) == ["bounced", "bounced"]


def test_a_backing_counts_as_its_buyers(standard: Variant) -> None:
    ven, tri = army("Italy", "Ven"), army("Austria", "Tri")
    attack = battle(standard, Intent(ven, IntentKind.MOVE, land("Tri")), Intent(tri))
    assert outcomes(replace(attack, bought_supports=(BoughtSupport("Austria", ven, Place("Tri")),)))[0] == "bounced"
    assert outcomes(replace(attack, bought_supports=(BoughtSupport("Turkey", ven, Place("Tri")),)))[0] == "succeeds"


def test_a_half_backing_decides(standard: Variant) -> None:
    backed = replace(battle(standard, *TO_GAL), bought_supports=(BoughtSupport("Italy", VIE, Place("Gal"), 1),))
    outcomes = adjudicate(backed).outcomes
    assert [f.outcome.value for f in outcomes] == ["succeeds", "bounced"]
    assert outcomes[0].cause is not None
    assert (outcomes[0].cause.force, outcomes[0].cause.against) == (3, 2)


def test_a_closed_border_is_no_way_for_units_or_supports(standard: Variant) -> None:
    names = {b.name for b in standard.start.board.leaving(land("Vie")) if b.end.province == "Gal"}
    closed = replace(battle(standard, *TO_GAL), closed=frozenset(names))
    assert outcomes(closed) == ["no-route", "succeeds"]
    helped = battle(
        standard,
        Intent(BUD, IntentKind.MOVE, land("Gal")),
        Intent(VIE, IntentKind.SUPPORT, target=BUD, goal=Place("Gal")),
        Intent(WAR, IntentKind.MOVE, land("Gal")),
    )
    assert outcomes(helped) == ["succeeds", "succeeds", "bounced"]
    assert outcomes(replace(helped, closed=frozenset(names))) == ["bounced", "void", "bounced"]


def test_a_closed_strait_stops_a_convoy(standard: Variant) -> None:
    lon, nth = army("England", "Lon"), Unit("England", "F", Location("NTH", "sea"))
    sailing = battle(
        standard,
        Intent(lon, IntentKind.MOVE, land("Nwy")),
        Intent(nth, IntentKind.CONVOY, target=lon, goal=Place("Nwy")),
    )
    assert outcomes(sailing) == ["succeeds", "succeeds"]
    names = {b.name for b in standard.start.board.leaving(land("Nwy")) if b.end.province == "NTH"}
    assert outcomes(replace(sailing, closed=frozenset(names)))[0] == "no-route"


def test_a_spoiled_support_does_not_count(standard: Variant) -> None:
    helped = battle(standard, *TO_GAL, Intent(BUD, IntentKind.SUPPORT, target=VIE, goal=Place("Gal")))
    assert outcomes(helped) == ["succeeds", "bounced", "succeeds"]
    assert outcomes(replace(helped, spoiled=frozenset({BUD}))) == ["bounced", "bounced", "cut"]


def test_a_barred_unit_bounces_and_cuts_but_does_not_enter(standard: Variant) -> None:
    gal = army("Turkey", "Gal")
    moves = battle(standard, TO_GAL[0], Intent(WAR, IntentKind.MOVE, land("Gal")))
    assert outcomes(replace(moves, barred=frozenset({VIE}))) == ["bounced", "bounced"]
    alone = battle(standard, TO_GAL[0])
    assert outcomes(alone) == ["succeeds"]
    assert outcomes(replace(alone, barred=frozenset({VIE}))) == ["bounced"]
    rum = army("Turkey", "Rum")
    cutting = battle(
        standard,
        TO_GAL[0],
        Intent(gal, IntentKind.SUPPORT, target=rum, goal=Place("Bud")),
        Intent(rum, IntentKind.MOVE, land("Bud")),
    )
    assert outcomes(replace(cutting, barred=frozenset({VIE})))[1] == "cut"


def test_nobody_is_in_the_way_in_a_shared_province(standard: Variant) -> None:
    provinces = [replace(p, shared=p.code == "Gal") for p in standard.start.board.provinces.values()]
    board = TableBoard(provinces, standard.start.board.borders)
    gal = army("Turkey", "Gal")
    shared = Battle(board, standard.kinds, (*TO_GAL, Intent(gal)))
    assert outcomes(shared) == ["succeeds", "succeeds", "succeeds"]
    assert all(f.dislodged_by is None for f in adjudicate(shared).outcomes)


# ---- two layers


@pytest.fixture(scope="module")
def sky() -> tuple[TableBoard, dict[str, UnitKind]]:
    """Three lands in a row; a wing flies over them, helps the ground with a half and fights only wings."""
    codes = ("Left", "Mid", "Right")
    provinces = [Province(c, c, ("land", "air")) for c in codes]
    borders: list[Border] = []
    for here, there in (("Left", "Mid"), ("Mid", "Right")):
        for slot in ("land", "air"):
            start, end = Location(here, slot), Location(there, slot)
            borders += [Border(here + there, start, end, PASS), Border(here + there, end, start, PASS)]
        for first, second in ((here, there), (there, here)):
            borders.append(Border("down", Location(first, "air"), Location(second, "land"), Use.SUPPORT))
            borders.append(Border("up", Location(first, "land"), Location(second, "air"), Use.SUPPORT))
    kinds = {
        "A": UnitKind("A", "army", frozenset({"land"}), support={GROUND: 2, AIR: 1}, convoyed=True),
        "W": UnitKind("W", "wing", frozenset({"air"}), layer=AIR, support={GROUND: 1, AIR: 2}),
    }
    return TableBoard(provinces, borders), kinds


def test_layers_do_not_meet(sky: tuple[TableBoard, dict[str, UnitKind]]) -> None:
    board, kinds = sky
    wing = Unit("Red", "W", Location("Left", "air"))
    flight = Battle(board, kinds, (Intent(wing, IntentKind.MOVE, Location("Mid", "air")), Intent(army("Blue", "Mid"))))
    assert outcomes(flight) == ["succeeds", "succeeds"]
    assert all(f.dislodged_by is None for f in adjudicate(flight).outcomes)


def test_a_wing_helps_the_ground_with_a_half(sky: tuple[TableBoard, dict[str, UnitKind]]) -> None:
    board, kinds = sky
    left, wing = army("Red", "Left"), Unit("Red", "W", Location("Right", "air"))
    attack = Battle(
        board,
        kinds,
        (
            Intent(left, IntentKind.MOVE, land("Mid")),
            Intent(wing, IntentKind.SUPPORT, target=left, goal=Place("Mid")),
            Intent(army("Blue", "Mid")),
        ),
    )
    resolution = adjudicate(attack)
    assert resolution.outcomes[0].outcome is Outcome.SUCCEEDS
    assert resolution.outcomes[2].dislodged_cause is not None
    assert resolution.outcomes[2].dislodged_cause.force == 3


def test_only_a_wing_cuts_a_wing(sky: tuple[TableBoard, dict[str, UnitKind]]) -> None:
    board, kinds = sky
    left, wing = army("Red", "Left"), Unit("Red", "W", Location("Mid", "air"))
    helping = Intent(wing, IntentKind.SUPPORT, target=left)
    walker, flier = army("Blue", "Right"), Unit("Blue", "W", Location("Right", "air"))
    on_foot = Battle(board, kinds, (Intent(left), helping, Intent(walker, IntentKind.MOVE, land("Mid"))))
    assert outcomes(on_foot) == ["succeeds", "succeeds", "succeeds"]
    by_air = Battle(board, kinds, (Intent(left), helping, Intent(flier, IntentKind.MOVE, Location("Mid", "air"))))
    assert outcomes(by_air)[1] == "cut"


# ---- ground and air


def without_lost_supports(battle: Battle, ground: Resolution) -> Battle:
    """Supports that were cut on the ground, and those of units dislodged there, do not count in the air."""
    lost = {
        intent.unit
        for intent, outcome in zip(battle.intents, ground.outcomes, strict=True)
        if intent.action is IntentKind.SUPPORT and (outcome.outcome is Outcome.CUT or outcome.dislodged_by is not None)
    }
    return replace(battle, spoiled=battle.spoiled | lost)


def test_without_wings_layers_change_nothing(standard: Variant) -> None:
    contest_ = battle(standard, *TO_GAL)
    assert adjudicate_layers(contest_, without_lost_supports) == adjudicate(contest_)


def test_the_air_round_follows_the_surface(sky: tuple[TableBoard, dict[str, UnitKind]]) -> None:
    """An army helps a wing by a half until it is attacked or driven out on the ground."""
    board, kinds = sky
    helper, wing = army("Red", "Left"), Unit("Red", "W", Location("Left", "air"))
    there, walker = Unit("Blue", "W", Location("Mid", "air")), army("Blue", "Mid")
    flight = (
        Intent(wing, IntentKind.MOVE, Location("Mid", "air")),
        Intent(helper, IntentKind.SUPPORT, target=wing, goal=Place("Mid")),
        Intent(there),
    )
    helped = adjudicate_layers(Battle(board, kinds, flight), without_lost_supports)
    assert [f.outcome.value for f in helped.outcomes] == ["succeeds", "succeeds", "succeeds"]
    assert helped.outcomes[2].dislodged_by == wing
    # the army below where the help goes is no part of that battle: its attack cuts like any other
    marching = Battle(board, kinds, (*flight, Intent(walker, IntentKind.MOVE, land("Left"))))
    cut = adjudicate_layers(marching, without_lost_supports)
    assert [f.outcome.value for f in cut.outcomes] == ["bounced", "cut", "succeeds", "bounced"]
    assert cut.outcomes[2].dislodged_by is None
    backed = replace(marching, bought_supports=(BoughtSupport("Green", walker, Place("Left")),))
    driven = adjudicate_layers(backed, without_lost_supports)
    assert driven.outcomes[1].dislodged_by == walker
    assert [f.outcome.value for f in driven.outcomes] == ["bounced", "cut", "succeeds", "succeeds"]


def test_the_second_adjudication_decides_the_air(sky: tuple[TableBoard, dict[str, UnitKind]]) -> None:
    board, kinds = sky
    wing, walker = Unit("Red", "W", Location("Left", "air")), army("Blue", "Left")

    def grounded(battle: Battle, ground: Resolution) -> Battle:
        return replace(battle, barred=frozenset({wing}))

    flight = Battle(
        board,
        kinds,
        (Intent(wing, IntentKind.MOVE, Location("Mid", "air")), Intent(walker, IntentKind.MOVE, land("Mid"))),
    )
    outcomes = adjudicate_layers(flight, grounded).outcomes
    assert [f.outcome.value for f in outcomes] == ["bounced", "succeeds"]


def test_the_same_order_is_checked_anew_for_another_power(standard: Variant) -> None:
    """The same value comes again for another power's unit, or helps another's, where the first is gone."""
    into: Statement = Move(ref(VIE), Place("Gal"))
    helps: Statement = Support(ref(VIE), ref(BUD), Place("Gal"))
    board, kinds = standard.start.board, standard.kinds

    def tries(units: tuple[Unit, ...], order: Statement) -> Intent | IllegalOrder:
        return LegalityChecker(board, kinds, units).intent(units[0], order)

    for vie in (VIE, army("Italy", "Vie"), VIE, army("Turkey", "Vie")):
        assert tries((vie,), into) == Intent(vie, IntentKind.MOVE, land("Gal"))
        for bud in (BUD, army("Russia", "Bud")):
            assert tries((vie, bud), helps) == Intent(vie, IntentKind.SUPPORT, target=bud, goal=Place("Gal"))
        assert isinstance(tries((vie,), helps), IllegalOrder)
        assert isinstance(tries((vie, Unit("Russia", "F", Location("Tri", "coast"))), helps), IllegalOrder)

"""Crowded battles out of thin air, for properties: few provinces, many units, orders that bear on each other."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from gm.judge.board.board import Location, Place
from gm.judge.model.orders import Convoy, Hold, Move, Statement, Support, UnitRef
from gm.judge.model.position import Unit
from gm.judge.model.variant import Variant
from gm.judge.movement.battle import Battle, Intent
from gm.judge.movement.legality import IllegalOrder, LegalityChecker

CORNERS = (
    "NTH ENG Lon Wal Yor Edi Bel Hol Pic Bre Nwy NWG HEL IRI MAO",
    "TYS ION Nap Rom Tun Apu ADR AEG Gre Alb Tri Ven WES LYO",
    "SKA BAL BOT Den Swe Nwy Kie Ber Fin StP Lvn BAR NTH",
    "Con Bul BLA AEG Ank Smy Rum Sev Arm Ser Gre EAS",
    "Spa Por MAO Gas Mar WES LYO NAf Pie Bre",
    "Mun Boh Tyr Vie Tri Ven Sil Ber Kie Ruh Bur Gal Bud Pie",
)


def battle(variant: Variant, seed: int, most: int = 8) -> Battle:
    """The same seed gives the same battle."""
    dice = Random(seed)
    units = crowd(variant, dice, dice.choice(CORNERS).split(), dice.randint(3, most))
    return Battle(variant.start.board, variant.kinds, intents(variant, dice, units))


def crowd(variant: Variant, dice: Random, codes: Sequence[str], size: int) -> tuple[Unit, ...]:
    board = variant.start.board
    powers = [p.name for p in variant.powers][: dice.choice((2, 3, 3, 4))]
    units: list[Unit] = []
    for code in dice.sample(list(codes), min(size, len(codes))):
        slot = dice.choice(board.provinces[code].slots)
        kind = "A" if slot == "land" else "F"
        units.append(Unit(dice.choice(powers), kind, Location(code, slot)))
    return tuple(units)


def intents(variant: Variant, dice: Random, units: tuple[Unit, ...]) -> tuple[Intent, ...]:
    checker = LegalityChecker(variant.start.board, variant.kinds, units)
    moves = {u: _move(checker, dice, u, units) if dice.random() < 0.5 else None for u in units}
    made: list[Intent] = []
    for unit in units:
        statement = moves[unit] or _help(checker, dice, unit, units, moves)
        intent = checker.intent(unit, statement)
        made.append(Intent(unit, aside=True) if isinstance(intent, IllegalOrder) else intent)
    return tuple(made)


def _ref(unit: Unit) -> UnitRef:
    return UnitRef(unit.kind, unit.at.place)


def _move(checker: LegalityChecker, dice: Random, unit: Unit, units: tuple[Unit, ...]) -> Move | None:
    near = [str(at.place) for at in checker.adjacency.moves[unit.at]]
    occupied = [code for code in near if any(u.at.province == code.partition("/")[0] for u in units)]
    choice = dice.random()
    if unit.kind == "A" and choice < 0.45 and checker.carriers:
        shores = [a.province for at in checker.carriers for a in checker.convoy_steps(at) if a.slot == "land"]
        near = shores or near
    elif occupied and choice < 0.8:
        near = occupied
    if not near:
        return None
    province, _, coast = dice.choice(near).partition("/")
    return Move(_ref(unit), Place(province, coast), via=dice.random() < 0.15)


def _help(
    checker: LegalityChecker, dice: Random, unit: Unit, units: tuple[Unit, ...], moves: dict[Unit, Move | None]
) -> Statement:
    options: list[Statement] = [Hold(_ref(unit))]
    for other in units:
        going = moves[other]
        if other == unit:
            continue
        order = Support(_ref(unit), _ref(other), going.to if going else None)
        options += [order] * 3
        if going and other.kind == "A" and unit.kind == "F":
            options += [Convoy(_ref(unit), _ref(other), going.to)] * 6
    good = [o for o in options if not isinstance(checker.intent(unit, o), IllegalOrder)]
    return dice.choice(good)


def paradox(variant: Variant, seed: int) -> Battle:
    """A battle round one or two convoys, each going for a fleet whose support decides about a convoying fleet."""
    dice = Random(seed)
    checker = LegalityChecker(variant.start.board, variant.kinds, ())
    placed: dict[str, Unit] = {}
    orders: list[tuple[str, str, tuple[str, ...]]] = []
    seas = dice.sample(("NTH", "ENG", "TYS", "ION", "AEG", "BAL", "SKA", "IRI", "NWG", "ADR"), 2)
    for sea in seas:
        _cluster(checker, dice, sea, placed, orders)
    units = tuple(placed.values())
    whole = LegalityChecker(variant.start.board, variant.kinds, units)
    by_unit: dict[Unit, Intent] = {}
    for verb, code, rest in orders:
        unit = placed[code]
        intent = whole.intent(unit, _said(verb, unit, rest, placed))
        if unit not in by_unit and not isinstance(intent, IllegalOrder):
            by_unit[unit] = intent
    extra = intents(variant, dice, units)
    return Battle(variant.start.board, variant.kinds, tuple(by_unit.get(i.unit, i) for i in extra))


def _cluster(
    checker: LegalityChecker,
    dice: Random,
    sea: str,
    placed: dict[str, Unit],
    orders: list[tuple[str, str, tuple[str, ...]]],
) -> None:
    here = Location(sea, "sea")
    powers = ("Austria", "England", "France", "Germany")
    around = [at for at in checker.adjacency.moves[here] if at.province not in placed]
    shores = [at for at in around if at.slot != "sea"]
    if len(shores) < 2 or len(around) < 4:
        return
    goal, start = dice.sample(shores, 2)
    rest = [at for at in around if at.province not in (goal.province, start.province)]
    attacker, helper = dice.sample(rest, 2)
    placed.setdefault(sea, Unit(dice.choice(powers), "F", here))
    placed.setdefault(goal.province, Unit(dice.choice(powers), "F", goal))
    placed.setdefault(start.province, Unit(dice.choice(powers), "A", Location(start.province, "land")))
    placed.setdefault(attacker.province, Unit(dice.choice(powers), "F", attacker))
    placed.setdefault(helper.province, Unit(dice.choice(powers), "F", helper))
    orders.append(("C", sea, (start.province, goal.province)))
    orders.append(("M", start.province, (goal.province,)))
    orders.append(("M", attacker.province, (sea,)))
    for code in (goal.province, helper.province):
        orders.append(dice.choice((("S", code, (attacker.province, sea)), ("H", code, (sea,)))))


def _said(verb: str, unit: Unit, rest: tuple[str, ...], placed: dict[str, Unit]) -> Statement:
    if verb == "M":
        return Move(_ref(unit), Place(rest[0]))
    target = _ref(placed[rest[0]])
    if verb == "C":
        return Convoy(_ref(unit), target, Place(rest[1]))
    return Support(_ref(unit), target, Place(rest[1]) if verb == "S" else None)

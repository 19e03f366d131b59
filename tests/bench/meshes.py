"""Boards and battles made for measuring: any number of units, and the worst that convoys can do.

The big board is a lattice of provinces with lakes of sea between lands, as many to a unit as Standard has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from random import Random

from bench.phases import Orders, battle
from gm.judge.board.board import ARMY, COAST, FLEET, LAND, SEA, Border, Location, Place, Province, TableBoard, Use
from gm.judge.model.orders import Convoy, Hold, Move, Support, UnitRef
from gm.judge.model.position import Unit
from gm.judge.movement.battle import Battle, Intent
from gm.judge.movement.legality import IllegalOrder, LegalityChecker

KINDS = {"A": ARMY, "F": FLEET}
PROVINCES_PER_UNIT = 2.2
POWERS = 7

Edges = Iterable[tuple[str, str]]


def board(seas: Iterable[str], coasts: Iterable[str], edges: Edges) -> TableBoard:
    """Seas and lands with one coast each; every edge is a border for whoever can stand on both sides."""
    wet = frozenset(seas)
    provinces = [Province(code, code, (SEA,)) for code in sorted(wet)]
    provinces += [Province(code, code, (LAND, COAST)) for code in coasts]
    slots = {province.code: province.slots for province in provinces}
    borders = []
    for first, second in edges:
        for start, end in ((first, second), (second, first)):
            borders += list(_borders(start, end, slots, wet))
    return TableBoard(provinces, borders)


def _borders(start: str, end: str, slots: dict[str, tuple[str, ...]], wet: frozenset[str]) -> Iterator[Border]:
    for here in slots[start]:
        for there in slots[end]:
            uses = Use.MOVE | Use.SUPPORT
            if {here, there} == {LAND, SEA}:
                uses = Use.CONVOY
            elif here == there == SEA:
                uses |= Use.CONVOY
            elif {here, there} == {LAND, COAST}:
                continue
            yield Border(f"{start}.{here}-{end}.{there}", Location(start, here), Location(end, there), uses)


def lattice(width: int, height: int, dice: Random) -> TableBoard:
    codes = {(x, y): f"{x}.{y}" for x in range(width) for y in range(height)}
    seas = {codes[x, y] for x, y in codes if dice.random() < 0.3 or (x % 5 == 0 and dice.random() < 0.5)}
    edges = []
    for (x, y), code in codes.items():
        for near in ((x + 1, y), (x, y + 1), (x + 1, y - 1 if x % 2 else y + 1)):
            if near in codes:
                edges.append((code, codes[near]))
    return board(seas, [code for code in codes.values() if code not in seas], edges)


def crowd(units: int, seed: int) -> Battle:
    """A battle of so many units, as thick on the board as Standard's are."""
    dice = Random(f"crowd {units} {seed}")
    width = max(4, round((units * PROVINCES_PER_UNIT) ** 0.5))
    here = lattice(width, round(units * PROVINCES_PER_UNIT / width) + 1, dice)
    standing = []
    for number, code in enumerate(dice.sample(sorted(here.provinces), units)):
        slots = here.provinces[code].slots
        kind = FLEET if SEA in slots or dice.random() < 0.3 else ARMY
        standing.append(
            Unit(f"P{number % POWERS}", kind.code, Location(code, next(s for s in slots if kind.stands(s))))
        )
    there = tuple(standing)
    return contest(here, there, battle(here, KINDS, there, dice))


def contest(here: TableBoard, units: tuple[Unit, ...], orders: Orders) -> Battle:
    checker = LegalityChecker(here, KINDS, units)
    intents = []
    for unit in units:
        intent = checker.intent(unit, orders[unit]) if unit in orders else Intent(unit)
        intents.append(Intent(unit, aside=True) if isinstance(intent, IllegalOrder) else intent)
    return Battle(here, KINDS, tuple(intents))


# ---- the worst


def convoy_mesh(fleets: int, seed: int) -> Battle:
    """All fleets of a sea convoy one army or another across it, and many are attacked by supported fleets."""
    dice = Random(f"mesh {fleets} {seed}")
    width = max(2, round(fleets**0.5))
    rows = -(-fleets // width)
    codes = {(x, y): f"S{x}.{y}" for x in range(width) for y in range(rows)}
    seas = list(codes.values())[: fleets + width]
    west = [f"W{y}" for y in range(rows)]
    east = [f"E{y}" for y in range(rows)]
    edges = [(codes[x, y], codes[n]) for x, y in codes for n in ((x + 1, y), (x, y + 1), (x + 1, y + 1)) if n in codes]
    edges += [(west[y], codes[0, y]) for y in range(rows)] + [(east[y], codes[width - 1, y]) for y in range(rows)]
    edges += list(pairwise(west)) + list(pairwise(east))
    here = board(set(codes.values()) | set(seas), west + east, edges)
    armies = [_unit(f"P{y % POWERS}", "A", code) for y, code in enumerate(west)]
    boats = [_unit(f"P{n % POWERS}", "F", code) for n, code in enumerate(list(codes.values())[:fleets])]
    orders: Orders = {army: Move(_ref(army), Place(east[dice.randrange(rows)])) for army in armies}
    for boat in boats:
        army = dice.choice(armies)
        move = orders[army]
        assert isinstance(move, Move)
        orders[boat] = Convoy(_ref(boat), _ref(army), move.to)
    _raids(here, boats, orders, dice)
    units = (*armies, *boats)
    return contest(here, units, orders)


def coasting(fleets: int, seed: int) -> Battle:
    """All fleets of a sea convoy an army to the province beside its own: which of them could any route need?"""
    width = max(2, round(fleets**0.5))
    spots = [(number % width, number // width) for number in range(fleets)]
    codes = {spot: f"S{spot[0]}.{spot[1]}" for spot in spots}
    rows = spots[-1][1] + 1
    steps = ((1, 0), (0, 1), (1, 1), (1, -1))
    edges = [(codes[x, y], codes[x + a, y + b]) for x, y in spots for a, b in steps if (x + a, y + b) in codes]
    shore = [f"W{y}" for y in range(rows)]
    edges += [(shore[y], codes[0, near]) for y in range(rows) for near in (y - 1, y, y + 1) if (0, near) in codes]
    here = board(codes.values(), shore, [*edges, *pairwise(shore)])
    start = seed % (rows - 1)
    army = _unit("P0", "A", shore[start])
    boats = [_unit(f"P{n % POWERS}", "F", code) for n, code in enumerate(codes.values())]
    to = Place(shore[start + 1])
    orders: Orders = {boat: Convoy(_ref(boat), _ref(army), to) for boat in boats}
    return contest(here, (army, *boats), {**orders, army: Move(_ref(army), to)})


def _raids(here: TableBoard, boats: list[Unit], orders: Orders, dice: Random) -> None:
    """Every fourth fleet attacks a neighbour instead, and every fourth supports such an attack."""
    at = {boat.at: boat for boat in boats}
    raiders = boats[::4]
    for boat in raiders:
        prey = [end for end in here.neighbours(boat.at, Use.MOVE) if end in at and at[end] not in raiders]
        if prey:
            orders[boat] = Move(_ref(boat), dice.choice(prey).place)
    for boat in boats[1::4]:
        near = here.neighbours(boat.at, Use.SUPPORT)
        helped = [(r, orders[r]) for r in raiders if r != boat and isinstance(orders[r], Move)]
        fitting = [
            (r, order) for r, order in helped if isinstance(order, Move) and any(e.place == order.to for e in near)
        ]
        if fitting:
            raider, move = dice.choice(fitting)
            assert isinstance(move, Move)
            orders[boat] = Support(_ref(boat), _ref(raider), move.to)


def paradoxes(links: int, *, ring: bool) -> Battle:
    """A chain of convoys, each landing where a fleet supports the attack on the next one's fleet.

    As a ring it is one paradox of as many convoys as there are links; open, each hangs on the one before.
    """
    numbers = range(links)
    seas = [f"{kind}{n}" for n in numbers for kind in ("S", "Q")]
    lands = [f"{kind}{n}" for n in numbers for kind in ("L", "P")]
    edges = [edge for n in numbers for edge in ((f"L{n}", f"S{n}"), (f"S{n}", f"P{n}"), (f"Q{n}", f"S{n}"))]
    edges += [(f"P{n}", f"S{(n + 1) % links}") for n in numbers if ring or n + 1 < links]
    here = board(seas, lands, edges)
    orders: Orders = {}
    for n in numbers:
        army, boat = _unit(f"A{n}", "A", f"L{n}"), _unit(f"A{n}", "F", f"S{n}")
        helper, raider = _unit(f"B{n}", "F", f"P{n}", COAST), _unit(f"C{n}", "F", f"Q{n}")
        after = (n + 1) % links
        orders[army] = Move(_ref(army), Place(f"P{n}"))
        orders[boat] = Convoy(_ref(boat), _ref(army), Place(f"P{n}"))
        orders[raider] = Move(_ref(raider), Place(f"S{n}"))
        target = UnitRef("F", Place(f"Q{after}"))
        orders[helper] = Support(_ref(helper), target, Place(f"S{after}")) if ring or after else Hold(_ref(helper))
    return contest(here, tuple(orders), orders)


def _unit(power: str, kind: str, code: str, slot: str = "") -> Unit:
    return Unit(power, kind, Location(code, slot or (SEA if kind == "F" else LAND)))


def _ref(unit: Unit) -> UnitRef:
    return UnitRef(unit.kind, unit.at.place)

"""Movement phases to measure with: random legal games by powers that have plans, from a seed.

A power convoys where its fleets reach, attacks, and helps its own attacks and its neighbours'; it forgets an order now
and then, and some orders of others come to nothing. Years in which a board is still filling are not taken, so that
about thirty units stand in a phase.

Each phase is one line of `gm adjudicate`: {"id": …, "position": {…}, "orders": {"Austria": ["A Vie - Gal", …]}}.
`in_capitals` writes it as most programs and archives of human games do: "A VIE - GAL", "F STP/SC". Half of the orders
are moves, a quarter supports, a sixth holds, the rest convoys, much as in games between humans.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from support.scripted_players import orders as other_orders
from support.scripted_players import ref

from gm.judge.board.board import Board, Location, Place, UnitKind
from gm.judge.board.convoy_routes import shortest_route
from gm.judge.model.calendar import resolve_phase
from gm.judge.model.orders import Convoy, Entry, Hold, Move, Statement, Support
from gm.judge.model.position import Position, Unit
from gm.judge.model.sheets import Submissions
from gm.judge.model.variant import Variant
from gm.judge.movement.legality import IllegalOrder, LegalityChecker
from gm.language.formats.json_position import position_to_json
from gm.language.rendering import order_text as write

Orders = dict[Unit, Statement]

FIRST_YEAR = 3
"""Years of a game that are played and not taken."""
YEARS = 12


def lines(variant: Variant, seed: int, count: int) -> Iterator[str]:
    for number, (position, orders) in enumerate(_taken(variant, seed, count)):
        yield json.dumps(_line(variant, number, position, orders), ensure_ascii=False)


def in_capitals(line: str) -> str:
    phase = json.loads(line)
    position = phase["position"]
    for table in (phase["orders"], position["units"], position["centers"]):
        table |= {power: [text.upper() for text in texts] for power, texts in table.items()}
    return json.dumps(phase, ensure_ascii=False)


def _line(variant: Variant, number: int, position: Position, orders: Orders) -> dict[str, Any]:
    sheets: dict[str, list[str]] = {}
    for unit, order in orders.items():
        sheets.setdefault(unit.power, []).append(write.statement(order, "M"))
    return {"id": number, "position": position_to_json(variant, position), "orders": sheets}


def _taken(variant: Variant, seed: int, count: int) -> Iterator[tuple[Position, Orders]]:
    taken = game = 0
    while True:
        for position, orders in movements(variant, Random(f"{seed}/{game}")):
            if taken == count:
                return
            taken += 1
            yield position, orders
        game += 1


def movements(variant: Variant, dice: Random) -> Iterator[tuple[Position, Orders]]:
    """One game's movement phases after the first years."""
    position = variant.start
    first = position.year
    while position.ended is None and position.year < first + YEARS:
        if variant.step(position).letter == "M":
            orders = battle(position.board, variant.kinds, position.units, dice)
            if position.year >= first + FIRST_YEAR:
                yield position, orders
            book = as_book(orders)
        else:
            book = other_orders(variant, position, dice)
        position = resolve_phase(variant, position, book)[-1].turn.position


def as_book(orders: Orders) -> Submissions:
    sheets: dict[tuple[str, str], tuple[Entry, ...]] = {}
    for unit, order in orders.items():
        key = (unit.power, unit.power)
        sheets[key] = (*sheets.get(key, ()), Entry(order))
    return Submissions(sheets)


def battle(board: Board, kinds: Mapping[str, UnitKind], units: tuple[Unit, ...], dice: Random) -> Orders:
    """Legal orders for most units of a position; works for any board."""
    plan = _Plan(LegalityChecker(board, kinds, units), units, dice)
    plan.convoys()
    plan.attacks()
    plan.supports()
    idle = {power for power in dict.fromkeys(unit.power for unit in units) if dice.random() < 0.06}
    given = {u: plan.orders.get(u, Hold(ref(u))) for u in units if u.power not in idle and dice.random() > 0.04}
    return {u: Hold(ref(u)) if isinstance(plan.checker.intent(u, s), IllegalOrder) else s for u, s in given.items()}


class _Plan:
    def __init__(self, checker: LegalityChecker, units: tuple[Unit, ...], dice: Random) -> None:
        self.checker = checker
        self.units = tuple(dice.sample(units, len(units)))
        self.dice = dice
        self.orders: Orders = {}
        self.at = {unit.at: unit for unit in units}
        self.standing: dict[str, list[Unit]] = {}
        for unit in units:
            self.standing.setdefault(unit.at.province, []).append(unit)
        self.goals: dict[str, list[Unit]] = {}

    def order(self, unit: Unit, order: Statement) -> None:
        self.orders[unit] = order
        if isinstance(order, Move):
            self.goals.setdefault(order.to.province, []).append(unit)

    def convoys(self) -> None:
        free = set(self.checker.carriers)
        for army in self.units:
            if not self.checker.kinds[army.kind].convoyed or self.dice.random() > 0.35:
                continue
            shores = self._shores(army, free)
            if not shores:
                continue
            end = self.dice.choice(shores)
            route = shortest_route(self.checker.convoy_steps, army.at, end, frozenset(free)) or ()
            self.order(army, Move(ref(army), end.place, via=self.dice.random() < 0.3))
            for sea in route:
                free.discard(sea)
                if self.dice.random() < 0.9:
                    self.order(self.at[sea], Convoy(ref(self.at[sea]), ref(army), Place(end.province)))

    def _shores(self, army: Unit, free: set[Location]) -> list[Location]:
        """Where these fleets can carry the army and it could not walk."""
        seen: dict[Location, None] = {}
        ends: dict[Location, None] = {}
        wave = [sea for sea in self.checker.convoy_steps(army.at) if sea in free]
        while wave and len(seen) < 6:
            sea = wave.pop(0)
            seen[sea] = None
            for at in self.checker.convoy_steps(sea):
                if at in free and at not in seen:
                    wave.append(at)
                elif self.checker.stands(army, at) and at not in self.checker.adjacency.moves[army.at]:
                    ends[at] = None
        ends.pop(army.at, None)
        return list(ends)

    def attacks(self) -> None:
        for unit in self.units:
            near = [at for at in self.checker.adjacency.moves[unit.at] if self.checker.stands(unit, at)]
            if unit in self.orders or not near or self.dice.random() > 0.5:
                continue
            own = [at for at in near if at in self.at and self.at[at].power == unit.power]
            wanted = [at for at in near if at not in own] or near
            self.order(unit, Move(ref(unit), self.dice.choice(wanted).place))

    def supports(self) -> None:
        for unit in self.units:
            if unit in self.orders or self.dice.random() > 0.75:
                continue
            helped = self._helped(unit)
            if helped:
                self.order(unit, self.dice.choice(helped))

    def _helped(self, unit: Unit) -> list[Statement]:
        """Supports for its own power's attacks before others', before units that stay."""
        aids = self.checker.adjacency.supports[unit.at]
        attacks: list[Statement] = []
        own: list[Statement] = []
        stays: list[Statement] = []
        for province, _ in sorted(aids):
            for other in self.goals.get(province, ()):
                order = self.orders[other]
                if other != unit and isinstance(order, Move):
                    (own if other.power == unit.power else attacks).append(Support(ref(unit), ref(other), order.to))
            stays += [
                Support(ref(unit), ref(other))
                for other in self.standing.get(province, ())
                if not isinstance(self.orders.get(other), Move)
            ]
        if own and self.dice.random() < 0.8:
            return own
        return attacks if attacks and self.dice.random() < 0.4 else stays or attacks

"""A second adjudicator, as simple as can be: every way the orders could end, kept if it agrees with itself.

It follows the equations of DATC 3.0, 5.B and shares with gm.judge no more than the board and the contest's values.
Only for contests of few orders, and ordinary armies and fleets; of the editions all but that of 1971, whose convoys go
by rules of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product

from gm.judge.board.board import Board, Location, Use
from gm.judge.model.position import Unit
from gm.judge.movement.battle import Battle, Intent, IntentKind


class Oracle:
    def __init__(self, battle: Battle) -> None:
        self.board: Board = battle.board
        self.rulebook = battle.rulebook.name
        self.orders: Mapping[Unit, Intent] = {i.unit: i for i in battle.intents}
        for fixed in ("matches", "movers", "convoyed", "fleets", "supporters", "opposite", "neighbours"):
            setattr(self, fixed, cache(getattr(self, fixed)))  # only for speed: whatever the orders come to
        self.at = {u.at.province: u for u in self.orders}
        self.open = [u for u, i in self.orders.items() if i.action is not IntentKind.HOLD and self.matches(u)]
        self.won: dict[Unit, bool] = {}

    def consistent(self) -> list[dict[Unit, bool]]:
        """Every assignment of yes or no to the orders in which each follows from the others."""
        return [dict(self.won) for _ in self._ways()]

    def _ways(self) -> Iterator[None]:
        for guess in product((True, False), repeat=len(self.open)):
            self.won = dict(zip(self.open, guess, strict=True))
            if all(self.follows(u) == self.won[u] for u in self.open):
                yield

    def matches(self, unit: Unit) -> bool:
        order = self.orders[unit]
        if order.action is IntentKind.MOVE:
            return True
        target = self.orders.get(order.target) if order.target else None
        if target is None:
            return False
        if order.goal is None:
            return target.action is not IntentKind.MOVE
        if target.to is None or target.to.province != order.goal.province:
            return False
        return not order.goal.coast or target.to.slot in ("land", order.goal.coast)

    def follows(self, unit: Unit) -> bool:
        action = self.orders[unit].action
        if action is IntentKind.MOVE:
            return self.moves(unit)
        return self.uncut(unit) if action is IntentKind.SUPPORT else not self.attacked_with_success(unit)

    def movers(self, province: str) -> list[Unit]:
        return [u for u, i in self.orders.items() if i.to is not None and i.to.province == province]

    def attacked_with_success(self, unit: Unit) -> bool:
        return any(self.won[u] for u in self.movers(unit.at.province))

    def convoyed(self, unit: Unit) -> bool:
        order = self.orders[unit]
        if unit.kind != "A" or order.to is None:
            return False
        by_land = order.to in self.board.neighbours(unit.at, Use.MOVE)
        own = any(f.power == unit.power for f in self.fleets(unit))
        return not by_land or order.via or own

    def fleets(self, unit: Unit) -> list[Unit]:
        return [
            f for f, i in self.orders.items() if i.action is IntentKind.CONVOY and i.target == unit and self.matches(f)
        ]

    def neighbours(self, at: Location) -> tuple[Location, ...]:
        """By convoy."""
        return tuple(self.board.neighbours(at, Use.CONVOY))

    def path(self, unit: Unit) -> bool:
        return not self.convoyed(unit) or self.carried(unit, {f.at for f in self.fleets(unit) if self.won[f]})

    def carried(self, unit: Unit, afloat: set[Location]) -> bool:
        order = self.orders[unit]
        assert order.to is not None
        reached: set[Location] = set()
        edge = [at for at in self.neighbours(unit.at) if at in afloat]
        while edge:
            at = edge.pop()
            if at in reached:
                continue
            reached.add(at)
            edge += [other for other in self.neighbours(at) if other in afloat]
        return any(order.to in self.neighbours(at) for at in reached)

    def supports(self, unit: Unit, but: str = "") -> int:
        return sum(self.won[helper] and helper.power != but for helper in self.supporters(unit))

    def supporters(self, unit: Unit) -> list[Unit]:
        return [
            u for u, i in self.orders.items() if i.action is IntentKind.SUPPORT and i.target == unit and self.matches(u)
        ]

    def opposite(self, unit: Unit) -> Unit | None:
        """Head to head: who moves from there to here, neither over water."""
        order = self.orders[unit]
        assert order.to is not None
        other = self.at.get(order.to.province)
        if other is None or self.orders[other].to is None or self.convoyed(unit) or self.convoyed(other):
            return None
        back = self.orders[other].to
        return other if back is not None and back.province == unit.at.province else None

    def uncut(self, unit: Unit) -> bool:
        order = self.orders[unit]
        aim = order.goal.province if order.goal else order.target.at.province if order.target else ""
        for other in self.movers(unit.at.province):
            if self.convoyed(other) and self.spares(unit, other, aim):
                continue
            if self.won[other]:
                return False
            if other.power != unit.power and self.path(other) and other.at.province != aim:
                return False
        return True

    def spares(self, unit: Unit, army: Unit, aim: str) -> bool:
        """Whether the edition has a convoyed army leave a support alone, by what is done where the support goes."""
        fleet = self.at.get(aim)
        if fleet is None or self.orders[fleet].action is not IntentKind.CONVOY or not self.matches(fleet):
            return False
        if self.rulebook == "1982":
            return unit.kind == "F"
        carriers = self.fleets(army)
        needed = fleet in carriers and not self.carried(army, {f.at for f in carriers} - {fleet.at})
        return self.rulebook in ("2000", "2023") and self.orders[unit].goal is not None and needed

    def moves(self, unit: Unit) -> bool:
        order = self.orders[unit]
        assert order.to is not None
        attack = self.attack(unit)
        opposite = self.opposite(unit)
        stop = 1 + self.supports(opposite) if opposite else self.hold(order.to.province)
        others = [u for u in self.movers(order.to.province) if u != unit]
        return attack > stop and all(attack > self.prevent(other) for other in others)

    def hold(self, province: str) -> int:
        unit = self.at.get(province)
        if unit is None:
            return 0
        if self.orders[unit].action is IntentKind.MOVE:
            return 0 if self.won[unit] else 1
        return 1 + self.supports(unit)

    def prevent(self, unit: Unit) -> int:
        opposite = self.opposite(unit)
        if not self.path(unit) or (opposite and self.won[opposite]):
            return 0
        return 1 + self.supports(unit)

    def attack(self, unit: Unit) -> int:
        order = self.orders[unit]
        assert order.to is not None
        if not self.path(unit):
            return 0
        victim = self.at.get(order.to.province)
        if victim is None:
            return 1 + self.supports(unit)
        if not self.opposite(unit) and self.orders[victim].action is IntentKind.MOVE and self.won[victim]:
            return 1 + self.supports(unit)
        return 0 if victim.power == unit.power else 1 + self.supports(unit, but=victim.power)

"""Orders that only wings can have: BOMB and INTERCEPT. All others are as on the ground."""

from __future__ import annotations

from gm.judge.board.board import AIR
from gm.judge.model.position import Unit
from gm.judge.movement.battle import Intent
from gm.judge.movement.legality import IllegalOrder, LegalityChecker, SpecialOrder


class Bomb(SpecialOrder, frozen=True):
    """Bombs the units in the province `target`, and the production of its centre."""

    target: str

    def attempt(self, checker: LegalityChecker, unit: Unit) -> Intent | IllegalOrder:
        if checker.kinds[unit.kind].layer != AIR:
            return IllegalOrder("only-wings", (unit.at.province,))
        area = checker.board.provinces.get(self.target)
        if area is None:
            return IllegalOrder("unknown-place", (self.target,))
        if not area.slots:
            return IllegalOrder("impassable", (self.target,))
        return checker.out_of_range(unit, self.target) or Intent(unit)


class Intercept(SpecialOrder, frozen=True):
    """`over` are the provinces to guard, the most important first. Empty: any that is bombed."""

    over: tuple[str, ...] = ()

    def attempt(self, checker: LegalityChecker, unit: Unit) -> Intent | IllegalOrder:
        if checker.kinds[unit.kind].layer != AIR:
            return IllegalOrder("only-wings", (unit.at.province,))
        unknown = next((code for code in self.over if code not in checker.board.provinces), None)
        return IllegalOrder("unknown-place", (unknown,)) if unknown else Intent(unit)

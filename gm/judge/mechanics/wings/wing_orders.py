"""What only wings can be ordered: to bomb, and to intercept bombers. All else is ordered as on the ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gm.judge.board.board import AIR
from gm.judge.model.orders import Errand
from gm.judge.movement.battle import Intent
from gm.judge.movement.legality import Fault

if TYPE_CHECKING:
    from gm.judge.model.position import Unit
    from gm.judge.movement.legality import Theatre


class Bomb(Errand, frozen=True):
    """`target` is a province: whatever stands there, and the production of its centre."""

    target: str

    def attempt(self, theatre: Theatre, unit: Unit) -> Intent | Fault:
        if theatre.kinds[unit.kind].layer != AIR:
            return Fault("only-wings", (unit.at.province,))
        area = theatre.board.provinces.get(self.target)
        if area is None:
            return Fault("unknown-place", (self.target,))
        if not area.slots:
            return Fault("impassable", (self.target,))
        return theatre.beyond(unit, self.target) or Intent(unit)


class Intercept(Errand, frozen=True):
    """`over` are provinces, the one to guard first in front. Empty: whichever is bombed."""

    over: tuple[str, ...] = ()

    def attempt(self, theatre: Theatre, unit: Unit) -> Intent | Fault:
        if theatre.kinds[unit.kind].layer != AIR:
            return Fault("only-wings", (unit.at.province,))
        unknown = next((code for code in self.over if code not in theatre.board.provinces), None)
        return Fault("unknown-place", (unknown,)) if unknown else Intent(unit)

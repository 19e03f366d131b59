"""Supports of a fleet among several of its power, without its number: the fleet that makes the supported move is meant.

Where several make it, none is chosen: the support is impossible. Where none does, it stands for the first, and is void.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from msgspec.structs import replace

from gm.judge.board.board import Place
from gm.judge.model.orders import Entry, Move, Slot, Statement, Support, UnitRef
from gm.judge.model.position import Unit
from gm.judge.model.sheets import Problem, ProblemEffect
from gm.judge.movement.battle import Intent
from gm.judge.movement.legality import IllegalOrder, LegalityChecker

Orders = Mapping[Unit, Statement]


def goes_to(order: Statement | None, to: Place) -> bool:
    """Whether an order is a move to this place. A coast matters only where both name one."""
    if not isinstance(order, Move) or order.to.province != to.province:
        return False
    return not to.coast or order.to.coast in ("", to.coast)


class SupportLine(Protocol):
    """A support of `target`, paid or given by a unit; `to` is None where it holds."""

    @property
    def slot(self) -> Slot: ...
    @property
    def target(self) -> UnitRef: ...
    @property
    def to(self) -> Place | None: ...
    def __hash__(self) -> int: ...


def numbered_target(checker: LegalityChecker, power: str, line: SupportLine, orders: Orders) -> UnitRef | IllegalOrder:
    """The supported unit as `power` means it, with the number of the fleet that makes the move."""
    target, to = line.target, line.to
    crowd = checker.unnumbered(target, power)
    if to is None or not crowd:
        return target
    going = _movers(checker, crowd, to, orders)
    if len(going) > 1:
        return IllegalOrder("which-fleet", (target.at.province, to.province))
    return replace(target, number=going[0].number) if going else target


def unclear_target(checker: LegalityChecker, power: str, line: SupportLine, orders: Orders) -> Problem | None:
    """A warning about a line of the sheet with these `orders` that supports one of the writer's own fleets: none or
    several of them make the move. What other powers' fleets do is known only after the deadline.
    """
    target, to = line.target, line.to
    crowd = checker.unnumbered(target, power)
    if to is None or not crowd or crowd[0].power != power:
        return None
    going = _movers(checker, crowd, to, orders)
    if len(going) == 1:
        return None
    reach = tuple(str(replace(target, number=unit.number)) for unit in going or crowd)
    places = (target.at.province, to.province)
    return Problem("which-fleet" if going else "no-fleet-goes", ProblemEffect.WARN, line, places, reach)


def numbered_supports(checker: LegalityChecker, entries: Mapping[Unit, Entry]) -> Mapping[Unit, Support | IllegalOrder]:
    """The supports without a number as they are meant, or why they mean none, by the supporting unit."""
    if not checker.adjacency.shared:
        return {}
    orders = {unit: entry.statement for unit, entry in entries.items()}
    supports = {unit: order for unit, order in orders.items() if isinstance(order, Support)}
    targets = {unit: numbered_target(checker, unit.power, order, orders) for unit, order in supports.items()}
    return {
        unit: target if isinstance(target, IllegalOrder) else replace(supports[unit], target=target)
        for unit, target in targets.items()
        if target != supports[unit].target
    }


def _movers(checker: LegalityChecker, crowd: tuple[Unit, ...], to: Place, orders: Orders) -> tuple[Unit, ...]:
    """The fleets with a possible order to move there."""
    going = (unit for unit in crowd if goes_to(orders.get(unit), to))
    return tuple(unit for unit in going if isinstance(checker.intent(unit, orders[unit]), Intent))

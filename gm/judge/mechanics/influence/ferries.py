"""Ferries: borders that other powers' fleets can close, and the permission to cross that they may give.

A ferry is a border whose name begins with FERRY; each direction has its own name. It is closed to the unit at its start
if every sea that touches both ends holds a fleet of another power, and none of these powers permits it to pass. Only
the positions before the moves count.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.board.board import GROUND, SEA, Board, Border
from gm.judge.model.events import OrderResult, Outcome
from gm.judge.model.orders import Move, Passage, Statement
from gm.judge.model.position import Position, Unit
from gm.judge.model.sheets import Problem, ProblemEffect, Submissions
from gm.judge.model.variant import Variant
from gm.judge.movement.legality import LegalityChecker
from gm.judge.movement.order_rights import CollectedOrders, LegalityTest, OrderRights

FERRY = "ferry "


class FerryRights(OrderRights, Struct, frozen=True):
    """Every power orders its own units, and may permit others' units to use ferries."""

    grammars: tuple[str, ...] = ("ferries",)
    statements: tuple[type[Statement], ...] = (Passage,)

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        """Warns about moves over ferries that others' fleets close."""
        problems: list[Problem] = []
        closed = _closed(position, variant, Submissions())
        checker = LegalityChecker.of(position, variant.kinds, variant.rulebook) if closed else None
        for line in sheet:
            unit = checker.find(line.unit, power) if checker and isinstance(line, Move) else None
            if (
                checker
                and unit
                and isinstance(line, Move)
                and _is_closed(position.board, unit, line.to.province, closed)
            ):
                waters = seas_between(position.board, unit.at.province, line.to.province)
                where = (unit.at.province, line.to.province, *waters)
                problems.append(Problem("ferry-closed", ProblemEffect.WARN, line, where))
            if isinstance(line, Passage) and not any(
                _concerns(line, border, position.board) for border in ferries(position.board)
            ):
                problems.append(Problem("ferry-none", ProblemEffect.REFUSE_LINE, line, line.places))
        return tuple(problems)

    def collect(
        self, position: Position, variant: Variant, book: Submissions, units: tuple[Unit, ...], fault: LegalityTest
    ) -> CollectedOrders:
        collected = OrderRights.collect(self, position, variant, book, units, fault)
        leave = tuple(
            OrderResult(power, entry.statement, Outcome.SUCCEEDS, forced=entry.forced)
            for power in variant.owners
            for entry in book.entries(power)
            if isinstance(entry.statement, Passage)
        )
        closed = collected.closed | _closed(position, variant, book)
        return replace(collected, closed=closed, aside=(*collected.aside, *leave))


def ferries(board: Board) -> tuple[Border, ...]:
    return tuple(border for border in board.borders if border.name.startswith(FERRY))


def seas_between(board: Board, start: str, end: str) -> tuple[str, ...]:
    """The seas that touch both provinces, sorted."""
    return tuple(sorted(_seas(board, start) & _seas(board, end)))


def _seas(board: Board, code: str) -> frozenset[str]:
    here = board.provinces[code].locations
    return frozenset(b.end.province for at in here for b in board.leaving(at) if b.end.slot == SEA)


def _closed(position: Position, variant: Variant, merged: Submissions) -> frozenset[str]:
    board = position.board
    standing = {unit.at.province: unit for unit in position.units if variant.kinds[unit.kind].layer == GROUND}
    closed: set[str] = set()
    for border in {b.name: b for b in ferries(board)}.values():
        unit = standing.get(border.start.province)
        waters = seas_between(board, border.start.province, border.end.province)
        fleets = [standing[sea] for sea in waters if sea in standing]
        if unit is None or not waters or len(fleets) < len(waters) or any(f.power == unit.power for f in fleets):
            continue
        if not any(_permits(merged, fleet.power, border, unit.power, board) for fleet in fleets):
            closed.add(border.name)
    return frozenset(closed)


def _permits(merged: Submissions, power: str, border: Border, mover: str, board: Board) -> bool:
    lines = (entry.statement for entry in merged.entries(power))
    return any(
        isinstance(line, Passage) and line.whom in ("", mover) and _concerns(line, border, board) for line in lines
    )


def _concerns(line: Passage, border: Border, board: Board) -> bool:
    """Whether a permission is for this ferry: it names both its ends, a sea that it crosses, or nothing."""
    ends = (border.start.province, border.end.province)
    if len(line.places) == 1:
        return line.places[0] in seas_between(board, *ends)
    return not line.places or sorted(line.places) == sorted(ends)


def _is_closed(board: Board, unit: Unit, to: str, closed: frozenset[str]) -> bool:
    """Whether a unit can go there by a closed ferry, and by no other border."""
    names = [border.name for border in board.leaving(unit.at) if border.end.province == to]
    return bool(names) and all(name in closed for name in names)

"""A retreat reads the coast of its destination as a move does, on every board."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from support.shipped import LIBRARY

from gm.judge.board.board import Location, Place, Use, locations
from gm.judge.model.orders import Retreat
from gm.judge.model.position import Dislodged, Unit, ref
from gm.judge.model.variant import Variant
from gm.judge.movement.legality import IllegalOrder, LegalityChecker
from gm.judge.steps.retreats import retreat_destination


@pytest.mark.parametrize("name", LIBRARY.ids())
def test_a_retreat_means_the_coast_that_a_move_means(name: str) -> None:
    variant = LIBRARY.variant(name)
    compared = 0
    for code, kind in variant.kinds.items():
        for province in variant.start.board.provinces:
            for at in locations(variant.start.board, kind, province):
                compared += _compare(variant, Unit(variant.powers[0].name, code, at))
    assert compared


def _compare(variant: Variant, unit: Unit) -> int:
    board = variant.start.board
    stands = variant.kinds[unit.kind].stands
    near = tuple(dict.fromkeys(at for at in board.neighbours(unit.at, Use.MOVE) if stands(at.slot)))
    position = replace(variant.start, units=(unit,), dislodged=(Dislodged(unit, unit, near),))
    checker = LegalityChecker.of(position, variant.kinds)
    goals = {at.province for at in near} - {unit.at.province}
    coasts = {coast for goal in goals for coast in board.provinces[goal].coasts}
    for goal in sorted(goals):
        for coast in ("", "zz", *sorted(coasts)):
            to = Place(goal, coast)
            moved = checker.destination(unit, to)
            retreated = retreat_destination(position, variant, unit, Retreat(ref(unit), to))
            assert _told(retreated) == _told(moved), (unit, to)
    return len(goals)


def _told(end: Location | IllegalOrder | None) -> Location | tuple[str, tuple[str, ...]] | None:
    return (end.key, tuple(sorted(end.reach))) if isinstance(end, IllegalOrder) else end

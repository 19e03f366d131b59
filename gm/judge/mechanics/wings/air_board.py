"""The air layer of a board: a space above each province, the borders of the air, and air bases.

Two air spaces have a border if their provinces are at most `reach` steps apart over common borders on the ground. Wings
support the ground below and beside them; ground units support only the air right above, armies only from a centre.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from gm.judge.board.board import AIR, GROUND, LAND, SEA, Board, Border, Location, Province, TableBoard, UnitKind, Use
from gm.judge.mechanics.wings.options import OCCUPATION
from gm.judge.model.position import Position, Unit

FLIGHT = Use.MOVE | Use.SUPPORT


def with_air(board: Board, reach: int) -> TableBoard:
    """`reach`: how many steps wings can fly."""
    over = [province for province in board.provinces.values() if province.slots]
    flown = {province.code for province in over}
    provinces = [
        replace(province, slots=(*province.slots, AIR)) if province.code in flown else province
        for province in board.provinces.values()
    ]
    return TableBoard(provinces, (*board.borders, *_air_borders(board, over, reach)))


def _air_borders(board: Board, over: list[Province], reach: int) -> Iterator[Border]:
    slots = {province.code: province.slots for province in over}
    for province in over:
        code, above = province.code, Location(province.code, AIR)
        for other, steps in board.adjacency.within(code, reach).items():
            if steps:
                yield Border(f"air {code}-{other}", above, Location(other, AIR), FLIGHT)
            if steps < 2:  # wings support only adjacent provinces, however far they fly
                for slot in slots.get(other, ()):
                    yield Border(f"air {code}", above, Location(other, slot), Use.SUPPORT)
        for slot in province.slots:
            if slot != LAND or province.centre:
                yield Border(f"air {code}", Location(code, slot), above, Use.SUPPORT)


class AirBases:
    """Where wings can end a turn: in a centre that their power owns or occupies, or on its fleet at sea.

    They follow from the units on the ground and the owners of the centres.
    """

    __slots__ = ("_below", "_board", "_centres", "_occupation")

    def __init__(
        self,
        board: Board,
        kinds: Mapping[str, UnitKind],
        centres: Mapping[str, str],
        units: Iterable[Unit],
        base_lost: str,
    ) -> None:
        self._board = board
        self._centres = centres
        self._occupation = base_lost == OCCUPATION
        self._below = {unit.at.province: unit for unit in units if kinds[unit.kind].layer == GROUND}

    @classmethod
    def now(cls, position: Position, kinds: Mapping[str, UnitKind], base_lost: str) -> AirBases:
        return cls(position.board, kinds, position.centres, position.units, base_lost)

    def below(self, province: str) -> Unit | None:
        return self._below.get(province)

    def has(self, power: str, province: str) -> bool:
        unit = self._below.get(province)
        if self._board.provinces[province].centre:
            if unit is not None and unit.power == power:
                return True
            lost = self._occupation and unit is not None
            return self._centres.get(province) == power and not lost
        return unit is not None and unit.power == power and unit.at.slot == SEA

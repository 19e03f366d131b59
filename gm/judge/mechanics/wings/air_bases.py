"""Air bases, where a wing can end a turn: a centre that its power owns or occupies, or its power's fleet at sea."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gm.judge.board.board import GROUND, SEA, Board, UnitKind
from gm.judge.mechanics.wings.options import OCCUPATION
from gm.judge.model.position import Position, Unit


class AirBases:
    """The bases of all powers, given the units on the ground and the owners of the centres."""

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

"""Adds an air layer to a board: a space above each province, and the borders of the air.

Two air spaces have a border if their provinces are at most `reach` steps apart over common borders on the ground. Wings
support the ground below and beside them; ground units support only the air right above, armies only from a centre.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from gm.judge.board.board import AIR, LAND, Board, Border, Location, Province, TableBoard, Use

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

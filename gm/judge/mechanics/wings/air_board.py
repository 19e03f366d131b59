"""A second board above the first: the same provinces, one space of the air over each, and the borders that join it.

Between two spaces of the air lies one border where wings can go and help: from province to province over any common
border of the ground, so many steps as they reach. From the air a unit helps the ground below and beside it; from the
ground only the air right above, and an army only out of a supply centre.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from gm.judge.board.board import AIR, LAND, Board, Border, Location, Province, TableBoard, Use

FLIGHT = Use.MOVE | Use.SUPPORT


def with_air(board: Board, reach: int) -> TableBoard:
    """`reach`: how many steps wings fly."""
    over = [province for province in board.provinces.values() if province.slots]
    flown = {province.code for province in over}
    provinces = [
        replace(province, slots=(*province.slots, AIR)) if province.code in flown else province
        for province in board.provinces.values()
    ]
    return TableBoard(provinces, (*board.borders, *_air_borders(board, over, reach)))


def _air_borders(board: Board, over: list[Province], reach: int) -> Iterator[Border]:
    near = board.adjacency
    slots = {province.code: province.slots for province in over}
    for province in over:
        code, above = province.code, Location(province.code, AIR)
        for other, steps in within(near.near, code, reach).items():
            if steps:
                yield Border(f"air {code}-{other}", above, Location(other, AIR), FLIGHT)
            if steps < 2:  # a support from the air goes no farther than the next province, however far wings fly
                for slot in slots.get(other, ()):
                    yield Border(f"air {code}", above, Location(other, slot), Use.SUPPORT)
        for slot in province.slots:
            if slot != LAND or province.centre:
                yield Border(f"air {code}", Location(code, slot), above, Use.SUPPORT)


def within(near: Mapping[str, tuple[str, ...]], start: str, reach: int) -> Mapping[str, int]:
    """The provinces so many steps away at most, with the steps; the start itself is 0 away."""
    found = {start: 0}
    edge = [start]
    for steps in range(1, reach + 1):
        edge = [other for code in edge for other in near.get(code, ()) if other not in found]
        found.update(dict.fromkeys(edge, steps))
    return found

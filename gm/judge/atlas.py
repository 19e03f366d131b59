"""A board made ready for quick questions, once per board: who can go, support and convoy where."""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from gm.judge.board import AIR, GROUND, Board, Location, Space, Use

_KNOWN: WeakKeyDictionary[Board, Atlas] = WeakKeyDictionary()


def layer_of(slot: str) -> str:
    return AIR if slot == AIR else GROUND


def space_of(location: Location) -> Space:
    return Space(location.province, layer_of(location.slot))


class Atlas:
    """`moves` and `legs` are the locations one border away (MOVE, CONVOY), in the map's order; `aids` the spaces that
    a unit can support into; `near` the provinces that touch at all, for counting distances.
    """

    __slots__ = ("aids", "legs", "moves", "near", "shared", "spaces")

    def __init__(self, board: Board) -> None:
        moves: dict[Location, dict[Location, None]] = {}
        legs: dict[Location, dict[Location, None]] = {}
        aids: dict[Location, set[Space]] = {}
        near: dict[str, dict[str, None]] = {code: {} for code in board.provinces}
        for province in board.provinces.values():
            for slot in province.slots:
                here = Location(province.code, slot)
                moves[here], legs[here], aids[here] = {}, {}, set()
        for border in board.borders:
            if Use.MOVE in border.uses:
                moves[border.start][border.end] = None
            if Use.CONVOY in border.uses:
                legs[border.start][border.end] = None
            if Use.SUPPORT in border.uses:
                aids[border.start].add(space_of(border.end))
            near[border.start.province][border.end.province] = None
        self.moves: Mapping[Location, Mapping[Location, None]] = moves
        self.legs: Mapping[Location, tuple[Location, ...]] = {at: tuple(ends) for at, ends in legs.items()}
        self.aids: Mapping[Location, frozenset[Space]] = {at: frozenset(found) for at, found in aids.items()}
        self.near: Mapping[str, tuple[str, ...]] = {code: tuple(found) for code, found in near.items()}
        self.spaces: Mapping[Location, Space] = {at: space_of(at) for at in moves}
        self.shared = frozenset(p.code for p in board.provinces.values() if p.shared)

    def distances(self, targets: frozenset[str]) -> Mapping[str, int]:
        """Steps from every province to the nearest target, over land and sea alike; unreachable ones are absent."""
        found = dict.fromkeys(targets, 0)
        edge = list(targets)
        while edge:
            ahead: list[str] = []
            for code in edge:
                for other in self.near.get(code, ()):
                    if other not in found:
                        found[other] = found[code] + 1
                        ahead.append(other)
            edge = ahead
        return found


def atlas(board: Board) -> Atlas:
    found = _KNOWN.get(board)
    if found is None:
        found = _KNOWN[board] = Atlas(board)
    return found

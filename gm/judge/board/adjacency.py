"""A board made ready for quick questions, once per board: who can go, support and convoy where."""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from gm.judge.board.board import AIR, GROUND, Board, Location, Space, Use

MOST_LATELY = 16
_KNOWN: WeakKeyDictionary[Board, Adjacency] = WeakKeyDictionary()
_LATELY: dict[int, tuple[Board, Adjacency]] = {}


def layer_of(slot: str) -> str:
    return AIR if slot == AIR else GROUND


def space_of(location: Location) -> Space:
    return Space(location.province, layer_of(location.slot))


class Adjacency:
    """`moves` and `legs` are the locations one border away (MOVE, CONVOY), in the map's order; `aids` the spaces that
    a unit can support into; `near` the provinces that touch at all on the ground, for counting distances (a link for
    convoys alone is none). Every space has a number: `numbers` by location, `names` back; in those of `open` nobody is
    in anybody's way (the provinces in `shared`). `homes` are every power's home provinces, sorted, with the build
    centres that are none; `centres` all supply centres and `yards` all such build centres, by province code.
    """

    __slots__ = ("aids", "centres", "homes", "legs", "moves", "names", "near", "numbers", "open", "shared", "yards")

    def __init__(self, board: Board) -> None:
        moves: dict[Location, dict[Location, None]] = {}
        legs: dict[Location, dict[Location, None]] = {}
        aids: dict[Location, set[Space]] = {}
        near: dict[str, dict[str, None]] = {code: {} for code in board.provinces}
        for province in board.provinces.values():
            for here in province.locations:
                moves[here], legs[here], aids[here] = {}, {}, set()
        same = {at: at for at in moves}
        for border in board.borders:
            if Use.MOVE in border.uses:
                moves[border.start][same[border.end]] = None
            if Use.CONVOY in border.uses:
                legs[border.start][same[border.end]] = None
            if Use.SUPPORT in border.uses:
                aids[border.start].add(space_of(border.end))
            aloft = AIR in (border.start.slot, border.end.slot)
            if border.uses != Use.CONVOY and not aloft:
                near[border.start.province][border.end.province] = None
        self.moves: Mapping[Location, Mapping[Location, None]] = moves
        self.legs: Mapping[Location, tuple[Location, ...]] = {at: tuple(ends) for at, ends in legs.items()}
        self.aids: Mapping[Location, frozenset[Space]] = {at: frozenset(found) for at, found in aids.items()}
        self.near: Mapping[str, tuple[str, ...]] = {code: tuple(found) for code, found in near.items()}
        spaces = {space: number for number, space in enumerate(dict.fromkeys(map(space_of, moves)))}
        self.names: tuple[Space, ...] = tuple(spaces)
        self.numbers: Mapping[Location, int] = {at: spaces[space_of(at)] for at in moves}
        self.shared = frozenset(p.code for p in board.provinces.values() if p.shared)
        self.open = frozenset(n for space, n in spaces.items() if space.province in self.shared)
        self.centres = frozenset(p.code for p in board.provinces.values() if p.centre)
        self.yards = frozenset(p.code for p in board.provinces.values() if p.yard)
        homes: dict[str, list[str]] = {}
        for province in board.provinces.values():
            if province.home is not None:
                homes.setdefault(province.home, []).append(province.code)
        self.homes: Mapping[str, tuple[str, ...]] = {power: tuple(sorted(codes)) for power, codes in homes.items()}

    def legs_of(self, at: Location) -> tuple[Location, ...]:
        return self.legs.get(at, ())

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

    def voyage(self, start: Location, targets: frozenset[str]) -> int | None:
        """Moves that a unit needs from here to the nearest target by borders it can cross; None if it never arrives."""
        seen = {start}
        edge, steps = [start], 0
        while edge:
            if any(at.province in targets for at in edge):
                return steps
            edge = list(dict.fromkeys(there for at in edge for there in self.moves[at] if there not in seen))
            seen.update(edge)
            steps += 1
        return None


def atlas(board: Board) -> Adjacency:
    """Asked ten times a phase, so the last boards are found by identity first."""
    lately = _LATELY.get(id(board))
    if lately is not None and lately[0] is board:
        return lately[1]
    found = _KNOWN.get(board)
    if found is None:
        found = _KNOWN[board] = Adjacency(board)
    if len(_LATELY) >= MOST_LATELY:
        _LATELY.clear()
    _LATELY[id(board)] = board, found
    return found

"""Applies border changes to a board, and returns the heirs of every stretch.

The order of changes makes no difference, with one exception: several releases may attach to one stretch. Their order
along it follows the writers' `near`, unless they contradict each other; else it is alphabetical by the islands' codes,
clockwise along the province they are attached to.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field

from gm.judge.board.planar_board import PlanarBoard
from gm.judge.board.rotation import Heirs, Ring, RotationChange, RotationSystem
from gm.judge.mechanics.moving_borders.order_meaning import BorderChange


class IslandRow(Struct, frozen=True):
    """Releases that attach to one stretch: the islands, clockwise along `province`, on its border with `within`.

    `wished`: a writer's `near` had a say in it.
    """

    province: str
    within: str
    islands: tuple[str, ...]
    wished: bool = False


class AppliedChanges(Struct, frozen=True):
    board: PlanarBoard
    heirs: Heirs
    provinces: frozenset[str]
    rows: tuple[IslandRow, ...] = ()


def apply_changes(
    board: PlanarBoard, deeds: Iterable[BorderChange], near: Mapping[BorderChange, Sequence[str]]
) -> AppliedChanges:
    """`deeds` must be possible together; `near` are the provinces that the writers of a release named."""
    deeds = tuple(deeds)
    releases = sorted(deed for deed in deeds if deed.within)
    rotation = board.rotation
    places = {stretch: _Places(rotation, stretch, releases, near) for deed in releases for stretch in deed.stretches}
    changes: list[RotationChange] = []
    for deed in releases:
        one, two = (places[stretch].take(deed) for stretch in deed.stretches)
        change = rotation.release(one, two, deed.within)
        changes.append(change)
        for stretch, taken in zip(deed.stretches, (one, two), strict=True):
            places[stretch].split(rotation, deed, taken, change.heirs.get(taken, (taken,)))
        rotation = change.after
    for deed in sorted(deed for deed in deeds if not deed.within):
        changes.append(rotation.flip(deed.stretches[0]))
        rotation = changes[-1].after
    touched = frozenset(code for change in changes for code in change.provinces)
    rows = tuple(place.row() for place in places.values() if len(place.order) > 1)
    return AppliedChanges(board.after(changes) if changes else board, heirs(changes), touched, rows)


def heirs(changes: Iterable[RotationChange]) -> Heirs:
    """What became of the stretches in all changes together."""
    merged: dict[int, tuple[int, ...]] = {}
    for change in changes:
        for old, now in merged.items():
            merged[old] = tuple(dict.fromkeys(s for heir in now for s in change.heirs.get(heir, (heir,))))
        for old, now in change.heirs.items():
            merged.setdefault(old, now)
    return merged


class _Places(Struct):
    """Where releases attach to one stretch. `pieces` are what it has been cut into, clockwise along `province`.

    Of a loop, piece i lies behind the i-th of those attached; else piece i lies before it, and the last behind all.
    """

    rotation: RotationSystem
    stretch: int
    releases: Sequence[BorderChange]
    near: Mapping[BorderChange, Sequence[str]]
    province: str = ""
    within: str = ""
    order: list[BorderChange] = field(default_factory=list)
    wished: bool = False
    pieces: list[int] = field(default_factory=list)
    attached: list[int] = field(default_factory=list)
    first: int = -1

    def __post_init__(self) -> None:
        mine = [deed for deed in self.releases if self.stretch in deed.stretches]
        sides = self.rotation.sides[self.stretch]
        beyond = {next(side for side in sides if side != deed.within) for deed in mine}
        self.province = min(beyond)
        self.within = self.rotation.other(self.stretch, self.province)
        wishes = {deed: self._wish(deed) for deed in mine}
        self.order = sorted(mine, key=lambda deed: (wishes[deed], self._island(deed)))
        self.wished = any(wishes.values())
        self.pieces = [self.stretch]

    @property
    def loop(self) -> bool:
        return self.rotation.ends(self.province, self.stretch) is None

    def _island(self, deed: BorderChange) -> str:
        """What is attached by this release: the province beyond its other stretch."""
        far = next(stretch for stretch in deed.stretches if stretch != self.stretch)
        return self.rotation.other(far, deed.within)

    def _wish(self, deed: BorderChange) -> int:
        """-1: near the beginning, 1: near the end, 0: no wish, or several that contradict each other."""
        ends = self.rotation.ends(self.province, self.stretch)
        if ends is None or ends[0] == ends[1]:
            return 0
        wishes = {ends.index(code) for code in self.near.get(deed, ()) if code in ends}
        return 0 if len(wishes) != 1 else (-1, 1)[wishes.pop()]

    def _index(self, deed: BorderChange) -> int:
        rank = self.order.index(deed)
        if not self.loop:
            return sum(other < rank for other in self.attached)
        if not self.attached:
            return 0
        turn = (rank - self.first) % len(self.order)
        return sum((other - self.first) % len(self.order) < turn for other in self.attached) - 1

    def take(self, deed: BorderChange) -> int:
        """The piece that this release attaches to."""
        return self.pieces[self._index(deed)]

    def split(self, before: RotationSystem, deed: BorderChange, piece: int, halves: Ring) -> None:
        """Note what has become of the piece: `halves` are clockwise along the far side of the release."""
        at = self._index(deed)
        along = halves if before.other(piece, deed.within) == self.province else tuple(reversed(halves))
        self.pieces[at : at + 1] = along
        rank = self.order.index(deed)
        self.first = rank if self.first < 0 else self.first
        insort(self.attached, rank)

    def row(self) -> IslandRow:
        return IslandRow(self.province, self.within, tuple(map(self._island, self.order)), self.wished)

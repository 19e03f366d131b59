"""Applies border changes to a board, and returns the heirs of every stretch.

The result does not depend on the order of the changes, except where several releases attach to the same stretch. Then
the order along it follows `near` in the orders. Without `near`, or if the orders contradict each other, it is
alphabetical by the islands' codes, clockwise along the province they attach to.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field

from gm.judge.board.planar_board import PlanarBoard
from gm.judge.board.rotation import BorderMove, Heirs, Ring, RotationChange, RotationSystem
from gm.judge.mechanics.moving_borders.order_meaning import BorderChange


class IslandRow(Struct, frozen=True):
    """Releases that attach to one stretch: the islands, clockwise along `province`, on its border with `within`.

    `wished`: `near` in an order influenced their order.
    """

    province: str
    within: str
    islands: tuple[str, ...]
    wished: bool = False


class AppliedChanges(Struct, frozen=True):
    """`moves` are the changes one after the other, each on the map after those before it."""

    board: PlanarBoard
    heirs: Heirs
    provinces: frozenset[str]
    rows: tuple[IslandRow, ...] = ()
    moves: tuple[BorderMove, ...] = ()


def apply_changes(
    board: PlanarBoard, border_changes: Iterable[BorderChange], near: Mapping[BorderChange, Sequence[str]]
) -> AppliedChanges:
    """Applies changes that do not conflict. `near`: the provinces that the orders for a change name after `near`."""
    border_changes = tuple(border_changes)
    releases = sorted(change for change in border_changes if change.within)
    rotation = board.rotation
    places = {
        stretch: _Places(rotation, stretch, releases, near) for release in releases for stretch in release.stretches
    }
    changes: list[RotationChange] = []
    moves: list[BorderMove] = []
    for release in releases:
        first, second = (places[stretch].take(release) for stretch in release.stretches)
        moves.append(tuple(rotation.stretch_ends(release.within, piece) for piece in (first, second)))
        change = rotation.release(first, second, release.within)
        changes.append(change)
        for stretch, taken in zip(release.stretches, (first, second), strict=True):
            places[stretch].split(rotation, release, taken, change.heirs.get(taken, (taken,)))
        rotation = change.after
    for separation in sorted(change for change in border_changes if not change.within):
        (stretch,) = separation.stretches
        moves.append((rotation.stretch_ends(rotation.sides[stretch][0], stretch),))
        changes.append(rotation.flip(stretch))
        rotation = changes[-1].after
    touched = frozenset(code for change in changes for code in change.provinces)
    rows = tuple(place.row() for place in places.values() if len(place.order) > 1)
    after = board.after(changes) if changes else board
    return AppliedChanges(after, heirs(changes), touched, rows, tuple(moves))


def heirs(changes: Iterable[RotationChange]) -> Heirs:
    """Merges the heirs of successive changes: for every stretch of the first map, the stretches on the last."""
    merged: dict[int, tuple[int, ...]] = {}
    for change in changes:
        for old, now in merged.items():
            merged[old] = tuple(dict.fromkeys(s for heir in now for s in change.heirs.get(heir, (heir,))))
        for old, now in change.heirs.items():
            merged.setdefault(old, now)
    return merged


class _Places(Struct):
    """Places along a stretch where releases attach. `pieces` are its parts so far, clockwise along `province`.

    In a loop, piece i follows the i-th attached release. Otherwise it precedes it, and the last piece follows them all.
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
        mine = [release for release in self.releases if self.stretch in release.stretches]
        sides = self.rotation.sides[self.stretch]
        beyond = {next(side for side in sides if side != release.within) for release in mine}
        self.province = min(beyond)
        self.within = self.rotation.other(self.stretch, self.province)
        wishes = {release: self._wish(release) for release in mine}
        self.order = sorted(mine, key=lambda release: (wishes[release], self._island(release)))
        self.wished = any(wishes.values())
        self.pieces = [self.stretch]

    @property
    def loop(self) -> bool:
        return self.rotation.ends(self.province, self.stretch) is None

    def _island(self, release: BorderChange) -> str:
        """Returns the province this release attaches: the one beyond its other stretch."""
        far = next(stretch for stretch in release.stretches if stretch != self.stretch)
        return self.rotation.other(far, release.within)

    def _wish(self, release: BorderChange) -> int:
        """Returns -1 for near the start, 1 for near the end, 0 without `near` or if orders contradict each other."""
        ends = self.rotation.ends(self.province, self.stretch)
        if ends is None or ends[0] == ends[1]:
            return 0
        wishes = {ends.index(code) for code in self.near.get(release, ()) if code in ends}
        return 0 if len(wishes) != 1 else (-1, 1)[wishes.pop()]

    def _index(self, release: BorderChange) -> int:
        rank = self.order.index(release)
        if not self.loop:
            return sum(other < rank for other in self.attached)
        if not self.attached:
            return 0
        turn = (rank - self.first) % len(self.order)
        return sum((other - self.first) % len(self.order) < turn for other in self.attached) - 1

    def take(self, release: BorderChange) -> int:
        """Returns the piece that this release attaches to."""
        return self.pieces[self._index(release)]

    def split(self, before: RotationSystem, release: BorderChange, piece: int, halves: Ring) -> None:
        """Replaces a piece by its `halves`, which are clockwise along the far side of the release."""
        at = self._index(release)
        along = halves if before.other(piece, release.within) == self.province else tuple(reversed(halves))
        self.pieces[at : at + 1] = along
        rank = self.order.index(release)
        self.first = rank if self.first < 0 else self.first
        insort(self.attached, rank)

    def row(self) -> IslandRow:
        return IslandRow(self.province, self.within, tuple(map(self._island, self.order)), self.wished)

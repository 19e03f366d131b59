"""A map as a rotation system: the neighbours of each province in clockwise order, without any geometry.

A *stretch* is one unbroken piece of border between two provinces, identified by a number: two provinces may share
several. A *ring* is one boundary component of a province: its stretches, clockwise. A province with an island or a lake
has several rings. Three provinces meet at every corner, which gives the *corner law*: if in A's ring B is followed by
C, then in C's ring A is followed by B, and in B's ring C by A. A ring of one stretch is a closed loop without corners.

Two border events change a map. `flip` removes the stretch A|B that ends at C and at D and joins C to D; where C and D
are the same province, it closes round what lay on A's side. `release` joins A to C where they lie on different rings of
the same B. Both return the new map and the heirs of every stretch that was removed or cut in two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple, TypeAlias

from msgspec import Struct

Ring: TypeAlias = tuple[int, ...]
Rings: TypeAlias = tuple[Ring, ...]
StretchEnds: TypeAlias = tuple[str, str, str, str]
"""A province, its neighbour across a stretch, and the provinces at its ends, clockwise round the first; "" twice for a
closed loop. It identifies the stretch: the three provinces of a corner, in their order, meet at no second corner."""
BorderMove: TypeAlias = tuple[StretchEnds, ...]
"""A stretch that vanishes; or two stretches round the same province, given from its side, whose far sides are joined.
It means the same on all equal maps, whatever the numbers of their stretches."""
Heirs: TypeAlias = Mapping[int, tuple[int, ...]]
"""Removed or cut stretches -> what remains of them: () for a removed one, both halves for one cut in two."""


class InvalidMap(ValueError):
    """Borders that no map can have. Its text is one line."""


class RotationChange(NamedTuple):
    """A changed map. `provinces` are those whose rings changed."""

    after: RotationSystem
    heirs: Heirs
    provinces: frozenset[str]


class RotationSystem(Struct, frozen=True, dict=True):
    """`rings` by province; `sides` are the two provinces of every stretch; `fresh` is the next free number."""

    rings: Mapping[str, Rings]
    sides: Mapping[int, tuple[str, str]]
    fresh: int

    def other(self, stretch: int, province: str) -> str:
        first, second = self.sides[stretch]
        return second if first == province else first

    def ring(self, province: str, stretch: int) -> Ring:
        for ring in self.rings[province]:
            if stretch in ring:
                return ring
        raise KeyError(stretch)

    def neighbours(self, province: str, ring: Ring) -> tuple[str, ...]:
        return tuple(self.other(stretch, province) for stretch in ring)

    def around(self, province: str, stretch: int) -> tuple[int, int] | None:
        """The stretches before and after it, clockwise round the province; None for a closed loop."""
        ring = self.ring(province, stretch)
        if len(ring) == 1:
            return None
        at = ring.index(stretch)
        return ring[at - 1], ring[(at + 1) % len(ring)]

    def ends(self, province: str, stretch: int) -> tuple[str, str] | None:
        """The provinces at its two ends, clockwise round `province`; None for a closed loop."""
        around = self.around(province, stretch)
        return None if around is None else (self.other(around[0], province), self.other(around[1], province))

    def stretch_ends(self, province: str, stretch: int) -> StretchEnds:
        return province, self.other(stretch, province), *(self.ends(province, stretch) or ("", ""))

    def ring_ends(self, province: str, ring: Ring) -> Iterator[StretchEnds]:
        """Yields the ends of each stretch of a ring, from the side of the province."""
        others = self.neighbours(province, ring)
        if len(others) == 1:
            yield province, others[0], "", ""
            return
        for before, other, behind in zip((others[-1], *others), others, (*others[1:], others[0]), strict=False):
            yield province, other, before, behind

    @cached_property
    def stretches_by_ends(self) -> Mapping[StretchEnds, int]:
        """Every stretch twice, once from each side. Maps with the same keys are the same map."""
        return {
            ends: stretch
            for province, rings in self.rings.items()
            for ring in rings
            for ends, stretch in zip(self.ring_ends(province, ring), ring, strict=True)
        }

    def between(self, lead: str, other: str) -> tuple[int, ...]:
        """All stretches that two provinces share, in the order of the rings of `lead`."""
        return tuple(s for ring in self.rings[lead] for s in ring if self.other(s, lead) == other)

    def flip(self, stretch: int) -> RotationChange:
        """Removes a stretch and joins the provinces at its ends. Raises InvalidMap for a closed loop."""
        a, b = self.sides[stretch]
        ends = self.ends(a, stretch)
        if ends is None:
            raise InvalidMap(f"the border of {a} and {b} has no ends")
        d, c = ends
        rings = dict(self.rings)
        sides = dict(self.sides)
        # At the corner (A, B, C) the border of C to A is followed by that to B; at (A, B, D) it is the other way round.
        d_to_a, c_to_a = self.around(a, stretch) or (0, 0)
        c_to_b, d_to_b = self.around(b, stretch) or (0, 0)
        for province in (a, b):
            rings[province] = _replaced(rings[province], self.ring(province, stretch), stretch, ())
        del sides[stretch]
        heirs: dict[int, tuple[int, ...]] = {stretch: ()}
        if c != d:
            fresh = self.fresh
            sides[fresh] = (c, d)
            rings[c] = _inserted(rings[c], c_to_a, c_to_b, (fresh,))
            rings[d] = _inserted(rings[d], d_to_b, d_to_a, (fresh,))
            return RotationChange(RotationSystem(rings, sides, fresh + 1), heirs, frozenset((a, b, c, d)))
        rings[c] = _cut(rings[c], (c_to_a, c_to_b), (d_to_b, d_to_a))
        for province, keep, gone in ((a, d_to_a, c_to_a), (b, c_to_b, d_to_b)):
            if keep != gone:
                heirs[gone] = (keep,)
                del sides[gone]
                for side in (province, c):
                    ring = next(ring for ring in rings[side] if gone in ring)
                    rings[side] = _replaced(rings[side], ring, gone, ())
        return RotationChange(RotationSystem(rings, sides, self.fresh), heirs, frozenset((a, b, c)))

    def release(self, first: int, second: int, within: str) -> RotationChange:
        """Joins the provinces beyond two stretches of one province's border. Raises InvalidMap if they share a ring."""
        a, c = self.other(first, within), self.other(second, within)
        rings = dict(self.rings)
        sides = dict(self.sides)
        ring_a, ring_c = self.ring(within, first), self.ring(within, second)
        if ring_a == ring_c:
            raise InvalidMap(f"{a} and {c} lie on the same boundary of {within}")
        joint, fresh = self.fresh, self.fresh + 1
        sides[joint] = (a, c)
        heirs: dict[int, tuple[int, ...]] = {}
        halves: list[tuple[int, int]] = []
        for province, stretch in ((a, first), (c, second)):
            ring = self.ring(province, stretch)
            if len(ring) == 1:
                rings[province] = _replaced(rings[province], ring, stretch, (joint, stretch))
                halves.append((stretch, stretch))
                continue
            sides[fresh] = (province, within)
            heirs[stretch] = (stretch, fresh)
            rings[province] = _replaced(rings[province], ring, stretch, (stretch, joint, fresh))
            halves.append((stretch, fresh))
            fresh += 1
        # Clockwise round `within` the far half comes first: its own side of the border runs the other way.
        (near_a, far_a), (near_c, far_c) = halves
        joined = (
            *_unrolled(ring_a, first, near_a),
            *(() if far_a == near_a else (far_a,)),
            *_unrolled(ring_c, second, near_c),
            *(() if far_c == near_c else (far_c,)),
        )
        rest = tuple(ring for ring in rings[within] if ring not in (ring_a, ring_c))
        rings[within] = (*rest, joined)
        return RotationChange(RotationSystem(rings, sides, fresh), heirs, frozenset((a, c, within)))

    def move(self, step: BorderMove) -> RotationChange:
        """Returns the map after a move. Raises InvalidMap if this map has no such stretches."""
        unknown = [ends for ends in step if ends not in self.stretches_by_ends]
        if unknown:
            raise InvalidMap(f"there is no border {' '.join(unknown[0])}")
        first, *others = (self.stretches_by_ends[ends] for ends in step)
        return self.release(first, others[0], step[0][0]) if others else self.flip(first)

    def check(self) -> None:
        """Checks the corner law everywhere, and Euler's formula. Raises InvalidMap, one line."""
        self.check_corners(self.rings)
        self.check_pieces()

    def check_corners(self, provinces: Iterable[str]) -> None:
        """Checks the corner law at all corners of these provinces."""
        for a in provinces:
            for ring in self.rings[a]:
                if len(ring) > 1:
                    for at, second in enumerate(ring):
                        self._check_corner(a, ring[at - 1], second)

    def _check_corner(self, a: str, first: int, second: int) -> None:
        b, c = self.other(first, a), self.other(second, a)
        third = self._after(c, second)
        if third is None or self.other(third, c) != b or self._after(b, third) != first:
            raise InvalidMap(f"the corner of {a}, {b} and {c} does not fit together")

    def _after(self, province: str, stretch: int) -> int | None:
        for ring in self.rings[province]:
            if stretch in ring:
                return ring[(ring.index(stretch) + 1) % len(ring)]
        return None

    def check_pieces(self) -> None:
        """Checks Euler's formula for the numbers of provinces, stretches, corners and connected parts."""
        sizes = [len(ring) for rings in self.rings.values() for ring in rings]
        loops = sizes.count(1)
        if loops % 2:
            raise InvalidMap("a border round an island has one side only")
        corners = (sum(sizes) - loops) // 3
        if len(self.rings) - len(self.sides) + corners + loops // 2 != 1 + self._pieces():
            raise InvalidMap("the provinces do not fit together on one map (Euler's formula)")

    def _pieces(self) -> int:
        """The number of connected parts: rings that share a stretch belong to the same part."""
        ring_of: dict[int, list[tuple[str, int]]] = {}
        links: dict[tuple[str, int], set[int]] = {}
        for province, rings in self.rings.items():
            for at, ring in enumerate(rings):
                links[province, at] = set(ring)
                for stretch in ring:
                    ring_of.setdefault(stretch, []).append((province, at))
        left, pieces = set(links), 0
        while left:
            pieces += 1
            edge = [left.pop()]
            while edge:
                near = {other for stretch in links[edge.pop()] for other in ring_of[stretch]} & left
                left -= near
                edge += near
        return pieces


def _replaced(rings: Rings, ring: Ring, stretch: int, by: Ring) -> Rings:
    """The rings with `by` in the place of a ring's stretch; an empty ring is removed."""
    at = ring.index(stretch)
    changed = (*ring[:at], *by, *ring[at + 1 :])
    return tuple(changed if other == ring else other for other in rings if changed or other != ring)


def _inserted(rings: Rings, before: int, behind: int, new: Ring) -> Rings:
    """The rings with new stretches between two that follow each other."""

    def wider(ring: Ring) -> Ring:
        if before not in ring or ring[(ring.index(before) + 1) % len(ring)] != behind:
            return ring
        at = ring.index(before) + 1
        return (*ring[:at], *new, *ring[at:])

    return tuple(wider(ring) for ring in rings)


def _cut(rings: Rings, first: tuple[int, int], second: tuple[int, int]) -> Rings:
    """The rings with the ring that has these two pairs of successive stretches cut in two between each pair."""
    parts: list[Ring] = []
    for ring in rings:
        if first[0] not in ring:
            parts.append(ring)
            continue
        start = ring.index(first[1])
        turned = ring[start:] + ring[:start]
        end = turned.index(second[0]) + 1
        parts += [turned[:end], turned[end:]]
    return tuple(parts)


def _unrolled(ring: Ring, stretch: int, half: int) -> Ring:
    """The ring cut open at a stretch: this half of it first, then everything after it."""
    at = ring.index(stretch)
    return (half, *ring[at + 1 :], *ring[:at])


def build_rotation(lists: Mapping[str, Iterable[Iterable[str]]]) -> RotationSystem:
    """The map whose rings have these neighbours. Raises InvalidMap, one line, where no map has them.

    The neighbours identify each stretch even if two provinces share several, because the three provinces of a corner,
    in their order, meet at no second corner.
    """
    rings = {province: tuple(tuple(ring) for ring in neighbours) for province, neighbours in lists.items()}
    numbers: dict[tuple[str, str, str, str], int] = {}
    sides: dict[int, tuple[str, str]] = {}
    numbered: dict[str, Rings] = {}
    for a, own in rings.items():
        for ring in own:
            _check_names(a, ring, rings)
        numbered[a] = tuple(
            tuple(_number(a, ring, at, numbers, sides) for at in range(len(ring))) for ring in own if ring
        )
    single = [key for key, number in numbers.items() if len(sides[number]) == 1]
    for a, b, *_ in single:
        there, back = sum(ring.count(b) for ring in rings[a]), sum(ring.count(a) for ring in rings[b])
        if there != back:
            raise InvalidMap(f"{a} has {there} borders with {b}, but {b} has {back} with {a}")
    for a, b, before, behind in single:
        where = f"between {before} and {behind}" if before else "all round"
        raise InvalidMap(f"{a} has {b} {where}, but {b} does not have {a} so")
    result = RotationSystem(numbered, sides, len(sides))
    result.check()
    return result


def _check_names(a: str, ring: tuple[str, ...], rings: Mapping[str, object]) -> None:
    for b in ring:
        if b not in rings:
            raise InvalidMap(f"{a} names {b}, which has no borders of its own")
        if b == a:
            raise InvalidMap(f"{a} cannot border itself")


def _number(
    a: str,
    ring: tuple[str, ...],
    at: int,
    numbers: dict[tuple[str, str, str, str], int],
    sides: dict[int, tuple[str, str]],
) -> int:
    """The number of a stretch, identified by its two provinces and two ends, which its other side lists in reverse."""
    b = ring[at]
    before, behind = (ring[at - 1], ring[(at + 1) % len(ring)]) if len(ring) > 1 else ("", "")
    if before in (a, b) or behind in (a, b):
        raise InvalidMap(f"{a} names {b} twice running")
    mine, theirs = (a, b, before, behind), (b, a, behind, before)
    if mine in numbers:
        raise InvalidMap(f"{a} meets {b} twice between {before or a} and {behind or a}")
    number = numbers.get(theirs)
    if number is None:
        number = len(sides)
        sides[number] = (a,)  # type: ignore[assignment]
    else:
        sides[number] = (b, a)
    numbers[mine] = number
    return number

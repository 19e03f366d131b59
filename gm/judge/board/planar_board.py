"""PlanarBoard: a board whose borders can be moved. Who touches whom, coasts and ways follow from a rotation.

An immutable value: what happens to its borders makes a new board, in which only the provinces concerned and their
neighbours are worked out anew. Two boards are equal when their borders are, whatever led there.

Armies cross borders between two land provinces; fleets go from sea to sea, between a sea and the coasts it lies at,
and from coast to coast along a border that ends at the sea both coasts are on. Convoys go by the same stretches of
border, and for them a shore is the land behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from gm.judge.board.board import LAND, SEA, STRANDED, Border, Location, Province, Use
from gm.judge.board.coasts import Coast, NamedCoast, OpeningCoasts, coasts
from gm.judge.board.rotation import BrokenMap, RotationChange, RotationSystem, paired

PASSAGE = Use.MOVE | Use.SUPPORT

Lists = Mapping[str, tuple[tuple[str, ...], ...]]
"""Province -> its boundary components, each the clockwise list of its neighbours."""


class NumberedBorder(NamedTuple):
    """One of several stretches that two provinces share."""

    number: int
    stretch: int


class PlanarBoard:
    """`lists` are equal for equal maps: every list begins, and the lists of a province follow each other, by one rule.

    `coasts` are those of land provinces; `marks` say what they may be called beside their names: a sea or a neighbour
    at an end -> the slot of the coast that has it, "" where several do. In the provinces of `stranded` a fleet lies
    without a coast.
    """

    __slots__ = (
        "__weakref__", "_borders", "_by_province", "_hash", "coasts", "lists", "marks", "plan", "provinces", "rotation",
        "stranded",
    )  # fmt: skip

    def __init__(self, plan: OpeningCoasts, rotation: RotationSystem, stranded: Iterable[str] = (), *, like:
    PlanarBoard | None = None,
                 changed: frozenset[str] | None = None) -> None:  # fmt: skip
        """`like` is a board of the same plan that differs in the rings of the provinces in `changed` alone."""
        known = like is not None and changed is not None
        fresh = changed if known and changed is not None else frozenset(rotation.rings)
        turned = {code: plan.turned(rotation, code) for code in sorted(fresh)}
        rotation = RotationSystem({**rotation.rings, **turned}, rotation.sides, rotation.fresh)
        self.plan = plan
        self.rotation = rotation
        self.stranded = frozenset(stranded)
        self.lists: Lists = {
            **(like.lists if like and known else {}),
            **{code: tuple(rotation.neighbours(code, ring) for ring in rings) for code, rings in turned.items()},
        }
        self.coasts: Mapping[str, tuple[Coast, ...]] = {
            **(like.coasts if like and known else {}),
            **{code: coasts(plan, rotation, code) for code in turned},
        }
        fresh |= self.stranded ^ (like.stranded if like and known else frozenset())
        self.provinces: Mapping[str, Province] = {
            code: self._province(code) if code in fresh or like is None else like.provinces[code]
            for code in plan.provinces
        }
        self.marks: Mapping[str, Mapping[str, str]] = {
            code: self._marks(code) if code in fresh or like is None else like.marks[code] for code in plan.provinces
        }
        recoasted = [code for code in turned if like is None or like.coasts[code] != self.coasts[code]]
        near = {rotation.other(s, code) for code in recoasted for ring in rotation.rings[code] for s in ring}
        self._by_province: Mapping[str, Mapping[Location, tuple[Border, ...]]] = {
            code: self._leaving(code) if code in fresh or code in near or like is None else like._by_province[code]
            for code in plan.provinces
        }
        self._borders: tuple[Border, ...] | None = None
        self._hash: int | None = None

    # ---- the Board protocol

    @property
    def borders(self) -> tuple[Border, ...]:
        if self._borders is None:
            every = chain.from_iterable(found.values() for found in self._by_province.values())
            self._borders = tuple(chain.from_iterable(every))
        return self._borders

    def leaving(self, location: Location) -> tuple[Border, ...]:
        return self._by_province.get(location.province, {}).get(location, ())

    def neighbours(self, location: Location, use: Use) -> tuple[Location, ...]:
        return tuple(dict.fromkeys(b.end for b in self.leaving(location) if use in b.uses))

    # ---- as a value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PlanarBoard):
            return NotImplemented
        if self is other:
            return True
        same = self.plan is other.plan and self.stranded == other.stranded
        return same and hash(self) == hash(other) and self.lists == other.lists

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((tuple(self.lists.items()), self.stranded))
        return self._hash

    # ---- new boards

    def after(self, changes: Iterable[RotationChange]) -> PlanarBoard:
        """The board that one change after the other has led to. They are checked: BrokenMap is an error of ours."""
        rotation, touched = self.rotation, frozenset[str]()
        for change in changes:
            change.after.check_corners(change.provinces)
            rotation, touched = change.after, touched | change.provinces
        rotation.check_pieces()
        return PlanarBoard(self.plan, rotation, self.stranded, like=self, changed=touched)

    def with_stranded(self, provinces: Iterable[str]) -> PlanarBoard:
        """The same borders, and fleets without a coast in these provinces."""
        found = frozenset(code for code in provinces if self.plan.is_land(code) and not self.coasts[code])
        if found == self.stranded:
            return self
        return PlanarBoard(self.plan, self.rotation, found, like=self, changed=frozenset())

    def redrawn(self, lists: Mapping[str, Iterable[Iterable[str]]]) -> PlanarBoard:
        """The board with these borders. BrokenMap, one line, where no map has them."""
        found = {code: tuple(tuple(ring) for ring in rings) for code, rings in lists.items()}
        missing = [code for code in self.plan.provinces if code not in found]
        unknown = [code for code in found if code not in self.plan.provinces]
        if missing or unknown:
            raise BrokenMap(f"the borders of {missing[0]} are missing" if missing else f"no province {unknown[0]}")
        return PlanarBoard(self.plan, paired({code: found[code] for code in self.plan.provinces}))

    # ---- borders by number

    def numbered(self, one: str, two: str) -> tuple[NumberedBorder, ...]:
        """What two provinces share, counted clockwise along the sea or the closed province of the two, else along the
        first by its code.
        """
        lead, other = sorted((one, two), key=lambda code: (self.plan.is_land(code), code))
        return tuple(NumberedBorder(at, s) for at, s in enumerate(self.rotation.between(lead, other), 1))

    # ---- what follows from the rings of a province

    def coast_of(self, province: str, stretch: int) -> str:
        """The slot of the coast that a sea stretch of a land province belongs to."""
        return next(coast.slot for coast in self.coasts[province] if stretch in coast.stretches)

    def _province(self, code: str) -> Province:
        at_first = self.plan.provinces[code]
        if not self.plan.is_land(code):
            return at_first
        slots = (LAND, *(coast.slot for coast in self.coasts[code]), *((STRANDED,) if code in self.stranded else ()))
        if slots == at_first.slots:
            return at_first
        return Province(
            code, at_first.name, slots, at_first.centre, at_first.home, at_first.aliases, at_first.shared,
            at_first.colony,
        )  # fmt: skip

    def _marks(self, code: str) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for coast in self.coasts.get(code, ()):
            for mark in coast.marks:
                found[mark] = "" if mark in found else coast.slot
        return MappingProxyType(dict(sorted(found.items())))

    def _leaving(self, code: str) -> Mapping[Location, tuple[Border, ...]]:
        found: dict[Location, dict[Border, None]] = {at: {} for at in self.provinces[code].locations}
        for ring in self.rotation.rings[code]:
            for stretch in ring:
                for border in self._crossing(code, stretch):
                    found[border.start][border] = None
        return {at: tuple(borders) for at, borders in found.items()}

    def _crossing(self, here: str, stretch: int) -> Iterator[Border]:
        """What may be done over one stretch, in one direction."""
        there = self.rotation.other(stretch, here)
        name = "-".join(sorted((here, there)))
        wet, dry = self.plan.is_sea, self.plan.is_land
        if dry(here) and dry(there):
            yield Border(name, Location(here, LAND), Location(there, LAND), PASSAGE)
            yield from self._along(name, here, there, stretch)
        elif wet(here) and wet(there):
            yield Border(name, Location(here, SEA), Location(there, SEA), PASSAGE | Use.CONVOY)
        elif wet(here) and dry(there):
            yield Border(name, Location(here, SEA), Location(there, self.coast_of(there, stretch)), PASSAGE)
            yield Border(name, Location(here, SEA), Location(there, LAND), Use.CONVOY)
        elif dry(here) and wet(there):
            yield Border(name, Location(here, self.coast_of(here, stretch)), Location(there, SEA), PASSAGE)
            yield Border(name, Location(here, LAND), Location(there, SEA), Use.CONVOY)

    def _along(self, name: str, here: str, there: str, stretch: int) -> Iterator[Border]:
        """From coast to coast at either end of a border between lands, where it comes to a sea."""
        mine, its = self.rotation.around(here, stretch), self.rotation.around(there, stretch)
        if mine is None or its is None:
            return
        for one, two in ((mine[0], its[1]), (mine[1], its[0])):
            if self.plan.is_sea(self.rotation.other(one, here)):
                start, end = Location(here, self.coast_of(here, one)), Location(there, self.coast_of(there, two))
                yield Border(name, start, end, PASSAGE)


def planar(
    provinces: Mapping[str, Province],
    lists: Mapping[str, Iterable[Iterable[str]]],
    straits: Mapping[str, frozenset[str]],
    shores: Mapping[tuple[str, str], frozenset[str]],
) -> PlanarBoard:
    """The opening board. `shores` are the seas that each named coast (province, slot) touches.

    BrokenMap, one line, where the lists are of no map or a named coast is none of its province's.
    """
    rotation = paired(lists)
    ranks = {code: {n: at for at, n in reversed(tuple(enumerate(chain.from_iterable(lists[code]))))} for code in lists}
    plain = OpeningCoasts(provinces, straits, ranks, {})
    named: dict[str, list[NamedCoast]] = {}
    bare = PlanarBoard(plain, rotation)
    for (code, slot), seas in shores.items():
        like = [c for c in bare.coasts[code] if {sea for shore in c.shores for sea in shore.seas} == seas]
        if len(like) != 1:
            raise BrokenMap(f"{code} has no coast {slot} on {', '.join(sorted(seas))}")
        for stretch in like[0].stretches:
            ends = bare.rotation.ends(code, stretch) or ("", "")
            named.setdefault(code, []).append(NamedCoast(slot, bare.rotation.other(stretch, code), ends))
    plan = OpeningCoasts(provinces, straits, ranks, {code: tuple(found) for code, found in named.items()})
    return PlanarBoard(plan, bare.rotation)

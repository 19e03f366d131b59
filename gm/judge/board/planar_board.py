"""PlanarBoard: a board whose borders can move (Seismic). Its borders and coasts follow from a `RotationSystem`.

Immutable: a border event makes a new board, in which only the provinces concerned and their neighbours are computed
again. Two boards are equal when their borders are, however they came about.

Armies cross borders between two land provinces. Fleets go from sea to sea, between a sea and the coasts on it, and from
coast to coast along a border that ends at the sea both coasts are on. Convoys use the same stretches; for them a shore
is the land behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from msgspec.structs import replace

from gm.judge.board.board import LAND, SEA, STRANDED, Board, Border, Location, Province, Use
from gm.judge.board.coasts import Coast, NamedCoast, OpeningCoasts, coasts
from gm.judge.board.rotation import InvalidMap, RotationChange, RotationSystem, build_rotation

PASSAGE = Use.MOVE | Use.SUPPORT

Lists = Mapping[str, tuple[tuple[str, ...], ...]]
"""Province -> its boundary components, each the clockwise list of its neighbours."""


class NumberedBorder(NamedTuple):
    """One of several stretches that two provinces share."""

    number: int
    stretch: int


class PlanarBoard(Board):
    """`lists` are in canonical order, so equal maps have equal lists.

    `coasts` are those of land provinces; `marks` maps a sea or a neighbour at an end to the slot of the coast that has
    it, or to "" if several have. In the provinces in `stranded` a fleet lies without a coast.
    """

    def __init__(
        self,
        plan: OpeningCoasts,
        rotation: RotationSystem,
        stranded: Iterable[str] = (),
        *,
        like: PlanarBoard | None = None,
        changed: frozenset[str] = frozenset(),
    ) -> None:
        """`like` is a board of the same plan that differs only in the rings of the provinces in `changed`."""
        fresh = frozenset(rotation.rings) if like is None else changed
        turned = {code: plan.turned(rotation, code) for code in sorted(fresh)}
        rotation = RotationSystem({**rotation.rings, **turned}, rotation.sides, rotation.fresh)
        self.plan = plan
        self.rotation = rotation
        self.stranded = frozenset(stranded)
        self.lists: Lists = {
            **(like.lists if like else {}),
            **{code: tuple(rotation.neighbours(code, ring) for ring in rings) for code, rings in turned.items()},
        }
        self.coasts: Mapping[str, tuple[Coast, ...]] = {
            **(like.coasts if like else {}),
            **{code: coasts(plan, rotation, code) for code in turned},
        }
        fresh |= self.stranded ^ (like.stranded if like else frozenset())
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

    @cached_property
    def borders(self) -> tuple[Border, ...]:
        every = chain.from_iterable(borders.values() for borders in self._by_province.values())
        return tuple(chain.from_iterable(every))

    def leaving(self, location: Location) -> tuple[Border, ...]:
        return self._by_province.get(location.province, {}).get(location, ())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PlanarBoard):
            return NotImplemented
        if self is other:
            return True
        same = self.plan is other.plan and self.stranded == other.stranded
        return same and hash(self) == hash(other) and self.lists == other.lists

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((tuple(self.lists.items()), self.stranded))

    def after(self, changes: Iterable[RotationChange]) -> PlanarBoard:
        """The board after these changes, one after the other. InvalidMap is raised for an error of the program."""
        rotation, touched = self.rotation, frozenset[str]()
        for change in changes:
            change.after.check_corners(change.provinces)
            rotation, touched = change.after, touched | change.provinces
        rotation.check_pieces()
        return PlanarBoard(self.plan, rotation, self.stranded, like=self, changed=touched)

    def with_stranded(self, provinces: Iterable[str]) -> PlanarBoard:
        """The same borders, with fleets that have no coast in these provinces."""
        landlocked = frozenset(code for code in provinces if self.plan.is_land(code) and not self.coasts[code])
        if landlocked == self.stranded:
            return self
        return PlanarBoard(self.plan, self.rotation, landlocked, like=self)

    def with_lists(self, lists: Mapping[str, Iterable[Iterable[str]]]) -> PlanarBoard:
        """The board with these neighbours. Raises InvalidMap, one line, where no map has them."""
        missing = [code for code in self.plan.provinces if code not in lists]
        unknown = [code for code in lists if code not in self.plan.provinces]
        if missing or unknown:
            raise InvalidMap(f"the borders of {missing[0]} are missing" if missing else f"no province {unknown[0]}")
        return PlanarBoard(self.plan, build_rotation({code: lists[code] for code in self.plan.provinces}))

    def numbered_borders(self, one_province: str, other_province: str) -> tuple[NumberedBorder, ...]:
        """The stretches that two provinces share, clockwise along the sea or closed province of the two, else along
        the first of the two by its code.
        """
        lead, other = sorted((one_province, other_province), key=lambda code: (self.plan.is_land(code), code))
        return tuple(NumberedBorder(at, s) for at, s in enumerate(self.rotation.between(lead, other), 1))

    def coast_of(self, province: str, stretch: int) -> str:
        """The slot of the coast that a sea stretch of a land province belongs to."""
        return next(coast.slot for coast in self.coasts[province] if stretch in coast.stretches)

    def _province(self, code: str) -> Province:
        province = self.plan.provinces[code]
        if not self.plan.is_land(code):
            return province
        slots = (LAND, *(coast.slot for coast in self.coasts[code]), *((STRANDED,) if code in self.stranded else ()))
        return province if slots == province.slots else replace(province, slots=slots)

    def _marks(self, code: str) -> Mapping[str, str]:
        slots: dict[str, str] = {}
        for coast in self.coasts.get(code, ()):
            for mark in coast.marks:
                slots[mark] = "" if mark in slots else coast.slot
        return MappingProxyType(dict(sorted(slots.items())))

    def _leaving(self, code: str) -> Mapping[Location, tuple[Border, ...]]:
        borders: dict[Location, dict[Border, None]] = {at: {} for at in self.provinces[code].locations}
        for ring in self.rotation.rings[code]:
            for stretch in ring:
                for border in self._crossing(code, stretch):
                    borders[border.start][border] = None
        return {at: tuple(leaving) for at, leaving in borders.items()}

    def _crossing(self, here: str, stretch: int) -> Iterator[Border]:
        """The borders over one stretch, in one direction."""
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
        """Borders from coast to coast at both ends of a stretch between lands, where it ends at a sea."""
        mine, its = self.rotation.around(here, stretch), self.rotation.around(there, stretch)
        if mine is None or its is None:
            return
        for my_end, its_end in ((mine[0], its[1]), (mine[1], its[0])):
            if self.plan.is_sea(self.rotation.other(my_end, here)):
                start, end = Location(here, self.coast_of(here, my_end)), Location(there, self.coast_of(there, its_end))
                yield Border(name, start, end, PASSAGE)


def opening_board(
    provinces: Mapping[str, Province],
    lists: Mapping[str, Iterable[Iterable[str]]],
    straits: Mapping[str, frozenset[str]],
    shores: Mapping[tuple[str, str], frozenset[str]],
) -> PlanarBoard:
    """The board at the start. `shores` are the seas that each named coast (province, slot) touches.

    Raises InvalidMap, one line, where no map has these lists or a named coast is not one of its province.
    """
    rotation = build_rotation(lists)
    ranks = {code: {n: at for at, n in reversed(tuple(enumerate(chain.from_iterable(lists[code]))))} for code in lists}
    plain = OpeningCoasts(provinces, straits, ranks, {})
    named: dict[str, list[NamedCoast]] = {}
    bare = PlanarBoard(plain, rotation)
    for (code, slot), seas in shores.items():
        like = [c for c in bare.coasts[code] if {sea for shore in c.shores for sea in shore.seas} == seas]
        if len(like) != 1:
            raise InvalidMap(f"{code} has no coast {slot} on {', '.join(sorted(seas))}")
        for stretch in like[0].stretches:
            ends = bare.rotation.ends(code, stretch) or ("", "")
            named.setdefault(code, []).append(NamedCoast(slot, bare.rotation.other(stretch, code), ends))
    plan = OpeningCoasts(provinces, straits, ranks, {code: tuple(coasts) for code, coasts in named.items()})
    return PlanarBoard(plan, bare.rotation)

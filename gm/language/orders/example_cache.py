"""Orders that differ in nothing but their provinces: one is read in full, the others by its example.

What `gm.language.orders.parsing.line_patterns` is to words, this is to meanings. "A Vie S A Bud - Gal" was read; so
"A Tri S A Ven - Rom" needs
no reading, if in the place of every unit stands one of the same kind, alone, and if the way to the goal is no matter of
who else stands on the board. Good for orders that are kept whether they are possible or not (`Context.any_unit`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from gm.judge.board.board import Location, Place
from gm.judge.model.orders import Convoy, Hold, Move, Statement, Support, UnitOrder, UnitRef
from gm.judge.model.position import Unit
from gm.judge.movement.movement_step import ref
from gm.language.orders.parsing.line_patterns import Patterns
from gm.language.orders.parsing.order_context import UnitsByProvince
from gm.language.orders.sheets.moves import of_use

MEMO = 1024
MOST_TOLD = 8192

End: TypeAlias = Callable[[UnitsByProvince, Unit, Place], Place | None]
"""Where an order's way ends: the position, the unit that goes, and the place as written. None: others decide."""


class Example(Struct, frozen=True):
    """An order that was read. `unit`, `target` and `to` say which of the line's places stands for that part (None:
    there is no such part), `order` and `kind`, `helped` what they must be; `end` what becomes of the goal.
    """

    order: Callable[..., UnitOrder]
    unit: int
    kind: str
    target: int | None
    helped: str
    to: int | None
    end: End
    via: bool

    def units(self, places: Sequence[Place], here: UnitsByProvince, power: str) -> tuple[Unit, ...] | None:
        """Who would go and who would be helped with these provinces, where the line means just these."""
        standing = here.units
        there = standing.get(places[self.unit].province, ())
        if len(there) != 1:
            return None
        mover = there[0]
        if mover.kind != self.kind or mover.power != power or mover.number:
            return None
        if self.target is None:
            return there
        helped = standing.get(places[self.target].province, ())
        if len(helped) != 1 or helped[0].kind != self.helped or helped[0].number:
            return None
        return there + helped

    def told(self, places: Sequence[Place], here: UnitsByProvince, units: Sequence[Unit]) -> UnitOrder | None:
        """The same order with these provinces, by where these units stand, if that is what it means."""
        parts: list[object] = [ref(unit) for unit in units]
        if self.to is not None:
            end = self.end(here, units[-1], places[self.to])
            if end is None:
                return None
            parts.append(end)
        return self.order(*parts, True) if self.via else self.order(*parts)


class KnownExample(Struct, frozen=True):
    """A line with an example; what it was last, and where then stood who was ordered, and who was to go or stay: the
    same value again and again, as `ref` is, whoever writes it.
    """

    example: Example
    places: tuple[Place, ...]
    order: UnitOrder | None = None
    stood: tuple[Location, Location] | None = None


class ExampleCache:
    """By the pattern of a line, the order it was read as. A line with one province in two places is no example."""

    def __init__(self, patterns: Patterns) -> None:
        self._patterns = patterns
        self._known: dict[str, Example] = {}
        self._told: dict[str, KnownExample] = {}

    def told(self, text: str, here: UnitsByProvince, power: str) -> UnitOrder | None:
        """What a line says that has an example."""
        last = self._told.get(text) or self._form(text)
        if last is None:
            return None
        units = last.example.units(last.places, here, power)
        if units is None:
            return None
        stand = units[0].at, units[-1].at
        if stand == last.stood:
            return last.order
        order = last.example.told(last.places, here, units)
        if order is not None:
            if len(self._told) >= MOST_TOLD:
                self._told.clear()
            self._told[text] = KnownExample(last.example, last.places, order, stand)
        return order

    def _form(self, text: str) -> KnownExample | None:
        pattern, named = self._patterns.split(text)
        example = self._known.get(pattern)
        if example is None:
            return None
        places = self._patterns.places
        return KnownExample(example, tuple([places[word] for word in named]))

    def learn(self, text: str, said: Statement, here: UnitsByProvince, power: str) -> None:
        """A line was read without a remark, and its order hangs on no more than the units it names."""
        pattern, named = self._patterns.split(text)
        if pattern in self._known or not self._patterns.alike(pattern):
            return
        places = [self._patterns.places[word] for word in named]
        at = {place.province: index for index, place in enumerate(places)}
        example = _example(said, at) if len(at) == len(places) else None
        if example is None:
            return
        units = example.units(places, here, power)
        if units is None or example.told(places, here, units) != said:
            return
        if len(self._known) >= MEMO:
            self._known.clear()
        self._known[pattern] = example


def _example(said: Statement, at: Mapping[str, int]) -> Example | None:
    """None where the order has a part that the line's codes do not give."""
    target: UnitRef | None = None
    to: Place | None = None
    via = False
    end: End = _backed
    match said:
        case Hold(unit):
            pass
        case Move(unit, goal, via, ()):
            to, end = goal, _sailed if via else _walked
        case Support(unit, target, to):
            pass
        case Convoy(unit, target, goal):
            to, end = goal, _landed
        case _:
            return None
    named = [part.at.province for part in (unit, target) if part] + ([to.province] if to else [])
    if sorted(named) != sorted(at):
        return None
    helped, goes_to = (at[target.at.province] if target else None), (at[to.province] if to else None)
    kind = target.kind if target else ""
    return Example(type(said), at[unit.at.province], unit.kind, helped, kind, goes_to, end, via)


def _walked(here: UnitsByProvince, unit: Unit, to: Place) -> Place | None:
    """A province without coasts is the goal as it stands."""
    return here.checker.end(unit, to, via=False) if here.position.board.provinces[to.province].coasts else to


def _sailed(here: UnitsByProvince, unit: Unit, to: Place) -> Place | None:
    return here.checker.end(unit, to, via=True) if here.position.board.provinces[to.province].coasts else to


def _backed(here: UnitsByProvince, unit: Unit, to: Place) -> Place | None:
    return of_use(here, unit, to)


def _landed(here: UnitsByProvince, unit: Unit, to: Place) -> Place | None:
    return Place(to.province) if to.coast else to

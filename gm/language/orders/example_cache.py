"""Only for speed: orders that differ in nothing but their provinces; the first is read in full, the others by example.

`parsing.line_patterns` does this for words, `ExampleCache` for meanings. Once "A Vie S A Bud - Gal" was read,
"A Tri S A Ven - Rom" needs no reading, if in the place of every unit stands a single one of the same kind, and if the
way to the goal depends on no other unit. For orders that are kept whether they are possible or not
(`LetterContext.any_unit`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from gm.judge.board.board import Location, Place
from gm.judge.model.orders import Convoy, Hold, Move, Statement, Support, UnitOrder, UnitRef
from gm.judge.model.position import Unit, ref
from gm.language.orders.parsing.line_patterns import LinePatterns
from gm.language.orders.parsing.order_context import UnitsByProvince
from gm.language.orders.sheets.moves import needed_coast

MEMO = 1024
MOST_LINES = 32_768

End: TypeAlias = Callable[[UnitsByProvince, Unit, Place], Place | None]
"""Where a move ends: the position, the unit that goes, and the place as written. None: other units decide."""


class Example(Struct, frozen=True):
    """An order that was read. `unit`, `target` and `to` are the indices of the places in the line (None: no such part).

    `make` is the class of the order, `kind` and `helped` are the kinds of the units, `end` gives the goal.
    """

    make: Callable[..., UnitOrder]
    unit: int
    kind: str
    target: int | None
    helped: str
    to: int | None
    end: End
    via: bool

    def units(self, places: Sequence[Place], here: UnitsByProvince, power: str) -> tuple[Unit, ...] | None:
        """The units that would be ordered and supported with these provinces; None where the line may mean others."""
        alone = here.alone
        mover = alone.get(places[self.unit].province)
        if mover is None or mover.kind != self.kind or mover.power != power or mover.number:
            return None
        if self.target is None:
            return (mover,)
        helped = alone.get(places[self.target].province)
        if helped is None or helped.kind != self.helped or helped.number:
            return None
        return mover, helped

    def order_with(self, places: Sequence[Place], here: UnitsByProvince, units: Sequence[Unit]) -> UnitOrder | None:
        """The same order for these units and provinces; None where other units decide."""
        parts: list[object] = [ref(unit) for unit in units]
        if self.to is not None:
            end = self.end(here, units[-1], places[self.to])
            if end is None:
                return None
            parts.append(end)
        return self.make(*parts, True) if self.via else self.make(*parts)


class KnownOrder(NamedTuple):
    """What a line ordered, while such units stand there alone: the one ordered, and the other one named, if any."""

    order: UnitOrder
    at: Location
    kind: str
    target_at: Location | None
    target_kind: str


class ExampleCache:
    """Orders by the pattern of their line. A line that names a province twice is no example."""

    def __init__(self, patterns: LinePatterns) -> None:
        self._patterns = patterns
        self._known: dict[str, Example] = {}
        self._lines: dict[str, KnownOrder] = {}

    def order(self, text: str, here: UnitsByProvince, power: str) -> UnitOrder | None:
        """The order of a line that has an example; None: read it in full."""
        known = self._lines.get(text)
        if known is not None:
            order, at, kind, target_at, target_kind = known
            alone = here.alone
            mover = alone.get(at.province)
            if mover is not None and mover.power == power and mover.kind == kind and mover.at == at:
                if target_at is None:
                    return order
                helped = alone.get(target_at.province)
                if helped is not None and helped.kind == target_kind and helped.at == target_at:
                    return order
        return self._by_example(text, here, power)

    def _by_example(self, text: str, here: UnitsByProvince, power: str) -> UnitOrder | None:
        pattern, named = self._patterns.split(text)
        example = self._known.get(pattern)
        if example is None:
            return None
        places = [self._patterns.places[word] for word in named]
        units = example.units(places, here, power)
        order = example.order_with(places, here, units) if units is not None else None
        if units is None or order is None:
            return None
        if len(self._lines) >= MOST_LINES:
            self._lines.clear()
        mover, helped = units[0], units[-1] if example.target is not None else None
        self._lines[text] = KnownOrder(
            order, mover.at, mover.kind, helped.at if helped else None, helped.kind if helped else ""
        )
        return order

    def learn(self, text: str, statement: Statement, here: UnitsByProvince, power: str) -> None:
        """Called for a line that was read without a warning, and whose order depends on the units it names alone."""
        pattern, named = self._patterns.split(text)
        if pattern in self._known or not self._patterns.alike(pattern):
            return
        places = [self._patterns.places[word] for word in named]
        at = {place.province: index for index, place in enumerate(places)}
        example = _example(statement, at) if len(at) == len(places) else None
        if example is None:
            return
        units = example.units(places, here, power)
        if units is None or example.order_with(places, here, units) != statement:
            return
        if len(self._known) >= MEMO:
            self._known.clear()
        self._known[pattern] = example


def _example(statement: Statement, at: Mapping[str, int]) -> Example | None:
    """None where the order has a part that the codes of the line do not give."""
    target: UnitRef | None = None
    to: Place | None = None
    via = False
    end: End = _backed
    match statement:
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
    return Example(type(statement), at[unit.at.province], unit.kind, helped, kind, goes_to, end, via)


def _walked(here: UnitsByProvince, unit: Unit, to: Place) -> Place | None:
    """A province without coasts is the goal as it stands."""
    return here.checker.end(unit, to, via=False) if here.position.board.provinces[to.province].coasts else to


def _sailed(here: UnitsByProvince, unit: Unit, to: Place) -> Place | None:
    return here.checker.end(unit, to, via=True) if here.position.board.provinces[to.province].coasts else to


def _backed(here: UnitsByProvince, unit: Unit, to: Place) -> Place | None:
    return needed_coast(here, unit, to)


def _landed(here: UnitsByProvince, unit: Unit, to: Place) -> Place | None:
    return Place(to.province) if to.coast else to

"""Orders that differ in nothing but their provinces: one is read in full, the others by its example.

What `gm.text.patterns` is to words, this is to meanings. "A Vie S A Bud - Gal" was read; so "A Tri S F Ven - Rom" needs
no reading, if in the place of every unit stands one of the same kind, alone, and in that of the goal a province that
has no coasts to choose from. Good for orders that are kept whether they are possible or not (`Context.any_unit`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from gm.judge.board import Place
from gm.judge.moves import ref
from gm.judge.position import Unit
from gm.judge.statements import Convoy, Hold, Move, Statement, Support, UnitOrder, UnitRef
from gm.text.bench import Ground
from gm.text.patterns import Patterns

MEMO = 1024

Seen = tuple[tuple[str, tuple[Unit, ...], bool], ...]
"""The provinces looked at, who stands there, and whether it mattered which of them are the writer's."""


class Example(NamedTuple):
    """An order that was read. `unit`, `target` and `to` say which of the line's codes stands for that part (None: there
    is no such part), `order` and `kind`, `helped` what they must be.
    """

    order: Callable[..., UnitOrder]
    unit: int
    kind: str
    target: int | None
    helped: str
    to: int | None
    via: bool

    def told(self, codes: Sequence[str], here: Ground, power: str) -> tuple[UnitOrder, Seen] | None:
        """The same order with these provinces, where that is what it means."""
        there = here.units.get(codes[self.unit], ())
        if len(there) != 1 or there[0].kind != self.kind or there[0].power != power or there[0].number:
            return None
        seen: Seen = ((codes[self.unit], there, True),)
        parts: list[object] = [ref(there[0])]
        if self.target is not None:
            helped = here.units.get(codes[self.target], ())
            if len(helped) != 1 or helped[0].kind != self.helped or helped[0].number:
                return None
            seen = ((codes[self.target], helped, False), *seen)
            parts.append(ref(helped[0]))
        if self.to is not None:
            if here.position.board.provinces[codes[self.to]].coasts:
                return None
            parts.append(Place(codes[self.to]))
        if self.via:
            parts.append(True)
        return self.order(*parts), seen


class Examples:
    """By the pattern of a line, the order it was read as. A line with one code in two places is no example."""

    def __init__(self, patterns: Patterns) -> None:
        self._patterns = patterns
        self._known: dict[str, Example] = {}

    def told(self, text: str, here: Ground, power: str) -> tuple[UnitOrder, Seen] | None:
        """What a line says that has an example."""
        pattern, codes = self._patterns.split(text)
        example = self._known.get(pattern)
        return example.told(codes, here, power) if example is not None and codes else None

    def learn(self, text: str, said: Statement, here: Ground, power: str) -> None:
        """A line was read without a remark, and its order hangs on no more than the units it names."""
        pattern, codes = self._patterns.split(text)
        if pattern in self._known or not self._patterns.alike(pattern) or len(set(codes)) < len(codes):
            return
        example = _example(said, {code: at for at, code in enumerate(codes)})
        if example is None or example.told(codes, here, power) is None:
            return
        if len(self._known) >= MEMO:
            self._known.clear()
        self._known[pattern] = example


def _example(said: Statement, at: Mapping[str, int]) -> Example | None:
    """None where the order has a part that the line's codes do not give."""
    target: UnitRef | None = None
    to: Place | None = None
    via = False
    match said:
        case Hold(unit):
            pass
        case Move(unit, goal, via, ()):
            to = goal
        case Support(unit, target, to):
            pass
        case Convoy(unit, target, goal):
            to = goal
        case _:
            return None
    named = [part.at.province for part in (unit, target) if part] + ([to.province] if to else [])
    if sorted(named) != sorted(at):
        return None
    helped, end = (at[target.at.province] if target else None), (at[to.province] if to else None)
    return Example(type(said), at[unit.at.province], unit.kind, helped, target.kind if target else "", end, via)

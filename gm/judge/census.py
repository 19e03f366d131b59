"""The step in which supply centres change hands and a game may be won."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gm.judge.board import GROUND
from gm.judge.builds import allowance
from gm.judge.events import CentresCounted, Event, GameEnded
from gm.judge.position import Ending, Position
from gm.judge.statements import Statement
from gm.judge.steps import Book, Owed, Problem, Turn

if TYPE_CHECKING:
    from gm.judge.variant import Variant


@dataclass(frozen=True, slots=True)
class Census:
    """Nobody writes for it: it runs at once. Whoever stands in a centre owns it; an empty one keeps its owner."""

    season: str
    letter: str = ""
    grammar: str = ""

    def due(self, position: Position, variant: Variant) -> Mapping[str, Owed]:
        return {}

    def missing(self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]) -> Owed:
        return Owed()

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        return ()

    def resolve(self, position: Position, variant: Variant, book: Book) -> Turn:
        before = position.centres
        after = replace(position, centres=owners(position, variant), before=before)
        powers = sorted(p.name for p in variant.powers)
        events: list[Event] = [counted(after, variant, power) for power in powers]
        sizes = {power: len(after.centres_of(power)) for power in powers}
        best = max(powers, key=lambda power: sizes[power])
        if sizes[best] >= variant.victory and list(sizes.values()).count(sizes[best]) == 1:
            after = replace(after, ended=Ending((best,), "solo"))
            events.append(GameEnded((best,), "solo"))
        return Turn(after, tuple(events))


def owners(position: Position, variant: Variant) -> Mapping[str, str]:
    """Who owns which centre if it were counted now."""
    found = dict(position.centres)
    standing: dict[str, set[str]] = {}
    for unit in position.units:
        if variant.kinds[unit.kind].layer == GROUND and position.board.provinces[unit.at.province].centre:
            standing.setdefault(unit.at.province, set()).add(unit.power)
    found.update({province: min(powers) for province, powers in standing.items() if len(powers) == 1})
    return dict(sorted(found.items()))


def counted(position: Position, variant: Variant, power: str) -> CentresCounted:
    now = position.centres_of(power)
    was = {c for c, owner in position.before.items() if owner == power}
    return CentresCounted(
        power=power,
        centres=now,
        gained=tuple(c for c in now if c not in was),
        lost=tuple(sorted(was - set(now))),
        units=len(position.units_of(power)),
        builds=allowance(position, variant, power),
    )

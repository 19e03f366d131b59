"""The Step protocol and the walk round a calendar.

A step for which somebody owes orders is what players call a phase. Steps are pure and total: any position, any book.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct, field

from gm.judge.model.events import Event, Outcome
from gm.judge.model.orders import Entry, Statement
from gm.judge.model.position import Position, Unit


class DueOrders(Struct, frozen=True):
    """What a power still has to write: units without an order, builds or removals not yet on its sheet.

    `optional` is True where doing nothing is a fair choice (builds, events): that costs nobody anything.
    `task` is for what a step asks for otherwise: a name ("bids") under which the sentence catalogue says what that is;
    the step calls the sheet complete when something of it, or that it wants none, is on file.
    """

    units: tuple[Unit, ...] = ()
    builds: int = 0
    removals: int = 0
    optional: bool = False
    task: str = ""

    def __bool__(self) -> bool:
        return bool(self.units or self.builds or self.removals or self.task)


class ProblemEffect(StrEnum):
    """What a problem found on a sheet does to it.

    SEAL warns, and from then on the line stays, whatever its writer sends later: it has told him something already.
    """

    WARN = "warn"
    SEAL = "seal"
    VOID_LINE = "void line"
    REFUSE_LINE = "refuse line"
    REFUSE_SHEET = "refuse sheet"


class Problem(Struct, frozen=True):
    """Something wrong with a sheet. `key` names a sentence of the catalogue, `places` what it speaks of.

    `reach` lists what would be possible instead, as locations' places written out ("Bre", "Spa/nc").
    """

    key: str
    effect: ProblemEffect
    statement: Statement | None = None
    places: tuple[str, ...] = ()
    reach: tuple[str, ...] = ()


class Decree(Struct, frozen=True):
    """The game master's word on one unit's order: the adjudication takes this outcome as given."""

    unit: Unit
    outcome: Outcome


class Submissions(Struct, frozen=True):
    """All that was written for a step: entries by (author, power), what was spent at once, and decrees."""

    sheets: Mapping[tuple[str, str], tuple[Entry, ...]] = field(default_factory=dict)
    journal: tuple[Statement, ...] = ()
    decrees: tuple[Decree, ...] = ()

    def entries(self, power: str) -> tuple[Entry, ...]:
        """What the power's own seat wrote for it."""
        return self.sheets.get((power, power), ())


class Turn(Struct, frozen=True):
    """The outcome of one step. The walk, not the step, moves `position` on to the next step of the calendar."""

    position: Position
    events: tuple[Event, ...] = ()


class Budget(NamedTuple):
    """So many points of a kind ("DP") to spend in this step. One line may give from 1 to `most`, whatever is there."""

    name: str
    amount: int
    most: int


class ResolvedStep(Struct, frozen=True):
    """One resolved step of a walk: the name of the phase ("" for a silent step) and what it brought."""

    phase: str
    turn: Turn

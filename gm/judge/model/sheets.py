"""Sheets of orders: what is due, what is submitted, what is wrong with it, and what a step makes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from gm.judge.model.events import Event, Outcome
from gm.judge.model.orders import Entry, Statement
from gm.judge.model.position import Position, Unit


class DueOrders(Struct, frozen=True):
    """What a power still has to write: orders for units, builds, removals, or another task.

    `optional`: writing nothing is a fair choice (builds, border events). `task` names a sentence ("bids") for anything
    else that a step asks for.
    """

    units: tuple[Unit, ...] = ()
    builds: int = 0
    removals: int = 0
    optional: bool = False
    task: str = ""

    def __bool__(self) -> bool:
        return bool(self.units or self.builds or self.removals or self.task)


class ProblemEffect(StrEnum):
    """What a problem does to a sheet. SEAL warns and fixes the line: the warning has revealed something."""

    WARN = "warn"
    SEAL = "seal"
    VOID_LINE = "void line"
    REFUSE_LINE = "refuse line"
    REFUSE_SHEET = "refuse sheet"


class Problem(Struct, frozen=True):
    """Something wrong with a sheet. `key` names a sentence, `places` are its arguments.

    `reach` lists what would be possible instead, as places written out ("Bre", "Spa/nc"). `together` are the lines of a
    problem that no single one has.
    """

    key: str
    effect: ProblemEffect
    statement: Statement | None = None
    places: tuple[str, ...] = ()
    reach: tuple[str, ...] = ()
    together: tuple[Statement, ...] = ()


class Decree(Struct, frozen=True):
    """The game master's OVERRULE of a unit's order: the adjudication takes this outcome as given."""

    unit: Unit
    outcome: Outcome


class Submissions(Struct, frozen=True):
    """Everything written for a step: entries by (author, power), statements that took effect at once, and decrees."""

    sheets: Mapping[tuple[str, str], tuple[Entry, ...]] = field(default_factory=dict)
    journal: tuple[Statement, ...] = ()
    decrees: tuple[Decree, ...] = ()

    def entries(self, power: str) -> tuple[Entry, ...]:
        """The entries that the power's own seat wrote for it."""
        return self.sheets.get((power, power), ())

    def only(self, wanted: Callable[[Statement], bool]) -> Submissions:
        """The same with the entries alone whose statement is `wanted`."""
        sheets = {who: tuple(e for e in entries if wanted(e.statement)) for who, entries in self.sheets.items()}
        return replace(self, sheets=sheets)


class Turn(Struct, frozen=True):
    """The outcome of a step. `resolve_phase`, not the step, moves `position` on to the next step."""

    position: Position
    events: tuple[Event, ...] = ()


class Budget(NamedTuple):
    """Points of a kind ("DP") to spend in this step. A line may give from 1 to `most`."""

    name: str
    amount: int
    most: int


class ResolvedStep(Struct, frozen=True):
    """A resolved step with the code of its phase ("" for an automatic step)."""

    phase: str
    turn: Turn

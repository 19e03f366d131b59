"""The Step protocol and the walk round a calendar.

A step for which somebody owes orders is what players call a phase. Steps are pure and total: any position, any book.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

from msgspec import Struct, field

from gm.judge.model.events import Event, Outcome
from gm.judge.model.orders import Statement
from gm.judge.model.position import Position, Unit

if TYPE_CHECKING:
    from gm.judge.model.variant import Variant


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


class Entry(Struct, frozen=True):
    """One line on file. `forced`: put there by the game master, and later lines of the player do not replace it."""

    statement: Statement
    forced: bool = False


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


class Step(Protocol):
    """One line of a calendar. `letter` is "" for a step that no player ever sees as a phase of its own."""

    @property
    def season(self) -> str: ...

    @property
    def letter(self) -> str: ...

    @property
    def grammar(self) -> str:
        """The file in grammars/ that reads this step's sheets, without ending; "" where nobody writes."""
        ...

    @property
    def also(self) -> tuple[str, ...]:
        """Further files in grammars/, for lines that stand on the same sheet but order no unit of the writer's."""
        ...

    def wards(self, position: Position, variant: Variant, power: str) -> tuple[str, ...]:
        """Powers without a seat whose sheets the player of this one writes now, beside his own."""
        ...

    def purses(self, position: Position, variant: Variant, power: str) -> tuple[Budget, ...]:
        """What a power may spend on this sheet: told to it with the phase."""
        ...

    def due(self, position: Position, variant: Variant) -> Mapping[str, DueOrders]:
        """For which powers somebody owes a sheet, and what for. Empty: the step runs at once."""
        ...

    def missing(self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]) -> DueOrders:
        """What is still owed when this sheet is on file; falsy = the sheet is complete."""
        ...

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]: ...

    def resolve(self, position: Position, variant: Variant, book: Submissions) -> Turn: ...


class DefaultStep:
    """What a step answers where nobody writes for another power and nothing is spent."""

    __slots__ = ()

    def wards(self, position: Position, variant: Variant, power: str) -> tuple[str, ...]:
        return ()

    def purses(self, position: Position, variant: Variant, power: str) -> tuple[Budget, ...]:
        return ()


class AutomaticStep(DefaultStep, Struct, frozen=True):
    """What a step that nobody writes for answers: it owes nothing, checks nothing, and runs at once."""

    season: str
    letter: str = ""
    grammar: str = ""
    also: tuple[str, ...] = ()

    def due(self, position: Position, variant: Variant) -> Mapping[str, DueOrders]:
        return {}

    def missing(self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]) -> DueOrders:
        return DueOrders()

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        return ()


class ResolvedStep(Struct, frozen=True):
    """One resolved step of a walk: the name of the phase ("" for a silent step) and what it brought."""

    phase: str
    turn: Turn


def writers(step: Step, position: Position, variant: Variant, power: str) -> tuple[str, ...]:
    """The powers with a seat whose players write this power's sheet now: itself, or those it is a ward of."""
    if power in variant.seated:
        return (power,)
    return tuple(one for one in variant.seated if power in step.wards(position, variant, one))


def walk(variant: Variant, position: Position, book: Submissions) -> tuple[ResolvedStep, ...]:
    """Resolve the current step with the book, then every step that nobody owes anything for.

    The last leg's position stands at the next step at which somebody owes orders, or has ended.
    A game in which nobody can ever owe anything again stops after one whole calendar.
    """
    legs: list[ResolvedStep] = []
    while position.ended is None and len(legs) <= len(variant.calendar):
        step = variant.calendar[position.at]
        if legs and step.due(position, variant):
            break
        phase = variant.phase_name(position)
        turn = step.resolve(position, variant, Submissions() if legs else book)
        position = turn.position if turn.position.ended else _following(variant, turn.position)
        legs.append(ResolvedStep(phase, Turn(position, turn.events)))
    return tuple(legs)


def _following(variant: Variant, position: Position) -> Position:
    at = position.at + 1
    if at < len(variant.calendar):
        return position.having(at=at)
    return position.having(at=0, year=position.year + 1)

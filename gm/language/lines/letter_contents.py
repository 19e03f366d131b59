"""What reading the lines of a letter gives: values only, shared by readers and users."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.model.orders import Slot, Statement
from gm.judge.model.position import Position, Unit
from gm.judge.model.sheets import Budget, DueOrders
from gm.judge.model.variant import Variant
from gm.kept_property import kept_property
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.spans import Fate, LetterSpan
from gm.language.lines.trouble_keys import QUESTION


class Request(Struct, frozen=True):
    """A command in a letter; anything but a line of a sheet.

    `AS_WRITTEN`: fields that hold people's words with all their letters, and the fields they are taken from.
    """

    AS_WRITTEN: ClassVar[Mapping[str, str]] = {}


def _none_planned(phase: str) -> tuple[str, ...]:
    return ()


class LetterContext(Struct, frozen=True, dict=True):
    """Who wrote the letter, and the position it is about.

    `power` is "" for a game master's own letter, which holds requests and AS blocks but no orders. `any_unit`: orders
    are read for whichever unit of `power` stands there, and kept although impossible (FORCE, `gm adjudicate`).
    `controlled` are powers without a seat whose orders stand in the same letter, each in a section below its name.
    `lent` are slots of other powers' units that the writer orders as well. `later` names the phase for which orders
    are planned; `position` is the present one. `forks` counts the IFs around the lines. `illegal`: impossible orders
    are taken. `plain_settings` are names of settings that need no colon below CREATE, nor where the game is `forming`.
    `on_file` loads the writer's sheet before the letter, for words that take back an order of it; `planned` the lines
    that they have had kept for a later phase. `people` gives the powers, or "GM", of those who are called by a name in
    small letters, as far as that is no secret.
    """

    variant: Variant
    position: Position
    power: str = ""
    master: bool = False
    any_unit: bool = False
    controlled: tuple[str, ...] = ()
    lent: tuple[tuple[str, Slot], ...] = ()
    later: str = ""
    forks: int = 0
    illegal: bool = False
    plain_settings: frozenset[str] = frozenset()
    forming: bool = False
    on_file: Callable[[], tuple[Statement, ...]] = tuple
    planned: Callable[[str], tuple[str, ...]] = _none_planned
    people: Callable[[], Mapping[str, tuple[str, ...]]] = dict

    @property
    def phase(self) -> str:
        return self.variant.phase_name(self.position)

    @property
    def purse(self) -> Budget:
        """The first budget of the writer's step; an empty one where the step spends nothing."""
        step = self.variant.step(self.position)
        return next(iter(step.budgets(self.position, self.variant, self.power)), Budget("", 0, 0))

    @property
    def due(self) -> DueOrders:
        """What the writer's power owes in the open phase."""
        return self.variant.step(self.position).missing(self.position, self.variant, self.power, ())

    @property
    def powers(self) -> tuple[str, ...]:
        """Those for whose units the letter may hold orders: the writer's own first."""
        return (self.power, *self.controlled)

    @kept_property
    def own_units(self) -> tuple[Unit, ...]:
        """The units that may have orders now: where some must retreat, these alone."""
        if self.dislodged_units:
            return self.dislodged_units
        if not self.controlled:
            return self.position.units_of(self.power)
        return tuple(unit for power in self.powers for unit in self.position.units_of(power))

    @property
    def dislodged_units(self) -> tuple[Unit, ...]:
        """The writer's units that must retreat."""
        return tuple(out.unit for out in self.position.dislodged if out.unit.power in self.powers)

    def holds(self, power: str, unit: str) -> bool:
        """Whether that unit of another power's ("F StP/sc") was lent to the writer."""
        name = unit.partition("/")[0]
        return any(power == owner and name == slot[1].partition("#")[0] for owner, slot in self.lent)


class LineError(Struct, frozen=True):
    """A line that was not obeyed, or was obeyed with a warning (`obeyed`).

    `line` counts the lines of the letter from 1. `start` and `end` are columns in `text` of the wrong words (equal: the
    whole line). `key` names a sentence of the catalogue ("unknown-place", "which-coast", "two-meanings",
    "no-unit", "cannot-reach" …), `fields` fill it. `suggestions` are whole lines that would be obeyed, best first.
    """

    line: int
    text: str
    start: int
    end: int
    key: str
    fields: tuple[tuple[str, str], ...] = ()
    suggestions: tuple[str, ...] = ()
    obeyed: bool = False

    @property
    def marked(self) -> str:
        """The wrong words; "" where it is the whole line."""
        return self.text[self.start : self.end]


def lines_of(suggestions: Iterable[str]) -> list[str]:
    """The single lines of suggestions, which may have several."""
    return [line for suggestion in suggestions for line in suggestion.split("\n")]


def only_asks(trouble: LineError) -> bool:
    """Whether it is a question in which no order was seen: "may an army move so far by convoy?"."""
    return trouble.key == QUESTION and not trouble.suggestions


class OrderLine(Struct, frozen=True):
    """`power` owns the sheet where that is not the writer; `guard` is the condition of a planned line, in words."""

    line: int
    text: str
    statement: Statement
    power: str = ""
    guard: str = ""


class RequestLine(Struct, frozen=True):
    line: int
    text: str
    request: Request


class LetterContents(Struct, frozen=True):
    """The whole letter, each list in the order of the lines. One line may give several orders.

    `prose` counts the lines of plain words (greetings, talk). `later` holds (phase, order) pairs of a block. `spans`
    divide the writer's own words: together they are the letter. `in_other_language` are lines that were read in another
    language than the rest. `unanswered` are sentences that ask for something and stand for no request. `only_orders`
    are lines that say nothing but orders and "please": no sentence need be looked for there.
    """

    orders: tuple[OrderLine, ...] = ()
    requests: tuple[RequestLine, ...] = ()
    troubles: tuple[LineError, ...] = ()
    prose: int = 0
    later: tuple[tuple[str, OrderLine], ...] = ()
    spans: tuple[LetterSpan, ...] = ()
    in_other_language: frozenset[int] = frozenset()
    unanswered: tuple[str, ...] = ()
    only_orders: frozenset[int] = frozenset()

    @property
    def keeps_orders(self) -> bool:
        """Whether words are heeded that change nothing: "my orders stand as they are"."""
        changing = {order.line for order in self.orders} | {given.line for given in self.requests}
        return any(span.fate is Fate.COMMAND and span.line not in changing for span in self.spans)

    @property
    def press_lines(self) -> frozenset[int]:
        """The lines of words to others that a command sends, or does not send and says why."""
        return frozenset(span.line for span in self.spans if span.fate is Fate.PRESS)

    def outside_press(self, lines: Iterable[NumberedLine]) -> tuple[NumberedLine, ...]:
        """The letter's lines, those of press empty: nothing in them speaks to the program or to anybody else."""
        press = self.press_lines
        return tuple((number, "" if number in press else text) for number, text in lines)

    def with_press_of(self, whole: LetterContents) -> LetterContents:
        """Contents that were read without the press of a letter, with that press."""
        press = whole.press_lines
        spans = (*self.spans, *(span for span in whole.spans if span.line in press))
        return replace(
            self,
            requests=(*self.requests, *(given for given in whole.requests if given.line in press)),
            troubles=(*self.troubles, *(trouble for trouble in whole.troubles if trouble.line in press)),
            spans=tuple(sorted(spans, key=lambda span: span.line)),
        )

    def spoken(self, lines: Iterable[NumberedLine]) -> tuple[NumberedLine, ...]:
        """Those of the letter's lines that may hold a sentence which is no press."""
        apart = self.only_orders | self.press_lines
        return tuple(line for line in lines if line[0] not in apart and line[1].strip())

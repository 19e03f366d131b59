"""What reading a line of prose gives: values only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from gm.judge.model.orders import Slot, Statement, Support
from gm.language.lines.letter_contents import LetterContext
from gm.language.lines.lines import LetterLine
from gm.language.lines.spans import Fate
from gm.language.lines.trouble_keys import UNCLEAR
from gm.language.orders.line_meaning import PieceMeaning
from gm.language.orders.parsing.order_context import OrderWarning
from gm.language.prose.memory import unit_of

MOST_SUGGESTED = 3
"""Suggestions for one stretch."""


class ReadOrders(Struct, frozen=True):
    """The meanings of a stretch, whose columns count in the body of `line`. `cancels` are provinces whose orders on
    file they void, `withdrawn` slots of the letter that they empty. `wards`: for whom each meaning is, where that is
    not one power for all.
    """

    line: LetterLine
    context: LetterContext
    meanings: tuple[PieceMeaning, ...]
    wards: tuple[LetterContext, ...] = ()
    cancels: tuple[str, ...] = ()
    withdrawn: tuple[Slot, ...] = ()

    @property
    def by_power(self) -> Iterator[tuple[PieceMeaning, LetterContext]]:
        yield from zip(self.meanings, self.wards or (self.context,) * len(self.meanings), strict=True)

    @property
    def is_flawed(self) -> bool:
        """Whether an order in it cannot be obeyed."""
        return any(meaning.error is not None for meaning in self.meanings)

    @property
    def is_complete(self) -> bool:
        """Whether the words behind it are no misspelt goal of a support: "A Mar S A Par - Burgindy"."""
        return bool(self.statements) and not any(isinstance(it, Support) and it.to is None for it in self.statements)

    @property
    def statements(self) -> tuple[Statement, ...]:
        return tuple(statement for meaning in self.meanings for statement in meaning.statements)


class ClauseReading(Struct, frozen=True):
    """Columns in the line's body. `orders`: what is taken, or the error of an order. `error`: why it is not taken.

    `cancels` are provinces whose orders are taken back, `cancels_all` stands for the sheet, but orders of the letter
    stay with `cancels_before`; `negates`: the order is only said not to be. `retracts`: 1 where the order of the
    clause before goes, -1 where all of the letter go, else 0; `withdrawn` are slots of orders of the letter that go.
    `corrects`: it replaces such an order.
    `holds_all`: all units hold, but those in the `excepted` provinces, and those of the `included` powers;
    `holds_rest`: those without an order. `restores`: what the letter said so far goes; earlier orders
    stand.
    """

    start: int
    end: int
    fate: Fate
    orders: ReadOrders | None = None
    error: OrderWarning | None = None
    cancels: tuple[str, ...] = ()
    cancels_all: bool = False
    cancels_before: bool = False
    negates: bool = False
    retracts: int = 0
    withdrawn: tuple[Slot, ...] = ()
    holds_all: bool = False
    holds_rest: bool = False
    excepted: tuple[str, ...] = ()
    included: tuple[str, ...] = ()
    corrects: bool = False
    restores: bool = False

    @property
    def result(self) -> Fate:
        """Its fate; an order that cannot be obeyed is not taken."""
        return Fate.NOT_TAKEN if self.orders is not None and self.orders.is_flawed else self.fate

    @property
    def is_settled(self) -> bool:
        """Whether it is taken: an order that can be obeyed, or a command about orders."""
        return self.result in (Fate.ORDER, Fate.COMMAND)

    @property
    def is_clear(self) -> bool:
        """Whether it has orders, or says why they do not count: "just a draft"."""
        return self.orders is not None or (self.error is not None and self.error.key not in UNCLEAR)

    @property
    def unsure(self) -> ClauseReading:
        """Without a negated order: words beside it that are not understood may say what the unit does instead."""
        if not self.negates:
            return self
        error = OrderWarning("not-taken-negated", self.start, self.end)
        return ClauseReading(self.start, self.end, Fate.NOT_TAKEN, error=error)


def is_same_act(order: Statement, negated: Statement) -> bool:
    """Whether an order on file is the negated one, of which the words may leave out the goal of a support."""
    if isinstance(order, Support) and isinstance(negated, Support):
        return order.unit == negated.unit and order.target == negated.target and negated.to in (None, order.to)
    return order == negated


def together(lines: Sequence[str]) -> tuple[str, ...]:
    """One suggestion of several lines; one each where a unit would have two orders, of which only one can be meant."""
    every = tuple(dict.fromkeys(lines))
    of_units = [line[:1].isupper() and (" - " in line or line.endswith(" H")) for line in every]
    units = [unit_of(line) if of_unit else line for line, of_unit in zip(every, of_units, strict=True)]
    return ("\n".join(every),) if len(set(units)) == len(units) else every[:MOST_SUGGESTED]


class StretchMemo(Struct):
    """Only for speed: what the stretches of one line were read as before."""

    plain: dict[str, tuple[str, str]] = field(default_factory=dict)
    own_places: dict[str, set[str]] = field(default_factory=dict)
    legal: dict[str, tuple[str, ...]] = field(default_factory=dict)
    whole: dict[tuple[int, str], ReadOrders | None] = field(default_factory=dict)

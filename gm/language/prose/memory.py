"""What the lines and clauses of a letter before the one that is read have said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from msgspec import Struct, field

from gm.judge.board.board import Place
from gm.judge.model.orders import Statement
from gm.language.prose.phrases.prose_phrases import ProsePhrases

CODES = re.compile(r"[A-Za-z]{3,}")
"""Codes of provinces in an order."""


class Memory(Struct):
    """What the clauses before spoke of: the last order, its unit and its goal, as text; `freed` is a unit whose order
    was taken back or corrected. `orders` are the lines of this letter by unit. `statements` are the orders of this
    letter so far, `on_file` those before it, `latest` the lines of the clause before. `is_doubted`: a clause of the
    letter was not taken; `corrects`: a word of correction stood before. `answered` is the unit of the quoted order that
    the words answer. `topic` is a place named since, in words that order nothing; `spoken_of` is the writer's unit that
    such words name. `kept` are provinces of units that the letter keeps where others must be removed. `all_hold`: the
    letter says that all units hold.
    """

    order: str = ""
    unit: str = ""
    goal: str = ""
    freed: str = ""
    orders: dict[str, str] = field(default_factory=dict)
    statements: list[Statement] = field(default_factory=list)
    is_doubted: bool = False
    has_passed_over: bool = False
    """Words that are not taken name a minor power that a bid may be for."""
    refused: bool = False
    """The last clause that orders something orders what cannot be as well: words of correction may be about that."""
    corrects: bool = False
    took_back: bool = False
    """The last order of the letter was only taken back."""
    answered: str = ""
    on_file: tuple[Statement, ...] = ()
    latest: tuple[str, ...] = ()
    topic: str = ""
    spoken_of: str = ""
    kept: frozenset[str] = frozenset()
    unchanged: frozenset[str] = frozenset()
    """Provinces of units whose orders on file the letter leaves as they are: "Naples as before"."""
    all_hold: bool = False
    of_earlier_turn: bool = False
    """Its line begins from what was ordered earlier: "as yesterday, only …"."""
    ashore: str = ""
    """The only place with its coast in the line, "StP/sc"."""
    order_before: str = ""
    """The last order before the quoted one that the words answer."""

    @property
    def counting(self) -> tuple[Statement, ...]:
        """Orders of the letter so far; the last one in each slot counts."""
        return tuple({statement.slot: statement for statement in self.statements}.values())

    @property
    def place(self) -> str:
        """The province of the last order's unit; "" without one."""
        return province_of(self.unit)

    @property
    def last(self) -> str:
        """The order of a unit read last, with its sign: "A Vie H"."""
        return next((line for line in reversed(self.orders.values()) if line[:1].isupper()), "")

    def note(self, line: str) -> None:
        """Remembers an order read, "A Vie - Gal"; a line of points, "2 DP Bel: A Bel H", only as one of the letter."""
        self.topic = self.spoken_of = ""
        if not line[:1].isupper():
            self.orders[line] = line
            return
        self.orders.pop(unit_of(line), None)
        self.orders[unit_of(line)] = line
        unit, dash, goal = line.partition(" - ")
        if " S " in line or " C " in line:
            self.goal = line.rpartition(" - ")[2] if dash else self.goal
            self.order = line.partition(" C ")[2] or self.order  # "the landing" is that of the army carried
            return
        self.order, self.unit = line.removesuffix(" H"), unit.removesuffix(" H")
        self.goal = goal or self.unit.rpartition(" ")[2]

    @contextmanager
    def answering(self, line: str) -> Iterator[None]:
        """The words read meanwhile answer this order, if it is one, and need not repeat it: "make that Rum"."""
        if not line:
            yield
            return
        before = self.order, self.unit, self.goal, self.freed
        self.order, self.goal = line.removesuffix(" H"), line.partition(" - ")[2]
        self.answered, self.order_before = unit_of(line), self.last.removesuffix(" H")
        self.unit = self.freed = self.answered if line[:1].isupper() else ""  # points are no unit's
        yield
        self.answered = self.order_before = ""
        self.order, self.unit, self.goal, self.freed = before


def goals_of(order: Statement) -> set[str]:
    to = getattr(order, "to", None)
    return {to.province} if isinstance(to, Place) else set()


def gives_several(orders: Iterable[Statement]) -> bool:
    """Whether a unit has several orders."""
    every = set(orders)
    return len({order.slot for order in every}) < len(every)


def unit_of(line: str) -> str:
    """ "A Vie" of "A Vie - Gal"."""
    return " ".join(line.split()[:2])


def province_of(unit: str) -> str:
    """The province of "F StP/sc"; "" of no unit."""
    return unit.rpartition(" ")[2].partition("/")[0]


class LetterMemory(Memory):
    """`section` is the stance of the lines below a heading, `label` that behind one in the line; `asked` is the
    province of the unit that the sentence before asks about, `denied` that of the unit that does not go where words
    say. `passes`: an empty line ends the section.
    """

    section: str = ""
    label: str = ""
    asked: str = ""
    denied: str = ""
    promised: frozenset[int] = frozenset()
    """Where sentences of the line begin that promise something to another player."""
    under_heading: bool = False
    passes: bool = False
    holding: bool = False
    """Units alone hold: a heading above them says so."""
    old_and_new: bool = False
    """The order on file stands beside the new one: a heading says so."""
    had_old: bool = False
    """Old orders stood under a heading."""
    versions: Mapping[str, int] = {}
    """Versions of the orders that headings have named, with the line of each."""
    superseded: frozenset[str] = frozenset()
    """Versions that another one replaces."""
    valid_version: str | None = None
    """The version of which a heading says that it counts; others that say nothing of the kind do not."""

    @property
    def valid_from(self) -> int:
        """The line of the heading that says what counts; 0 where there is none."""
        return self.versions.get(self.valid_version, 0) if self.valid_version is not None else 0

    @property
    def has_versions(self) -> bool:
        """Whether the letter has several versions of its orders: with headings, or several orders for a unit."""
        return len(self.versions) > 1 or gives_several(self.statements)

    def stance(self, stance: str, heading: str, phrases: ProsePhrases) -> str:
        """The stance of a heading, which may be the counterpart of one above it."""
        if self.had_old and phrases.counterpart.fullmatch(heading.strip(" :")):
            return ""
        self.had_old |= stance == "old"
        return stance

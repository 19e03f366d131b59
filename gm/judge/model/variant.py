"""Variant: the list of what may vary, on one page.

A variant is a value: its folder under variants/ says what is in it, `gm.variant_files.library` composes it, and
nothing else
in the program knows its name. Standard needs no Python of its own; a variant with rules.py names there its
calendar and its statements.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Protocol

from msgspec import Struct, field

from gm.judge.board.board import GROUND, UnitKind
from gm.judge.model.influence_boxes import VisibleBox
from gm.judge.model.orders import Statement
from gm.judge.model.position import Position
from gm.judge.model.press import Message, MessageHeader, ReleaseTime
from gm.judge.model.rulebooks import DATC, BuildRule, Rulebook
from gm.judge.model.sheets import Budget, DueOrders, Problem, Submissions, Turn

PHASE = re.compile(r"([A-Z])(\d{1,4})([A-Z])")
NUMBER = re.compile(r"([+-]?[0-9]{1,9})(?: ?[^\W\d_]+){0,2}")
"""A whole number as people write it: "18", "18 centres"."""
VICTORY = "{victory}"
BY_DEFAULT = ("default", "variant")
"""What stands for a setting's default."""


def _plain(value: str) -> str:
    """Without what people may leave out of a choice or write otherwise: case, dashes, blanks."""
    return " ".join(re.split(r"[\s_-]+", value.strip().casefold()))


class Power(Struct, frozen=True):
    """A country of the game. `adjective` is for reading ("Austrian"); `letter` is its name in press lists.

    `major`: it may do what the variant keeps for its major powers.
    """

    name: str
    letter: str
    adjective: str
    aliases: tuple[str, ...] = ()
    major: bool = False


class Minor(Struct, frozen=True):
    """A power without a seat: one unit in its one centre, `home`; it moves nowhere. `kind` is what it starts with.

    A `dormant` one is not there at the start: it stands up where a great power falls into civil disorder.
    One with `homes` lives as great powers do, by the word of others: it owns those centres from the start, its units
    go where they are ordered, it takes centres, and it builds in its homes (`home` is the first of them).
    """

    name: str
    home: str
    kind: str
    adjective: str
    aliases: tuple[str, ...] = ()
    dormant: bool = False
    homes: tuple[str, ...] = ()


class Setting(Struct, frozen=True):
    """A choice of the game master. `choices` empty = a whole number from low to high. `meaning` "": the catalogue's.

    `needs`: the setting without which it means nothing, and that one's value: ("wings", "on"). `names` are other names
    of it, `spellings` other words for its choices, `phrases` names of it with a value: "any centre". `fixed`: it can't
    be changed once the game has begun.
    """

    key: str
    default: str
    meaning: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    needs: tuple[str, str] | None = None
    names: tuple[str, ...] = ()
    spellings: Mapping[str, str] = field(default_factory=dict)
    phrases: Mapping[str, str] = field(default_factory=dict)
    fixed: bool = True

    def taken(self, value: str) -> str | None:
        """A value as the setting writes it; None where it is not to be had."""
        said = _plain(value)
        found = next((choice for choice in self.choices if _plain(choice) == said), None)
        if found is None and said in BY_DEFAULT:
            return self.default
        if self.choices:
            return found or self.spellings.get(said)
        number = NUMBER.fullmatch(" ".join(value.split()))
        if number is None or not self.low <= int(number[1]) <= self.high:
            return None
        return str(int(number[1]))


class InfluenceRules(Protocol):
    """The rules of points that buy the command of minor powers (`gm.judge.mechanics.influence`), as others ask them."""

    @property
    def bank(self) -> bool:
        """Whether points that were not spent are kept."""
        ...

    @property
    def hidden(self) -> bool: ...

    def collected(self, position: Position, power: str) -> int: ...

    def accounts(self, variant: Variant) -> Mapping[str, tuple[str, ...]]:
        """The accounts of the ledger that a game master may set, each with its subjects."""
        ...

    def seen(
        self, position: Position, variant: Variant, reader: str | None, *, master: bool = False
    ) -> tuple[VisibleBox, ...]:
        """The boxes as a power's player may know them (None: somebody without a power; `master` knows all)."""
        ...


class Rules(Struct, frozen=True):
    """What a variant's rules.py gives: its calendar, statements of its own, and acts of the game master by name.

    `revealed`: what only the game master knew is everybody's once the game is over. `influence`: by which points minor
    powers are controlled, where they are.
    """

    calendar: tuple[Step, ...]
    statements: tuple[type[Statement], ...] = ()
    acts: Mapping[str, GmChange] = field(default_factory=dict)
    revealed: bool = False
    press: Press | None = None
    influence: InfluenceRules | None = None


class LocalName(Struct, frozen=True):
    """What something is called in a language: by its name, and otherwise."""

    name: str
    aliases: tuple[str, ...] = ()


class Translation(Struct, frozen=True, eq=False):
    """The names of a board in a language other than English: provinces by code, powers and minor powers by name, kinds
    of unit by code; and what its settings mean, and is special about it. What is left out is told as in English.
    """

    language: str
    provinces: Mapping[str, LocalName] = field(default_factory=dict)
    powers: Mapping[str, LocalName] = field(default_factory=dict)
    kinds: Mapping[str, LocalName] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    special: tuple[str, ...] = ()


class Variant(Struct, frozen=True, eq=False, dict=True):
    """Everything a game needs to know about the rules it is played by, options already chosen.

    Equal is only what is the very same: composed once, it may be a key to what was reckoned for it.

    `victory` is the number of centres that wins when it is held at a census and nobody holds as many.
    `edition` is the rulebook it is played by, `build_rule` says where its powers build.
    `minors` are the powers without a seat, the dormant ones too; `acts` what the game master may do between deadlines.
    `hours` say when phases are due unless the game master chooses otherwise, as he would write it: by the last letter
    of a phase's name, or by its first and last ("FM": the movement phases of Fall).
    `special` are up to five lines for the first letter on what is special about the variant, VICTORY where they name
    the number of centres that win; `told` gives them whole.
    `tongues` are the languages that have names for its board, `language` is the one that its players' letters are in.
    """

    id: str
    title: str
    powers: tuple[Power, ...]
    kinds: Mapping[str, UnitKind]
    calendar: tuple[Step, ...]
    start: Position
    victory: int
    press: Press
    build_rule: BuildRule
    settings: tuple[Setting, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    special: tuple[str, ...] = ()
    rulebook: Rulebook = DATC
    minors: tuple[Minor, ...] = ()
    acts: Mapping[str, GmChange] = field(default_factory=dict)
    revealed: bool = False
    influence: InfluenceRules | None = None
    hours: Mapping[str, str] = field(default_factory=dict)
    tongues: Mapping[str, Translation] = field(default_factory=dict)
    language: str = "en"

    def told(self, language: str) -> tuple[str, ...]:
        """What is special about it, in that language where there are such lines in it."""
        named = self.tongues.get(language)
        lines = (named.special if named is not None else ()) or self.special
        return tuple([line.replace(VICTORY, str(self.victory)) for line in lines])

    @property
    def spoken(self) -> Translation | None:
        """The names in its language; None where they are the English ones."""
        return self.tongues.get(self.language)

    @cached_property
    def seated(self) -> tuple[str, ...]:
        """Everyone with a seat."""
        return tuple(power.name for power in self.powers)

    @cached_property
    def nations(self) -> tuple[str, ...]:
        """Everyone whose units may stand on the board: those with a seat first."""
        return (*self.seated, *(minor.name for minor in self.minors))

    @cached_property
    def seated_by_name(self) -> tuple[str, ...]:
        """The powers with a seat, by name."""
        return tuple(sorted(self.seated))

    @cached_property
    def grounded(self) -> frozenset[str]:
        """The kinds of unit that stand on the ground."""
        return frozenset(kind.code for kind in self.kinds.values() if kind.layer == GROUND)

    @cached_property
    def dearest(self) -> tuple[tuple[str, int], ...]:
        """Every layer with what the dearest unit of it costs, in half points; the dearest layer first."""
        cost: dict[str, int] = {}
        for kind in self.kinds.values():
            cost[kind.layer] = max(kind.cost, cost.get(kind.layer, 0))
        return tuple(sorted(cost.items(), key=lambda one: -one[1]))

    @cached_property
    def layers(self) -> frozenset[str]:
        """Those in which its units stand."""
        return frozenset(kind.layer for kind in self.kinds.values())

    @cached_property
    def owners(self) -> tuple[str, ...]:
        """Everyone who can own a centre, and builds: those with a seat first."""
        return (*self.seated, *(minor.name for minor in self.minors if minor.homes))

    def phase_name(self, position: Position) -> str:
        """The step that comes next, as in njudge: S1901M. Empty for a silent step."""
        step = self.calendar[position.at]
        return f"{step.season[0]}{position.year}{step.letter}" if step.letter else ""

    def phase_at(self, name: str) -> tuple[int, int]:
        """(year, index into the calendar) of a phase name, case aside. ValueError where the calendar has none such."""
        found = PHASE.fullmatch(name.upper())
        if found:
            season, year, letter = found.groups()
            for at, step in enumerate(self.calendar):
                if step.letter == letter and step.season[0] == season:
                    return int(year), at
        raise ValueError(f"no phase {name!r} in {self.title}")

    def step(self, position: Position) -> Step:
        return self.calendar[position.at]


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

    def controlled(self, position: Position, variant: Variant, power: str) -> tuple[str, ...]:
        """Powers without a seat whose sheets the player of this one writes now, beside his own."""
        ...

    def budgets(self, position: Position, variant: Variant, power: str) -> tuple[Budget, ...]:
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

    def controlled(self, position: Position, variant: Variant, power: str) -> tuple[str, ...]:
        return ()

    def budgets(self, position: Position, variant: Variant, power: str) -> tuple[Budget, ...]:
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


class GmChange(Protocol):
    """`args` are what the game master wrote, by name. Pure, and total where `check` finds nothing in the way."""

    def check(self, position: Position, variant: Variant, args: Mapping[str, str]) -> tuple[str, ...]: ...

    def apply(self, position: Position, variant: Variant, args: Mapping[str, str]) -> Turn: ...


class Press(Protocol):
    @property
    def opener(self) -> str:
        """The word that opens a message which takes the rest of its letter ("message"); "" where there is none such."""
        ...

    @property
    def terms(self) -> Mapping[str, int]:
        """The numbers that a sentence about such a message names: its `words`, its `cost`."""
        ...

    @property
    def release(self) -> ReleaseTime: ...

    @property
    def anonymous(self) -> bool:
        """Nobody may learn who plays what: no player's name in any letter, and none of his marks in what he writes."""
        ...

    @property
    def doubles_public(self) -> bool:
        """Where players are not named: everybody may read which powers one human plays together."""
        ...

    @property
    def free(self) -> bool:
        """May a game say by its settings who writes to whom, and when? Not where letters have a price and an hour."""
        ...

    @property
    def unsigned(self) -> bool:
        """May a game let its players write without their names? Not where a seat writes under several already."""
        ...

    @property
    def veiled(self) -> bool:
        """Who writes and reads for a name without a seat is secret: whether anybody does, and his marks in letters."""
        ...

    def names(self, position: Position, variant: Variant, power: str) -> tuple[str, ...]:
        """The names under which a power's seat may write, its own first."""
        ...

    def everyone(self, position: Position, variant: Variant) -> tuple[str, ...]:
        """The names that "all" means."""
        ...

    def readers(self, position: Position, variant: Variant, name: str) -> frozenset[str]:
        """The powers whose seats get what is addressed to this name; empty: nobody reads it."""
        ...

    def turn(self, position: Position, variant: Variant) -> str:
        """The phase in whose journal a message of now stands, so that it is paid from what that phase gives.

        "" where messages leave nothing in a journal. A message stays there when the phase is played again.
        """
        ...

    def price(self, position: Position, variant: Variant, message: Message) -> int: ...

    def check(
        self, position: Position, variant: Variant, message: Message, sheet: tuple[Statement, ...]
    ) -> Problem | None:
        """Why this message may not go now. `sheet`: what stands on its sender's sheet, and his messages of the turn.

        The problem's key names a sentence under `problem.`, its places are the sentence's {one}, {two}, {three}.
        """
        ...

    def header(self, message: Message, name: str) -> MessageHeader:
        """As whoever reads for `name` sees it."""
        ...

    @property
    def passing(self) -> bool:
        """Whether anybody may get copies as messages pass, before the results."""
        ...

    def overheard(
        self, position: Position, variant: Variant, book: Submissions, message: Message
    ) -> Mapping[str, MessageHeader]:
        """The powers that get a copy as the message passes, and how they see it. Results are the steps' business."""
        ...

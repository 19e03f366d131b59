"""Variant, Step and Press: everything that may differ between variants, on one page.

A variant's folder under variants/ describes it, `gm.variant_files.library` composes the value, and no other code knows
its name. Standard needs no Python; the rules.py of a variant names its calendar and its statements.
"""

from __future__ import annotations

import re
from abc import abstractmethod
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

PHASE = re.compile(r"(?P<season>[A-Z])(?P<year>\d{1,4})(?P<step>[A-Z])")
NUMBER = re.compile(r"([+-]?[0-9]{1,9})(?: ?[^\W\d_]+){0,2}")
"""A whole number as players write it: "18", "18 centres"."""
NAMED_IN_SPECIAL = ("victory", "last_year")
"""Settings whose values the `special` lines of a variant may name in braces."""
BY_DEFAULT = ("default", "variant")
"""Words for a setting's default."""


def _plain(value: str) -> str:
    """The value in a form that ignores case, dashes and blanks."""
    return " ".join(re.split(r"[\s_-]+", value.strip().casefold()))


class Power(Struct, frozen=True):
    """A power with a seat. `letter` is its name in press lists. `major`: it has the rights of a major power."""

    name: str
    letter: str
    adjective: str
    aliases: tuple[str, ...] = ()
    major: bool = False


class Minor(Struct, frozen=True):
    """A power without a seat: one unit in its one centre, `home`, that never moves. `kind` is its first unit.

    A `dormant` one appears when a great power falls into civil disorder. One with `homes` acts like a great power on
    the orders of others: it owns those centres from the start, moves, takes centres and builds in its homes (`home` is
    the first of them).
    """

    name: str
    home: str
    kind: str
    adjective: str
    aliases: tuple[str, ...] = ()
    dormant: bool = False
    homes: tuple[str, ...] = ()


class Setting(Struct, frozen=True):
    """A choice of the game master: one of `choices`, or a whole number from `low` to `high` (0 and 0: no number).

    `meaning` "" takes the sentence of the catalogue. `needs` is another setting and the value it must have:
    ("wings", "on"). `names` are other names of the setting, `spellings` other words for its choices. `lasting`: fixed
    once the game has begun.
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

    @property
    def numeric(self) -> bool:
        """Whether a number may be chosen."""
        return self.high > 0 or not self.choices

    def parse(self, value: str) -> str | None:
        """A value in the setting's own spelling; None if it is not allowed."""
        plain = _plain(value)
        choice = next((choice for choice in self.choices if _plain(choice) == plain), None)
        if choice is None and plain in BY_DEFAULT:
            return self.default
        if choice or not self.numeric:
            return choice or self.spellings.get(plain)
        number = NUMBER.fullmatch(" ".join(value.split()))
        if number is None or not self.low <= int(number[1]) <= self.high:
            return self.spellings.get(plain)
        return str(int(number[1]))


class InfluenceRules(Protocol):
    """Rules of points that buy control of minor powers (`gm.judge.mechanics.influence`)."""

    @property
    def bank(self) -> bool:
        """Whether unspent points are kept."""
        ...

    @property
    def hidden(self) -> bool: ...

    def collected(self, position: Position, power: str) -> int: ...

    def accounts(self, variant: Variant) -> Mapping[str, tuple[str, ...]]:
        """The accounts of the ledger that the game master may set, each with its subjects."""
        ...

    def seen(
        self, position: Position, variant: Variant, reader: str | None, *, master: bool = False
    ) -> tuple[VisibleBox, ...]:
        """The boxes as a power's player may see them (None: a reader without a power; `master` sees everything)."""
        ...

    def published(self, turn: Turn, variant: Variant) -> Turn:
        """The turn with its events as they are published."""
        ...


class Rules(Struct, frozen=True):
    """The result of a variant's rules.py.

    `revealed`: what only the game master knew becomes public when the game ends.
    """

    calendar: tuple[Step, ...]
    statements: tuple[type[Statement], ...] = ()
    gm_changes: Mapping[str, GmChange] = field(default_factory=dict)
    revealed: bool = False
    press: Press | None = None
    influence: InfluenceRules | None = None


class LocalName(Struct, frozen=True):
    name: str
    aliases: tuple[str, ...] = ()


class Translation(Struct, frozen=True, eq=False):
    """The names of a board in a language other than English: provinces by code, powers and minor powers by name, unit
    kinds by code; the meanings of its settings, its special lines, its summary and how it is described
    (`Variant.described`). Whatever is missing is English.
    """

    provinces: Mapping[str, LocalName] = field(default_factory=dict)
    powers: Mapping[str, LocalName] = field(default_factory=dict)
    kinds: Mapping[str, LocalName] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    special: tuple[str, ...] = ()
    summary: str = ""
    described: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Variant(Struct, frozen=True, eq=False, dict=True):
    """A variant with its options chosen. Compared by identity, so it can be the key of a cache.

    `victory` is the number of centres that wins when held at a census while no other power holds as many.
    `minors` are the powers without a seat, dormant ones included; `gm_changes` the special changes a game master may
    make between deadlines. `hours` are the default deadlines, as a game master writes them: by the last letter of a
    phase's name, or by its first and last ("FM": the movement phases of Fall). `special` are up to five lines about
    the variant for the first letter, which may name settings (NAMED_IN_SPECIAL). `translations` are the languages that
    have names for its board, `language` is that of its players' letters. `elsewhere` is the variant's name in other
    programs whose games can be imported, by the program. `summary` is one line for lists; `described` what people call
    the variant who do not know its name, by "variant" or the line of a setting ("wings on").
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
    gm_changes: Mapping[str, GmChange] = field(default_factory=dict)
    revealed: bool = False
    influence: InfluenceRules | None = None
    hours: Mapping[str, str] = field(default_factory=dict)
    translations: Mapping[str, Translation] = field(default_factory=dict)
    language: str = "en"
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    summary: str = ""
    described: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def summary_in(self, language: str) -> str:
        translation = self.translations.get(language)
        return (translation.summary if translation is not None else "") or self.summary

    def special_lines(self, language: str) -> tuple[str, ...]:
        """The `special` lines in that language, else in English."""
        translation = self.translations.get(language)
        lines = (translation.special if translation is not None else ()) or self.special
        for key in NAMED_IN_SPECIAL:
            lines = tuple([line.replace(f"{{{key}}}", self.chosen.get(key, "")) for line in lines])
        return lines

    @cached_property
    def chosen(self) -> Mapping[str, str]:
        """The choice of each setting that the variant defines."""
        return {setting.key: setting.default for setting in self.settings} | dict(self.options)

    @property
    def translation(self) -> Translation | None:
        """The names in the players' language; None for English."""
        return self.translations.get(self.language)

    @cached_property
    def seated(self) -> tuple[str, ...]:
        """The powers with a seat."""
        return tuple(power.name for power in self.powers)

    @cached_property
    def nations(self) -> tuple[str, ...]:
        """The powers whose units may stand on the board: those with a seat first."""
        return (*self.seated, *(minor.name for minor in self.minors))

    @cached_property
    def seated_by_name(self) -> tuple[str, ...]:
        return tuple(sorted(self.seated))

    @cached_property
    def setting_keys(self) -> frozenset[str]:
        """The keys of the settings that the variant defines."""
        return frozenset(setting.key for setting in self.settings)

    @cached_property
    def ground_kinds(self) -> frozenset[str]:
        return frozenset(kind.code for kind in self.kinds.values() if kind.layer == GROUND)

    @cached_property
    def highest_costs(self) -> tuple[tuple[str, int], ...]:
        """(layer, cost in half points of its most expensive kind), the most expensive layer first."""
        cost: dict[str, int] = {}
        for kind in self.kinds.values():
            cost[kind.layer] = max(kind.cost, cost.get(kind.layer, 0))
        return tuple(sorted(cost.items(), key=lambda item: -item[1]))

    @cached_property
    def layers(self) -> frozenset[str]:
        return frozenset(kind.layer for kind in self.kinds.values())

    @cached_property
    def owners(self) -> tuple[str, ...]:
        """The powers that can own centres and build: those with a seat first."""
        return (*self.seated, *(minor.name for minor in self.minors if minor.homes))

    def phase_name(self, position: Position) -> str:
        """The code of the current phase, as in njudge: S1901M. Empty for an automatic step."""
        step = self.calendar[position.at]
        return f"{step.season[0]}{position.year}{step.letter}" if step.letter else ""

    def phase_at(self, name: str) -> tuple[int, int]:
        """(year, index into the calendar) of a phase code in any case. Raises ValueError for an unknown one."""
        match = PHASE.fullmatch(name.upper())
        at = self._steps_by_letters.get((match["season"], match["step"])) if match else None
        if match is None or at is None:
            raise ValueError(f"no phase {name!r} in {self.title}")
        return int(match["year"]), at

    @cached_property
    def _steps_by_letters(self) -> Mapping[tuple[str, str], int]:
        """Indexes into the calendar, by the first letter of the season and that of the step; the first one counts."""
        steps = reversed(list(enumerate(self.calendar)))
        return {(step.season[0], step.letter): at for at, step in steps if step.letter}

    def phases_of_year(self, year: int) -> tuple[Step, ...]:
        """The steps that may get a phase of their own in that year of the calendar."""
        years = ((step, self.start.having(year=year, at=at)) for at, step in enumerate(self.calendar))
        return tuple(step for step, position in years if step.may_be_due(position, self))

    def step(self, position: Position) -> Step:
        return self.calendar[position.at]


class Step:
    """One line of a calendar. The defaults are those of an automatic step: no sheets, no orders due, it runs at once.

    `letter` is "" for a step that is not a phase of its own. `grammar` is the file in grammars/ (without ending) for
    its sheets; "" where nobody writes.
    """

    __slots__ = ()
    season: str
    letter: str = ""
    grammar: str = ""

    @property
    def also(self) -> tuple[str, ...]:
        """Further files in grammars/, for lines on the same sheet that order no unit of the writer's."""
        return ()

    def controlled(self, position: Position, variant: Variant, power: str) -> tuple[str, ...]:
        """Powers without a seat whose sheets this power's player writes now."""
        return ()

    def budgets(self, position: Position, variant: Variant, power: str) -> tuple[Budget, ...]:
        """What a power may spend on this sheet."""
        return ()

    def due(self, position: Position, variant: Variant) -> Mapping[str, DueOrders]:
        """For which powers orders are due, and which. Empty: the step runs at once."""
        return {}

    def may_be_due(self, position: Position, variant: Variant) -> bool:
        """Whether it may get a phase of its own when that year comes; the position at it is not known yet."""
        return bool(self.letter)

    def ends_game(self, position: Position) -> bool:
        """Whether the game ends with this step in that year, even if nobody has won."""
        return False

    def missing(self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]) -> DueOrders:
        """What is still due when this sheet is on file; falsy = the sheet is complete."""
        return DueOrders()

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        return ()

    @abstractmethod
    def resolve(self, position: Position, variant: Variant, book: Submissions) -> Turn: ...


class AutomaticStep(Step, Struct, frozen=True):
    """A step without orders and without a phase of its own."""

    season: str


class GmChange(Protocol):
    """A change to a power that the game master makes between deadlines."""

    def is_allowed(self, position: Position, variant: Variant, power: str) -> bool: ...

    def apply(self, position: Position, variant: Variant, power: str) -> Turn: ...


class Press(Struct, frozen=True):
    """Press rules. The defaults are free press: letters are passed on at once, to any power, and cost nothing.

    `message_word` opens a message that takes the rest of its letter ("message"). `anonymous`: nobody may learn who
    plays which power; letters show no player's name, and their texts are cleared of it. `doubles_public`: if players
    are anonymous, everybody reads which powers one player plays together. `copies_at_once`: copies may be sent as
    messages pass, before the results. `free`: settings may restrict who writes to whom, and when. `unsigned`: settings
    may let players write without their names. `secret_names`: who writes and reads for a power without a seat is
    secret, and mostly whether anybody does (`known_unread`).
    """

    message_word: str = ""
    release: ReleaseTime = ReleaseTime.AT_ONCE
    anonymous: bool = False
    doubles_public: bool = False
    copies_at_once: bool = False
    free: bool = True
    unsigned: bool = True
    secret_names: bool = False

    @property
    def terms(self) -> Mapping[str, int]:
        """Numbers that a sentence about a message names: its `words`, its `cost`."""
        return {}

    def names(self, position: Position, variant: Variant, power: str) -> tuple[str, ...]:
        """The names under which a power's seat may write, its own first."""
        return (power,)

    def everyone(self, position: Position, variant: Variant) -> tuple[str, ...]:
        """The names that "all" means."""
        return tuple(power.name for power in variant.powers)

    def readers(self, position: Position, variant: Variant, name: str) -> frozenset[str]:
        """The powers whose seats get a message to this name; empty: nobody reads it."""
        return frozenset({name} & {power.name for power in variant.powers})

    def known_unread(self, position: Position, variant: Variant, name: str) -> bool:
        """Whether every player may know that nobody reads messages to this name, if that is so."""
        return True

    def journal_phase(self, position: Position, variant: Variant) -> str:
        """The phase whose journal records a message sent now, and whose budget pays for it; "" for no journal.

        A message stays there when the phase is played again.
        """
        return ""

    def price(self, position: Position, variant: Variant, message: Message) -> int:
        return 0

    def check(
        self, position: Position, variant: Variant, message: Message, sheet: tuple[Statement, ...]
    ) -> Problem | None:
        """Why this message may not be sent now. `sheet`: the sender's sheet, and their messages of the turn.

        The problem's key names a sentence under `problem.`, its places are the sentence's {one}, {two}, {three}.
        """
        return None

    def header(self, message: Message, name: str) -> MessageHeader:
        """The header that the readers for `name` see."""
        return MessageHeader(message.name, message.to)

    def intercepted_copies(
        self, position: Position, variant: Variant, book: Submissions, message: Message
    ) -> Mapping[str, MessageHeader]:
        """The powers that get a copy as the message passes, with the header they see."""
        return {}


FREE_PRESS = Press()

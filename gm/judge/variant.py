"""Variant: the list of what may vary, on one page.

A variant is a value: its folder under variants/ says what is in it, `gm.library` composes it, and nothing else
in the program knows its name. Standard needs no Python of its own; a variant with rules.py names there its
calendar and its statements.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from gm.judge.acts import Act
from gm.judge.board import UnitKind
from gm.judge.edition import DATC, Edition
from gm.judge.influence import Influence
from gm.judge.position import Position
from gm.judge.press import FORWARD, Press
from gm.judge.statements import Statement
from gm.judge.steps import Step

PHASE = re.compile(r"([A-Z])(\d{1,4})([A-Z])")


@dataclass(frozen=True, slots=True)
class Power:
    """A country of the game. `adjective` is for reading ("Austrian"); `letter` is its name in press lists.

    `major`: it may do what the variant keeps for its major powers.
    """

    name: str
    letter: str
    adjective: str
    aliases: tuple[str, ...] = ()
    major: bool = False


@dataclass(frozen=True, slots=True)
class Minor:
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


@dataclass(frozen=True, slots=True)
class Setting:
    """A choice of the game master, made when the game is created. `choices` empty = a whole number from low to high.

    `needs`: the setting without which it means nothing, and that one's value: ("wings", "on").
    """

    key: str
    default: str
    meaning: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    needs: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """What a variant's rules.py gives: its calendar, statements of its own, and acts of the game master by name.

    `revealed`: what only the game master knew is everybody's once the game is over. `influence`: by which points minor
    powers are controlled, where they are.
    """

    calendar: tuple[Step, ...]
    statements: tuple[type[Statement], ...] = ()
    acts: Mapping[str, Act] = field(default_factory=dict)
    revealed: bool = False
    press: Press = FORWARD
    influence: Influence | None = None


@dataclass(frozen=True, slots=True)
class Called:
    """What something is called in a language: by its name, and otherwise."""

    name: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class Spoken:
    """The names of a board in a language other than English: provinces by code, powers and minor powers by name, kinds
    of unit by code; and what its settings mean, and is special about it. What is left out is told as in English.
    """

    language: str
    provinces: Mapping[str, Called] = field(default_factory=dict)
    powers: Mapping[str, Called] = field(default_factory=dict)
    kinds: Mapping[str, Called] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    special: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class Variant:
    """Everything a game needs to know about the rules it is played by, options already chosen.

    Equal is only what is the very same: composed once, it may be a key to what was reckoned for it.

    `victory` is the number of centres that wins when it is held at a census and nobody holds as many.
    `edition` is the rulebook it is played by.
    `minors` are the powers without a seat, the dormant ones too; `acts` what the game master may do between deadlines.
    `hours` say when phases are due unless the game master chooses otherwise, as he would write it: by the last letter
    of a phase's name, or by its first and last ("FM": the movement phases of Fall).
    `special` are up to five lines for the first letter on what is special about the variant.
    `tongues` are the languages that have names for its board, `language` is the one that its players' letters are in.
    """

    id: str
    title: str
    powers: tuple[Power, ...]
    kinds: Mapping[str, UnitKind]
    calendar: tuple[Step, ...]
    start: Position
    victory: int
    settings: tuple[Setting, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    special: tuple[str, ...] = ()
    edition: Edition = DATC
    minors: tuple[Minor, ...] = ()
    acts: Mapping[str, Act] = field(default_factory=dict)
    revealed: bool = False
    press: Press = FORWARD
    influence: Influence | None = None
    hours: Mapping[str, str] = field(default_factory=dict)
    tongues: Mapping[str, Spoken] = field(default_factory=dict)
    language: str = "en"

    @property
    def spoken(self) -> Spoken | None:
        """The names in its language; None where they are the English ones."""
        return self.tongues.get(self.language)

    @property
    def nations(self) -> tuple[str, ...]:
        """Everyone whose units may stand on the board: those with a seat first."""
        return (*(power.name for power in self.powers), *(minor.name for minor in self.minors))

    @property
    def owners(self) -> tuple[str, ...]:
        """Everyone who can own a centre, and builds: those with a seat first."""
        return (*(power.name for power in self.powers), *(minor.name for minor in self.minors if minor.homes))

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

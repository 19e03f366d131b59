"""Variant: the list of what may vary, on one page.

A variant is a value: its folder under variants/ says what is in it, `gm.variant_files.library` composes it, and
nothing else
in the program knows its name. Standard needs no Python of its own; a variant with rules.py names there its
calendar and its statements.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct, field

from gm.judge.board.board import GROUND, UnitKind
from gm.judge.board.cached import Once
from gm.judge.gm_changes.civil_disorder import GmChange
from gm.judge.mechanics.influence.influence_points import Influence
from gm.judge.model.orders import Statement
from gm.judge.model.position import Position
from gm.judge.model.press import FORWARD, Press
from gm.judge.model.rulebooks import DATC, Rulebook
from gm.judge.model.sheets import Step
from gm.judge.steps.build_rules import AT_HOME, BuildRule

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
    of it, `spellings` other words for its choices. `lasting`: fixed once the game has begun.
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
    lasting: bool = True

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


class Rules(Struct, frozen=True):
    """What a variant's rules.py gives: its calendar, statements of its own, and acts of the game master by name.

    `revealed`: what only the game master knew is everybody's once the game is over. `influence`: by which points minor
    powers are controlled, where they are.
    """

    calendar: tuple[Step, ...]
    statements: tuple[type[Statement], ...] = ()
    acts: Mapping[str, GmChange] = field(default_factory=dict)
    revealed: bool = False
    press: Press = FORWARD
    influence: Influence | None = None


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
    `tokens` are words of DAIDE's language for provinces (by code) and powers (by name) that its rule does not give.
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
    edition: Rulebook = DATC
    build_rule: BuildRule = AT_HOME
    minors: tuple[Minor, ...] = ()
    acts: Mapping[str, GmChange] = field(default_factory=dict)
    revealed: bool = False
    press: Press = FORWARD
    influence: Influence | None = None
    hours: Mapping[str, str] = field(default_factory=dict)
    tongues: Mapping[str, Translation] = field(default_factory=dict)
    language: str = "en"
    tokens: Mapping[str, str] = field(default_factory=dict)

    def told(self, language: str) -> tuple[str, ...]:
        """What is special about it, in that language where there are such lines in it."""
        named = self.tongues.get(language)
        lines = (named.special if named is not None else ()) or self.special
        return tuple([line.replace(VICTORY, str(self.victory)) for line in lines])

    @property
    def spoken(self) -> Translation | None:
        """The names in its language; None where they are the English ones."""
        return self.tongues.get(self.language)

    @Once
    def seated(self) -> tuple[str, ...]:
        """Everyone with a seat."""
        return tuple(power.name for power in self.powers)

    @Once
    def nations(self) -> tuple[str, ...]:
        """Everyone whose units may stand on the board: those with a seat first."""
        return (*self.seated, *(minor.name for minor in self.minors))

    @Once
    def seated_by_name(self) -> tuple[str, ...]:
        """The powers with a seat, by name."""
        return tuple(sorted(self.seated))

    @Once
    def grounded(self) -> frozenset[str]:
        """The kinds of unit that stand on the ground."""
        return frozenset(kind.code for kind in self.kinds.values() if kind.layer == GROUND)

    @Once
    def dearest(self) -> tuple[tuple[str, int], ...]:
        """Every layer with what the dearest unit of it costs, in half points; the dearest layer first."""
        cost: dict[str, int] = {}
        for kind in self.kinds.values():
            cost[kind.layer] = max(kind.cost, cost.get(kind.layer, 0))
        return tuple(sorted(cost.items(), key=lambda one: -one[1]))

    @Once
    def layers(self) -> frozenset[str]:
        """Those in which its units stand."""
        return frozenset(kind.layer for kind in self.kinds.values())

    @Once
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

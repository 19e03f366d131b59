"""What Realpolitik writes -> the document of `gm.language.formats.json_position`: a saved game, or its report of how
a game stands.

A saved game is told in `gm.language.formats.realpolitik.writer`. The report ("Status of the …") is text like a mail
judge's:

    Status of the Movement results for Spring of 1901.  (ostend)

    Austria: A Vienna - Galicia.

    The following units were dislodged:

    Austrian F Trieste can retreat to Albania or Adriatic Sea.

    Unit locations:

    Austria:   A Budapest, A Vienna.

    Ownership of supply centers:

    Austria:   Budapest, Trieste, Vienna.

The history in a saved game is passed over: it is of other phases. Units that the program does not know stay as they are
in the game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct, field

from gm.judge.model.position import Position
from gm.judge.model.variant import Variant
from gm.language.commands.position_edits import EditNames, UnknownName
from gm.language.formats.common import DislodgedUnit, driven_out, with_untold
from gm.language.formats.json_position import ExchangeError, clipped
from gm.language.formats.realpolitik.writer import END_OF_HISTORY, FORMAT, LONGEST_NAME, SEASONS, knows

HEADING = 4
"""Lines of a saved game before its numbers: the format, the game, the variant, the season."""
HISTORY = re.compile(r"v\d+")
NUMBER = re.compile(r"-?\d{1,4}")
SEASON = re.compile(r"(\w+)\s+(\d{1,4})")
STATUS = re.compile(r"status of the (movement|retreat|adjustment)\b.*\bfor (\w+) of (\d{1,4})", re.IGNORECASE)
FLAGS = re.compile(r"\s*\(\*.*?\*\)")
NO_MOVE = re.compile(r",? no move received.*", re.IGNORECASE)
WAIVED = re.compile(r"(?:build )?waived?", re.IGNORECASE)
DISBANDS = re.compile(r"(?:disband|d) (?=[a-z] )", re.IGNORECASE)
OWNED = re.compile(r"([^:]{1,40}):\s*(.*)")
NOWHERE = re.compile(r"(?:with|has) no (?:valid )?retreats.*|no (?:moves|retreat) received.*", re.IGNORECASE)
CAN = re.compile(r"can retreat to", re.IGNORECASE)
COUNTED = re.compile(r"\bsupply centers?, +\d+ units?:", re.IGNORECASE)
LONGEST_POWER = 3
"""Words of a power's name, or its adjective, at most."""
HEADS = {
    "driven": re.compile(r"the following units were dislodged", re.IGNORECASE),
    "standing": re.compile(r"unit locations", re.IGNORECASE),
    "centres": re.compile(r"ownership of supply cent(?:er|re)s", re.IGNORECASE),
}
LETTERS = {"movement": "M", "retreat": "R", "adjustment": "A"}


def read_game(variant: Variant, position: Position, text: str) -> dict[str, Any]:
    """A saved game. `position` is the game's own."""
    return _Reader(variant, position, EditNames(variant, position)).game(text.strip().splitlines())


def read_report(variant: Variant, position: Position, text: str) -> dict[str, Any]:
    return _Reader(variant, position, EditNames(variant, position)).report(text.strip().splitlines())


class _Reader(Struct):
    variant: Variant
    position: Position
    naming: EditNames
    units: dict[str, list[str]] = field(default_factory=dict)
    centers: dict[str, list[str]] = field(default_factory=dict)
    driven: list[DislodgedUnit] = field(default_factory=list)
    retreating: set[tuple[str, str]] = field(default_factory=set)
    orders: dict[str, list[str]] = field(default_factory=dict)
    waived: dict[str, int] = field(default_factory=dict)

    # ---- a saved game

    def game(self, lines: Sequence[str]) -> dict[str, Any]:
        if len(lines) < HEADING:
            raise ExchangeError("the file ends before its season")
        heading = [line.strip() for line in lines[:HEADING]]
        if heading[0].split()[:1] != [FORMAT]:
            raise ExchangeError(f"line 1: saved games of format {FORMAT} are read, not {clipped(heading[0])}")
        found = SEASON.fullmatch(heading[3])
        names = {season: phase for phase, season in SEASONS.items()}
        if found is None or found[1].title() not in names:
            raise ExchangeError(f"line 4: no season; one is like Spring 1901, not {clipped(heading[3])}")
        name = names[found[1].title()]
        rest = [(number, line.strip()) for number, line in enumerate(lines[HEADING:], HEADING + 1) if line.strip()]
        past = next((at for at, (_, line) in enumerate(rest) if HISTORY.fullmatch(line)), len(rest))
        left = [*self._driven_lines(self._powers(rest[:past])), *rest[past:]]
        ends = [at for at, (_, line) in enumerate(left) if line == END_OF_HISTORY]
        for number, line in left[ends[-1] + 1 :] if ends else []:
            self._placed(number, self._order, line)
        own = heading[2].casefold() == self.variant.title[:LONGEST_NAME].casefold()
        return self._document(f"{name[0]}{found[2]}{name[1]}") | {"variant": self.variant.id if own else heading[2]}

    def _powers(self, lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
        """The numbers of builds are not asked for: the position tells them."""
        nations = self.variant.nations
        counts = [at for at, (_, line) in enumerate(lines) if NUMBER.fullmatch(line)]
        if len(counts) < 2 or int(lines[counts[1]][1]) != len(nations):
            raise ExchangeError(f"after the season come two numbers, and the second must be {len(nations)}: the powers")
        if len(counts) < len(nations) + 3:
            raise ExchangeError(f"each of the {len(nations)} powers has its number of builds, centres and units")
        begins = counts[2 : len(nations) + 3]
        for power, start, end in zip(nations, begins, begins[1:], strict=False):
            words = [(number, word) for number, line in lines[start + 1 : end] for word in re.split(r"[\s,;]+", line)]
            self._power(power, [(number, word) for number, word in words if word])
        return lines[begins[-1] :]

    def _power(self, power: str, words: Iterable[tuple[int, str]]) -> None:
        """Centres, then units: a letter stands for a kind, and the next word is where it is."""
        left = iter(words)
        for number, word in left:
            if len(word) == 1:
                _, at = next(left, (number, ""))
                self._placed(number, self._stands, f"{power}: {word} {at}".rstrip())
            else:
                self._placed(number, self._centres, f"{power}: {word}")

    def _driven_lines(self, lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
        count = int(lines[0][1])
        for number, line in lines[1 : count + 1]:
            self._placed(number, self._driven, line)
        return lines[count + 1 :]

    # ---- a report

    def report(self, lines: Sequence[str]) -> dict[str, Any]:
        found = STATUS.match(lines[0])
        if found is None:
            raise ExchangeError("line 1: a report begins like Status of the Movement results for Spring of 1901")
        season = next((one for one in SEASONS if SEASONS[one] == found[2].title()), "")
        part = self._order
        parts = {"driven": self._driven, "standing": self._stands, "centres": self._centres}
        for number, line in _joined(lines[1:]):
            head = next((name for name, pattern in HEADS.items() if pattern.match(line)), None)
            if head is not None:
                part = parts[head]
            elif not COUNTED.search(line):
                self._placed(number, part, line.rstrip(". "))
        return self._document(f"{season[:1]}{found[3]}{LETTERS[found[1].lower()]}")

    def _stands(self, line: str) -> None:
        power, rest = self._whose(line)
        for text in filter(None, re.split(r"\s*,\s*", rest)):
            said = self._unit(text.split())
            # The report lists those that must retreat among the others.
            if (power, said) not in self.retreating:
                self.units.setdefault(power, []).append(said)

    def _centres(self, line: str) -> None:
        if not line.lower().startswith("unowned"):
            power, rest = self._whose(line)
            names = [name for name in re.split(r"\s*,\s*", rest) if name]
            self.centers.setdefault(power, []).extend(self._place(name.split()) for name in names)

    # ---- what both are made of

    def _document(self, phase: str) -> dict[str, Any]:
        for power, count in self.waived.items():
            self.orders.setdefault(power, []).append(f"Waive {count}")
        driven = driven_out(self.variant, self.position, self.driven, self.units, knows)
        units = with_untold(self.position, knows, self.units)
        return {
            "phase": phase, "units": units, "centers": self.centers, "dislodged": driven, "orders": self.orders,
        }  # fmt: skip

    @staticmethod
    def _placed(number: int, read: Callable[[str], None], line: str) -> None:
        """What is wrong is told with its line."""
        try:
            read(line)
        except ExchangeError as error:
            raise ExchangeError(f"line {number}: {error}") from None

    def _whose(self, line: str) -> tuple[str, str]:
        found = OWNED.match(line)
        power, left = self.naming.parted(found[1].split()) if found else ("", [])
        if found is None or not power or left:
            raise ExchangeError(f"whose is {clipped(line)}? A power and a colon come first")
        return power, found[2].strip()

    def _order(self, line: str) -> None:
        power, rest = self._whose(line)
        order = NO_MOVE.sub("", FLAGS.sub("", rest)).strip(" .")
        if WAIVED.fullmatch(order):
            self.waived[power] = self.waived.get(power, 0) + 1
        elif DISBANDS.match(order):
            self.orders.setdefault(power, []).append(f"{DISBANDS.sub('', order)} D")
        elif order and NO_MOVE.search(rest) is None:
            self.orders.setdefault(power, []).append(order)

    def _driven(self, line: str) -> None:
        words = line.rstrip(". ").split()
        for count in range(min(LONGEST_POWER, len(words) - 2), 0, -1):
            power, rest = self.naming.parted(words[:count])
            if power and not rest:
                one = self._retreat(power, words[count], " ".join(words[count + 1 :]))
                self.driven.append(one)
                self.retreating.add((power, f"{one.kind} {one.place}"))
                return
        raise ExchangeError(f"no unit that must retreat: {clipped(line)}")

    def _retreat(self, power: str, kind: str, said: str) -> DislodgedUnit:
        """Short names one after the other, or "Trieste can retreat to Albania or Adriatic Sea"."""
        place, can, ends = _cut(said, CAN)
        place, nowhere, _ = _cut(place, NOWHERE)
        if can:
            retreats = re.split(r"\s+or\s+", ends)
        else:
            place, *retreats = [place] if nowhere else place.split()
        code, _, at = self._unit([kind, *place.split()]).partition(" ")
        return DislodgedUnit(power, code, at, tuple(self._place(end.split()) for end in retreats))

    def _unit(self, said: Sequence[str]) -> str:
        kind = self.naming.kind(said[0]) if said else None
        if kind is None or len(said) < 2:
            raise ExchangeError(f"no unit: {clipped(' '.join(said))}")
        return f"{kind.code} {self._place(list(said[1:]))}"

    def _place(self, said: list[str]) -> str:
        try:
            return str(self.naming.place(said))
        except UnknownName as wrong:
            raise ExchangeError(f"no province {clipped(' '.join(said))}") from wrong


def _cut(text: str, pattern: re.Pattern[str]) -> tuple[str, str, str]:
    """What stands before it, it, and what follows; as `str.partition`."""
    found = pattern.search(text)
    return (text[: found.start()].strip(), found[0], text[found.end() :].strip()) if found else (text.strip(), "", "")


def _joined(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Numbered from the report's second one; lines that begin with blanks carry on the one before."""
    found: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 2):
        if line[:2].isspace() and line.strip() and found:
            found[-1] = found[-1][0], f"{found[-1][1]} {line.strip()}"
        elif line.strip():
            found.append((number, line.strip()))
    return iter(found)

"""DAIDE's messages -> the document of `gm.language.formats.json_position`: NOW and SCO are the position, SUB the
orders.

MAP must name the game's map; MDF is passed over, for the game knows its board. ORD, what a server tells of orders, is
read as the order in it, but only for the turn that is open: of an earlier one it is history. Line breaks, blanks and
capitals mean nothing in this language. Units that it has no words for stay as they are in the game. What is wrong is
told with its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from gm.judge.model.position import Position
from gm.judge.model.variant import Variant
from gm.language.formats.common import DislodgedUnit, driven_out, with_untold
from gm.language.formats.daide.tokens import language, tokens
from gm.language.formats.daide.writer import knows, map_name, turn_of
from gm.language.formats.json_position import ExchangeError, clipped, phase_to_json

TOKEN = re.compile(r"[()]|'[^'\n]*'|#?-?\d+|\w+|\S")
"""Some programs write a number as #1901, and a name as its letters one by one."""
DEEPEST = 6
"""Brackets within brackets: MDF needs five."""
MOST = 60_000
"""Tokens: several times what the greatest map's MDF has."""


class Word(NamedTuple):
    text: str
    line: int


class Group(NamedTuple):
    inner: tuple[Node, ...]
    line: int


Node: TypeAlias = "Word | Group"


def read(variant: Variant, position: Position, text: str) -> dict[str, Any]:
    """The document, as far as the messages tell it. `position` is the game's own."""
    reader = _Reader(variant, position)
    for word, groups in _messages(text):
        reader.take(word, groups)
    return reader.document()


def _messages(text: str) -> Iterator[tuple[Word, tuple[Group, ...]]]:
    """Each word that stands outside all brackets, with the groups behind it."""
    head: Word | None = None
    groups: list[Group] = []
    for node in _nodes(text):
        if isinstance(node, Group):
            groups.append(node)
            continue
        if head is not None:
            yield head, tuple(groups)
        head, groups = node, []
    if head is not None:
        yield head, tuple(groups)


def _nodes(text: str) -> tuple[Node, ...]:
    open_: list[tuple[int, list[Node]]] = [(1, [])]
    line, at = 1, 0
    for count, found in enumerate(TOKEN.finditer(text)):
        line += text.count("\n", at, found.start())
        at = found.start()
        if count >= MOST or len(open_) > DEEPEST:
            raise ExchangeError(f"line {line}: too much for DAIDE's messages")
        if found[0] == "(":
            open_.append((line, []))
        elif found[0] != ")":
            open_[-1][1].append(Word(found[0].upper().lstrip("#"), line))
        elif len(open_) == 1:
            raise ExchangeError(f"line {line}: a bracket is closed that was never opened")
        else:
            begun, inner = open_.pop()
            open_[-1][1].append(Group(tuple(inner), begun))
    if len(open_) > 1:
        raise ExchangeError(f"line {open_[-1][0]}: a bracket is never closed")
    return tuple(open_[0][1])


def _wrong(node: Node, what: str) -> ExchangeError:
    return ExchangeError(f"line {node.line}: {what} (at {clipped(_told(node))})")


def _told(node: Node) -> str:
    return node.text if isinstance(node, Word) else f"({' '.join(map(_told, node.inner))})"


class _Reader:
    def __init__(self, variant: Variant, position: Position) -> None:
        self.variant = variant
        self.position = position
        words = tokens(variant, position.board)
        self.powers = {word: name for name, word in words.powers.items()}
        self.provinces = {word: code for code, word in words.provinces.items()}
        self.kinds = {word: code for code, word in language().kinds.items()}
        self.coasts = {word: coast for coast, word in language().coasts.items()}
        self.phase = ""
        self.units: dict[str, list[str]] = {}
        self.centers: dict[str, list[str]] = {}
        self.driven: list[DislodgedUnit] = []
        self.orders: dict[str, list[str]] = {}
        self.waived: dict[str, int] = {}
        self.placed = False

    def take(self, head: Word, groups: tuple[Group, ...]) -> None:
        known: Mapping[str, Callable[[Word, tuple[Group, ...]], None]] = {
            "MAP": self._map, "MDF": lambda head, groups: None, "NOW": self._now, "SCO": self._owners,
            "SUB": self._orders, "ORD": self._result,
        }  # fmt: skip
        if head.text not in known:
            raise _wrong(head, f"no message begins so; there are {', '.join(known)}")
        known[head.text](head, groups)

    def document(self) -> dict[str, Any]:
        for power, count in self.waived.items():
            self.orders.setdefault(power, []).append(f"Waive {count}")
        found: dict[str, Any] = {"phase": self.phase} if self.phase else {}
        if self.placed:
            driven = driven_out(self.variant, self.position, self.driven, self.units, knows)
            found |= {"units": with_untold(self.position, knows, self.units), "dislodged": driven}
        if self.centers:
            found["centers"] = self.centers
        return found | {"orders": self.orders}

    # ---- messages

    def _map(self, head: Word, groups: tuple[Group, ...]) -> None:
        said = "".join(one.text for group in groups for one in group.inner if isinstance(one, Word)).strip("'")
        if said.casefold() != map_name(self.variant).casefold():
            raise _wrong(head, f"the map is {clipped(said.lower())}, and this game's is {map_name(self.variant)}")

    def _now(self, head: Word, groups: tuple[Group, ...]) -> None:
        if not groups:
            raise _wrong(head, "a turn must follow, like (SPR 1901)")
        self.phase = self._turn(groups[0])
        self.placed = True
        for group in groups[1:]:
            if len(group.inner) == 3:
                power, unit = self._unit(group)
                self.units.setdefault(power, []).append(unit)
            else:
                self.driven.append(self._driven(group))

    def _driven(self, group: Group) -> DislodgedUnit:
        mark, ends = group.inner[3:] if len(group.inner) == 5 else (group, group)
        if not isinstance(mark, Word) or mark.text != "MRT" or not isinstance(ends, Group):
            raise _wrong(group, "a unit is a power, AMY or FLT, and a province; MRT and provinces may follow")
        power, unit = self._unit(Group(group.inner[:3], group.line))
        kind, _, place = unit.partition(" ")
        return DislodgedUnit(power, kind, place, tuple(self._place(end) for end in ends.inner))

    def _owners(self, head: Word, groups: tuple[Group, ...]) -> None:
        for group in groups:
            if not group.inner:
                raise _wrong(group, "whose centres are these?")
            owner, *codes = group.inner
            places = [self._place(code) for code in codes]
            if not isinstance(owner, Word) or owner.text != language().unowned:
                self.centers.setdefault(self._power(owner), []).extend(places)

    def _orders(self, head: Word, groups: tuple[Group, ...]) -> None:
        if groups and self._is_turn(groups[0]):
            self._must_be_open(groups[0])
            groups = groups[1:]
        for group in groups:
            self._order(group)

    def _result(self, head: Word, groups: tuple[Group, ...]) -> None:
        if len(groups) != 3:
            raise _wrong(head, "a turn, an order and its result must follow")
        self._must_be_open(groups[0])
        self._order(groups[1])

    def _must_be_open(self, group: Group) -> None:
        phase, now = self._turn(group), self.phase or phase_to_json(self.variant, self.position)
        if phase != now:
            told = turn_of(now)
            raise _wrong(group, f"these orders are of {phase}, and the position is of {now} {told or ''}".rstrip())

    # ---- what they are made of

    def _is_turn(self, group: Group) -> bool:
        return (
            bool(group.inner) and isinstance(group.inner[0], Word) and group.inner[0].text in language().turns.values()
        )

    def _turn(self, group: Group) -> str:
        phases = {word: phase for phase, word in language().turns.items()}
        words = [one.text for one in group.inner if isinstance(one, Word)]
        if len(words) != 2 or len(group.inner) != 2 or words[0] not in phases or not words[1].isdigit():
            raise _wrong(group, f"no turn; one is {', '.join(phases)} and a year, like (SPR 1901)")
        found = phases[words[0]]
        return f"{found[0]}{int(words[1][:9])}{found[1]}"

    def _power(self, node: Node) -> str:
        found = self.powers.get(node.text) if isinstance(node, Word) else None
        if found is None:
            raise _wrong(node, f"no power; there are {', '.join(self.powers)}"[:120])
        return found

    def _place(self, node: Node) -> str:
        """ "SPA" or "(SPA NCS)" as "Spa" or "Spa/nc"."""
        area, coast = node, ""
        if isinstance(node, Group):
            if len(node.inner) != 2 or not isinstance(node.inner[1], Word):
                raise _wrong(node, "a province and its coast belong in such brackets")
            area, word = node.inner[0], node.inner[1]
            coast = self.coasts.get(word.text, "")
            if not coast:
                raise _wrong(word, f"no coast; there are {', '.join(self.coasts)}")
        found = self.provinces.get(area.text) if isinstance(area, Word) else None
        if found is None:
            raise _wrong(area, f"no province of {self.variant.title}")
        return f"{found}/{coast}" if coast else found

    def _unit(self, node: Node) -> tuple[str, str]:
        """Its power, and it as we write it."""
        if not isinstance(node, Group) or len(node.inner) != 3:
            raise _wrong(node, "a unit is a power, AMY or FLT, and a province in brackets")
        power, kind, at = node.inner
        code = self.kinds.get(kind.text) if isinstance(kind, Word) else None
        if code is None:
            raise _wrong(kind, f"no kind of unit; there are {', '.join(self.kinds)}")
        return self._power(power), f"{code} {self._place(at)}"

    def _order(self, group: Group) -> None:
        inner = group.inner
        if len(inner) < 2 or not isinstance(inner[1], Word):
            raise _wrong(group, "no order; one is like ((FRA AMY PAR) MTO BUR)")
        if inner[1].text == "WVE":
            power = self._power(inner[0])
            self.waived[power] = self.waived.get(power, 0) + 1
            return
        power, unit = self._unit(inner[0])
        self.orders.setdefault(power, []).append(self._said(power, unit, inner[1], inner[2:]))

    def _helped(self, writer: str, node: Node) -> str:
        """With its power where the place holds several powers' units, and it is not the writer's own."""
        power, unit = self._unit(node)
        code = unit.partition(" ")[2].partition("/")[0]
        crowd = {one.power for one in self.position.standing.get(code, ())} | {power}
        return f"{power} {unit}" if len(crowd) > 1 and power != writer and self._shared(code) else unit

    def _shared(self, code: str) -> bool:
        return self.position.board.provinces[code].shared

    def _said(self, power: str, unit: str, verb: Word, rest: tuple[Node, ...]) -> str:
        """The order as a sheet has it."""
        tail = tuple(one.text if isinstance(one, Word) else "" for one in rest[1:2])
        match (verb.text, len(rest), *tail):
            case ("HLD", 0):
                return f"{unit} H"
            case ("DSB", 0):
                return f"{unit} D"
            case ("BLD", 0):
                return f"Build {unit}"
            case ("REM", 0):
                return f"Remove {unit}"
            case ("MTO" | "RTO", 1):
                return f"{unit} - {self._place(rest[0])}"
            case ("CTO", 1):
                return f"{unit} - {self._place(rest[0])} VIA"
            case ("CTO", 3, "VIA"):
                return self._by_sea(unit, rest[0], rest[2])
            case ("SUP", 1):
                return f"{unit} S {self._helped(power, rest[0])}"
            case ("SUP", 3, "MTO"):
                return f"{unit} S {self._helped(power, rest[0])} - {self._place(rest[2])}"
            case ("CVY", 3, "CTO"):
                return f"{unit} C {self._helped(power, rest[0])} - {self._place(rest[2])}"
        raise _wrong(verb, "no order reads so; there are HLD, MTO, SUP, CVY, CTO, RTO, DSB, BLD, REM, WVE")

    def _by_sea(self, unit: str, to: Node, seas: Node) -> str:
        if not isinstance(seas, Group) or not seas.inner:
            raise _wrong(seas, "VIA needs the seas in brackets")
        return " - ".join((unit, *(self._place(sea) for sea in seas.inner), self._place(to)))

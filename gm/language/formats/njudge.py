"""Positions with their order sheets as the text of an njudge letter, which map tools read.

    :: Judge: gm  Game: ostend  Variant: standard
    :: Deadline: S1901M Sun Mar  8 2026 20:00:00 +0000

    Position for Spring of 1901.  (ostend)

    Austria: Army Budapest.

    The following units were dislodged:

    The German Army in Berlin, dislodged by the French Army from Munich, can retreat to Silesia or Prussia.

    Ownership of supply centers:

    Austria:   Budapest, Trieste, Vienna.

    Movement orders for Spring of 1901.  (ostend)

    Austria: Army Budapest -> Galicia.
    Austria: Army Vienna, No Order Processed.

Text without headings is read as orders, each behind its power and a colon or below a line with a power's name. Orders
that njudge does not know are written as on a sheet. Points, moved borders and lines for later phases are left out.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from gm.judge.board.board import Place
from gm.judge.model.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Retreat,
    Statement,
    Support,
    UnitOrder,
    UnitRef,
    Waive,
)
from gm.judge.model.position import Position, Unit
from gm.judge.model.variant import Minor, Power, Variant
from gm.language.commands.blocks.position_edits import EditNames, UnknownName
from gm.language.formats.json_values import ExchangeError, clipped
from gm.language.i18n.place_names import power_key, powers
from gm.language.lines.letter_contents import LetterContext, LineError
from gm.language.orders.sheet_reader import read_order
from gm.language.rendering import order_text as canonical

COASTS = {"nc": "north coast", "sc": "south coast", "ec": "east coast", "wc": "west coast"}
ORDERS = {"M": "Movement", "R": "Retreat", "A": "Adjustment"}
WIDTH, HANG = 78, 11
NO_ORDER = ", No Order Processed"


# ---- writing


def write(variant: Variant, position: Position, document: Mapping[str, Any], game: str, due: datetime | None) -> str:
    made = _Writer(variant, position, document)
    when = f"{due:%a %b} {due.day:2} {due:%Y %H:%M:%S %z}" if due is not None else ""
    season = made.season
    blocks = [
        f":: Judge: gm  Game: {game}  Variant: {variant.id}\n:: Deadline: {document['phase']} {when}".rstrip(),
        f"Position for {season}.  ({game})",
        "\n".join(made.units()),
        *(("The following units were dislodged:", "\n".join(made.driven())) if position.dislodged else ()),
        *(("Ownership of supply centers:", "\n".join(made.centres())) if position.centres else ()),
        f"{ORDERS.get(document['phase'][-1:], 'All')} orders for {season}.  ({game})",
        "\n".join(made.orders()),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


class _Writer(Struct, frozen=True):
    variant: Variant
    position: Position
    document: Mapping[str, Any]

    @property
    def season(self) -> str:
        return f"{self.variant.step(self.position).season} of {self.position.year}"

    def place(self, place: Place) -> str:
        name = self.position.board.provinces[place.province].name
        if not place.coast:
            return name
        return f"{name} ({COASTS[place.coast]})" if place.coast in COASTS else f"{name}/{place.coast}"

    def unit(self, unit: Unit | UnitRef) -> str:
        place = unit.at if isinstance(unit, UnitRef) else unit.at.place
        number = f"#{unit.number}" if unit.number else ""
        return f"{self.variant.kinds[unit.kind].name.title()} {self.place(place)}{number}"

    def units(self) -> Iterator[str]:
        for power in self.variant.nations:
            for unit in self.position.units_of(power):
                yield f"{power}: {self.unit(unit)}."

    def driven(self) -> Iterator[str]:
        for out in self.position.dislodged:
            unit, by, retreats = out.unit, out.by, out.retreats
            kind, other_kind = (self.variant.kinds[each.kind].name.title() for each in (unit, by))
            ends = " or ".join(self.place(at.place) for at in retreats)
            yield (
                f"The {self._adjective(unit.power)} {kind} in {self.place(unit.at.place)}, dislodged by the "
                f"{self._adjective(by.power)} {other_kind} from {self.place(by.at.place)}, can retreat to {ends}."
            )

    def centres(self) -> Iterator[str]:
        provinces = self.position.board.provinces
        for power in self.variant.nations:
            if held := self.position.centres_of(power):
                names = ", ".join(provinces[code].name for code in held)
                head = f"{power}:".ljust(HANG)
                yield textwrap.fill(
                    f"{head if head.endswith(' ') else f'{head} '}{names}.", WIDTH, subsequent_indent=" " * HANG,
                    break_on_hyphens=False, break_long_words=False,
                )  # fmt: skip

    def orders(self) -> Iterator[str]:
        orders: Mapping[str, list[str]] = self.document.get("orders", {})
        due = self.variant.step(self.position).due(self.position, self.variant)
        for power in dict.fromkeys((*self.variant.nations, *orders)):
            ordered: set[tuple[str, str]] = set()
            whose = power.rpartition("/")[2]  # of "Germany/Poland"
            context = LetterContext(self.variant, self.position, whose, any_unit=True)
            for text in orders.get(power, ()):
                order = read_order(text, context)
                yield f"{power}: {text if isinstance(order, LineError) else self.order(power, order)}."
                if isinstance(order, UnitOrder):
                    ordered.add((order.unit.kind, order.unit.at.province))
            for unit in due[power].units if power in due else ():
                if (unit.kind, unit.at.province) not in ordered:
                    yield f"{power}: {self.unit(unit)}{NO_ORDER}."

    def order(self, power: str, order: Statement) -> str:
        """In the words of njudge, where it has some."""
        letter = self.variant.step(self.position).letter
        match order:
            case Hold():
                return f"{self.unit(order.unit)} HOLD"
            case Move(_, to, via, route):
                provinces = self.position.board.provinces
                legs = "".join(f" -> {provinces[sea].name}" for sea in route)
                return f"{self.unit(order.unit)}{legs} -> {self.place(to)}{' via convoy' if via and not route else ''}"
            case Support(_, target, None):
                return f"{self.unit(order.unit)} SUPPORT {self._foreign(power, target)}"
            case Support(_, target, Place() as to) | Convoy(_, target, to):
                verb = "SUPPORT" if isinstance(order, Support) else "CONVOY"
                return f"{self.unit(order.unit)} {verb} {self._foreign(power, target)} -> {self.place(to)}"
            case Retreat(_, to):
                return f"{self.unit(order.unit)} -> {self.place(to)}"
            case Disband():
                if letter == canonical.ADJUSTMENTS:
                    return f"Removes the {self.variant.kinds[order.unit.kind].name} in {self.place(order.unit.at)}"
                return f"{self.unit(order.unit)} DISBAND"
            case Build(unit) if letter == canonical.ADJUSTMENTS:
                kind = self.variant.kinds[unit.kind].name
                return f"Builds {'an' if kind[0] in 'aeiou' else 'a'} {kind} in {self.place(unit.at)}"
            case Waive(1):
                return "Build waived"
        return canonical.statement(order, letter)

    def _foreign(self, power: str, unit: UnitRef) -> str:
        standing = self.position.standing.get(unit.at.province, ())
        whose = next((other.power for other in standing if other.kind == unit.kind), "")
        named = self.unit(replace(unit, power=""))
        return f"{self._adjective(whose)} {named}" if whose and whose != power else named

    def _adjective(self, power: str) -> str:
        everyone: tuple[Power | Minor, ...] = (*self.variant.powers, *self.variant.minors)
        return next((named.adjective for named in everyone if named.name == power and named.adjective), power)


# ---- reading

PHASE = re.compile(r"::\s*deadline:\s*([a-z]\d{1,4}[a-z])\b", re.IGNORECASE)
HEADS = {
    "units": re.compile(r"(?:starting )?position for\b", re.IGNORECASE),
    "orders": re.compile(r"\w+ orders for\b", re.IGNORECASE),
    "driven": re.compile(r"the following units were dislodged", re.IGNORECASE),
    "centres": re.compile(r"ownership of supply cent(?:er|re)s", re.IGNORECASE),
}
DRIVEN = re.compile(
    r"The (?P<whose>.+?) in (?:the )?(?P<place>.+?), dislodged by the (?P<by>.+?) from (?:the )?(?P<source>.+?), "
    r"can retreat to (?P<to>.+)"
)
OWNED = re.compile(r"(?P<power>[^:]{1,40}):\s*(?P<rest>.*)")
FLAGS = re.compile(r"\s*\(\*.*?\*\)")
STOPPED = re.compile(r"the next phase|the deadline for|::|the game is over", re.IGNORECASE)


def read(variant: Variant, position: Position, text: str) -> dict[str, Any]:
    """The part of the document that the text holds. `position` gives the names of places."""
    return _Reader(variant, EditNames(variant, position)).read(text)


class _Reader(Struct):
    variant: Variant
    naming: EditNames
    units: dict[str, list[str]] = field(default_factory=dict)
    centers: dict[str, list[str]] = field(default_factory=dict)
    dislodged: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    orders: dict[str, list[str]] = field(default_factory=dict)
    power: str = ""

    def read(self, text: str) -> dict[str, Any]:
        match = PHASE.search(text)
        document: dict[str, Any] = {"phase": match[1].upper()} if match else {}
        part = "orders"
        for line in _joined(text):
            head = next((name for name, pattern in HEADS.items() if pattern.match(line)), None)
            if head is not None:
                part, self.power = head, ""
            elif not STOPPED.match(line):
                getattr(self, f"_{part}")(line.rstrip(". "))
        if self.units or self.centers:
            document |= {"units": self.units, "centers": self.centers, "dislodged": self.dislodged}
        return document | {"orders": self.orders}

    def _named(self, line: str) -> tuple[str, str]:
        """The power of a line, and the rest of the line."""
        match = OWNED.match(line)
        name, rest = (match["power"], match["rest"]) if match else (line, "")
        author, slash, ward = name.partition("/")
        power = self._power(ward or author)
        if power and slash:
            power = f"{self._power(author)}/{power}"
        if power:
            self.power = power
            return power, rest.strip()
        if not self.power:
            raise ExchangeError(f"whose is {clipped(line)}? Write the power and a colon before it")
        return self.power, line

    def _power(self, name: str) -> str:
        return powers((*self.variant.powers, *self.variant.minors)).get(power_key(name), "")

    def _units(self, line: str) -> None:
        power, rest = self._named(line)
        if rest:
            self.units.setdefault(power, []).append(self._unit(rest.split()))

    def _unit(self, written: list[str]) -> str:
        number = re.search(r"#\d+$", written[-1]) if written else None
        kind = self.naming.kind(written[0]) if written else None
        if kind is None or len(written) < 2:
            raise ExchangeError(f"no unit: {clipped(' '.join(written))}")
        name = " ".join(written[1:])
        return f"{kind.code} {self._place(name[: -len(number[0])] if number else name)}{number[0] if number else ''}"

    def _place(self, name: str) -> str:
        try:
            return str(self.naming.place(name.split()))
        except UnknownName as wrong:
            raise ExchangeError(f"no province {clipped(name)}") from wrong

    def _centres(self, line: str) -> None:
        power, rest = self._named(line)
        if rest:
            names = [name.strip(" ()") for name in rest.split(",")]
            self.centers.setdefault(power, []).extend(self._place(name) for name in names if name)

    def _driven(self, line: str) -> None:
        match = DRIVEN.match(line)
        if match is None:
            raise ExchangeError(f"no dislodged unit: {clipped(line)}")
        (whose, kind), (_, other) = (self._adjectival(match[key]) for key in ("whose", "by"))
        item = {
            "unit": f"{kind} {self._place(match['place'])}",
            "by": f"{other} {self._place(match['source'])}",
            "retreats": [self._place(name) for name in re.split(r"\s+or\s+", match["to"])],
        }
        self.dislodged.setdefault(whose, []).append(item)

    def _adjectival(self, written: str) -> tuple[str, str]:
        """ "German Army" -> its power and the code of its kind."""
        adjective, _, name = written.rpartition(" ")
        kind = self.naming.kind(name)
        power = self._power(adjective)
        if kind is None or not power:
            raise ExchangeError(f"no unit: {clipped(written)}")
        return power, kind.code

    def _orders(self, line: str) -> None:
        power, rest = self._named(line)
        order = FLAGS.sub("", rest).strip(" .")
        if order and not order.endswith(NO_ORDER):
            self.orders.setdefault(power, []).append(order)


def _joined(text: str) -> list[str]:
    """Lines, each with the indented lines that continue it."""
    lines: list[str] = []
    for line in text.splitlines():
        if line[:2].isspace() and line.strip() and lines and not lines[-1].rstrip().endswith("."):
            lines[-1] += " " + line.strip()
        elif line.strip():
            lines.append(line.strip())
    return lines

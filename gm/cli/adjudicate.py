"""`gm adjudicate`: JSON lines in, JSON lines out, one position with its orders each.

    in : {"id": 7, "position": {…}, "orders": {"Austria": ["A Vie - Gal", "F Tri H"]}}
    out: {"id": 7, "results": [{"power": "Austria", "order": "A Vie - Gal", "outcome": "bounced", "by": ["A War"],
          "text": "…"}, …], "position": {… the next position at which somebody owes orders …}}

A line that is wrong gives {"id": …, "error": "…"} and the next line goes on. The form of a position is told in
`gm.language.formats.json_position`.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from gm.errors import GmError
from gm.judge.mechanics.influence.bid_orders import CoalitionVote
from gm.judge.model.calendar import walk, writers
from gm.judge.model.events import Allocated, Event, GameEnded, OrderResult, Outcome
from gm.judge.model.orders import Entry, Statement
from gm.judge.model.position import Position
from gm.judge.model.sheets import Submissions
from gm.judge.model.variant import Variant
from gm.language.formats.json_position import ExchangeError, clipped, position_from_json, power_names
from gm.language.formats.json_results import DEEPEST, ResultWriter, written
from gm.language.i18n.catalogue import Catalogue, outcomes
from gm.language.lines.letter_contents import LineError
from gm.language.orders.sheet_reader import KnownOrdersReader
from gm.language.rendering import order_text as write
from gm.language.rendering.error_sentences import sentence
from gm.resources import folder
from gm.variant_files.library import Library

Row = dict[str, Any]
LONGEST = 1_000_000
MOST_ORDERS = 1_000
"""Of one power in one line; a board holds far fewer units."""
OTHERWISE = frozenset({LineError, list})
"""What reading a line gives where it is not one order."""
MOST_VARIANTS = 64
SEVERAL = "several-orders"
"""The trouble with a line that holds more than one."""
FEW_COLLECTIONS = 500_000
"""New objects before the collector looks for cycles; adjudicating makes none, so that it finds nothing to do. What is
kept of lines and variants are fewer."""


class Adjudicator:
    """Keeps what it has learnt of variants and lines from call to call."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._catalogue = outcomes(folder("templates") / "sentences")
        self._tables: dict[int, _VariantAdjudicator] = {}

    def answers(self, lines: Iterable[str | bytes]) -> Iterator[str]:
        """One line out for every line in that is not blank, in the same order."""
        often = gc.get_threshold()
        gc.set_threshold(FEW_COLLECTIONS, *often[1:])
        try:
            for line in lines:
                if line.strip():
                    yield _answer_line(line, self._library, self._catalogue, self._tables)
        finally:
            gc.set_threshold(*often)

    def book(self, variant: Variant, position: Position, orders: object) -> Submissions:
        """The orders of a line in, as they are adjudicated; those that cannot be read are left out."""
        return _VariantAdjudicator(variant, self._catalogue).book(orders, position)[0]


def adjudicate_lines(lines: Iterable[str | bytes], library: Library) -> Iterator[str]:
    return Adjudicator(library).answers(lines)


def _answer_line(
    line: str | bytes, library: Library, catalogue: Catalogue, tables: dict[int, _VariantAdjudicator]
) -> str:
    name = "null"
    try:
        asked = parse_line(line)
        name = written(asked.get("id"))
        table = _variant_adjudicator(asked.get("position"), library, catalogue, tables)
        answer = table.answer(asked["position"], asked.get("orders"))
    except (ExchangeError, GmError) as error:
        answer = f'"error": {written(str(error))}'
    return f'{{"id": {name}, {answer}}}'


def parse_line(line: str | bytes) -> Row:
    if len(line) > LONGEST:
        raise ExchangeError(f"a line may have {LONGEST} characters")
    try:
        asked = _DECODE(line if isinstance(line, str) else line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ExchangeError("not UTF-8") from None
    except ExchangeError:
        raise
    except ValueError as error:
        raise ExchangeError(f"not JSON: {error}") from None
    except RecursionError:
        raise ExchangeError(DEEPEST) from None
    if not isinstance(asked, dict):
        raise ExchangeError("a line must be a JSON object with position and orders")
    return asked


def _unique_keys(pairs: list[tuple[str, Any]]) -> Row:
    """An object that says one thing twice may mean either."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ExchangeError(f"{clipped(twice)} stands twice in one object")
    return found


def _reject_number(text: str) -> float:
    raise ExchangeError(f"not JSON: {text} is no number")


def _parse_float(text: str) -> float:
    number = float(text)
    return number if abs(number) != float("inf") else _reject_number(text)


_DECODE = json.JSONDecoder(
    object_pairs_hook=_unique_keys, parse_constant=_reject_number, parse_float=_parse_float
).decode


def _variant_adjudicator(
    told: object, library: Library, catalogue: Catalogue, tables: dict[int, _VariantAdjudicator]
) -> _VariantAdjudicator:
    if not isinstance(told, dict):
        raise ExchangeError("position must be an object")
    variant = find_variant(told, library)
    found = tables.get(id(variant))
    if found is None or found.variant is not variant:
        if len(tables) >= MOST_VARIANTS:
            tables.clear()
        found = tables[id(variant)] = _VariantAdjudicator(variant, catalogue)
    return found


def find_variant(told: Mapping[str, Any], library: Library) -> Variant:
    name = told.get("variant")
    options = told.get("options")
    if options is not None and not isinstance(options, dict):
        raise ExchangeError("options must be an object")
    if name is None:
        raise ExchangeError(f"position has no variant; there are {', '.join(library.ids())}")
    known = name if name in library else _in_other_letters(str(name), library)
    if not isinstance(name, str) or known is None:
        raise ExchangeError(f"no variant {clipped(str(name))}; there are {', '.join(library.ids())}")
    return library.variant(known, {str(key): str(value) for key, value in options.items()} if options else {})


def _in_other_letters(name: str, library: Library) -> str | None:
    """The id that is written so but for capitals."""
    return next((one for one in library.ids() if one.casefold() == name.casefold()), None)


def _minor_power_errors(power: str, texts: list[str]) -> list[Statement | LineError]:
    """What becomes of lines in the name of a minor power."""
    return [LineError(0, text, 0, len(text), "minor-orders", (("power", power),)) for text in texts]


class _VariantAdjudicator:
    """Where the positions of one variant are adjudicated."""

    def __init__(self, variant: Variant, catalogue: Catalogue) -> None:
        self.variant = variant
        self.catalogue = catalogue
        self.powers = power_names(variant.powers)
        self.minors = power_names(variant.minors)
        self.readable = frozenset(variant.owners)
        self.rows = ResultWriter(catalogue, variant)

    def answer(self, told: Mapping[str, Any], orders: object) -> str:
        """The answer's JSON but for its id and braces."""
        position = position_from_json(self.variant, told)
        book, unread = self.book(orders, position)
        legs = walk(self.variant, position, book)
        rows: list[str] = []
        over = ""
        for number, leg in enumerate(legs):
            letter = leg.phase[-1:]
            others = [event for event in leg.turn.events if type(event) is not OrderResult]
            rows += [row for event in others if (row := self._besides(event, letter))]
            rows += self.rows.rows(leg.turn.events, letter)
            if legs[-1].turn.position.ended is not None:
                over = "".join(self._over(event) for event in others if isinstance(event, GameEnded))
            if number == 0:
                rows += unread
        after = self.rows.position(legs[-1].turn.position)
        return f'"results": [{", ".join(rows)}], "position": {after}{over}'

    def _besides(self, event: Event, letter: str) -> str:
        """The row of a line that ordered no unit by itself; empty for other events."""
        if isinstance(event, Allocated):
            return self.rows.allocated(event)
        if isinstance(event, CoalitionVote) and not event.followed:
            line = write.statement(event.order, letter)
            why = self.catalogue.say("outcome.outvoted")
            return self.rows.unread(f"{event.power}/{event.minor}", line, why, Outcome.VOID)
        return ""

    def book(self, orders: object, position: Position) -> tuple[Submissions, list[str]]:
        """What could be read, and a row of the answer for every line that could not."""
        if orders is not None and not isinstance(orders, dict):
            raise ExchangeError("orders must be an object: power -> list of orders")
        sheets: dict[tuple[str, str], tuple[Entry, ...]] = {}
        unread: list[str] = []
        reader = KnownOrdersReader(self.variant, position, any_unit=True)
        for name, texts in (orders or {}).items():
            power, authors = self._writers(name, position)
            self._check(power, texts)
            entries: list[Entry] = []
            found = self._read(reader, power, texts)
            if authors == (power,) and OTHERWISE.isdisjoint(map(type, found)):
                sheets[power, power] = (
                    *sheets.get((power, power), ()),
                    *map(Entry, cast("Sequence[Statement]", found)),
                )
                continue
            for text, read in zip(texts, found, strict=True):
                if isinstance(read, LineError) and read.key == SEVERAL and (each := reader.each(power, text)):
                    entries += map(Entry, each)
                elif isinstance(read, LineError):
                    unread.append(self.rows.unread(power, text, sentence(self.catalogue, read)))
                elif not authors:
                    unread.append(
                        self.rows.unread(power, text, self.catalogue.say("outcome.nobodys-ward", power=power))
                    )
                elif isinstance(read, list):
                    entries += map(Entry, read)
                else:
                    entries.append(Entry(read))
            for author in authors:
                sheets[author, power] = (*sheets.get((author, power), ()), *entries)
        return Submissions(sheets), unread

    def _read(
        self, reader: KnownOrdersReader, power: str, texts: list[str]
    ) -> Sequence[Statement | list[Statement] | LineError]:
        if power not in self.readable:
            return _minor_power_errors(power, texts)
        return reader.every(power, texts) if reader.shared else reader.orders(power, texts)

    def _writers(self, name: str, position: Position) -> tuple[str, tuple[str, ...]]:
        """Whose sheet the orders below this name are for, and who wrote it.

        Below a power without a seat stands the word of everybody who may write for it; "Germany/Poland" is Germany's.
        """
        seated = self.powers.get(name.casefold())
        if seated is not None:
            return seated, (seated,)
        author, slash, ward = name.partition("/")
        power = self.minors.get((ward or name).strip().casefold()) or self._power(name)
        may = writers(self.variant.step(position), position, self.variant, power)
        if not slash:
            return power, may
        writer = self._power(author.strip())
        return power, (writer,) if writer in may else ()

    def _power(self, name: str) -> str:
        power = self.powers.get(name.casefold())
        if power is None:
            known = ", ".join(power.name for power in self.variant.powers)
            raise ExchangeError(f"no power {clipped(name)} in {self.variant.title}; there are {known}")
        return power

    @staticmethod
    def _check(power: str, texts: object) -> None:
        if not isinstance(texts, list) or not {str}.issuperset(map(type, texts)):
            raise ExchangeError(f"orders of {power} must be a list of texts")
        if len(texts) > MOST_ORDERS:
            raise ExchangeError(f"orders of {power}: at most {MOST_ORDERS}")

    def _over(self, event: GameEnded) -> str:
        winners = write.joined(self.catalogue, event.winners)
        why = self.catalogue.say(f"over.{event.why}", winners=winners)
        return f', "over": {written({"winners": list(event.winners), "why": why})}'

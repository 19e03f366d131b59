"""`gm adjudicate`: JSON lines in, JSON lines out, one position with its orders each.

    in : {"id": 7, "position": {…}, "orders": {"Austria": ["A Vie - Gal", "F Tri H"]}}
    out: {"id": 7, "results": [{"power": "Austria", "order": "A Vie - Gal", "outcome": "bounced", "by": ["A War"],
          "text": "…"}, …], "position": {… the next position at which orders are due …}}

A wrong line gives {"id": …, "error": "…"}, and the next line goes on. `gm.language.formats.json_position` describes the
form of a position.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from gm.errors import GmError
from gm.judge.mechanics.influence.bid_orders import CoalitionVote
from gm.judge.model.calendar import resolve_phase, sheet_writers
from gm.judge.model.events import Allocated, Event, GameEnded, Outcome
from gm.judge.model.orders import Entry, Statement
from gm.judge.model.position import Position
from gm.judge.model.sheets import Submissions
from gm.judge.model.variant import Variant
from gm.language.formats.json_position import options_from_json, position_from_json, power_names
from gm.language.formats.json_results import DEEPEST, ResultWriter, written
from gm.language.formats.json_values import ExchangeError, clipped
from gm.language.i18n.catalogue import Catalogue, outcomes
from gm.language.lines.letter_contents import LineError
from gm.language.orders.sheet_reader import KnownOrdersReader
from gm.language.rendering import order_text
from gm.language.rendering.error_sentences import sentence
from gm.resources import folder
from gm.variant_files.library import Library

Row = dict[str, Any]
LONGEST = 1_000_000
"""Characters of a line."""
MOST_ORDERS = 1_000
"""Per power and line; a board holds far fewer units."""
OTHERWISE = frozenset({LineError, list})
"""What reading a line gives when it is not one order."""
MOST_VARIANTS = 64
SEVERAL = "several-orders"
"""The key of the LineError for a line with more than one order."""
FEW_COLLECTIONS = 500_000
"""New objects before a garbage collection. Adjudicating makes no cycles; cached lines and variants are fewer."""


class Adjudicator:
    """Adjudicates lines. Keeps variants and parsed orders from call to call, only for speed."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._catalogue = outcomes(folder("templates") / "sentences")
        self._tables: dict[Variant, _VariantAdjudicator] = {}

    def answers(self, lines: Iterable[str | bytes]) -> Iterator[str]:
        """Yields one line of JSON for every line that is not blank, in order."""
        thresholds = gc.get_threshold()
        gc.set_threshold(FEW_COLLECTIONS, *thresholds[1:])
        try:
            for line in lines:
                if line.strip():
                    yield _answer_line(line, self._library, self._catalogue, self._tables)
        finally:
            gc.set_threshold(*thresholds)

    def read_submissions(self, variant: Variant, position: Position, orders: object) -> Submissions:
        """Returns the orders of a line as they are adjudicated, without those that cannot be read."""
        return _VariantAdjudicator(variant, self._catalogue).read_submissions(orders, position)[0]


def _answer_line(
    line: str | bytes, library: Library, catalogue: Catalogue, tables: dict[Variant, _VariantAdjudicator]
) -> str:
    name = "null"
    try:
        request = parse_line(line)
        name = written(request.get("id"))
        table = _variant_adjudicator(request.get("position"), library, catalogue, tables)
        answer = table.answer(request["position"], request.get("orders"))
    except (ExchangeError, GmError) as error:
        answer = f'"error": {written(str(error))}'
    return f'{{"id": {name}, {answer}}}'


def parse_line(line: str | bytes) -> Row:
    if len(line) > LONGEST:
        raise ExchangeError(f"a line may have {LONGEST} characters")
    try:
        request = _DECODE(line if isinstance(line, str) else line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ExchangeError("not UTF-8") from None
    except ExchangeError:
        raise
    except ValueError as error:
        raise ExchangeError(f"not JSON: {error}") from None
    except RecursionError:
        raise ExchangeError(DEEPEST) from None
    if not isinstance(request, dict):
        raise ExchangeError("a line must be a JSON object with a position")
    return request


def _unique_keys(pairs: list[tuple[str, Any]]) -> Row:
    """Refuses an object with a key that occurs twice."""
    table = dict(pairs)
    if len(table) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ExchangeError(f"{clipped(twice)} occurs twice in one object")
    return table


def _reject_number(text: str) -> float:
    raise ExchangeError(f"not JSON: {text} is not a number")


def _parse_float(text: str) -> float:
    number = float(text)
    return number if abs(number) != float("inf") else _reject_number(text)


_DECODE = json.JSONDecoder(
    object_pairs_hook=_unique_keys, parse_constant=_reject_number, parse_float=_parse_float
).decode


def _variant_adjudicator(
    document: object, library: Library, catalogue: Catalogue, tables: dict[Variant, _VariantAdjudicator]
) -> _VariantAdjudicator:
    if not isinstance(document, dict):
        raise ExchangeError("position must be an object")
    variant = find_variant(document, library)
    adjudicator = tables.get(variant)
    if adjudicator is None:
        if len(tables) >= MOST_VARIANTS:
            tables.clear()
        adjudicator = tables[variant] = _VariantAdjudicator(variant, catalogue)
    return adjudicator


def find_variant(document: Mapping[str, Any], library: Library) -> Variant:
    """Returns the variant of a position: its id in any case, and its options. Raises ExchangeError."""
    name, options = document.get("variant"), options_from_json(document)
    if name is None:
        raise ExchangeError(f"position has no variant; there are {', '.join(library.ids())}")
    known = name if name in library else None
    if known is None:
        known = next((variant for variant in library.ids() if variant.casefold() == str(name).casefold()), None)
    if not isinstance(name, str) or known is None:
        raise ExchangeError(f"no variant {clipped(str(name))}; there are {', '.join(library.ids())}")
    return library.variant(known, options)


def _minor_power_errors(power: str, texts: list[str]) -> list[Statement | LineError]:
    """Answers lines in the name of a minor power without orders of its own."""
    return [LineError(0, text, 0, len(text), "minor-orders", (("power", power),)) for text in texts]


class _VariantAdjudicator:
    """Adjudicates positions of one variant."""

    def __init__(self, variant: Variant, catalogue: Catalogue) -> None:
        self.variant = variant
        self.catalogue = catalogue
        self.powers = power_names(variant.powers)
        self.minors = power_names(variant.minors)
        self.readable = frozenset(variant.owners)
        self.rows = ResultWriter(catalogue, variant)

    def answer(self, document: Mapping[str, Any], orders: object) -> str:
        """Returns the answer's JSON without its id and braces."""
        position = position_from_json(self.variant, document)
        submissions, unread = self.read_submissions(orders, position)
        legs = resolve_phase(self.variant, position, submissions)
        rows: list[str] = []
        game_over = ""
        for number, leg in enumerate(legs):
            letter = leg.phase[-1:]
            order_rows, other_events = self.rows.rows(leg.turn.events, letter)
            rows += [row for event in other_events if (row := self._event_row(event, letter))]
            rows += order_rows
            if legs[-1].turn.position.ended is not None:
                game_over = "".join(self._game_over(event) for event in other_events if isinstance(event, GameEnded))
            if number == 0:
                rows += unread
        after = self.rows.position(legs[-1].turn.position)
        return f'"results": [{", ".join(rows)}], "position": {after}{game_over}'

    def _event_row(self, event: Event, letter: str) -> str:
        """Returns the row for a bid or an outvoted order; empty for other events."""
        if isinstance(event, Allocated):
            return self.rows.allocated(event)
        if isinstance(event, CoalitionVote) and not event.followed:
            line = order_text.statement(event.order, letter)
            why = self.catalogue.say("outcome.outvoted")
            return self.rows.unread(f"{event.power}/{event.minor}", line, why, Outcome.VOID)
        return ""

    def read_submissions(self, orders: object, position: Position) -> tuple[Submissions, list[str]]:
        """Returns the orders that could be read, and a row for every line that could not."""
        if orders is not None and not isinstance(orders, dict):
            raise ExchangeError("orders must be an object: power -> list of orders")
        sheets: dict[tuple[str, str], tuple[Entry, ...]] = {}
        unread: list[str] = []
        reader = KnownOrdersReader(self.variant, position, any_unit=True)
        read = reader.every if reader.shared else reader.orders
        for name, texts in (orders or {}).items():
            power, authors = self._writers(name, position)
            self._check(power, texts)
            entries: list[Entry] = []
            readings = read(power, texts) if power in self.readable else _minor_power_errors(power, texts)
            if authors == (power,) and OTHERWISE.isdisjoint(map(type, readings)):
                sheets[power, power] = (
                    *sheets.get((power, power), ()),
                    *map(Entry, cast("Sequence[Statement]", readings)),
                )
                continue
            for text, reading in zip(texts, readings, strict=True):
                if isinstance(reading, LineError) and reading.key == SEVERAL and (each := reader.each(power, text)):
                    entries += map(Entry, each)
                elif isinstance(reading, LineError):
                    unread.append(self.rows.unread(power, text, sentence(self.catalogue, reading)))
                elif not authors:
                    unread.append(
                        self.rows.unread(power, text, self.catalogue.say("outcome.nobodys-ward", power=power))
                    )
                elif isinstance(reading, list):
                    entries += map(Entry, reading)
                else:
                    entries.append(Entry(reading))
            for author in authors:
                sheets[author, power] = (*sheets.get((author, power), ()), *entries)
        return Submissions(sheets), unread

    def _writers(self, name: str, position: Position) -> tuple[str, tuple[str, ...]]:
        """Returns whose sheet the orders below this name are for, and who wrote it.

        For a power without a seat, everybody who may write for it counts; "Germany/Poland" is only Germany's.
        """
        seated = self.powers.get(name.casefold())
        if seated is not None:
            return seated, (seated,)
        author, slash, controlled = name.partition("/")
        power = self.minors.get((controlled or name).strip().casefold()) or self._power(name)
        may = sheet_writers(self.variant.step(position), position, self.variant, power)
        if not slash:
            return power, may
        writer = self._power(author.strip())
        return power, (writer,) if writer in may else ()

    def _power(self, name: str) -> str:
        power = self.powers.get(name.casefold())
        if power is None:
            known = ", ".join(self.variant.seated)
            raise ExchangeError(f"no power {clipped(name)} in {self.variant.title}; there are {known}")
        return power

    @staticmethod
    def _check(power: str, texts: object) -> None:
        if not isinstance(texts, list) or not {str}.issuperset(map(type, texts)):
            raise ExchangeError(f"orders of {power} must be a list of texts")
        if len(texts) > MOST_ORDERS:
            raise ExchangeError(f"orders of {power}: at most {MOST_ORDERS}")

    def _game_over(self, event: GameEnded) -> str:
        winners = self.catalogue.every(event.winners)
        why = self.catalogue.say(f"over.{event.why}", winners=winners)
        return f', "over": {written({"winners": list(event.winners), "why": why})}'

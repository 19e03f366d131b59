"""`gm adjudicate`: JSON lines in, JSON lines out, one position with its orders each.

    in : {"id": 7, "position": {…}, "orders": {"Austria": ["A Vie - Gal", "F Tri H"]}}
    out: {"id": 7, "results": [{"power": "Austria", "order": "A Vie - Gal", "outcome": "bounced", "by": ["A War"],
          "text": "…"}, …], "position": {… the next position at which somebody owes orders …}}

A line that is wrong gives {"id": …, "error": "…"} and the next line goes on. The form of a position is told in
`gm.text.exchange`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gm.desk.errors import GmError
from gm.judge.events import GameEnded, OrderResult, Outcome
from gm.judge.position import Position, Unit
from gm.judge.steps import Book, Entry, walk
from gm.judge.variant import Variant
from gm.library import Library
from gm.resources import folder
from gm.text import write
from gm.text.catalogue import Catalogue
from gm.text.catalogue import load as load_catalogue
from gm.text.exchange import ExchangeError, position_from_json, position_to_json
from gm.text.mistakes import sentence
from gm.text.read import read_order
from gm.text.reading import Context, Trouble

Row = dict[str, Any]
DEEPEST = "the JSON is nested too deeply"


def adjudicate_lines(lines: Iterable[str], library: Library) -> Iterator[str]:
    """One line out for every line in that is not blank, in the same order."""
    catalogue = load_catalogue(folder("templates") / "sentences", "en")
    for line in lines:
        if line.strip():
            yield _written(_line(line, library, catalogue))


def _written(row: Row) -> str:
    """As UTF-8 text where it can be; half a surrogate pair in an id, say, only goes out escaped."""
    text = json.dumps(row, ensure_ascii=False)
    return text if text.isprintable() else json.dumps(row)


def _line(line: str, library: Library, catalogue: Catalogue) -> Row:
    try:
        asked = json.loads(line)
    except ValueError as error:
        return {"id": None, "error": f"not JSON: {error}"}
    except RecursionError:
        return {"id": None, "error": DEEPEST}
    if not isinstance(asked, dict):
        return {"id": None, "error": "a line must be a JSON object with position and orders"}
    try:
        return {"id": asked.get("id")} | _answer(asked, library, catalogue)
    except (ExchangeError, GmError) as error:
        return {"id": asked.get("id"), "error": str(error)}


def _answer(asked: Mapping[str, Any], library: Library, catalogue: Catalogue) -> Row:
    told = asked.get("position")
    if not isinstance(told, dict):
        raise ExchangeError("position must be an object")
    variant = _variant(told, library)
    position = position_from_json(variant, told)
    unread: list[Row] = []
    book = _book(asked.get("orders"), variant, position, catalogue, unread)
    legs = walk(variant, position, book)
    rows: list[Row] = []
    over: Row = {}
    for number, leg in enumerate(legs):
        letter = leg.phase[-1:]
        results = [event for event in leg.turn.events if isinstance(event, OrderResult)]
        rows += [_row(result, letter, variant, catalogue) for result in results]
        rows += unread if number == 0 else []
        for event in leg.turn.events:
            if isinstance(event, GameEnded):
                why = catalogue.say(f"over.{event.why}", winners=write.joined(catalogue, event.winners))
                over = {"over": {"winners": list(event.winners), "why": why}}
    return {"results": rows, "position": position_to_json(variant, legs[-1].turn.position)} | over


def _variant(told: Mapping[str, Any], library: Library) -> Variant:
    name = told.get("variant")
    options = told.get("options") or {}
    if not isinstance(options, dict):
        raise ExchangeError("options must be an object")
    known = {one.casefold(): one for one in library.ids()}
    if not isinstance(name, str) or name.casefold() not in known:
        raise ExchangeError(f"no variant {name!r}; there are {', '.join(library.ids())}")
    return library.variant(known[name.casefold()], {str(key): str(value) for key, value in options.items()})


def _book(orders: object, variant: Variant, position: Position, catalogue: Catalogue, unread: list[Row]) -> Book:
    """What could be read; lines that could not go to `unread` as rows of the answer."""
    if not isinstance(orders or {}, dict):
        raise ExchangeError("orders must be an object: power -> list of orders")
    names = {power.name.casefold(): power.name for power in variant.powers}
    sheets: dict[tuple[str, str], tuple[Entry, ...]] = {}
    for name, texts in (orders or {}).items() if isinstance(orders, dict) else ():
        power = names.get(name.casefold())
        if power is None:
            raise ExchangeError(f"no power {name!r} in {variant.title}; there are {', '.join(names.values())}")
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise ExchangeError(f"orders of {power} must be a list of texts")
        context = Context(variant, position, power, any_unit=True)
        entries = list(sheets.get((power, power), ()))
        for text in texts:
            read = read_order(text, context)
            if isinstance(read, Trouble):
                unread.append(_unread(power, text, sentence(catalogue, read)))
            else:
                entries.append(Entry(read))
        sheets[power, power] = tuple(entries)
    return Book(sheets)


def _unread(power: str, text: str, why: str) -> Row:
    return {"power": power, "order": text, "outcome": Outcome.ILLEGAL.value, "text": why}


def _row(result: OrderResult, letter: str, variant: Variant, catalogue: Catalogue) -> Row:
    row: Row = {
        "power": result.power,
        "order": write.statement(result.order, letter),
        "outcome": result.outcome.value,
    }
    if not result.given:
        row["given"] = False
    failed = result.cause is not None and result.outcome is not Outcome.SUCCEEDS
    by: list[Unit] = list(result.cause.by) if result.cause and failed else []
    if result.dislodged_by is not None:
        row["dislodged"] = True
        by.append(result.dislodged_by)
    if by:
        row["by"] = list(dict.fromkeys(write.unit(unit) for unit in by))
    row["text"] = write.full_sentence(catalogue, result, variant)
    return row

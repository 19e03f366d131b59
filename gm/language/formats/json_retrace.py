"""Finds the position before a line that `gm adjudicate` printed, and its orders.

The line holds the orders with their outcomes, and the position that came of them. Where the units stood is said by the
orders; centres are told as they are afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from gm.judge.model.events import OrderResult, Outcome
from gm.judge.model.orders import Statement
from gm.judge.model.position import Position, Unit
from gm.judge.model.variant import Variant
from gm.language.formats.json_position import position_from_json, position_to_json
from gm.language.formats.json_values import ExchangeError, clipped
from gm.language.lines.letter_contents import LineError
from gm.language.orders.sheet_reader import KnownOrdersReader
from gm.language.rendering.order_text import unit as written

UNIT = re.compile(r"(?:(Build|Remove) )?(\w \S+)(?: - (\S+))?")
ADJUSTMENTS = ("Build ", "Remove ", "Waive")


class _Row(NamedTuple):
    power: str
    text: str
    outcome: Outcome
    document: dict[str, Any]
    verb: str
    unit: str
    goal: str


def retraced(variant: Variant, after: Position, results: list[Any]) -> tuple[Position, tuple[OrderResult, ...]]:
    """The position before, and its orders with their outcomes. Raises ExchangeError for other lines."""
    rows = list(_rows(results))
    before = position_from_json(variant, _before(variant, after, rows))
    return before, tuple(_results(variant, before, rows))


def _rows(results: list[Any]) -> Iterator[_Row]:
    for result in results:
        try:
            power, text, outcome = result["power"], result["order"], Outcome(result["outcome"])
            match = UNIT.match(text)
        except (KeyError, TypeError, ValueError):
            raise ExchangeError(f"{clipped(str(result))}: is no result of an order") from None
        if outcome is not Outcome.SUPERSEDED and (match or text.startswith(ADJUSTMENTS)):
            verb, unit, goal = match.groups("") if match else ("", "", "")
            yield _Row(str(power), text, outcome, result, verb, unit, goal)


def _before(variant: Variant, after: Position, rows: list[_Row]) -> dict[str, Any]:
    document = position_to_json(variant, after)
    units: dict[str, list[str]] = document["units"]
    letter = _letter(after, rows)
    document |= {"phase": _phase(variant, after, letter), "dislodged": {}}
    if letter == "M":
        there = {(power, unit) for power, mine in units.items() for unit in mine}
        there |= {(out.unit.power, written(out.unit)) for out in after.dislodged}
        stood = (row for row in rows if _stood(row, there))
        document["units"] = _grouped(dict.fromkeys((row.power, row.unit) for row in stood))
        return document
    for row in rows:
        mine = units.setdefault(row.power, [])
        if letter == "R":
            _withdraw(document["dislodged"], mine, row)
        elif row.verb == "Build" and row.unit in mine and row.outcome is Outcome.SUCCEEDS:
            mine.remove(row.unit)
        elif row.verb == "Remove" and row.outcome is Outcome.SUCCEEDS:
            mine.append(row.unit)
    return document


def _stood(row: _Row, there: set[tuple[str, str]]) -> bool:
    """An impossible order may be for a unit that never was; one that was stands where it stood, or was driven out."""
    return row.outcome is not Outcome.ILLEGAL or (row.power, row.unit) in there or bool(row.document.get("dislodged"))


def _letter(after: Position, rows: list[_Row]) -> str:
    if any(row.text.startswith(ADJUSTMENTS) for row in rows):
        return "A"
    standing = len({(row.power, row.unit) for row in rows if row.outcome is not Outcome.ILLEGAL})
    return "M" if standing >= len(after.units) + len(after.dislodged) else "R"


def _phase(variant: Variant, after: Position, letter: str) -> str:
    """The last phase of that kind before the position."""
    steps = variant.calendar
    for back in range(1, len(steps) + 1):
        step = steps[(after.at - back) % len(steps)]
        if step.letter == letter:
            return f"{step.season[0]}{after.year + (after.at - back) // len(steps)}{letter}"
    raise ExchangeError(f"{variant.title} has no phase to which these orders belong")


def _withdraw(dislodged: dict[str, list[Any]], mine: list[str], row: _Row) -> None:
    gone_to = f"{row.unit[:1]} {row.goal}"
    if row.outcome is Outcome.SUCCEEDS and gone_to in mine:
        mine.remove(gone_to)
    driven = dislodged.setdefault(row.power, [])
    item = next((item for item in driven if item["unit"] == row.unit), None)
    if item is None:
        driven.append(item := {"unit": row.unit, "by": row.unit, "retreats": []})
    if row.goal and row.outcome is not Outcome.ILLEGAL and row.goal not in item["retreats"]:
        item["retreats"].append(row.goal)


def _grouped(named: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    units: dict[str, list[str]] = {}
    for power, unit in named:
        units.setdefault(power, []).append(unit)
    return units


def _results(variant: Variant, before: Position, rows: list[_Row]) -> Iterator[OrderResult]:
    reader = KnownOrdersReader(variant, before, any_unit=True)
    for row in rows:
        statement: Statement | LineError = reader.orders(row.power, [row.text])[0]
        if isinstance(statement, LineError):
            continue
        unit = _unit(before, row)
        given = bool(row.document.get("given", True))
        by = unit if row.document.get("dislodged") else None
        yield OrderResult(row.power, statement, row.outcome, unit=unit, given=given, dislodged_by=by)


def _unit(before: Position, row: _Row) -> Unit | None:
    standing = (*before.units, *(out.unit for out in before.dislodged))
    kind, _, place = row.unit.partition(" ")
    return next((u for u in standing if (u.power, u.kind, str(u.at.place)) == (row.power, kind, place)), None)

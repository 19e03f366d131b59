"""Pages that record orders but no positions: the orders are adjudicated again, from the first phase on the page.

It begins at the start of the game, at the game's own position, or else with the units that the page orders. Where the
page says that a move failed or a unit was dislodged, the adjudication must agree.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.board.board import locate, locations
from gm.judge.model.calendar import resolve_phase
from gm.judge.model.events import Event, OrderResult, Outcome
from gm.judge.model.orders import Entry, Move, Statement, UnitOrder, UnitRef
from gm.judge.model.position import Position, Unit
from gm.judge.model.sheets import Submissions
from gm.judge.model.variant import Variant
from gm.language.formats.json_position import position_from_json, position_to_json
from gm.language.formats.json_values import ExchangeError
from gm.language.formats.saved_game import SavedGame, UnreadGameError
from gm.language.lines.letter_contents import LetterContext, LineError
from gm.language.orders.sheet_reader import read_order

MOST_ORDERS = 2_500
MARKS = re.compile(r"^[\s>|]*(?:[•·●○▪◦‣*–—-]\s+)?")
HTML = re.compile(r"<(?:html|body|div|ul|li|p)\b", re.IGNORECASE)
INLINE_TAG = re.compile(r"</?(?:u|b|i|em|strong|span|a|img|del|s)\b[^<>]{0,500}>", re.IGNORECASE)
TAG = re.compile(r"<[^<>]{1,500}>")
INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")


class RecordedOrder(Struct, frozen=True):
    """An order as text for our reader. `failed` and `dislodged` are None where the page does not tell."""

    power: str
    text: str
    failed: bool | None = None
    dislodged: bool | None = None


class RecordedTurns(Struct):
    """The orders of a page by phase ("S1901M")."""

    orders: dict[str, list[RecordedOrder]]

    def add(self, phase: str, order: RecordedOrder) -> None:
        if sum(map(len, self.orders.values())) >= MOST_ORDERS:
            raise UnreadGameError("too-much")
        self.orders.setdefault(phase, []).append(order)


def page_lines(text: str) -> list[str]:
    """The lines of a copied page, or of its HTML, without quote marks, bullets and invisible characters."""
    if HTML.search(text):
        text = html.unescape(TAG.sub("\n", INLINE_TAG.sub("", text)))
    plain = INVISIBLE.sub("", text.replace("\xa0", " "))
    return [MARKS.sub("", line).strip() for line in plain.splitlines()]


def replayed(variant: Variant, own: Mapping[str, Any], turns: RecordedTurns) -> SavedGame:
    """The position after the last recorded phase. Raises UnreadGameError."""
    if not turns.orders:
        raise UnreadGameError("no-orders")
    left = {_ranked(variant, phase): phase for phase in turns.orders}
    position, assumed = _beginning(variant, own, turns, left[min(left)])
    while left:
        position, over = _after(variant, position, turns, left)
        if over:
            assumed = (*assumed, "over")
    return SavedGame(position_to_json(variant, position), len(turns.orders), assumed)


def _ranked(variant: Variant, phase: str) -> tuple[int, int]:
    try:
        return variant.phase_at(phase)
    except ValueError:
        raise UnreadGameError("page-gap", phase=phase) from None


def _after(
    variant: Variant, position: Position, turns: RecordedTurns, left: dict[tuple[int, int], str]
) -> tuple[Position, bool]:
    """The next position, and whether the game is over there. Takes the phase out of `left`."""
    phase = left.pop((position.year, position.at), "")
    name = phase or variant.phase_name(position)
    if not phase and (name.endswith("M") or min(left) < (position.year, position.at)):
        missing = min(left)
        late = missing < (position.year, position.at)
        raise UnreadGameError("page-differs" if late else "page-gap", phase=left[missing] if late else name)
    recorded = turns.orders.get(phase, [])
    read = [_read(variant, position, phase, order) for order in recorded]
    sheets: dict[tuple[str, str], list[Entry]] = {}
    for order, statement in zip(recorded, read, strict=True):
        sheets.setdefault((order.power, order.power), []).append(Entry(statement))
    legs = resolve_phase(variant, position, Submissions({who: tuple(sheet) for who, sheet in sheets.items()}))
    _check(phase, zip(recorded, read, strict=True), legs[0].turn.events)
    after = legs[-1].turn.position
    if after.ended is not None and left:
        raise UnreadGameError("page-differs", phase=phase)
    return replace(after, ended=None), after.ended is not None


def _read(variant: Variant, position: Position, phase: str, order: RecordedOrder) -> Statement:
    context = LetterContext(variant, position, order.power, any_unit=True)
    statement = read_order(order.text, context)
    if isinstance(statement, LineError):
        raise UnreadGameError("page-order", line=f"{order.power}: {order.text}", phase=phase)
    return statement


def _check(phase: str, recorded: Iterable[tuple[RecordedOrder, Statement]], events: Iterable[Event]) -> None:
    """Raises UnreadGameError if the page tells another outcome, or orders a unit that does not stand there."""
    results = {
        (event.power, event.order.unit.at.province): event
        for event in events
        if isinstance(event, OrderResult) and isinstance(event.order, UnitOrder) and event.given
    }
    for order, statement in recorded:
        if not isinstance(statement, UnitOrder):
            continue
        result = results.get((order.power, statement.unit.at.province))
        if result is None or result.unit is None or not _agrees(order, statement, result):
            raise UnreadGameError("page-differs", phase=f"{phase}, {order.power}: {order.text}")


def _agrees(order: RecordedOrder, statement: Statement, result: OrderResult) -> bool:
    failed = result.outcome is not Outcome.SUCCEEDS
    driven = result.dislodged_by is not None
    moves = isinstance(statement, Move)
    return (not moves or order.failed in (None, failed)) and order.dislodged in (None, driven)


# ---- where it begins


def _beginning(
    variant: Variant, own: Mapping[str, Any], turns: RecordedTurns, first: str
) -> tuple[Position, tuple[str, ...]]:
    if first == variant.phase_name(variant.start):
        return variant.start, ()
    try:
        position = position_from_json(variant, own)
    except ExchangeError:
        position = variant.start
    year, at = variant.phase_at(first)
    here = replace(position, year=year, at=at, ended=None)
    if (position.year, position.at) == (year, at) and all(
        _stands(position, order, _read(variant, position, first, order)) for order in turns.orders[first]
    ):
        return here, ("continued",)
    if not first.endswith("M"):
        raise UnreadGameError("page-start", phase=first, start=variant.phase_name(variant.start))
    units = tuple(dict.fromkeys(_ordered_units(variant, here, first, turns.orders[first])))
    return replace(here, units=units, dislodged=(), before=here.centres), ("centres",)


def _stands(position: Position, order: RecordedOrder, statement: Statement) -> bool:
    if not isinstance(statement, UnitOrder):
        return True
    everybody = (*position.units, *(out.unit for out in position.dislodged))
    at, kind = statement.unit.at.province, statement.unit.kind
    return any((unit.power, unit.kind, unit.at.province) == (order.power, kind, at) for unit in everybody)


def _ordered_units(variant: Variant, position: Position, phase: str, orders: Iterable[RecordedOrder]) -> Iterator[Unit]:
    empty = replace(position, units=(), dislodged=())
    for order in orders:
        statement = _read(variant, empty, phase, order)
        if isinstance(statement, UnitOrder):
            yield _unit(variant, position, phase, order, statement.unit)


def _unit(variant: Variant, position: Position, phase: str, order: RecordedOrder, unit: UnitRef) -> Unit:
    kind = variant.kinds[unit.kind]
    at = locate(position.board, kind, unit.at) or next(iter(locations(position.board, kind, unit.at.province)), None)
    if at is None:
        raise UnreadGameError("page-order", line=f"{order.power}: {order.text}", phase=phase)
    return Unit(order.power, unit.kind, at)

"""Writes order results as the JSON rows of `gm adjudicate`.

    {"power": "Austria", "order": "A Vie - Gal", "outcome": "bounced", "by": ["A War"], "text": "…"}

Only for speed, rows are put together from cached texts: the order, and its end from the outcome on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from json.encoder import encode_basestring
from typing import Any

from gm.judge.model.events import Allocated, Event, OrderResult, Outcome
from gm.judge.model.orders import Allocate, Waive
from gm.judge.model.position import Position, Unit
from gm.judge.model.variant import Variant
from gm.language.formats.json_position import besides_to_json, phase_to_json
from gm.language.formats.json_values import ExchangeError
from gm.language.i18n.catalogue import Catalogue
from gm.language.rendering import order_text as write

MEMO = 16_384
DEEPEST = "the JSON is nested too deeply"
SUCCEEDS = Outcome.SUCCEEDS
HEADS = {outcome: f'"outcome": "{outcome}"' for outcome in Outcome}
BETWEEN = '", "'
"""Between codes of provinces, which are letters and digits alone."""
NOTHING_BESIDES = '"dislodged": {}}'


def quoted(text: str) -> str:
    """A JSON text, as UTF-8 where it can be."""
    quoted_text: str = encode_basestring(text) if text.isascii() or text.isprintable() else json.dumps(text)
    return quoted_text


_ENCODE = json.JSONEncoder(ensure_ascii=False).encode


def written(value: object) -> str:
    """JSON as UTF-8 text where it can be; half a surrogate pair in an id, say, only goes out escaped."""
    if type(value) is int:
        return str(value)
    try:
        text = _ENCODE(value)
    except RecursionError:
        raise ExchangeError(DEEPEST) from None
    return text if text.isascii() or text.isprintable() else json.dumps(value)


def _subject(result: OrderResult) -> tuple[str, Unit | None]:
    """Whose order it is, where the sentence names units of that power, and the unit, where it names places."""
    power, unit, driver = result.power, None, result.dislodged_by
    whose = power if driver is not None and driver.power == power else ""
    for cause in (result.cause, result.dislodged_cause):
        if cause is not None:
            unit = result.unit if cause.places else unit
            for named in cause.by:
                whose = power if named.power == power else whose
            for named in cause.helpers:
                whose = power if named.power == power else whose
    return whose, unit


class _Texts(dict[Any, str]):
    """The JSON texts of values, made when they are first asked for; dropped when there are too many."""

    def __init__(self, render: Callable[[Any], str]) -> None:
        self._render = render

    def __missing__(self, value: Any) -> str:
        if len(self) >= MEMO:
            self.clear()
        text = self[value] = quoted(self._render(value))
        return text


class ResultWriter:
    """Writes the rows of one variant's positions."""

    def __init__(self, catalogue: Catalogue, variant: Variant) -> None:
        self._catalogue = catalogue
        self._variant = variant
        self._powers = {name: quoted(name) for name in variant.nations}
        self._units = _Texts(write.unit)
        self._orders: dict[str, _Texts] = {}
        self._ends: dict[tuple[object, ...], str] = {}
        self._success = self._told(OrderResult("", Waive(), SUCCEEDS))

    def rows(self, events: Iterable[Event], letter: str) -> tuple[list[str], list[Event]]:
        """The rows of the order results among these events, and the other events. `letter` is that of the phase."""
        powers, ends = self._powers, self._ends
        if letter not in self._orders:
            self._orders[letter] = _Texts(lambda order: write.statement(order, letter))
        orders = self._orders[letter]
        rows: list[str] = []
        others: list[Event] = []
        success = self._success
        for result in events:
            if type(result) is not OrderResult:
                others.append(result)
                continue
            power, cause, by = result.power, result.cause, result.dislodged_by
            if cause is None and by is None and result.outcome is SUCCEEDS and result.given and not result.bought:
                end = success
            else:
                key = (
                    result.outcome, result.given, cause, by, result.dislodged_cause, result.bought, result.gone,
                    _subject(result),
                )  # fmt: skip
                end = ends.get(key) or self._end(key, result)
            order = orders[result.order]
            rows.append(f'{{"power": {powers.get(power) or quoted(power)}, "order": {order}, {end}}}')
        return rows, others

    def position(self, position: Position) -> str:
        """The document of `gm.language.formats.json_position.position_to_json` as JSON, its units and centres by
        what is known."""
        text = self._units.__getitem__
        units: list[str] = []
        centres: list[str] = []
        for power, name in self._powers.items():
            if own := position.units_of(power):
                units.append(f"{name}: [{', '.join(map(text, own))}]")
            if codes := position.centres_of(power):
                centres.append(f'{name}: ["{BETWEEN.join(codes)}"]')
        phase = quoted(phase_to_json(self._variant, position))
        told_besides = besides_to_json(self._variant, position)
        besides = NOTHING_BESIDES if told_besides == {"dislodged": {}} else written(told_besides).removeprefix("{")
        head = f'{{"variant": {quoted(self._variant.id)}, "phase": {phase}, "units": {{{", ".join(units)}}}'
        return f'{head}, "centers": {{{", ".join(centres)}}}, {besides}'

    def allocated(self, event: Allocated) -> str:
        """A line of points, and whether its order became that of the minor power's unit."""
        why = write.points_sentence(self._catalogue, event)
        line = write.statement(Allocate(event.points, event.minor, event.order))
        return self.unread(event.power, line, why, SUCCEEDS if event.followed else Outcome.VOID)

    @staticmethod
    def unread(power: str, text: str, why: str, outcome: Outcome = Outcome.ILLEGAL) -> str:
        """A line that no order could be made of, that nobody followed, or that ordered no unit of the power's."""
        fields = f'"outcome": "{outcome.value}", "text": {quoted(why)}'
        return f'{{"power": {quoted(power)}, "order": {quoted(text)}, {fields}}}'

    def _end(self, key: tuple[object, ...], result: OrderResult) -> str:
        if len(self._ends) >= MEMO:
            self._ends.clear()
        end = self._ends[key] = self._told(result)
        return end

    def _told(self, result: OrderResult) -> str:
        outcome, cause, driver = result.outcome, result.cause, result.dislodged_by
        fields = HEADS[outcome] if result.given else f'{HEADS[outcome]}, "given": false'
        by, orders = (cause.by, cause.orders) if cause is not None and outcome is not SUCCEEDS else ((), ())
        if driver is not None:
            fields += ', "dislodged": true'
            by = by if driver == result.unit else (*by, driver)
        if by or orders:
            names = [self._units[unit] for unit in by]
            names += [quoted(write.statement(statement)) for _, statement in orders]
            fields += f', "by": [{", ".join(dict.fromkeys(names))}]'
        if result.bought:
            fields += ', "dips": 1'
        return f'{fields}, "text": {quoted(write.full_sentence(self._catalogue, result, self._variant))}'

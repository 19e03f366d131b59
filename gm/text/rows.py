"""Order results as the JSON rows of `gm adjudicate`, written piece by piece because the pieces come again and again.

    {"power": "Austria", "order": "A Vie - Gal", "outcome": "bounced", "by": ["A War"], "text": "…"}

A row is whose order it was and its end, from the outcome on. Orders are known by identity, as the reader gives the same
value for a line it has read before; ends by all that they tell.
"""

from __future__ import annotations

import json
from json.encoder import encode_basestring

from gm.judge.events import OrderResult, Outcome
from gm.judge.statements import Statement
from gm.judge.variant import Variant
from gm.text import write
from gm.text.catalogue import Catalogue

MEMO = 16_384


def quoted(text: str) -> str:
    """A JSON text, as UTF-8 where it can be."""
    found: str = encode_basestring(text) if text.isascii() or text.isprintable() else json.dumps(text)
    return found


class Rows:
    """Writes the rows of one variant's positions."""

    def __init__(self, catalogue: Catalogue, variant: Variant) -> None:
        self._catalogue = catalogue
        self._variant = variant
        self._powers = {power.name: quoted(power.name) for power in variant.powers}
        self._orders: dict[tuple[int, str], tuple[Statement, str]] = {}
        self._ends: dict[tuple[object, ...], str] = {}

    def row(self, result: OrderResult, letter: str) -> str:
        """`letter` is that of the phase."""
        power = self._powers.get(result.power) or quoted(result.power)
        order = self._order(result.order, letter) if result.given else quoted(write.statement(result.order, letter))
        return f'{{"power": {power}, "order": {order}, {self._end(result)}}}'

    @staticmethod
    def unread(power: str, text: str, why: str, outcome: Outcome = Outcome.ILLEGAL) -> str:
        """A line that no order could be made of, or that nobody followed."""
        told = f'"outcome": "{outcome.value}", "text": {quoted(why)}'
        return f'{{"power": {quoted(power)}, "order": {quoted(text)}, {told}}}'

    def _order(self, said: Statement, letter: str) -> str:
        found = self._orders.get((id(said), letter))
        if found is None:
            if len(self._orders) >= MEMO:
                self._orders.clear()
            found = self._orders[id(said), letter] = said, quoted(write.statement(said, letter))
        return found[1]

    def _end(self, result: OrderResult) -> str:
        key: tuple[object, ...] = id(result.outcome), result.given
        if result.cause is not None or result.dislodged_by is not None:
            kind = result.unit and result.unit.kind
            key = (*key, result.power, result.cause, result.dislodged_by, result.dislodged_cause, kind)
        if result.bought:
            key = (*key, result.bought)
        found = self._ends.get(key)
        if found is None:
            if len(self._ends) >= MEMO:
                self._ends.clear()
            found = self._ends[key] = self._told(result)
        return found

    def _told(self, result: OrderResult) -> str:
        told = f'"outcome": "{result.outcome.value}"'
        if not result.given:
            told += ', "given": false'
        cause = result.cause
        by = list(cause.by) if cause is not None and result.outcome is not Outcome.SUCCEEDS else []
        if result.dislodged_by is not None:
            told += ', "dislodged": true'
            by += [result.dislodged_by] if result.dislodged_by != result.unit else []
        names = [write.unit(unit) for unit in by]
        if cause is not None and result.outcome is not Outcome.SUCCEEDS:
            names += [write.statement(said) for _, said in cause.orders]
        if names:
            units = dict.fromkeys(map(quoted, names))
            told += f', "by": [{", ".join(units)}]'
        if result.bought:
            told += ', "dips": 1'
        return f'{told}, "text": {quoted(write.full_sentence(self._catalogue, result, self._variant))}'

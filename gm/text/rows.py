"""Order results as the JSON rows of `gm adjudicate`, written piece by piece because the pieces come again and again.

    {"power": "Austria", "order": "A Vie - Gal", "outcome": "bounced", "by": ["A War"], "text": "…"}

A row is whose order it was and its end, from the outcome on. Both come again and again, so they are remembered.
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
SUCCEEDS = Outcome.SUCCEEDS


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
        self._orders: dict[tuple[Statement, str], str] = {}
        self._ends: dict[tuple[object, ...], str] = {}
        self._quiet = ""

    def row(self, result: OrderResult, letter: str) -> str:
        """`letter` is that of the phase."""
        power = self._powers.get(result.power) or quoted(result.power)
        order = self._orders.get((result.order, letter)) or self._order(result.order, letter)
        return f'{{"power": {power}, "order": {order}, {self._end(result)}}}'

    @staticmethod
    def unread(power: str, text: str, why: str) -> str:
        """A line that no order could be made of."""
        outcome = Outcome.ILLEGAL.value
        return f'{{"power": {quoted(power)}, "order": {quoted(text)}, "outcome": "{outcome}", "text": {quoted(why)}}}'

    def _order(self, said: Statement, letter: str) -> str:
        if len(self._orders) >= MEMO:
            self._orders.clear()
        found = self._orders[said, letter] = quoted(write.statement(said, letter))
        return found

    def _end(self, result: OrderResult) -> str:
        _, _, outcome, cause, unit, given, by, how, *_ = result
        if cause is None and by is None and given and outcome is SUCCEEDS:
            self._quiet = self._quiet or self._told(result)
            return self._quiet
        key = outcome.value, given, result.power, cause, by, how, unit and unit.kind
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
        by = list(cause.by) if cause is not None and result.outcome is not SUCCEEDS else []
        if result.dislodged_by is not None:
            told += ', "dislodged": true'
            by.append(result.dislodged_by)
        if by:
            units = dict.fromkeys([quoted(write.unit(unit)) for unit in by])
            told += f', "by": [{", ".join(units)}]'
        return f'{told}, "text": {quoted(write.full_sentence(self._catalogue, result, self._variant))}'

"""Supports that words take back by what they support: "no support for Vienna", "cancel the dips for Constantinople"."""

from __future__ import annotations

from collections.abc import Sequence

from gm.judge.mechanics.dips.dip_orders import DipOrder, DipSupport, NoDips
from gm.judge.model.orders import Slot, Statement, Support, slot_province
from gm.language.lines.spans import Fate
from gm.language.prose.guesses.dips_guess import NO_DIPS
from gm.language.prose.memory import goals_of
from gm.language.prose.readings import ClauseReading
from gm.language.prose.stretches import StretchReader

OF_SUPPORT = frozenset({"SUPPORT", "POINTS", "PLACE", "KIND", "OF", "TO", "MINUS", "ARROW", "SEP", "NONE", "NO"})
"""Token types of words about a support alone."""
MOST_OTHERS = 2
"""Most other words in them: "any support for Vienna"."""


def support_cancelled(reader: StretchReader, text: str, start: int, named: int, end: int) -> ClauseReading | None:
    """The clause from `start` on, whose words from `named` on mean a single support, or dips that are paid for one."""
    meant = _meant(reader, text, named, end)
    if len(meant) != 1:
        return None
    if isinstance(meant[0], Support):
        province = slot_province(meant[0].slot)
        reader.free(province)
        return ClauseReading(start, end, Fate.COMMAND, cancels=(province,))
    dips = (order for order in _standing(reader).values() if isinstance(order, DipOrder) and order not in meant)
    kept = tuple(order for order in dips if not isinstance(order, NoDips))
    orders = reader.orders_of((NO_DIPS, *reader.lines(kept)), text, start, end)
    return ClauseReading(start, end, Fate.ORDER, orders)


def _meant(reader: StretchReader, text: str, named: int, end: int) -> Sequence[Statement]:
    """The supports of what words name behind a word for supports, and by no unit but those that they name."""
    tokens = reader.plain_tokens(text, named, end)
    acts = [at for at, token in enumerate(tokens) if token.type in ("SUPPORT", "POINTS")]
    if not acts or sum(token.type not in OF_SUPPORT for token in tokens) > MOST_OTHERS:
        return ()
    places = [{*token.value.provinces} for token in tokens if token.type == "PLACE"]
    helped = {code for token in tokens[acts[0] + 2 :] if token.type == "PLACE" for code in token.value.provinces}
    kinds = (Support, DipSupport) if tokens[acts[0]].type == "SUPPORT" else (DipSupport,)
    helps = [order for order in _standing(reader).values() if isinstance(order, kinds)]
    return [
        order
        for order in helps
        if order.target.at.province in helped and all(place & _named_by(order) for place in places)
    ]


def _named_by(order: Support | DipSupport) -> set[str]:
    supporter = {slot_province(order.slot)} if isinstance(order, Support) else set()
    return {order.target.at.province} | goals_of(order) | supporter


def _standing(reader: StretchReader) -> dict[Slot, Statement]:
    return {order.slot: order for order in (*reader.memory.on_file, *reader.memory.statements)}

"""A province may have several orders, of a unit on the ground and of one in the air: which of them words mean."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from gm.judge.model.orders import Build, Disband, Slot, Statement, UnitOrder, slot_province
from gm.language.orders.parsing.lexer import Token


def slots_spared(orders: Iterable[Statement], province: str, text: str, tokens: Sequence[Token]) -> tuple[Slot, ...]:
    """The slots of orders in the province that words for another kind of unit there do not mean: those of the wing in
    "cancel the fleet in Hanover".
    """
    kinds = {
        order.slot: order.unit.kind
        for order in orders
        if isinstance(order, UnitOrder | Build | Disband) and slot_province(order.slot) == province
    }
    if len(kinds) < 2:
        return ()
    named = _kinds_beside(province, text, tokens)
    spared = tuple(slot for slot, kind in kinds.items() if kind not in named)
    return spared if len(spared) < len(kinds) else ()


def _kinds_beside(province: str, text: str, tokens: Sequence[Token]) -> Collection[str]:
    """The kinds of unit in front of the province, or directly behind it; where it is not named, all kinds."""
    kinds: set[str] = set()
    every: set[str] = set()
    is_named = False
    before = ""
    for at, token in enumerate(tokens):
        if token.type == "KIND" and (token.end_pos > token.start_pos + 1 or text[token.start_pos].isupper()):
            before = str(token.value)
            every.add(before)
        elif token.type == "PLACE" and province in token.value.provinces:
            is_named = True
            behind = tokens[at + 1] if at + 1 < len(tokens) else None
            kinds |= {before} if before else {str(behind.value)} if behind and behind.type == "KIND" else set()
        elif token.type == "PLACE":
            before = ""
    return kinds if is_named else every

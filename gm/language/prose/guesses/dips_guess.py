"""Dips in words: "read whatever passes between France and Russia (intercept, 2 dips)"."""

from __future__ import annotations

from gm.language.prose.clause import Clause
from gm.language.prose.guess import Guess, guess_moves

LISTING = ("INTERCEPT", "PROTECT")


def guess_dips(clause: Clause) -> Guess | None:
    verbs = clause.of(*LISTING)
    if not verbs and clause.is_sentence:
        return None
    if not verbs and {"NUMBER", "POINTS"} <= clause.types:
        return _paid(clause)
    if not verbs:
        return guess_moves(clause.tokens, clause.context, clause.memory, clause.legal)
    powers = list(dict.fromkeys(str(token.value) for token in clause.of("NATION")))
    if len(verbs) > 1 or "PLACE" in clause.types or len(powers) != (2 if verbs[0].type == "INTERCEPT" else 1):
        return None
    return clause.guess([f"{verbs[0].type.lower()} {', '.join(powers)}"])


def _paid(clause: Clause) -> Guess | None:
    """ "A LON - PLY (3 dips)": a support of this order, which the writer gives as well where the unit is theirs."""
    dips = clause.of("NUMBER")
    plain = [token for token in clause.tokens if token.type not in ("NUMBER", "POINTS", "SUPPORT", "SEP")]
    if len(dips) != 1 or clause.types & {"CONVOY", "VIA", "SUPPORT"}:
        return None
    order = guess_moves(plain, clause.context, clause.memory, clause.legal)
    if order is None or len(order.lines) != 1:
        return None
    line = order.lines[0]
    held = line.endswith(" H")
    bought = f"{dips[0].value} dips support {line.removesuffix(' H')}" + (" hold" if held else "")
    return clause.guess([line, bought], certain=order.certain)

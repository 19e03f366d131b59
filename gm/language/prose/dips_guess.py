"""Dips in words: "read whatever passes between France and Russia (intercept, 2 dips)"."""

from __future__ import annotations

from gm.language.prose.clause import Clause
from gm.language.prose.guess import Guess, guess_moves

LISTING = ("INTERCEPT", "PROTECT")


def guess_dips(clause: Clause) -> Guess | None:
    verbs = clause.of(*LISTING)
    if not verbs and clause.is_sentence:
        return None
    if not verbs:
        return guess_moves(clause.tokens, clause.context, clause.memory, clause.legal)
    powers = list(dict.fromkeys(str(token.value) for token in clause.of("NATION")))
    if len(verbs) > 1 or "PLACE" in clause.types or len(powers) != (2 if verbs[0].type == "INTERCEPT" else 1):
        return None
    return clause.guess([f"{verbs[0].type.lower()} {', '.join(powers)}"])

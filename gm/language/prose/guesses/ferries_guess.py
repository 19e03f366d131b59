"""Leave to pass in words: "allow passage through IRI for France and Italy"."""

from __future__ import annotations

from gm.language.prose.clause import Clause
from gm.language.prose.guess import Guess
from gm.language.prose.guesses.moves_guess import guess_orders

LEAVE = frozenset({"ALLOW", "PASSAGE", "PLACE", "NATION", "FOR", "OF", "TO", "VIA", "SEP"})
"""Types of tokens of nothing but leave to pass."""


def guess_passage(clause: Clause) -> Guess | None:
    if "ALLOW" not in clause.types:
        return None if clause.is_sentence else guess_orders(clause)
    places = clause.of("PLACE")
    if "PASSAGE" not in clause.types or len(places) != 1 or not clause.types <= LEAVE:
        return None
    here = f"allow passage {places[0].value.text}"
    nations = [str(token.value) for token in clause.of("NATION")]
    return clause.guess([f"{here} for {nation}" for nation in nations] or [here])

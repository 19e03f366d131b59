"""Leave to pass in words: "allow passage through IRI for France and Italy", "my fleets let England pass"."""

from __future__ import annotations

from gm.language.prose.guesses.clause import Clause
from gm.language.prose.guesses.guess import Guess
from gm.language.prose.guesses.moves_guess import guess_orders

LEAVE = frozenset({"PLACE", "NATION", "KIND"}) | {
    "ALLOW",
    "PASSAGE",
    "FOR",
    "OF",
    "TO",
    "VIA",
    "SEP",
    "FROM",
    "WITH",
    "BY",
    "ARROW",
    "HOLD",
}
"""Types of tokens of nothing but leave to pass."""
ENDS = 2
"""Of a ferry."""


def guess_passage(clause: Clause) -> Guess | None:
    if "ALLOW" not in clause.types:
        return None if clause.is_sentence else guess_orders(clause)
    if not clause.types & {"PASSAGE", "VIA"} or (clause.is_sentence and "HOLD" in clause.types):
        return None
    here = {unit.at.province for unit in clause.context.own_units}
    places = clause.of("PLACE")
    ends = [place for place in places if not here & set(place.value.provinces)]
    places = ends if len(ends) == ENDS else places
    if len(places) > ENDS or not clause.types <= LEAVE:
        return None
    where = " - ".join(place.value.text for place in places)
    nations = dict.fromkeys(str(token.value) for token in clause.of("NATION"))
    start = f"allow passage {where}".rstrip()
    lines = [f"{start} for {nation}" for nation in nations] or [start]
    return clause.guess(lines) if places or nations else None

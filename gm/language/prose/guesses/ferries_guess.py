"""Leave to pass in words: "allow passage through IRI for France and Italy", "my fleets let England pass"."""

from __future__ import annotations

from gm.language.prose.guesses.clause import Clause
from gm.language.prose.guesses.guess import REFUSED, Guess
from gm.language.prose.guesses.moves_guess import guess_orders
from gm.language.prose.phrases.word_lists import word_lists

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
    where = " - ".join(place.value.text for place in places) or _where_it_lies(clause)
    nations = dict.fromkeys(str(token.value) for token in clause.of("NATION"))
    start = f"allow passage {where}".rstrip()
    lines = [f"{start} for {nation}" for nation in nations] or [start]
    guess = clause.guess(lines) if where or nations else None
    return guess if guess is not None or places or not where else REFUSED  # it gives no leave at other places


def _where_it_lies(clause: Clause) -> str:
    """ "AEG holds and lets everybody pass": the place of the unit that was spoken of last, of which the verb speaks."""
    verb = clause.of("ALLOW")[0]
    word = clause.text[verb.start_pos : verb.end_pos].lower()
    return clause.memory.place if word in word_lists(clause.context.variant.language).letting else ""

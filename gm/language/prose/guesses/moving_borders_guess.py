"""Seismic events in words: "split Portugal from Spain and join the Mid-Atlantic with itself", "none this time"."""

from __future__ import annotations

from gm.language.prose.clause import Clause
from gm.language.prose.guess import Guess

VERBS = ("SEPARATE", "CONNECT")
EVENT = frozenset({*VERBS, "PLACE", "ITSELF", "FROM", "OF", "TO", "WITH", "SEP", "HEAD", "ARROW", "MINUS", "PLUS"})


def guess_event(clause: Clause) -> Guess | None:
    """The first two provinces belong to the first verb, whether it stands before, between or behind them."""
    if clause.types <= {"NONE", "HEAD", "SEP", "MINUS"} and "NONE" in clause.types:
        return clause.guess(["Seismic none"])
    verbs = list(dict.fromkeys(token.type for token in clause.of(*VERBS)))  # "pull … apart" says it twice
    places: list[str] = []
    for token in clause.of("PLACE", "ITSELF"):
        if token.type == "ITSELF" and not len(places) % 2:
            return None
        places.append(token.value.text if token.type == "PLACE" else places[-1])
    ends = [token.start_pos for token in clause.of("PLACE", "ITSELF")]
    parted = verbs == ["SEPARATE"] and len(places) == len(("A", "B", "C", "D"))
    if parted and clause.of("SEPARATE")[-1].start_pos < ends[2]:
        verbs.append("CONNECT")  # "A and B part, C and D instead"
    if not clause.types <= EVENT or len(places) != 2 * len(verbs):
        return None
    pairs = [f"{places[2 * at]} & {places[2 * at + 1]} {verb.lower()}" for at, verb in enumerate(verbs)]
    return clause.guess([", ".join(pairs)]) if pairs and "CONNECT" in verbs else None

"""Seismic events in words: "split Portugal from Spain and join the Mid-Atlantic with itself", "none this time"; and the
berths of fleets on a coast that splits: "my fleet in Albania keeps to the Adriatic side".
"""

from __future__ import annotations

from gm.judge.board.planar_board import PlanarBoard
from gm.language.prose.guesses.clause import Clause
from gm.language.prose.guesses.guess import Flaw, Guess

NO_EVENT = "Seismic none"
FLEET = "F"
VERBS = ("SEPARATE", "CONNECT")
PROVINCES_OF_EVENT = 4
"""Two that part and two that meet."""
NO_MORE_THAN_NONE = frozenset({"NONE", "HEAD", "SEP", "MINUS", "FROM", "NATION"})
EVENT = frozenset({*VERBS, "PLACE", "ITSELF", "FROM", "OF", "TO", "WITH", "SEP", "HEAD", "ARROW", "MINUS", "PLUS"})


def guess_event(clause: Clause) -> Guess | None:
    """The first two provinces belong to the first verb, whether it stands before, between or behind them."""
    is_own = all(token.value == clause.context.power for token in clause.of("NATION"))  # "no event from Austria"
    if clause.types <= NO_MORE_THAN_NONE and "NONE" in clause.types and is_own:
        return clause.guess([NO_EVENT])
    if not clause.types & {*VERBS} and (placed := _placement(clause)):
        return placed
    verbs = list(dict.fromkeys(token.type for token in clause.of(*VERBS)))  # "pull … apart" says it twice
    named, places = clause.of("PLACE", "ITSELF"), list[str]()
    for token in named:
        if token.type == "ITSELF" and not len(places) % 2:
            return None
        places.append(token.value.text if token.type == "PLACE" else places[-1])
    parted = verbs == ["SEPARATE"] and len(places) == PROVINCES_OF_EVENT
    if parted and clause.of("SEPARATE")[-1].start_pos < named[2].start_pos:
        verbs.append("CONNECT")  # "A and B part, C and D instead"
    if not clause.types <= EVENT or len(places) != 2 * len(verbs):
        return None
    pairs = [f"{places[2 * at]} & {places[2 * at + 1]} {verb.lower()}" for at, verb in enumerate(verbs)]
    if verbs == ["SEPARATE"]:  # what connects is asked
        return Guess((), certain=True, flaws=(Flaw(pairs[0], clause.tokens[0].start_pos, named[-1].end_pos),))
    return clause.guess([", ".join(pairs)]) if pairs and "CONNECT" in verbs else None


def _placement(clause: Clause) -> Guess | None:
    """The coasts that the writer's fleet takes, the first one named before the others."""
    if not clause.types & {"KIND", "ASHORE"} or "NONE" in clause.types:
        return None
    board = clause.context.position.board
    fleets = [unit.at.province for unit in clause.context.own_units if unit.kind == FLEET]
    named = list(dict.fromkeys(token.value.provinces for token in clause.of("PLACE")))
    homes = [code for provinces in named for code in provinces if code in fleets]
    lines: dict[str, None] = {}
    for home in homes or fleets:
        seas = [token.value.provinces[0] for token in clause.of("PLACE") if home not in token.value.provinces]
        near = isinstance(board, PlanarBoard) and all(board.numbered_borders(home, sea) for sea in seas)
        lines |= dict.fromkeys(clause.legal(f"{FLEET} {home} coast {', '.join(seas)}") if seas and near else ())
    return clause.guess(list(lines)) if len(lines) == 1 else None

"""An army that other words name before, and that a fleet carries: "Norway's army takes a boat trip, NTH ships it to …".

What moves is never the fleet whose words say that it brings somebody: without an army that it can carry, the clause is
not certain.
"""

from __future__ import annotations

from msgspec.structs import replace

from gm.judge.board.board import Use
from gm.language.prose.guesses.clause import Clause
from gm.language.prose.guesses.guess import Guess
from gm.language.prose.guesses.named_orders import SUPPORTS
from gm.language.prose.guesses.plain_motion import lists_of, unknown_words
from gm.language.prose.mentions import AWAY, Mention, mentions_of, unit_called

ARMY, FLEET = "A", "F"
PARTS = 2
"""A fleet, and where it brings the army."""


def carried_along(clause: Clause) -> Guess | None:
    """The army spoken of before, where the clause says that a fleet brings it somewhere."""
    mentions = mentions_of(clause.tokens, clause.context)
    if not clause.carries or len(mentions) != PARTS or clause.types & (SUPPORTS | {"HOLD"}):
        return None
    fleet, goal = mentions
    lines = journey(clause, clause.it, fleet, goal.place)
    words = lists_of(clause)
    known = {*unknown_words(clause)} <= words.around | words.going | words.bringing | words.carrying
    guess = clause.guess(lines) if lines and goal.before not in AWAY else None
    return replace(guess, certain=known) if guess is not None else None


def likely_voyage(clause: Clause) -> tuple[str, ...]:
    """The only army, fleet and other place that words about ships name: "Norway boards NTH and is taken to Denmark"."""
    mentions = mentions_of([token for token in clause.tokens if token.type not in ("SEP", "PLUS")], clause.context)
    first = {mention.place.partition("/")[0]: mention for mention in reversed(mentions)}
    units = [mention for mention in first.values() if mention.unit is not None]
    goals = [mention for mention in first.values() if mention.unit is None]
    kinds = sorted(mention.unit.kind for mention in units if mention.unit is not None)
    by_ship = "CONVOY" in clause.types or {*unknown_words(clause)} & lists_of(clause).carrying
    if kinds != [ARMY, FLEET] or len(goals) != 1 or not by_ship or clause.types & (SUPPORTS | {"HOLD"}):
        return ()
    army, fleet = sorted(units, key=lambda mention: mention.called)
    ordered = {army.called, fleet.called} & {*clause.memory.orders}
    return () if ordered else journey(clause, army.called, fleet, goals[0].place)


def journey(clause: Clause, army: str, fleet: Mention, goal: str) -> tuple[str, ...]:
    """The lines of a convoy to a place that the army cannot reach by land; () where there is none."""
    unit = next((unit for unit in clause.context.own_units if unit_called(unit) == army), None)
    if unit is None or unit.kind != ARMY or fleet.unit is None or fleet.unit.kind != FLEET:
        return ()
    goal = goal.partition("/")[0]
    near = {at.province for at in clause.context.position.board.neighbours(unit.at, Use.MOVE)}
    lines = f"{army} - {goal}", f"{fleet.called} C {army} - {goal}"
    return lines if goal not in near and all(clause.legal(line) for line in lines) else ()

"""Retreats in words: "bud", "just disband it", "my fleet runs to Brest", "1. Por 2. Bre 3. disband".

The unit may be left out where only one of the writer's must leave.
"""

from __future__ import annotations

from collections.abc import Sequence

from gm.judge.model.position import Unit
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.clause import Clause
from gm.language.prose.guess import Guess, unit_called, unit_of


def guess_retreats(clause: Clause) -> Guess | None:
    context, types = clause.context, clause.types
    owners = (context.power, *context.controlled)
    due = [out.unit for out in context.position.dislodged if out.unit.power in owners]
    if not due or any(token.value not in owners for token in clause.of("NATION")):
        return None
    named, goals = _named(clause, due)
    every = "ALL" in types or any(token.value == str(len(due)) for token in clause.of("NUMBER"))
    if "DISBAND" in types and not goals and (named or every or len(due) == 1):
        return _ordered(clause, [f"{unit_called(unit)} D" for unit in named or due], named)
    if len(named or due) != 1 or not goals:
        return None
    unit = unit_called((named or due)[0])
    if len(goals) == 1 and "DISBAND" not in types:
        return _ordered(clause, [f"{unit} - {goals[0].value.text}"], named)
    if "NUMBER" not in types:
        return None
    first = next((line for goal in goals if clause.legal(line := f"{unit} - {goal.value.text}")), "")
    return _ordered(clause, [first], named) if first else None


def _named(clause: Clause, due: Sequence[Unit]) -> tuple[list[Unit], list[Token]]:
    """The dislodged units that the words name, by their places or kinds, and the other places."""
    named: dict[Unit, None] = {}
    goals: list[Token] = []
    for token in clause.of("PLACE"):
        here = [unit for unit in due if unit.at.province in token.value.provinces]
        named |= dict.fromkeys(here)
        goals += [] if here else [token]
    if not named:
        kinds = {token.value for token in clause.of("KIND")}
        alike = [unit for unit in due if unit.kind in kinds]
        named |= dict.fromkeys(alike if len(alike) == 1 else ())
    return list(named), goals


def _ordered(clause: Clause, lines: Sequence[str], named: Sequence[Unit]) -> Guess | None:
    """A second order for a unit without its name is not certain."""
    ordered = {str(getattr(statement, "unit", "")) for statement in clause.memory.statements}
    bare = not named and clause.types == {"PLACE"} and not clause.is_sentence and not clause.memory.freed
    again = bare or (not named and any(unit_of(line) in ordered for line in lines))
    return clause.guess(lines, certain=not again or clause.memory.freed != "")

"""Checks whether the game master's decrees (OVERRULE) are possible together, before the step is resolved with them."""

from __future__ import annotations

from typing import TypeAlias

from msgspec.structs import replace

from gm.judge.board.board import Space
from gm.judge.model.events import Outcome
from gm.judge.model.position import Position
from gm.judge.model.sheets import Decree, Problem, ProblemEffect, Submissions
from gm.judge.model.variant import Variant
from gm.judge.movement.battle import IntentKind
from gm.judge.movement.battlefield import NOBODY, NOWHERE, Battlefield
from gm.judge.movement.movement_step import MovementStep
from gm.judge.steps.retreats import RetreatStep, retreat_goals

Problems: TypeAlias = tuple[Problem, ...]
ASIDE = {Outcome.VOID, Outcome.ILLEGAL}
POSSIBLE_OUTCOMES = {
    IntentKind.HOLD: {Outcome.SUCCEEDS} | ASIDE,
    IntentKind.MOVE: {Outcome.SUCCEEDS, Outcome.BOUNCED, Outcome.NO_ROUTE, Outcome.DISRUPTED} | ASIDE,
    IntentKind.SUPPORT: {Outcome.SUCCEEDS, Outcome.CUT} | ASIDE,
    IntentKind.CONVOY: {Outcome.SUCCEEDS, Outcome.DISRUPTED} | ASIDE,
}
RETREAT_OUTCOMES = {Outcome.SUCCEEDS, Outcome.BOUNCED, Outcome.DESTROYED} | ASIDE


def decree_problems(position: Position, variant: Variant, book: Submissions) -> Problems:
    """Problems: no such unit, an outcome that its order cannot have, two units in one space."""
    step = variant.step(position)
    if isinstance(step, MovementStep):
        return _movement_problems(position, variant, book, step)
    if isinstance(step, RetreatStep):
        return _retreat_problems(position, variant, book, step)
    return tuple(_problem("decree-nowhere", decree) for decree in book.decrees)


def _problem(key: str, decree: Decree, place: str = "") -> Problem:
    where = place or decree.unit.at.province
    return Problem(key, ProblemEffect.REFUSE_LINE, places=(where,), reach=(decree.outcome.value,))


def _movement_problems(
    position: Position, variant: Variant, book: Submissions, step: MovementStep
) -> tuple[Problem, ...]:
    battle, _, _ = step.prepare_battle(position, variant, book)
    plain = Battlefield(replace(battle, decrees=()))
    problems: list[Problem] = []
    taken: dict[int, Decree] = {}
    for decree in book.decrees:
        i = plain.find(decree.unit)
        if i == NOBODY:
            problems.append(_problem("decree-nowhere", decree))
            continue
        action = plain.actions[i]
        impossible = battle.intents[i].aside and decree.outcome not in ASIDE
        if decree.outcome not in POSSIBLE_OUTCOMES[action] or impossible:
            problems.append(_problem("decree-unfit", decree))
        elif decree.outcome is Outcome.SUCCEEDS and not plain.matched[i]:
            problems.append(_problem("decree-unmatched", decree))
        goal = plain.goal[i]
        enters = decree.outcome is Outcome.SUCCEEDS and goal != NOWHERE and goal not in plain.adjacency.shared_spaces
        if enters and taken.setdefault(goal, decree) is not decree:
            problems.append(_problem("decree-crowd", decree, plain.space(goal).province))
    return tuple(problems)


def _retreat_problems(
    position: Position, variant: Variant, book: Submissions, step: RetreatStep
) -> tuple[Problem, ...]:
    goals = retreat_goals(step, position, variant, book)
    problems: list[Problem] = []
    taken: dict[Space, Decree] = {}
    for decree in book.decrees:
        if decree.unit not in {d.unit for d in position.dislodged}:
            problems.append(_problem("decree-nowhere", decree))
            continue
        succeeds = decree.outcome is Outcome.SUCCEEDS
        end = goals.get(decree.unit)
        if decree.outcome not in RETREAT_OUTCOMES or (succeeds and end is None):
            problems.append(_problem("decree-unfit", decree))
        elif succeeds and end is not None and taken.setdefault(end, decree) is not decree:
            problems.append(_problem("decree-crowd", decree, end.province))
    return tuple(problems)

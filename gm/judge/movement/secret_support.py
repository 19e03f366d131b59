"""Keeps secret who paid for a support.

A support never helps to dislodge a unit of the power that pays for it. A unit that bounces although its support shows
would so name the payer. A support that is paid by the power whose unit stands at the goal, and that changes nothing
for anybody, is therefore left out: neither the support nor its strength shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from gm.judge.model.events import Outcome
from gm.judge.model.position import Unit
from gm.judge.movement.adjudicate import adjudicate
from gm.judge.movement.battle import Battle, BoughtSupport, Resolution
from gm.judge.movement.order_rights import CollectedOrders


def leave_out_idle_supports(battle: Battle, collected: CollectedOrders) -> tuple[Battle, CollectedOrders]:
    """The battle and the orders without secret supports against the payer's own unit that change no outcome."""
    suspects = [support for support in battle.bought_supports if _is_against_own(battle, support)]
    if not suspects:
        return battle, collected
    wanted = _outcomes(adjudicate(battle))
    for group in _groups(suspects):
        left = tuple(support for support in battle.bought_supports if support not in group)
        without = replace(battle, bought_supports=left)
        if _outcomes(adjudicate(without)) == wanted:
            battle = without
    kept = {support.target for support in battle.bought_supports}
    hidden = {support.target for support in suspects} - kept
    bought = {unit: payers for unit, payers in collected.bought.items() if unit not in hidden}
    return battle, replace(collected, bought=bought)


def _groups(suspects: Sequence[BoughtSupport]) -> Iterator[Sequence[BoughtSupport]]:
    """Those of one goal together, then each: two that hold each other's moves off change nothing but by themselves."""
    goals = dict.fromkeys(support.goal for support in suspects)
    yield from (together for goal in goals if len(together := [each for each in suspects if each.goal == goal]) > 1)
    yield from ([support] for support in suspects)


def _is_against_own(battle: Battle, support: BoughtSupport) -> bool:
    goal = support.goal
    if not support.secret or goal is None:
        return False
    return any(i.unit.at.province == goal.province and i.unit.power == support.power for i in battle.intents)


def _outcomes(resolution: Resolution) -> tuple[Sequence[tuple[Outcome, Unit | None]], frozenset[tuple[str, str]]]:
    """What everybody sees of a resolution besides its causes; the contested spaces bar retreats."""
    return [(result.outcome, result.dislodged_by) for result in resolution.outcomes], resolution.contested

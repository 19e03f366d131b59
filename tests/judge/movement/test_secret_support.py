"""Nothing in the results of a battle names the power that paid for a support in secret."""

from __future__ import annotations

from random import Random

from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.random_battles import battle

from gm.judge.board.board import Place
from gm.judge.model.variant import Variant
from gm.judge.movement.adjudicate import adjudicate
from gm.judge.movement.battle import Battle, BoughtSupport
from gm.judge.movement.order_rights import CollectedOrders
from gm.judge.movement.secret_support import leave_out_idle_supports


def paid_battle(standard: Variant, seed: int) -> Battle:
    """A random battle in which powers pay for moves, also against their own units."""
    contest, dice = battle(standard, seed), Random(seed)
    powers = sorted({intent.unit.power for intent in contest.intents})
    moves = [(intent.unit, Place(intent.to.province)) for intent in contest.intents if intent.to is not None]
    bought = [
        BoughtSupport(dice.choice(powers), *move, single=True, secret=True) for move in moves if dice.random() < 0.7
    ]
    return replace(contest, bought_supports=tuple(bought))


@settings(max_examples=600, deadline=None)
@given(st.integers(0, 2**32))
@example(22462944)  # two such supports, of moves that hold each other off
def test_no_result_names_the_payer(standard: Variant, seed: int) -> None:
    contest = paid_battle(standard, seed)
    marks = {support.target: ("",) for support in contest.bought_supports}
    published, collected = leave_out_idle_supports(contest, CollectedOrders({}, bought=marks))
    before, after = adjudicate(contest), adjudicate(published)
    assert [(o.outcome, o.dislodged_by) for o in before.outcomes] == [
        (o.outcome, o.dislodged_by) for o in after.outcomes
    ]
    assert before.contested == after.contested
    assert collected.bought.keys() == {support.target for support in published.bought_supports}
    powers = {intent.unit.at.province: intent.unit.power for intent in contest.intents}
    for intent, outcome in zip(published.intents, after.outcomes, strict=True):
        cause = outcome.cause
        if cause is not None and intent.to is not None and cause.key in ("own-support", "contest-own"):
            assert powers[intent.to.province] in {helper.power for helper in cause.helpers}, (intent, cause)

"""A phase in rounds: the surface first, then what hangs on how it ended.

Each round resolves one contest, a pure function of the whole contest and of the earlier rounds' resolutions, and has
the last word on the units of its layers. A phase of one round, as in most variants, is plain adjudication.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from gm.judge.board.board import GROUND
from gm.judge.model.events import Outcome
from gm.judge.movement.adjudicate import adjudicate
from gm.judge.movement.battle import Battle, IntentKind, OrderOutcome, Resolution

Preparing: TypeAlias = Callable[[Battle, tuple[Resolution, ...]], Battle]
"""What a round is asked, given how the rounds before it ended. The intents stay in their order."""


def as_ordered(contest: Battle, earlier: tuple[Resolution, ...]) -> Battle:
    return contest


def as_it_left_them(contest: Battle, earlier: tuple[Resolution, ...]) -> Battle:
    """Supports cut in an earlier round, and those of units driven out in it, count no more; whoever was driven out does
    nothing else either.
    """
    spoiled = set(contest.spoiled)
    intents = list(contest.intents)
    for resolution in earlier:
        for i, (intent, fate) in enumerate(zip(contest.intents, resolution.fates, strict=True)):
            if intent.act is IntentKind.SUPPORT and (fate.outcome is Outcome.CUT or fate.dislodged_by is not None):
                spoiled.add(intent.unit)
            elif intent.act is IntentKind.CONVOY and fate.dislodged_by is not None:
                intents[i] = replace(intent, act=IntentKind.HOLD, target=None, goal=None, aside=True)
    return replace(contest, intents=tuple(intents), spoiled=frozenset(spoiled))


class BattleRound(NamedTuple):
    """`layers`: whose fates it decides."""

    layers: frozenset[str]
    prepare: Preparing = as_ordered


SURFACE = BattleRound(frozenset({GROUND}))


def resolve(contest: Battle, rounds: Sequence[BattleRound]) -> Resolution:
    """Every unit has its fate from the last round that decides its layer; from the first one, if none does."""
    if len(rounds) == 1:
        return adjudicate(rounds[0].prepare(contest, ()))
    layers = [contest.kinds[intent.unit.kind].layer for intent in contest.intents]
    earlier: tuple[Resolution, ...] = ()
    fates: list[OrderOutcome] = []
    contested: set[tuple[str, str]] = set()
    for one in rounds:
        resolution = adjudicate(one.prepare(contest, earlier))
        if not fates:
            fates = list(resolution.fates)
        for i, layer in enumerate(layers):
            if layer in one.layers:
                fates[i] = resolution.fates[i]
        contested = {space for space in contested if space[1] not in one.layers}
        contested |= {space for space in resolution.contested if space[1] in one.layers}
        earlier = (*earlier, resolution)
    return Resolution(tuple(fates), frozenset(contested))

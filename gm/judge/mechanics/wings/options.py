"""The options of a variant about wings."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from gm.judge.model.position import Position
from gm.judge.steps.build_rules import BOMBED

CONTROL, OCCUPATION = "control", "occupation"
HOLDS = "holds"

Friends: TypeAlias = Callable[[Position, str], frozenset[str]]
"""The powers whose units a power's wings support when they hold above them."""


def own_alone(position: Position, power: str) -> frozenset[str]:
    return frozenset({power})


class WingOptions(Struct, frozen=True):
    """`base_lost`: a centre is its owner's air base until the census (control), or until an enemy stands in it
    (occupation). `own_space`: wings intercept bombers over their own province too. `own_centre`: a power's bombs on its
    own centre lower its production. `confused`: a confused wing holds, or does nothing (idle). `purse`: the purse of
    `gm.judge.steps.build_rules` that counts bombings.
    """

    purse: str = BOMBED
    base_lost: str = CONTROL
    own_space: bool = False
    own_centre: bool = True
    confused: str = HOLDS


PLAIN = WingOptions()

"""What a variant may choose about its wings."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from gm.judge.model.position import Position
from gm.judge.steps.build_rules import BOMBED

CONTROL, OCCUPATION = "control", "occupation"
HOLDS, IDLE = "holds", "idle"

Friends: TypeAlias = Callable[[Position, str], frozenset[str]]
"""The powers whose units a power's wings take for their own when they guard what is below them."""


def own_alone(position: Position, power: str) -> frozenset[str]:
    return frozenset({power})


class WingOptions(Struct, frozen=True):
    """`base_lost`: a centre is its owner's air base until the census (control), or until an enemy stands in it
    (occupation). `own_space`: wings intercept bombers over their own province too. `own_centre`: a power's bombs on a
    centre of its own lower its production. `confused`: a wing that does not know which bomber to intercept holds, or
    does nothing (idle). `purse`: where the turns in which a centre was bombed are counted, which says what that costs.
    """

    purse: str = BOMBED
    base_lost: str = CONTROL
    own_space: bool = False
    own_centre: bool = True
    confused: str = HOLDS


PLAIN = WingOptions()

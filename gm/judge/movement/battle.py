"""A battle as values: what every unit tries to do, and everything else that affects the outcome.

A `Battle` is the whole input of the adjudicator. What variants add to a battle (bought supports, closed borders,
spoiled supports, barred moves) and the game master's decrees are data in it. `gm.judge.movement.legality` makes
intents from orders.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType

from msgspec import Struct

from gm.judge.board.board import Board, Location, Place, UnitKind
from gm.judge.model.events import Cause, Outcome
from gm.judge.model.position import Unit
from gm.judge.model.rulebooks import DATC, Rulebook


class IntentKind(IntEnum):
    HOLD = 0
    MOVE = 1
    SUPPORT = 2
    CONVOY = 3


class Intent(Struct, frozen=True, gc=False):
    """What one unit tries to do. `to` is where it moves; `target` the unit it supports or convoys, and `goal` where
    that unit is to go (None: stay). `via`: by sea even where it could walk. `aside`: it holds because its order was
    impossible. `path` are the fleets' locations that its route must use, in order; empty: any route.
    """

    unit: Unit
    action: IntentKind = IntentKind.HOLD
    to: Location | None = None
    target: Unit | None = None
    goal: Place | None = None
    via: bool = False
    aside: bool = False
    path: tuple[Location, ...] = ()


class BoughtSupport(Struct, frozen=True):
    """A support without a unit, given by the power that bought it; nothing cuts it. `goal` None supports a hold.

    Of the `single` ones only one counts for a unit: the first that may be used against the power that would be harmed.
    `secret`: nobody may learn which power bought it.
    """

    power: str
    target: Unit
    goal: Place | None
    weight: int = 2
    single: bool = False
    secret: bool = False


class Battle(Struct, frozen=True):
    """One intent per unit, in any order. Nobody crosses borders in `closed` (by name). A `spoiled` unit's support does
    not count; `spoilers` may name the units responsible. A `barred` unit bounces and cuts like any other, but does not
    enter. `decrees` are outcomes that the game master has decided.
    """

    board: Board
    kinds: Mapping[str, UnitKind]
    intents: tuple[Intent, ...]
    bought_supports: tuple[BoughtSupport, ...] = ()
    closed: frozenset[str] = frozenset()
    spoiled: frozenset[Unit] = frozenset()
    barred: frozenset[Unit] = frozenset()
    decrees: tuple[tuple[Unit, Outcome], ...] = ()
    rulebook: Rulebook = DATC
    spoilers: Mapping[Unit, tuple[Unit, ...]] = MappingProxyType({})


class OrderOutcome(Struct, frozen=True, gc=False):
    """How one intent ended. `convoyed`: the unit went (or tried to go) over water."""

    outcome: Outcome
    cause: Cause | None = None
    dislodged_by: Unit | None = None
    dislodged_cause: Cause | None = None
    convoyed: bool = False
    decreed: bool = False


class Resolution(Struct, frozen=True):
    """One outcome per intent, in the battle's order, and the spaces closed to retreats by a stand-off."""

    outcomes: tuple[OrderOutcome, ...]
    contested: frozenset[tuple[str, str]]

"""A battle as values: what every unit tries, and everything else that may bear on it.

A `Contest` is all the adjudicator is ever told. What variants add to a battle (backings, closed borders, spoiled
supports, barred moves, decrees) is data in it; there is nothing else to hook into. `gm.judge.movement.legality`
makes intents.
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


class Intent(Struct, frozen=True):
    """What one unit tries. `to` is where it moves; `target` the unit it helps, `goal` where that one is to go (None:
    stay). `via`: by sea even where it could walk. `aside`: it holds because its order was set aside as impossible.
    `path` are the fleets' locations it insists on going by, in order; empty: any that carry it.
    """

    unit: Unit
    act: IntentKind = IntentKind.HOLD
    to: Location | None = None
    target: Unit | None = None
    goal: Place | None = None
    via: bool = False
    aside: bool = False
    path: tuple[Location, ...] = ()


class BoughtSupport(Struct, frozen=True):
    """A support with no unit behind it, counted as the buyer's; nothing cuts it. `goal` None backs who stays.

    Of those marked `single` a unit profits from one: the first that may be used against whoever would be harmed.
    """

    power: str
    target: Unit
    goal: Place | None
    weight: int = 2
    single: bool = False


class Battle(Struct, frozen=True):
    """One intent per unit, in any order. Borders in `closed` (by name) are no way for anybody; a `spoiled` unit's
    support does not count, because of its `spoilers` where there are any; a `barred` unit bounces and cuts like any
    other, but does not enter. `decrees` are outcomes that the game master has decided.
    """

    board: Board
    kinds: Mapping[str, UnitKind]
    intents: tuple[Intent, ...]
    backings: tuple[BoughtSupport, ...] = ()
    closed: frozenset[str] = frozenset()
    spoiled: frozenset[Unit] = frozenset()
    barred: frozenset[Unit] = frozenset()
    decrees: tuple[tuple[Unit, Outcome], ...] = ()
    edition: Rulebook = DATC
    spoilers: Mapping[Unit, tuple[Unit, ...]] = MappingProxyType({})


class OrderOutcome(Struct, frozen=True):
    """How one intent ended. `convoyed`: the unit went (or tried to go) over water."""

    outcome: Outcome
    cause: Cause | None = None
    dislodged_by: Unit | None = None
    dislodged_cause: Cause | None = None
    convoyed: bool = False
    decreed: bool = False


class Resolution(Struct, frozen=True):
    """A fate per intent, in the contest's order, and the spaces in which a stand-off leaves no room to retreat."""

    fates: tuple[OrderOutcome, ...]
    contested: frozenset[tuple[str, str]]

"""Events: what can happen in a step, each with its audience.

Secrecy is a property of the event: letters are made only from the events that their reader may know.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

from gm.judge.board.board import Location
from gm.judge.model.orders import Statement
from gm.judge.model.position import Unit

Audience: TypeAlias = frozenset[str] | None
"""The powers whose seats may know; None: everyone, observers too. The game master knows everything."""
NOBODY: frozenset[str] = frozenset()


class Event(Struct, frozen=True, kw_only=True):
    """Anything that happens in a step. Variants add their own. It is public unless an audience is given."""

    audience: Audience = None


class SecretEvent(Event, frozen=True, kw_only=True):
    """An event that only the game master knows unless an audience is given."""

    audience: Audience = NOBODY


class Outcome(StrEnum):
    """How an order ended, in the words that `gm adjudicate` prints."""

    __hash__ = str.__hash__

    SUCCEEDS = "succeeds"
    BOUNCED = "bounced"
    CUT = "cut"
    VOID = "void"
    DISRUPTED = "disrupted"
    NO_ROUTE = "no-route"
    ILLEGAL = "illegal"
    SUPERSEDED = "superseded"
    DESTROYED = "destroyed"


class Cause(Struct, frozen=True, gc=False):
    """The cause of an outcome. `key` names a sentence ("contest", "head-to-head", "attacked" …).

    `by` are the units responsible; `force` and `against` the compared strengths in half units (own first). `places` are
    provinces the sentence names. `helpers` are the units whose support counted, `cut` those whose support was lost,
    `route` the seas of a convoy. `orders` are the orders of others that mattered, with their authors; `borders` the
    borders to choose from: a number and the provinces at the ends, "1:Por:Gas".
    """

    key: str
    by: tuple[Unit, ...] = ()
    force: int | None = None
    against: int | None = None
    places: tuple[str, ...] = ()
    helpers: tuple[Unit, ...] = ()
    cut: tuple[Unit, ...] = ()
    route: tuple[str, ...] = ()
    orders: tuple[tuple[str, Statement], ...] = ()
    borders: tuple[str, ...] = ()


class OrderResult(Event, frozen=True, gc=False):
    """An order and its outcome, in every kind of step. `given` is False for an order that the rules supplied.

    `dislodged_by` is the unit that dislodged this one, `dislodged_cause` names it and its supporters. `unit` is the
    ordered unit before the step; None for orders without a unit on the board (Waive). `decreed` marks an outcome that
    the game master decided, `forced` an order of the game master. `bought`: the powers that paid for a support of this
    order, "" for a secret one. `gone`: the unit left the board although nobody ordered that.
    """

    power: str
    order: Statement
    outcome: Outcome
    cause: Cause | None = None
    unit: Unit | None = None
    given: bool = True
    dislodged_by: Unit | None = None
    dislodged_cause: Cause | None = None
    forced: bool = False
    decreed: bool = False
    bought: tuple[str, ...] = ()
    gone: bool = False


class Dislodgement(Event, frozen=True):
    """A unit that must retreat, or is destroyed because `retreats` is empty.

    `barred` are the neighbouring locations it may not take, with the key of the reason: "occupied", "contested" ….
    """

    unit: Unit
    by: Unit
    retreats: tuple[Location, ...]
    barred: tuple[tuple[Location, str], ...] = ()


class CentresCounted(Event, frozen=True):
    """A power after a census. `builds` counts units to build, or to remove (negative)."""

    power: str
    centres: tuple[str, ...]
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    units: int
    builds: int


class StalemateNears(Event, frozen=True):
    """No supply centre has changed hands at `count` censuses in a row; `limit` of them are a stalemate."""

    count: int
    limit: int


class DrawOffered(Event, frozen=True):
    """A stalemate that does not end the game: a draw between `powers` is offered."""

    count: int
    powers: tuple[str, ...]


class GameEnded(Event, frozen=True):
    winners: tuple[str, ...]
    why: str


class Allocated(SecretEvent, frozen=True):
    """A line of points, for the game master only: `followed`, or `why` it was not.

    `why` is a problem's key ("points-over", "points-no-unit", "support-reach" …), "outbid" or "tied"; "" if followed.
    """

    power: str
    purse: str
    points: int
    minor: str
    order: Statement
    followed: bool
    why: str = ""


class PointsOutcome(SecretEvent, frozen=True):
    """What became of a line of points, for its payer only.

    `followed`: the minor power's published order is this one, whoever paid for it. `why` is a problem's key for a line
    that did not count, else "": a payer never learns whether a tie or other points decided.
    """

    power: str
    points: int
    order: Statement
    followed: bool
    why: str = ""


class Dismissed(Event, frozen=True):
    """Dislodged units that leave the board without a chance to retreat."""

    units: tuple[Unit, ...]


class Garrisoned(Event, frozen=True):
    """Minor powers' units that appear, each in its own centre."""

    units: tuple[Unit, ...]


class PowerCollapsed(Event, frozen=True):
    """A great power falls into permanent civil disorder: its units leave the board.

    `independent` are the units of minor powers that appear at once; `occupied` its centres with other powers' units.
    """

    power: str
    units: tuple[Unit, ...]
    independent: tuple[Unit, ...]
    occupied: tuple[str, ...] = ()


class DipsCounted(SecretEvent, frozen=True):
    """A power's dips of one turn: spent, and left over, which are lost."""

    power: str
    spent: int
    left: int
    had: int


class WindowCounted(SecretEvent, frozen=True):
    """How often a power has bought `kind` ("holds", "moves") in the turns that count, this one included, of at most
    `most`; how many it may buy in the next turn, and, where that is none, when the next one is free ("Fall 1882").
    """

    power: str
    kind: str
    used: int
    most: int
    next: int
    free: str


class PowerExcluded(Event, frozen=True):
    """A power's player is out of the game. Its units stay where they are, without orders."""

    power: str


class PositionEdited(Event, frozen=True):
    """The game master has edited the position. Compare the positions for the differences: some are secret."""


def visible(events: Iterable[Event], power: str | None) -> tuple[Event, ...]:
    """The events that a reader may know, in order; `power` None: a reader without a seat."""
    return tuple(e for e in events if e.audience is None or (power is not None and power in e.audience))

"""What can happen in a step, as frozen values, each with its audience.

Secrecy is a property of the event: whoever writes a letter is given only the events its reader may know.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Protocol, TypeAlias

from msgspec import Struct

from gm.judge.board.board import Location
from gm.judge.model.orders import Statement
from gm.judge.model.position import Unit

Audience: TypeAlias = frozenset[str] | None
"""The powers whose seats may know; None = everyone, observers too. The game master knows everything."""
NOBODY: frozenset[str] = frozenset()


class Outcome(StrEnum):
    """How an order ended. The words are the ones `gm adjudicate` prints."""

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


class Cause(Struct, frozen=True):
    """Why an outcome is what it is. `key` names a sentence of the catalogue ("contest", "head-to-head", "attacked" …).

    `by` are the units that did it; `force` and `against` are strengths in half units (own first), where the two
    were compared. `places` are provinces the sentence names (the province not reached, the coasts to choose from).
    `helpers` are the units whose support counted for the one this is about, `cut` those whose support was lost,
    `route` the seas an army was carried through. `orders` are others' orders, with their authors, where it was these
    that mattered; `borders` those that were to choose from: a number and the provinces at the ends, "1:Por:Gas".
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


class OrderResult(Struct, frozen=True):
    """One order and its fate, in every kind of step. `given` is False where the rules ordered because nobody did.

    `dislodged_by` is the unit that drove this one out, `dislodged_cause` how: `by` it and its supporters.
    `unit` is the ordered unit as it stood before the step; None for orders that name none on the board (Waive).
    `decreed` marks an outcome the game master decided, `forced` an order he put in place. `bought`: who paid for a
    support of this order with points, one text each; "" where that is nobody's business. `gone`: the unit left the
    board by it although nobody ordered that.
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
    audience: Audience = None
    bought: tuple[str, ...] = ()
    gone: bool = False


class Dislodgement(Struct, frozen=True):
    """A unit that must retreat, or is destroyed because `retreats` is empty.

    `barred` are the neighbouring locations it may not take, with the reason's key: "occupied", "contested", "attacker".
    """

    unit: Unit
    by: Unit
    retreats: tuple[Location, ...]
    barred: tuple[tuple[Location, str], ...] = ()
    audience: Audience = None


class CentresCounted(Struct, frozen=True):
    """One power after a census. `builds` is units to build (positive) or to remove (negative)."""

    power: str
    centres: tuple[str, ...]
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    units: int
    builds: int
    audience: Audience = None


class StalemateNears(Struct, frozen=True):
    """No supply centre has changed hands at `count` censuses in a row; `limit` of them are a stalemate."""

    count: int
    limit: int
    audience: Audience = None


class DrawOffered(Struct, frozen=True):
    """A stalemate that does not end the game by itself: a draw between `powers` is on offer."""

    count: int
    powers: tuple[str, ...]
    audience: Audience = None


class GameEnded(Struct, frozen=True):
    winners: tuple[str, ...]
    why: str
    audience: Audience = None


class Allocated(Struct, frozen=True):
    """One line of points and what came of it, for the game master alone: `followed`, or why it was not.

    `why` is a problem's key ("points-over", "points-no-unit", "support-reach" …), "outbid" or "tied"; "" if followed.
    """

    power: str
    purse: str
    points: int
    minor: str
    order: Statement
    followed: bool
    why: str = ""
    audience: Audience = NOBODY


class Dismissed(Struct, frozen=True):
    """Dislodged units that leave the board without a chance to retreat."""

    units: tuple[Unit, ...]
    audience: Audience = None


class Garrisoned(Struct, frozen=True):
    """Minor powers' units that stand up again, or for the first time, each in its own centre."""

    units: tuple[Unit, ...]
    audience: Audience = None


class PowerCollapsed(Struct, frozen=True):
    """A great power is in civil disorder for good: its units are gone.

    `independent` are the units of the minor powers that stood up at once; `occupied` its centres that other powers'
    units stand in.
    """

    power: str
    units: tuple[Unit, ...]
    independent: tuple[Unit, ...]
    occupied: tuple[str, ...] = ()
    audience: Audience = None


class DipsCounted(Struct, frozen=True):
    """What became of a power's dips of one turn: spent or set aside, and left over, which is lost."""

    power: str
    spent: int
    left: int
    had: int
    audience: Audience = NOBODY


class WindowCounted(Struct, frozen=True):
    """How often a power has bought `kind` ("holds", "moves") in the turns that count, this one included, of at most
    `most`; how many it may buy in the next turn, and, where that is none, when the next one is free ("Fall 1882").
    """

    power: str
    kind: str
    used: int
    most: int
    next: int
    free: str
    audience: Audience = NOBODY


class PowerExcluded(Struct, frozen=True):
    """A power's player is out of the game. Its units stay where they are, without orders."""

    power: str
    audience: Audience = None


class PositionEdited(Struct, frozen=True):
    """The game master has mended the position by hand. What is different stands in the positions: some is secret."""

    audience: Audience = None


class Event(Protocol):
    """Anything that happened; variants bring their own."""

    @property
    def audience(self) -> Audience: ...


def visible(events: Iterable[Event], power: str | None) -> tuple[Event, ...]:
    """The events that a reader may know, in order; `power` None is a reader without a seat."""
    return tuple(e for e in events if e.audience is None or (power is not None and power in e.audience))

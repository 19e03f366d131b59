"""Requests of players and game masters about a game; the subject modules here have the others.

Dates are kept as written, because they depend on the writer's time zone (`gm.language.dates.dates`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from gm.judge.model.orders import Slot
from gm.language.lines.letter_contents import Request


class LookupRequest(Request, frozen=True):
    """A command that only looks something up: `shows` is the kind of insert in the answer, `topic` what it is about."""

    shows: str
    topic: str = ""


# ---- anybody with a seat


class ReadyRequest(Request, frozen=True):
    """READY, NOWAIT: this seat agrees to resolve the phase early."""


class WaitRequest(Request, frozen=True):
    """WAIT, SET WAIT: this seat wants the phase resolved at the deadline."""


class ClearRequest(Request, frozen=True):
    """CLEAR, CLEAR A Par: deletes the orders of these provinces; empty = the whole sheet. Those in `spared` slots stay:
    a province may have an order on the ground and one in the air.
    """

    provinces: tuple[str, ...] = ()
    spared: tuple[Slot, ...] = ()


class HoldRestRequest(Request, frozen=True):
    """HOLD REST, "all others hold": an explicit hold for every unit without an order."""


class ShowRequest(Request, frozen=True):
    pass


class MapRequest(Request, frozen=True):
    """MAP [F1901M] [svg] [colourblind]; `phase` "" = the board as it stands. `file`: "png", "svg", "" for none named.

    `clear`: in colours for the colour-blind. `unknown`: a word that MAP does not know, "" for none.
    """

    phase: str = ""
    file: str = ""
    clear: bool = False
    unknown: str = ""


class HelpRequest(Request, frozen=True):
    topic: str = ""


class TimeZoneRequest(Request, frozen=True):
    """TZ Europe/Paris. The name is as written."""

    zone: str


class PressRequest(Request, frozen=True):
    """PRESS TO … ENDPRESS and BROADCAST. `to` holds power names and "GM"; `everyone` = all powers, less `to`.

    A name in `to` that is no power of the game is kept as written: nothing is sent then, and the writer is asked.
    `name`: the name to send it under, "" for the usual one. `posted`: with the results, not before (WITH RESULTS).
    `manner`: "grey" for a letter without its writer's name, "white" for a signed one, "" for neither.
    """

    to: tuple[str, ...]
    text: str
    everyone: bool = False
    name: str = ""
    posted: bool = False
    manner: str = ""


class VoteRequest(Request, frozen=True):
    """VOTE DRAW, VOTE CONCEDE France + Italy, VOTE NONE. `or_end` ("… OR END"): any end is better than none.

    `choice`: "draw", "concede" (to `winners`), "none"; "" where the words say neither.
    """

    choice: str
    winners: tuple[str, ...] = ()
    or_end: bool = False


class ConfirmRequest(Request, frozen=True):
    """YES, CONFIRM code: the answer to a question."""

    code: str = ""


# ---- game masters


class CreateRequest(Request, frozen=True):
    """CREATE name [variant]; "" = the first in the library. NEWGAME [name] FROM game: `like` that one, "" = like none.

    Lines of `KEY value` below it are read as Set, SEAT lines as SeatPlayer.
    """

    game: str
    variant: str = ""
    like: str = ""


class SeatPlayerRequest(Request, frozen=True):
    """SEAT France: Luc Marchand <luc@example.org>. `address` "" empties the seat."""

    AS_WRITTEN: ClassVar[Mapping[str, str]] = {"name": "name"}

    power: str
    address: str
    name: str = ""


class SetRequest(Request, frozen=True):
    """SET key value; also `key: value` below CREATE. Keys are lower case, words joined by "_"."""

    AS_WRITTEN: ClassVar[Mapping[str, str]] = {"written": "value"}

    key: str
    value: str
    written: str = ""


class StartRequest(Request, frozen=True):
    pass


class ProcessRequest(Request, frozen=True):
    """PROCESS [S1901M]: resolve now. Refused where another phase is open."""

    phase: str = ""


class DeadlineRequest(Request, frozen=True):
    """DEADLINE Fri 20:00, SHORTEN 2d (`when` "-2d"). `when` "" asks for the deadline.

    `written` is the original line with its accents, for the reason in it.
    """

    when: str = ""
    written: str = ""


class ForceRequest(Request, frozen=True):
    """FORCE A Par: A Par - Bur, or FORCE A Par - Bur. `order` is read for the power of the unit.

    `power`: the power named before the order: FORCE France: 2: F Swe H.
    """

    order: str
    power: str = ""


class StrikeRequest(Request, frozen=True):
    """STRIKE A Par: deletes the order on file for the unit, forced or not."""

    unit: str


class ActAsRequest(Request, frozen=True):
    """AS France … END AS. `lines` are the block's lines with their numbers, read again as that power's letter."""

    power: str
    lines: tuple[tuple[int, str], ...] = ()


class RollbackRequest(Request, frozen=True):
    """ROLLBACK [phase]; "" = the phase before the present one."""

    phase: str = ""


class OverruleRequest(Request, frozen=True):
    """OVERRULE A Pic S A Bur - Bel: succeeds. `order` as written, `outcome` one of judge.events.Outcome's words.

    `reason` is the text in quotation marks or the indented lines below, shown to the players; "" where none was given.
    """

    order: str
    outcome: str
    reason: str = ""


class AnnounceRequest(Request, frozen=True):
    subject: str
    text: str


class CivilDisorderRequest(Request, frozen=True):
    """CIVIL DISORDER Turkey: the power is in civil disorder for good, by the rules of the variant."""

    power: str


class ExcludeRequest(Request, frozen=True):
    """EXCLUDE Chile: its player is excluded for breaking a rule; nobody plays the power until SEAT."""

    power: str


class TerminateRequest(Request, frozen=True):
    """TERMINATE: ends the game without a winner, or removes one that has not begun."""


class EndGameRequest(Request, frozen=True):
    """CLOSE draw France England, CLOSE solo France: ends the game. `why`: "draw", "solo".

    A draw without names is one of all survivors.
    """

    why: str
    winners: tuple[str, ...] = ()

"""Requests about orders beyond plain lines; `gm.language.commands.planning_blocks` reads the blocks that most of
them come in."""

from __future__ import annotations

from msgspec import Struct

from gm.language.commands.command_line import Makers
from gm.language.lines.letter_contents import Request


class PlannedLine(Struct, frozen=True):
    """One line for a later phase, as canonical text. `power` is whose sheet it is for, "" the writer's own; lines of a
    newer letter take the place of older ones `about` the same.
    """

    power: str
    about: str
    text: str


class ForPhaseRequest(Request, frozen=True):
    """FOR F1903M: lines kept aside until that phase opens."""

    phase: str
    lines: tuple[PlannedLine, ...]


class ClearFutureRequest(Request, frozen=True):
    """CLEAR FUTURE; CLEAR below FOR: lines kept for that phase, or those about some provinces."""

    phase: str = ""
    provinces: tuple[str, ...] = ()


class CheckRequest(Request, frozen=True):
    """CHECK: the lines to try out as they were written; none for the sheet on file."""

    lines: tuple[str, ...] = ()


class PreliminaryRequest(Request, frozen=True):
    """PRELIM: these orders are a draft, not the last word. `off`: they are none, and that is all that is said."""

    off: bool = False


MAKERS: Makers = {"forget": lambda line: ClearFutureRequest()}

"""Requests about orders beyond plain lines: FOR, CHECK, PRELIM, PROXY.

`gm.language.commands.blocks.planning_blocks` reads their blocks."""

from __future__ import annotations

import re

from msgspec import Struct

from gm.language.commands.command_line import SEPARATORS, ParsedLine, RequestReaders, is_in_capitals, power_of
from gm.language.lines.letter_contents import Request

PROXY_TO = re.compile(r"(?P<units>.+?)\s*(?:\b(?:to|for)\b|=>|->|[:=])\s*(?P<to>[^:=]+?)$", re.IGNORECASE)
PROXY_BACK = re.compile(
    r"\b(?:back|off|none|nobody|no ?one|cancel|cancelled|returns?|returned|mine|myself)\b.*$", re.IGNORECASE
)
GIVEN = re.compile(r"(?:to|for)\s*$|^(?:of|on|my|the)\s+", re.IGNORECASE)
"""Words left around the units when the words of `PROXY_BACK` are removed."""


class PlannedLine(Struct, frozen=True):
    """One line for a later phase, as canonical text. `power` is whose sheet it is for, "" the writer's own; lines of a
    newer letter take the place of older ones `about` the same.
    """

    power: str
    about: str
    text: str


class ForPhaseRequest(Request, frozen=True):
    """FOR F1903M: lines kept until that phase opens."""

    phase: str
    lines: tuple[PlannedLine, ...]


class ClearFutureRequest(Request, frozen=True):
    """CLEAR FUTURE; CLEAR below FOR: deletes the lines kept for that phase, or those about some provinces."""

    phase: str = ""
    provinces: tuple[str, ...] = ()


class CheckRequest(Request, frozen=True):
    """CHECK: the lines to try out as written; none = the sheet on file."""

    lines: tuple[str, ...] = ()


class PreliminaryRequest(Request, frozen=True):
    """PRELIM: these orders are a draft. `off`: they are not a draft."""

    off: bool = False


class ProxyRequest(Request, frozen=True):
    """PROXY A Par, A Mar TO Germany; PROXY A Par BACK. `units` are as written, `to` is a power's name or as written.
    Without `units` the line was incomplete.
    """

    units: tuple[str, ...] = ()
    to: str = ""
    back: bool = False


def _proxy(line: ParsedLine) -> Request | None:
    words = line.get("TEXT").strip(" .!")
    if PROXY_BACK.search(words):
        return ProxyRequest(_units(_without(words)), back=True)
    match = PROXY_TO.fullmatch(words)
    units, to = (match["units"], match["to"]) if match else _by_last_words(line, words)
    named = power_of(line, to)
    if not is_in_capitals(line.text) and not any(
        named == power.name or named.upper() == power.letter for power in line.variant.powers
    ):
        return None
    return ProxyRequest(_units(units), named) if to else ProxyRequest()


def _by_last_words(line: ParsedLine, text: str) -> tuple[str, str]:
    """ "A Par Germany"."""
    words = text.split()
    for count in (3, 2, 1):
        named = power_of(line, " ".join(words[-count:]))
        if len(words) > count and named in line.variant.seated:
            return " ".join(words[:-count]), named
    return "", ""


def _without(text: str) -> str:
    """ "A Par back", "back A Par", "A Par to nobody"."""
    match = PROXY_BACK.search(text)
    before = text[: match.start()] if match else text
    return GIVEN.sub("", before).strip() or " ".join(text.split()[1:])


def _units(text: str) -> tuple[str, ...]:
    return tuple(unit for unit in (part.strip(" .,:") for part in SEPARATORS.split(text)) if unit)


READERS: RequestReaders = {
    "proxy": _proxy,
    "unproxy": lambda line: ProxyRequest(_units(line.get("TEXT")), back=True),
}

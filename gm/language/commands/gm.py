"""Requests of a game master: PREVIEW, REMIND, REDO, SETUP, CORRECT RESULT, LEDGER, POLL, EXPORT, IMPORT, DEBUG.

`gm.language.commands.blocks.gm_blocks` reads those with lines below them.
"""

from __future__ import annotations

import re

from gm.language.commands.command_line import ParsedLine, RequestReaders, is_in_capitals, power_of
from gm.language.lines.letter_contents import Request

NumberedLine = tuple[int, str]


class PreviewRequest(Request, frozen=True):
    """PREVIEW [S1901M]: shows the game master the open phase resolved with the orders on file; nothing is stored."""

    phase: str = ""


class PreviewDifferenceRequest(Request, frozen=True):
    """PREVIEW DIFFERENCE [France]: the results with two versions of the sheets, side by side. `power` as written."""

    power: str = ""


class RemindRequest(Request, frozen=True):
    """REMIND [France, Italy]: a letter to whoever owes orders; `who` "" = all of them."""

    who: str = ""


class RedoRequest(Request, frozen=True):
    """REDO: undoes a ROLLBACK."""


class SetupRequest(Request, frozen=True):
    """SETUP … END: changes the position. `lines` as written, with their numbers, for
    `gm.language.commands.blocks.position_edits`. `left`: words of the sentence that they stand for, and leave out."""

    lines: tuple[NumberedLine, ...]
    left: str = ""


class CorrectRequest(Request, frozen=True):
    """CORRECT RESULT [S1901M], RULE: a note on published results. `phase` "" = the last one resolved."""

    text: str
    phase: str = ""


class PollRequest(Request, frozen=True):
    """POLL Extend the deadline by a week? options yes / no / later DAYS 5 SECRET.

    `options` empty: YES and NO. `days` 0: as long as by default.
    """

    text: str
    options: tuple[str, ...] = ()
    days: int = 0
    secret: bool = False


class ClosePollRequest(Request, frozen=True):
    """CLOSE POLL 1: counts it before its end."""

    number: int


class BallotRequest(Request, frozen=True):
    """VOTE 1 YES: a vote in a poll, as written; "NONE" withdraws it."""

    number: int
    choice: str


class ExportRequest(Request, frozen=True):
    """EXPORT csv: the position and the sheets as a file for other programs. `form` as written, "" for the default."""

    form: str = ""


class LeagueRequest(Request, frozen=True):
    """LEAGUE spring: the game belongs to that league, or shows its table. `name` "" = the game's own."""

    name: str = ""


class ImportRequest(Request, frozen=True):
    """IMPORT … END: a position, sheets or both, in a format that EXPORT writes, or the game of another program."""

    text: str


class DebugRequest(Request, frozen=True):
    """DEBUG 7kq2mwx9: how a letter was received and read; `letter` "" lists the last ones."""

    letter: str = ""


OPTIONS = re.compile(r"\s*\b(?:options?|choices?|answers?)\b\s*:?\s*", re.IGNORECASE)
DAYS = re.compile(r"[\s,;(]*(?:\bdays\s*=?\s*(\d{1,3})|\b(?:for\s+)?(\d{1,3})\s*days?)\b\)?", re.IGNORECASE)
SECRET = re.compile(r"[\s,;(]*\bsecret(?:ly)?\b\)?", re.IGNORECASE)
BETWEEN_OPTIONS = re.compile(r"\s*[/|;]\s*")


def _poll(line: ParsedLine) -> Request | None:
    """The question ends with its last "?"; without one, at the word OPTIONS or with the line."""
    if not is_in_capitals(line.text):
        return None
    words = line.get("TEXT").lstrip(" :")
    head, mark, tail = words.rpartition("?")
    if not mark:
        options_or_end = OPTIONS.search(words) or DAYS.search(words) or SECRET.search(words)
        cut = options_or_end.start() if options_or_end else len(words)
        head, tail = words[:cut], words[cut:]
    days, secret = DAYS.search(tail), SECRET.search(tail)
    tail = SECRET.sub("", DAYS.sub("", tail)).strip(" .,;")
    opened = OPTIONS.match(tail)
    listed = tail[opened.end() :] if opened else ""
    if tail and not opened:
        if not mark or not BETWEEN_OPTIONS.search(tail):
            return PollRequest(words)
        listed = tail  # "Shall we move? Yes / No / Later"
    options = tuple(option.strip(" .,;") for option in BETWEEN_OPTIONS.split(listed) if option.strip(" .,;"))
    many = int(next(filter(None, days.groups()))) if days else 0
    return PollRequest(head.strip() + mark, options, many, secret is not None)


READERS: RequestReaders = {
    "remind": lambda line: RemindRequest(line.argument) if is_in_capitals(line.text) else None,
    "preview_difference": lambda line: PreviewDifferenceRequest(power_of(line, line.get("TEXT").strip(" :."))),
    "poll": _poll,
    "close_poll": lambda line: ClosePollRequest(int(line.get("COUNT"))),
}

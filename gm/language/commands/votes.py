"""Reads votes: VOTE DRAW, VOTE CONCEDE France, VOTE 1 YES, and the words of older judges for the same."""

from __future__ import annotations

import re

from gm.language.commands.command_line import ParsedLine, RequestReaders, is_in_capitals, power_list
from gm.language.commands.gm import BallotRequest
from gm.language.commands.requests import SetRequest, VoteRequest
from gm.language.lines.letter_contents import Request

VOTED = re.compile(
    r"(?:for\s+)?(?:(?P<none>none|no|nothing|nobody|cancel|withdraw|off|clear)(?:\s+draw)?"
    r"|(?:an?\s+)?draw(?:\s+(?:all|of all)|(?:\s+(?:of|between|among|for))?\s+(?P<among>.+))?(?P<draw>)"
    r"|(?:conce(?:de|ding|ssion)|solo|win)(?:\s+(?:to|of|for))?\s+(?P<concede>.+))$",
    re.IGNORECASE,
)
"""Behind VOTE: "draw", "draw France and Italy", "concede to France", "none"."""
IN_POLL = re.compile(r"(?:poll\s+)?#?(?P<number>\d{1,4})\s*[:=,]?\s*(?P<choice>\S.*)", re.IGNORECASE)
OR_END = re.compile(r"[\s,;(]*\bor\s+end\b(?:\s+(?:the\s+)?(?:game|it))?[\s)]*$", re.IGNORECASE)
YES_NO = frozenset({"yes", "no", "none"})
SETTING = re.compile(r"votes?\b", re.IGNORECASE)
"""Behind SET DRAW: the setting on votes, and no vote."""
PLAIN_DRAW = frozenset({"draw", "no draw", "propose draw", "propose a draw"})
"""Lines that vote even in small letters."""


def _vote(line: ParsedLine) -> Request | None:
    """None for talk about voting."""
    words = line.get("TEXT").strip()
    poll = IN_POLL.fullmatch(words)
    if poll is not None and (is_in_capitals(line.text) or poll["choice"].lower().strip(" .!") in YES_NO):
        return BallotRequest(int(poll["number"]), poll["choice"].strip(" .!\"'"))
    return _ending(line, words) or (VoteRequest("") if is_in_capitals(line.text) else None)


def _ending(line: ParsedLine, words: str) -> Request | None:
    either = OR_END.search(words)
    match = VOTED.match(words[: either.start()] if either else words)
    if match is None:
        return None
    choice = match.lastgroup or ""
    winners = power_list(line, match["among"] or match["concede"] or "")
    if choice == "concede" and not winners:
        return VoteRequest("")
    return VoteRequest(choice, winners, either is not None and choice != "none")


def _older_vote(line: ParsedLine) -> Request | None:
    """DRAW, NO DRAW, CONCEDE France, SET DRAW, PROPOSE DRAW, as in older judges. None for talk."""
    words = " ".join(line.text.split()).strip(" .!").lower()
    wish = f"{line.get('ENDING')} {line.get('TEXT')}".strip()
    if not is_in_capitals(line.text) and words not in PLAIN_DRAW and not _concession(line, wish):
        return None
    value = line.get("TEXT").lstrip(" :=")
    if line.get("SET") and (value.lower() in YES_NO or SETTING.match(value)):
        return SetRequest(line.get("ENDING").lower(), value)
    if words.startswith(("no ", "set no ", "unset ")):
        return VoteRequest("none")
    return _ending(line, wish) or VoteRequest("")


def _concession(line: ParsedLine, words: str) -> bool:
    """Whether the line only concedes to powers of the game; then it is a vote in small letters too."""
    vote = _ending(line, words)
    powers = set(line.variant.seated)
    return isinstance(vote, VoteRequest) and vote.choice == "concede" and powers.issuperset(vote.winners)


READERS: RequestReaders = {"vote": _vote, "called_vote": _older_vote}

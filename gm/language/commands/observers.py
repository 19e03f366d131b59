"""Requests about observing, notebooks and which letters to get.

OBSERVE ostend as Vigo     MAIL press off     DIARY Italy wavers.     HISTORY F1901M..S1903M
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from msgspec import Struct

from gm.language.commands import requests
from gm.language.commands.command_line import (
    MASTER,
    ParsedLine,
    RequestReaders,
    is_in_capitals,
    power_or_capitals,
    split_powers,
)
from gm.language.i18n.place_names import words
from gm.language.lines.letter_contents import Request

OBSERVED = re.compile(
    r"(?:game\s+)?(?P<game>[a-z][a-z0-9-]{1,15})(?:\s+(?:as\s+)?(?P<name>\S.{0,60}))?[.!]?$", re.IGNORECASE
)
"""Behind OBSERVE: a game and a name. Older judges wanted a password there; it is read as the name."""
ORDER_MAPS = ("order maps", "order map", "orders map", "map of orders", "maps of orders")
PHASE = re.compile(r"\b[a-z]\d{1,4}[a-z]\b", re.IGNORECASE)
ANY_PHASE = "-"
PRESS_LOG_FILLERS = re.compile(r"^(?:(?:of|with|for|from|in)\b\s*)+|\s+(?:of|with|for|from|in)$", re.IGNORECASE)
MAILS = {
    **dict.fromkeys(("all", "on", "everything"), "all"),
    **dict.fromkeys(("press off", "no press", "without press", "nopress"), "no-press"),
    **dict.fromkeys(("results", "results only", "only results"), "results"),
    **dict.fromkeys(("off", "none", "stop"), "off"),
    **dict.fromkeys(("press on",), "all"),
    **{f"{name} off": "order-maps-off" for name in ORDER_MAPS},
    **{f"{name} on": "order-maps-on" for name in ORDER_MAPS},
}
"""Words behind MAIL -> choice."""
DIGESTS = {
    **dict.fromkeys(("digest", "digest daily", "daily digest", "digest on"), "daily"),
    **dict.fromkeys(("digest weekly", "weekly digest"), "weekly"),
    **dict.fromkeys(("digest off", "digest none", "no digest"), "none"),
}
"""Words behind MAIL -> how often the digest comes."""


class ObserveRequest(Request, frozen=True):
    """OBSERVE ostend as Vigo; MONITOR: results only. `name` "" = the writer's own name, `game` "": none was named."""

    AS_WRITTEN: ClassVar[Mapping[str, str]] = {"name": "name"}

    game: str
    name: str = ""
    results_only: bool = False


class StopRequest(Request, frozen=True):
    """STOP, UNSUBSCRIBE: an observer leaves; a player keeps the seat, but gets no letters except answers."""


class EjectObserverRequest(Request, frozen=True):
    """EJECT OBSERVER Vigo."""

    AS_WRITTEN: ClassVar[Mapping[str, str]] = {"name": "name"}

    name: str


class DiaryRequest(Request, frozen=True):
    """DIARY words; DIARY alone shows the entries. `delete`: an entry's number. `everybody`: all opened entries."""

    text: str = ""
    delete: int = 0
    everybody: bool = False


class StatementRequest(Request, frozen=True):
    """STATEMENT words: what the writer has to say about the finished game; "" shows it. `withdraw`: takes it back."""

    text: str = ""
    withdraw: bool = False


class MuteRequest(Request, frozen=True):
    """MUTE Italy; () lists who is muted. Unknown names are kept as written."""

    names: tuple[str, ...] = ()


class UnmuteRequest(Request, frozen=True):
    """UNMUTE Italy; () = everybody."""

    names: tuple[str, ...] = ()


class MailRequest(Request, frozen=True):
    """MAIL all|results|press off|off|order maps off: `choice` is a value of `MAILS`, "" for unknown words.

    MAIL digest daily|weekly|off: `digest` is a value of `DIGESTS`, and `choice` "".
    """

    choice: str = ""
    digest: str = ""


def _observe(line: ParsedLine) -> Request | None:
    verb, words = line.keyword.lower(), line.get("TEXT")
    match = OBSERVED.match(words)
    bare = match is not None and not (match["name"] or "")
    if not is_in_capitals(line.text) and not (verb == "observe" and (bare or " as " in f" {words.lower()} ")):
        return None
    if match is None:
        return ObserveRequest("", results_only=verb == "monitor")
    return ObserveRequest(
        match["game"].lower(), " ".join((match["name"] or "").split()).rstrip(".!"), verb == "monitor"
    )


def _eject(line: ParsedLine) -> Request | None:
    return EjectObserverRequest(" ".join(line.get("TEXT").strip(" :.").split()))


def _range(line: ParsedLine) -> Request:
    return requests.LookupRequest("history", f"{line.get('PHASE').upper()}..{line.get('LAST_PHASE').upper()}")


def _names(line: ParsedLine) -> tuple[str, ...] | None:
    """The powers behind MUTE; None for talk."""
    listed = re.sub(r"[,;&+]|\band\b", " ", line.get("TEXT").strip(" :.!"))
    if not listed.strip():
        return () if is_in_capitals(line.text) or len(line.text.split()) == 1 else None
    names = tuple(dict.fromkeys(split_powers(line, " ".join(listed.split()))))
    minors = {" ".join(words(minor.name)): minor.name for minor in line.variant.minors}
    names = tuple(minors.get(" ".join(words(name)), name) for name in names)
    return names if set(names) <= set(line.variant.owners) or is_in_capitals(line.text) else None


def _mute(line: ParsedLine) -> Request | None:
    names = _names(line)
    return None if names is None else MuteRequest(names)


def _unmute(line: ParsedLine) -> Request | None:
    names = _names(line)
    return None if names is None else UnmuteRequest(() if names in (("all",), ("ALL",)) else names)


def _mail(line: ParsedLine) -> Request | None:
    words = " ".join(line.get("TEXT").lower().strip(" :=.!").split())
    choice, digest = MAILS.get(words, ""), DIGESTS.get(words, "")
    return MailRequest(choice, digest) if choice or digest or is_in_capitals(line.text) else None


class PressLogTopic(Struct, frozen=True):
    """Whose letters of which phase PRESS LOG lists; "" for all."""

    power: str = ""
    phase: str = ""

    @classmethod
    def of(cls, topic: str) -> PressLogTopic:
        phase, _, power = topic.partition(" ")
        return cls(power, phase.removeprefix(ANY_PHASE))

    def __str__(self) -> str:
        return f"{self.phase or ANY_PHASE} {self.power}".strip()


def _press_log(line: ParsedLine) -> Request | None:
    """The phase and the partner in any order; None for talk."""
    words = line.get("TEXT").strip(" :?.!")
    phase = PHASE.search(words)
    rest = PRESS_LOG_FILLERS.sub("", PHASE.sub("", words).strip(" ,"))
    power = power_or_capitals(line, rest) if rest and rest.upper() != MASTER else rest.upper()
    if power is None:
        return None
    topic = PressLogTopic(power, phase[0].upper() if phase else "")
    return requests.LookupRequest("press-log", str(topic) if words else "")


def _get(line: ParsedLine) -> Request | None:
    return requests.HelpRequest(line.get("TEXT").split()[0].lower()) if is_in_capitals(line.text) else None


READERS: RequestReaders = {
    "observe": _observe,
    "eject_observer": _eject,
    "history_range": _range,
    "mute": _mute,
    "unmute": _unmute,
    "mail": _mail,
    "get_file": _get,
    "press_log": _press_log,
}

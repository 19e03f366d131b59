"""Finds in plain words what a new game is to be: "a game of Locarno for my club, Sundays at 9pm Vienna time"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

from msgspec import Struct

from gm.language.dates.date_words import DateError
from gm.language.dates.schedule import EveryDays, Weekly, parse_schedule
from gm.language.dates.time_zones import named_zone
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import vocabulary_of

WORDS_MOST, PHRASE_MOST = 120, 10
NAMED = re.compile(
    r"\b(?:called|named|call it|name it|name:|namens|mit dem namen|heisst|nenne? (?:es|sie))\s+[\"']?"
    r"(?P<bare>[a-z][a-z0-9-]{1,15})\b"
    r"|[\"'](?P<quoted>[a-z][a-z0-9 -]{1,15})[\"']"
)
ZONE = re.compile(r"\b(?:zone|zeitzone)\s*:?\s+(?P<before>[a-z/_]+)|\b(?P<behind>[a-z]+(?: [a-z]+)?) (?:time|zeit)\b")
BEGINS = re.compile(r"(?:mon|tue|wed|thu|fri|sat|sun|daily|every|each|weekdays|weekly|\d)")


class GameInWords(Struct, frozen=True):
    """What was found; "" and None for what was not. `zone` is a key."""

    name: str = ""
    variant: str = ""
    zone: str = ""
    moves: Weekly | EveryDays | None = None


def read_game(lines: Sequence[str], language: str, titles: Mapping[str, str], home: ZoneInfo) -> GameInWords:
    """`titles`: what variants are called, in small letters without accents -> their ids. `home`: the writer's zone."""
    text = " ".join(" ".join(clean(line).text for line in lines).lower().split()[:WORDS_MOST])
    called = next((title for title in sorted(titles, key=len, reverse=True) if _holds(text, title)), "")
    moves = _schedule(text, language, home)
    zone = moves.zone if moves is not None else home
    if zone.key == home.key:
        zone = _zone(text) or home
    return GameInWords(_name(text), titles.get(called, ""), "" if zone.key == home.key else zone.key, moves)


def _holds(text: str, title: str) -> bool:
    return re.search(rf"\b{re.escape(title)}", text) is not None


def _name(text: str) -> str:
    match = NAMED.search(text)
    return re.sub(r"\s+", "-", (match["bare"] or match["quoted"]).strip()) if match else ""


def _zone(text: str) -> ZoneInfo | None:
    for match in ZONE.finditer(text):
        words = (match["before"] or match["behind"]).split()
        for start in range(len(words)):
            if zone := named_zone(" ".join(words[start:])):
                return zone
    return None


def _schedule(text: str, language: str, home: ZoneInfo) -> Weekly | EveryDays | None:
    """The longest phrase that is weekly slots, or days apart."""
    words = vocabulary_of(language).english(f"SET {text}").removeprefix("SET").split()
    for start, word in enumerate(words):
        if not BEGINS.match(word):
            continue
        for end in range(min(len(words), start + PHRASE_MOST), start + 1, -1):
            schedule = parse_schedule(" ".join(words[start:end]).strip(" ,.;:!?"), home)
            if not isinstance(schedule, DateError) and isinstance(schedule, Weekly | EveryDays):
                return schedule
    return None

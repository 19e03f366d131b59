"""Finds in plain words what a new game is to be: "a game of Locarno for my club, Sundays at 9pm Vienna time"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from zoneinfo import ZoneInfo

from msgspec import Struct

from gm.judge.model.variant import Variant
from gm.language.commands.plain_questions import tables_of
from gm.language.dates.date_words import DateError
from gm.language.dates.schedule import EveryDays, Weekly, parse_schedule
from gm.language.dates.time_zones import named_zone
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import vocabulary_of

WORDS_MOST, PHRASE_MOST = 120, 10
VARIANT = "variant"
"""What stands for the variant itself in `Variant.described`."""
NAMED = re.compile(
    r"\b(?:called|named|call it|name it|name:?|namens|mit dem namen|heisst|nenne? (?:es|sie))\s+[\"']?"
    r"(?P<bare>[a-z][a-z0-9-]{1,15})\b"
    r"|[\"'](?P<quoted>[a-z][a-z0-9 -]{1,15})[\"']"
)
ZONE = re.compile(r"\b(?:zone|zeitzone)\s*:?\s+(?P<before>[a-z/_]+)|\b(?P<behind>[a-z]+(?: [a-z]+)?) (?:time|zeit)\b")
BEGINS = re.compile(r"(?:mon|tue|wed|thu|fri|sat|sun|daily|every|each|weekdays|weekly|once|twice|\d)")


class GameInWords(Struct, frozen=True):
    """What was found; "" and None for what was not. `zone` is a key; `settings` are lines to stand below CREATE."""

    name: str = ""
    variant: str = ""
    zone: str = ""
    moves: Weekly | EveryDays | None = None
    settings: tuple[str, ...] = ()


def read_game(
    lines: Sequence[str], languages: Sequence[str], variants: Sequence[Variant], home: ZoneInfo
) -> GameInWords:
    """`languages` in which the words may be. `home`: the writer's zone."""
    text = " ".join(" ".join(clean(line).text for line in lines).lower().split()[:WORDS_MOST])
    variant, options = _variant(text, languages, variants)
    schedules = (_schedule(text, language, home) for language in languages)
    moves = next((schedule for schedule in schedules if schedule is not None), None)
    zone = moves.zone if moves is not None else home
    if zone.key == home.key:
        zone = _zone(text) or home
    settings = (*options, *settings_in_words(text, languages))
    return GameInWords(_name(text), variant, "" if zone.key == home.key else zone.key, moves, settings)


def settings_in_words(text: str, languages: Sequence[str]) -> tuple[str, ...]:
    """Lines "key: value" that words about a new game mean: "no maps please" is "order_maps: no"."""
    line = clean(text).text.lower()
    meant = [setting for setting, pattern in _settings(tuple(languages)) if pattern.search(line)]
    return tuple({setting.partition(":")[0]: setting for setting in reversed(meant)}.values())[::-1]


@lru_cache(maxsize=8)
def _settings(languages: tuple[str, ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The rows `[[settings]]` of grammars/plain_questions, English ones as well."""
    rows = tables_of("settings", *languages)
    return tuple((row["line"], re.compile("|".join(row["said"]))) for table in rows for row in table)


def _variant(text: str, languages: Sequence[str], variants: Sequence[Variant]) -> tuple[str, tuple[str, ...]]:
    """The id of the variant that is named or, by one variant more than by others, described; and its settings."""
    named = [variant for variant in variants if _holds(text, variant.id.replace("-", " "))]
    meant = {variant: _described(text, languages, variant) for variant in named[-1:] or variants}
    lengths = {variant: sum(map(len, phrases.values())) for variant, phrases in meant.items()}
    most = max(lengths.values(), default=0)
    best = named[-1:] or [variant for variant, length in lengths.items() if 0 < length == most]
    if len(best) != 1:
        return "", ()
    options = (line.partition(" ") for line in meant[best[0]] if line != VARIANT)
    return best[0].id, tuple(f"{key}: {value}" for key, _, value in options)


def _described(text: str, languages: Sequence[str], variant: Variant) -> Mapping[str, str]:
    """The longest phrase of each kind by which the text describes a variant."""
    known = variant.translations
    tables = (variant.described, *(known[language].described for language in languages if language in known))
    phrases = ((kind, phrase) for table in tables for kind, listed in table.items() for phrase in listed)
    held = sorted(((kind, phrase) for kind, phrase in phrases if _holds(text, phrase)), key=lambda pair: len(pair[1]))
    return dict(held)


def _holds(text: str, phrase: str) -> bool:
    """Whether words begin like those of a phrase: "beweglichen Grenzen" like "bewegliche Grenze"."""
    words = clean(phrase).text.lower().split()
    return re.search(r"\b" + r"\w*[\s-]+".join(map(re.escape, words)), text) is not None


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

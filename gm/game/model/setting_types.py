"""Types of settings: how a value is read, and how it is stored in `Game.settings`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Generic, TypeVar
from zoneinfo import ZoneInfo

from msgspec import Struct

from gm.game.model.records import GameState
from gm.judge.model.scoring import SYSTEMS
from gm.language.dates.date_words import SPAN, DateError, measure, plain_date
from gm.language.dates.dates import ReadDate, parse_date
from gm.language.dates.schedule import Schedule, parse_schedule
from gm.language.dates.time_zones import named_zone, near_zones
from gm.language.i18n.catalogue import language_named, languages

YES = ("yes", "on", "true", "1")
NO = ("no", "off", "false", "none", "0")
LONGEST_DURATION = timedelta(days=14)
MOST_DAYS = 90
MOST_WORDS = 600
"""Characters of a setting in free words."""
UTC = ZoneInfo("UTC")

T = TypeVar("T")
C = TypeVar("C", bound=str)


class ReadContext(Struct, frozen=True):
    """`zone`: the game's. `before`: the stored value that a new one replaces. `stored`: the value was accepted once.

    `now`: dates may be in words.
    """

    zone: ZoneInfo = UTC
    before: str = ""
    stored: bool = False
    now: datetime | None = None


class SettingType(Struct, Generic[T], frozen=True):
    """`read` raises InvalidValue. Without `write` a value is kept as the game master wrote it."""

    read: Callable[[str, ReadContext], T]
    write: Callable[[T], str] | None = None


class InvalidValue(Exception):
    """An invalid value of a setting. `key` names a sentence of the catalogue, `fields` fill it."""

    def __init__(self, key: str, *fields: tuple[str, str]) -> None:
        super().__init__(key)
        self.key, self.fields = key, fields


def choice_fields(choices: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The fields of the sentence that lists the choices."""
    listed = tuple(choices)
    return ("choices", ", ".join(listed)), ("example", listed[-1])


def choice(
    choices: Iterable[C], spellings: Mapping[str, C] = MappingProxyType({}), trouble: str = "choice"
) -> SettingType[C]:
    """One of the choices, also in these other spellings; blanks, dashes and underscores are the same.

    `trouble` is the sentence about any other value.
    """
    words = {str(meant): meant for meant in choices}
    words |= {_plain(spelling): meant for spelling, meant in spellings.items()}

    def read(value: str, _context: ReadContext) -> C:
        meant = words.get(_plain(value))
        if meant is None:
            raise InvalidValue(f"setting.trouble.{trouble}", *choice_fields(choices))
        return meant

    return SettingType(read, str)


def _plain(value: str) -> str:
    return "-".join(re.split(r"[\s_-]+", value.strip().lower()))


NO_SCORING = "none"
SCORING = choice(
    (NO_SCORING, *SYSTEMS),
    {
        **dict.fromkeys(NO, NO_SCORING),
        **dict.fromkeys(("draws", "draw", "dss", "drawsize", "draw-sized", "wta"), "draw-size"),
        **dict.fromkeys(("squares", "sos", "sum-of-the-squares"), "sum-of-squares"),
        **dict.fromkeys(("cdiplo", "c-diplo-100", "diplo"), "c-diplo"),
        **dict.fromkeys(("survivor", "survivors-win", "sws", "ppsc", "points-per-supply-centre"), "survivors"),
    },
)


def switch(off: str, on: str) -> SettingType[bool]:
    """Two choices with words of their own; True is `on`."""
    words = choice((off, on))
    return SettingType(lambda value, context: words.read(value, context) == on, lambda is_on: on if is_on else off)


def _read_yes_no(value: str, _context: ReadContext) -> bool:
    if value.lower() not in YES + NO:
        raise InvalidValue("setting.trouble.yes-no")
    return value.lower() in YES


def _read_zone(value: str, _context: ReadContext) -> ZoneInfo:
    if zone := named_zone(value):
        return zone
    if near := near_zones(value):
        raise InvalidValue("setting.trouble.zone-near", ("near", ", ".join(near)))
    raise InvalidValue("setting.trouble.zone")


def _read_schedule(value: str, context: ReadContext) -> Schedule:
    schedule = parse_schedule(value, context.zone)
    if isinstance(schedule, DateError):
        raise InvalidValue(schedule.key, *schedule.fields)
    return schedule


def duration(unit: str) -> SettingType[timedelta]:
    """ "36", "36 h", "2 days", "none"; a bare number counts `unit`."""

    def read(value: str, _context: ReadContext) -> timedelta:
        text = plain_date(value)
        if text in NO:
            return timedelta()
        text = f"{text} {unit}" if text.isdigit() and len(text) < 5 else text
        days, minutes = measure(text)
        length = timedelta(days=days, minutes=minutes)
        if not re.fullmatch(SPAN, text, re.ASCII) or not timedelta() < length <= LONGEST_DURATION:
            raise InvalidValue("setting.trouble.length", ("unit", unit))
        return length

    return SettingType(read)


def _read_language(value: str, context: ReadContext) -> str:
    """Accepts a stored language that this server no longer has; its letters are in English."""
    code = value.lower() if context.stored else language_named(value)
    if not code:
        raise InvalidValue("setting.trouble.language", ("known", ", ".join(languages())))
    return code


def _read_words(value: str, _context: ReadContext) -> str:
    text = " ".join(value.split())
    if len(text) > MOST_WORDS:
        raise InvalidValue("setting.trouble.words", ("most", str(MOST_WORDS)))
    return "" if text in ("-", '""') else text


WORDS = SettingType(_read_words, str)

WHEN_FULL = "when full"
_START_WORDS = dict.fromkeys((WHEN_FULL, "full", "auto", "automatic", "automatically", "when complete"), WHEN_FULL)
START_FORMAT = "%Y-%m-%d %H:%M"


def _read_start(value: str, context: ReadContext) -> str | datetime | None:
    """WHEN_FULL, an instant in the game's zone, or None: the game master starts the game."""
    text = value.lower()
    if text in (*NO, "start", "by hand"):
        return None
    if text in _START_WORDS:
        return WHEN_FULL
    try:
        return datetime.strptime(text, START_FORMAT).replace(tzinfo=context.zone)
    except ValueError:
        read = parse_date(value, context.now, context.zone) if context.now is not None else None
    if isinstance(read, ReadDate):
        return read.instant.astimezone(context.zone)
    raise InvalidValue("setting.trouble.start")


def _write_start(start: str | datetime | None) -> str:
    return start.strftime(START_FORMAT) if isinstance(start, datetime) else start or NO[0]


START = SettingType(_read_start, _write_start)
YES_NO = SettingType(_read_yes_no, lambda yes: YES[0] if yes else NO[0])
ZONE = SettingType(_read_zone, lambda zone: zone.key)
SCHEDULE = SettingType(_read_schedule)


def number(
    low: int, high: int, *units: str, example: int = 0, write: Callable[[int], str] | None = None
) -> SettingType[int]:
    """A whole number, with one of the `units` behind it or without, or none (0)."""

    def read(value: str, _context: ReadContext) -> int:
        text = value.lower()
        for unit in units:
            text = text.removesuffix(unit).strip()
        if text in NO:
            return 0
        if not text.isdecimal() or not low <= int(text) <= high:
            limits = ("low", str(low)), ("high", str(high)), ("example", str(example or low))
            raise InvalidValue("setting.trouble.number", *limits)
        return int(text)

    return SettingType(read, write)


COUNT = number(1, 9, write=lambda number: str(number) if number else NO[3])
DAYS = number(0, MOST_DAYS, "days", "d", example=15)
PERCENT = number(0, 100, "percent", "%", example=90, write=lambda number: f"{number} %" if number else NO[3])
"""A share, or none (0)."""
LANGUAGE = SettingType(_read_language, str)

CLOSED, APPROVAL, OPEN = "closed", "approval", "open"
JOINING = choice(
    (CLOSED, APPROVAL, OPEN),
    {**dict.fromkeys(("no", "invitation"), CLOSED), "ask": APPROVAL, "yes": OPEN},
    "joining",
)


class Anonymity(StrEnum):
    NO = "no"
    YES = "yes"
    ALWAYS = "always"

    def hides(self, state: GameState) -> bool:
        return self is Anonymity.ALWAYS or (self is Anonymity.YES and state is not GameState.ENDED)


ANONYMITY = choice(
    Anonymity,
    {
        **dict.fromkeys((*NO, "names", "open"), Anonymity.NO),
        **dict.fromkeys((*YES, "gunboat", "hidden", "until end", "till end"), Anonymity.YES),
        **dict.fromkeys(("always", "forever", "for ever"), Anonymity.ALWAYS),
    },
)


class PressMode(StrEnum):
    """`PUBLIC`: only to all. `WHITE`: signed. `GREY`: unsigned. `BOTH`: signed, unless the writer says otherwise."""

    NONE = "none"
    PUBLIC = "public"
    WHITE = "white"
    GREY = "grey"
    BOTH = "both"


PRESS = choice(
    PressMode,
    {
        **dict.fromkeys((*NO, "no press"), PressMode.NONE),
        **dict.fromkeys((*YES, "signed"), PressMode.WHITE),
        **dict.fromkeys(("gray", "anonymous", "unsigned"), PressMode.GREY),
        **dict.fromkeys(("broadcast", "broadcasts", "all"), PressMode.PUBLIC),
        **dict.fromkeys(("white/grey", "grey/white", "white/gray", "gray/white"), PressMode.BOTH),
    },
)
UNSIGNED = frozenset({PressMode.GREY, PressMode.BOTH})
"""Modes in which a letter need not name its writer."""
EVERYWHERE = frozenset({PressMode.NONE, PressMode.WHITE})
"""Modes that variants with their own press rules can have, too."""

VISIBILITY = HIDDEN, SHOWN = ("hidden", "shown")
LIFETIME = STICKY, PHASE = ("sticky", "phase")
_BETWEEN_CHOICES = re.compile(r"\s*(?:[,;/+&]|\band\b|\bund\b|\s)\s*", re.IGNORECASE)


class DrawVoteRule(Struct, frozen=True):
    """Who sees votes to end a game, and how long they stand: the setting `draw_votes`, two choices in one line.

    hidden   each is secret                  shown    STATUS shows all of them to everybody
    sticky   until its power votes again     phase    until the phase it was cast in is processed

    A choice that was not made is "": `SET draw_votes phase` leaves the other one as it is.
    """

    visibility: str = ""
    lifetime: str = ""

    @classmethod
    def read(cls, text: str) -> DrawVoteRule | None:
        """None where a word is none of the choices, or two of them contradict each other."""
        words = {word for word in _BETWEEN_CHOICES.split(text.lower()) if word}
        visibility, lifetime = words.intersection(VISIBILITY), words.intersection(LIFETIME)
        if not words or words - visibility - lifetime or len(visibility) > 1 or len(lifetime) > 1:
            return None
        return cls("".join(visibility), "".join(lifetime))

    def completed_by(self, other: DrawVoteRule) -> DrawVoteRule:
        return DrawVoteRule(self.visibility or other.visibility, self.lifetime or other.lifetime)

    def __str__(self) -> str:
        return f"{self.visibility} {self.lifetime}".strip()

    @property
    def shown(self) -> bool:
        return self.visibility == SHOWN

    @property
    def lapses(self) -> bool:
        return self.lifetime == PHASE


DEFAULT_DRAW_VOTES = DrawVoteRule(HIDDEN, STICKY)


def _read_draw_votes(value: str, context: ReadContext) -> DrawVoteRule:
    rule = DrawVoteRule.read(value)
    if rule is None:
        raise InvalidValue("setting.trouble.draw-votes", *choice_fields((*VISIBILITY, *LIFETIME)))
    before = DrawVoteRule.read(context.before) or DEFAULT_DRAW_VOTES
    return rule.completed_by(before).completed_by(DEFAULT_DRAW_VOTES)


DRAW_VOTES = SettingType(_read_draw_votes, str)

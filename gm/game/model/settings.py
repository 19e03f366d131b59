"""A game's settings: what a game master may choose by SET or below CREATE, and what each key means.

`KEYS` is the table; the settings a variant brings (its rules' options) stand beside it. Values are kept as the game
master wrote them, tidied, in `Game.settings`; `choose` refuses a wrong one before it is kept, in one sentence that
says what would be right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TypeVar
from zoneinfo import ZoneInfo

from msgspec import Struct, field
from msgspec.structs import replace

from gm.errors import GmError
from gm.game.model.records import Game, Person
from gm.game.model.setting_choices import (
    EVERYWHERE,
    LASTING,
    MODES,
    SEEN,
    SPELLINGS,
    UNSIGNED,
    USUAL,
    Anonymity,
    DrawVoteRule,
    PressMode,
)
from gm.game.model.setting_names import ALIASES, elsewhere, whole_key
from gm.judge.model.variant import Setting, Variant
from gm.language.dates.date_words import DateTrouble, measure
from gm.language.dates.schedule import Schedule, next_due, parse_schedule
from gm.language.dates.time_zones import find_zone, near_zones
from gm.language.i18n.catalogue import Catalogue, languages

YES = ("yes", "on", "true", "1")
NO = ("no", "off", "false", "none", "0")
LISTINGS = PUBLIC, UNLISTED = ("public", "unlisted")
REJECT, HOLD_STILL = ILLEGAL = ("reject", "hold")
HOLD, WAIT, STOP, GM = NMR = ("hold", "wait", "stop", "gm")
MOST = timedelta(days=14)
DAYS_MOST = 90
UTC = ZoneInfo("UTC")

T = TypeVar("T")


class SettingTrouble(Struct, frozen=True):
    """A setting that is not taken. `key` names a sentence of the catalogue, `fields` fill it."""

    key: str
    fields: tuple[tuple[str, str], ...] = ()
    suggestions: tuple[str, ...] = ()


class SettingRow(Struct, frozen=True):
    """One line of the table of settings; `meaning` in the reader's language. `chosen`: not just the default."""

    key: str
    value: str
    default: str
    meaning: str
    chosen: bool


class GameSettings(Struct, frozen=True):
    """A game's choices, read. `reminder` zero: nobody is reminded. `options` are the variant's own settings.
    `list`: a public site of the server's games shows it too: positions and orders, by the powers' names.

    `zone` is for what names none: schedules, a game master's dates, players who have not set theirs. `hours` are the
    variant's own, by letters of a phase's name, where the game master has chosen no others. `partial`: a letter may go
    to several powers that are not all. `dias`: a draw includes all survivors. `concede`: a game may be conceded.
    `unanimous`: an end by vote takes all that are still in the game, else more than half of them. `draw_votes`:
    who sees votes to end the game, and how long they stand. `anonymous`: whether players may know each other.
    `illegal_orders`: whether an order that its unit cannot carry out is refused, or taken, and the unit holds.
    """

    moves: Schedule
    retreats: Schedule
    builds: Schedule
    zone: ZoneInfo
    reminder: timedelta
    grace: timedelta
    press: PressMode
    press_minor_phases: bool
    press_late: bool
    partial: bool
    proxy: bool
    anonymous: Anonymity
    empty_seats: bool
    observers: bool
    observer_press: bool
    diaries: bool
    language: str
    joining: str
    nmr: str
    preliminary_used_on_nmr: bool
    wait_policy: str
    absence: str
    absence_max: int
    dias: bool
    concede: bool
    unanimous: bool
    draw_votes: DrawVoteRule
    illegal_orders: str
    list: bool
    options: Mapping[str, str]
    hours: Mapping[str, Schedule] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Game, variant: Variant, zone: str = "UTC") -> GameSettings:
        """`zone` is the server's, for a game without one. GmError where a stored value makes no sense."""
        try:
            return cls._read(game.settings, variant, zone)
        except _Senseless as error:
            raise GmError(f"game {game.name}: the setting {error} makes no sense; SET {error.key} mends it") from None

    @classmethod
    @lru_cache(maxsize=256)
    def _read(cls, chosen: tuple[tuple[str, str], ...], variant: Variant, zone: str) -> GameSettings:
        """The last ones are kept: a letter asks for its game's again and again, and many games have the same."""
        values = defaults(variant) | {"zone": zone} | dict(chosen)

        def read(key: str, reader: Callable[[str, ZoneInfo], T], home: ZoneInfo = UTC) -> T:
            try:
                return reader(values[key], home)
            except _Wrong:
                raise _Senseless(key, values[key]) from None

        home = read("zone", _zone)
        return cls(
            moves=read("moves", _schedule, home),
            retreats=read("retreats", _schedule, home),
            builds=read("builds", _schedule, home),
            zone=home,
            reminder=read("reminder", _hours),
            grace=read("grace", _minutes),
            press=read("press", _press),
            press_minor_phases=read("press_minor_phases", _yes_no),
            press_late=read("press_late", _yes_no),
            partial=read("partial", _yes_no),
            proxy=read("proxy", _yes_no),
            anonymous=read("anonymous", _anonymous),
            empty_seats=read("empty_seats", _yes_no),
            observers=read("observers", _yes_no),
            observer_press=read("observer_press", _observer_press) == "public",
            diaries=read("diaries", _diaries) == "opened",
            language=values["language"],
            joining=read("joining", _joining),
            nmr=read("nmr", _nmr),
            preliminary_used_on_nmr=read("preliminary_used_on_nmr", _yes_no),
            wait_policy=read("wait_policy", _wait_policy),
            absence=read("absence", _absence),
            absence_max=read("absence_max", _days),
            dias=read("dias", _yes_no),
            concede=read("concede", _yes_no),
            unanimous=read("unanimous", _yes_no),
            draw_votes=read("draw_votes", _draw_votes).over(USUAL),
            illegal_orders=read("illegal_orders", _illegal_orders),
            list=read("list", _list) == PUBLIC,
            options={setting.key: values.get(setting.key, setting.default) for setting in variant.settings},
            hours={
                letters: _schedule(text, home)
                for letters, text in variant.hours.items()
                if letters[-1:] not in SET_BY_ALL or _kind(letters) not in dict(chosen)
            },
        )

    @property
    def reminder_hours(self) -> int:
        return int(self.reminder.total_seconds()) // 3600

    def schedule(self, letter: str) -> Schedule:
        """The schedule of a kind of phase, by the last letter of its name. Kinds of their own keep the moves' slot."""
        return {"retreats": self.retreats, "builds": self.builds}.get(_kind(letter), self.moves)

    def due(self, phase: str, opened: datetime) -> datetime | None:
        """When a phase ("S1901M") that opens then is due; None: it has no deadline."""
        return next_due(self.schedule_of(phase), opened)

    def schedule_of(self, phase: str) -> Schedule:
        own = self.hours.get(phase[:1] + phase[-1:]) or self.hours.get(phase[-1:])
        return own or self.schedule(phase[-1:])


def language_of(person: Person, game: Game | None = None) -> str:
    """What letters to somebody are written in: his own choice, else the game's."""
    chosen = dict(game.settings) if game is not None else {}
    return person.language or chosen.get("language", KEYS["language"][0])


def takes_illegal(game: Game) -> bool:
    """Whether an order that its unit cannot carry out is taken."""
    return dict(game.settings).get("illegal_orders", KEYS["illegal_orders"][0]) == HOLD_STILL


OF_FREE_PRESS = ("press_minor_phases", "press_late", "partial")
"""Settings that only letters which are passed on as they come can have."""
OF_THE_RULES = ("illegal_orders",)
"""Settings that are rules, besides the variant's."""
SET_BY_ALL = "MRQA"
"""Letters of the phases that every game's own settings are for."""


def _kind(letters: str) -> str:
    """The setting that says when phases with these letters are due."""
    return {"R": "retreats", "Q": "retreats", "A": "builds", "S": "builds"}.get(letters[-1:], "moves")


def _default(variant: Variant, key: str, default: str) -> str:
    """What holds where nothing was chosen, the variant's own hours first."""
    own = {letters: text for letters, text in variant.hours.items() if _kind(letters) == key}
    names = {step.season[0]: step.season for step in variant.calendar}
    said = {
        text: [names[letters[0]] for letters, one in own.items() if one == text and letters[0] in names and letters[1:]]
        for text in own.values()
    }
    if len(said) < 2:
        return next(iter(said), default)
    return "; ".join(" ".join((*seasons, text)) for text, seasons in said.items())


def choose(game: Game, variant: Variant, key: str, value: str) -> Game | SettingTrouble:
    """The game with that choice made: key and value tidied ("time zone berlin" is kept as zone Europe/Berlin)."""
    typed, called = key, {**ALIASES, **_called(variant)}
    key, value = whole_key(key, value, {*KEYS, *called})
    key = called.get(key, key)
    others = tuple((one, kept) for one, kept in game.settings if one != key)
    if own := next((setting for setting in variant.settings if setting.key == key), None):
        found = _option(own, value)
        return found if isinstance(found, SettingTrouble) else replace(game, settings=(*others, (key, found)))
    if told := elsewhere(key, value):
        return SettingTrouble(f"setting.elsewhere.{told}", (("key", typed),))
    if key not in KEYS:
        known = ", ".join((*KEYS, *(setting.key for setting in variant.settings)))
        return SettingTrouble("setting.trouble.key", (("key", key), ("known", known)))
    try:
        read = KEYS[key][1](value, find_zone(dict(game.settings).get("zone", "UTC")) or UTC)
    except _Wrong as wrong:
        trouble = wrong.trouble
        return SettingTrouble(trouble.key, (("key", key), ("value", value), *trouble.fields), trouble.suggestions)
    if barred := _own_press(variant, key, read):
        return barred
    return replace(game, settings=(*others, (key, _kept(read, value, dict(game.settings).get(key, "")))))


def _kept(read: object, value: str, before: str) -> str:
    """A value as it is kept: one of several spellings by its own name, what needs reading again as it was written.
    Of a law that was half chosen, the other half stays as it was.
    """
    if isinstance(read, DrawVoteRule):
        return str(read.over((DrawVoteRule.read(before) or USUAL).over(USUAL)))
    if isinstance(read, bool):
        return YES[0] if read else NO[0]
    if isinstance(read, ZoneInfo):
        return read.key
    return str(read) if isinstance(read, str) else value


def _own_press(variant: Variant, key: str, read: object) -> SettingTrouble | None:
    """Why a variant whose letters have rules of their own cannot have this; None where it can."""
    press, fields = variant.press, (("key", key), ("variant", variant.title))
    if isinstance(read, PressMode):
        choices = [mode for mode in PressMode if press.free or mode in EVERYWHERE]
        choices = [mode for mode in choices if press.unsigned or mode not in UNSIGNED]
        if read not in choices:
            return SettingTrouble("setting.trouble.own-press", (*fields, ("choices", ", ".join(choices))))
    elif key in OF_FREE_PRESS and not press.free and read is not True:
        return SettingTrouble("setting.trouble.own-press", (*fields, ("choices", YES[0])))
    return None


def _called(variant: Variant) -> dict[str, str]:
    """What the variant's settings may be called, and their keys."""
    return {
        re.sub(r"[.\s-]", "_", name): setting.key
        for setting in variant.settings
        for name in (*setting.names, setting.key)
    }


def named(variant: Variant, said: str) -> str:
    """The key that somebody means: "convoy route", "dp.reveal"; "" for none."""
    called = {**dict(zip(KEYS, KEYS, strict=True)), **ALIASES, **_called(variant)}
    return called.get(whole_key(said, "", called)[0], "")


def in_force(game: Game, variant: Variant, key: str) -> str:
    """The value of one of the rules."""
    own = {setting.key: setting.default for setting in variant.settings}
    return dict(game.settings).get(key) or own.get(key) or KEYS[key][0]


def is_rule(variant: Variant, key: str) -> bool:
    """Whether it is one of the game's rules, which do not change without a reason while it is played."""
    return key in OF_THE_RULES or any(setting.key == key for setting in variant.settings)


def table(game: Game, variant: Variant, catalogue: Catalogue) -> tuple[SettingRow, ...]:
    """Every key with its present value, for HELP and for the answer to SETTINGS."""
    chosen = dict(game.settings)
    usual = defaults(variant).items()
    ours = ((key, _default(variant, key, default), catalogue.say(f"setting.{key}")) for key, default in usual)
    named = variant.tongues.get(catalogue.language)
    told = named.settings if named is not None else {}
    own = (
        (
            setting.key,
            setting.default,
            told.get(setting.key, setting.meaning) or catalogue.say(f"setting.{setting.key}"),
        )
        for setting in variant.settings
    )
    return tuple(
        SettingRow(key, chosen.get(key, default), default, meaning, key in chosen)
        for key, default, meaning in (*ours, *own)
    )


def meaningful(rows: Iterable[SettingRow], variant: Variant) -> tuple[SettingRow, ...]:
    """Without those that need another choice than was made."""
    found = {row.key: row for row in rows}
    silent = {
        setting.key
        for setting in variant.settings
        if setting.needs and found[setting.needs[0]].value != setting.needs[1]
    }
    return tuple(row for row in found.values() if row.key not in silent)


# ---- reading values


class _Wrong(Exception):
    def __init__(self, key: str, *fields: tuple[str, str], suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(key)
        self.trouble = SettingTrouble(key, fields, suggestions)


class _Senseless(Exception):
    """A stored value that nobody could have set."""

    def __init__(self, key: str, value: str) -> None:
        super().__init__(f"{key} = {value!r}")
        self.key = key


def _zone(value: str, _home: ZoneInfo) -> ZoneInfo:
    if zone := find_zone(value):
        return zone
    raise _Wrong("setting.trouble.zone", suggestions=near_zones(value))


def _schedule(value: str, home: ZoneInfo) -> Schedule:
    read = parse_schedule(value, home)
    if isinstance(read, DateTrouble):
        raise _Wrong(read.key, *read.fields, suggestions=read.suggestions)
    return read


def _hours(value: str, _home: ZoneInfo) -> timedelta:
    return _length(value, "h")


def _minutes(value: str, _home: ZoneInfo) -> timedelta:
    return _length(value, "min")


def _length(value: str, unit: str) -> timedelta:
    """ "36", "36 h", "2 days", "none"."""
    said = value.lower()
    if said in NO:
        return timedelta()
    days, minutes = measure(f"{said} {unit}" if said.isdigit() and len(said) < 5 else said)
    length = timedelta(days=days, minutes=minutes)
    if not re.fullmatch(r"[0-9]{1,4}( ?[a-z]+)?", said) or not timedelta() < length <= MOST:
        raise _Wrong("setting.trouble.length", ("unit", unit))
    return length


def _yes_no(value: str, _home: ZoneInfo) -> bool:
    if value.lower() not in YES + NO:
        raise _Wrong("setting.trouble.yes-no")
    return value.lower() in YES


def _press(value: str, _home: ZoneInfo) -> PressMode:
    if value.lower() not in MODES:
        raise _Wrong("setting.trouble.choice", *_choices(PressMode))
    return MODES[value.lower()]


def _anonymous(value: str, _home: ZoneInfo) -> Anonymity:
    if value.lower() not in SPELLINGS:
        raise _Wrong("setting.trouble.choice", *_choices(Anonymity))
    return SPELLINGS[value.lower()]


def _one_of(*choices: str) -> Callable[[str, ZoneInfo], str]:
    def read(value: str, _home: ZoneInfo) -> str:
        if value.lower() not in choices:
            raise _Wrong("setting.trouble.choice", *_choices(choices))
        return value.lower()

    return read


def _language(value: str, _home: ZoneInfo) -> str:
    if value.lower() not in languages():
        raise _Wrong("setting.trouble.language", ("known", ", ".join(languages())))
    return value.lower()


CLOSED, APPROVAL, OPEN = "closed", "approval", "open"
JOINING = {
    **dict.fromkeys((CLOSED, "no", "invitation"), CLOSED),
    **dict.fromkeys((APPROVAL, "ask"), APPROVAL),
    **dict.fromkeys((OPEN, "yes"), OPEN),
}
"""May somebody join a game: not without an invitation, when the game master approves, or whoever comes?"""


def _joining(value: str, _home: ZoneInfo) -> str:
    if value.lower() not in JOINING:
        raise _Wrong("setting.trouble.joining")
    return JOINING[value.lower()]


def _draw_votes(value: str, _home: ZoneInfo) -> DrawVoteRule:
    law = DrawVoteRule.read(value)
    if law is None:
        raise _Wrong("setting.trouble.draw-votes", *_choices((*SEEN, *LASTING)))
    return law


_nmr = _one_of(*NMR)
_wait_policy = _one_of("ready", "complete", "deadline")
_absence = _one_of("auto", "ask", "no")
_observer_press = _one_of("no", "public")
_diaries = _one_of("private", "opened")
_illegal_orders = _one_of(*ILLEGAL)
_list = _one_of(*LISTINGS)


def _days(value: str, _home: ZoneInfo) -> int:
    said = value.lower().removesuffix("days").removesuffix("d").strip()
    if not said.isdigit() or not 0 <= int(said) <= DAYS_MOST:
        raise _Wrong("setting.trouble.number", ("low", "0"), ("high", str(DAYS_MOST)), ("example", "15"))
    return int(said)


def _option(setting: Setting, value: str) -> str | SettingTrouble:
    fields = (("key", setting.key), ("value", value))
    found = setting.taken(value)
    if found is not None:
        return found
    if setting.choices:
        return SettingTrouble("setting.trouble.choice", (*fields, *_choices(setting.choices)))
    limits = (("low", str(setting.low)), ("high", str(setting.high)), ("example", setting.default))
    return SettingTrouble("setting.trouble.number", (*fields, *limits))


def _choices(choices: Iterable[str]) -> tuple[tuple[str, str], ...]:
    every = tuple(choices)
    return ("choices", ", ".join(every)), ("example", every[-1])


Reading = Callable[[str, ZoneInfo], object]

KEYS: Mapping[str, tuple[str, Reading]] = {
    "moves": ("Sundays 20:00", _schedule),
    "retreats": ("48 h", _schedule),
    "builds": ("48 h", _schedule),
    "zone": ("UTC", _zone),
    "reminder": ("36 h", _hours),
    "grace": ("none", _minutes),
    "press": (PressMode.WHITE.value, _press),
    "press_minor_phases": ("yes", _yes_no),
    "press_late": ("yes", _yes_no),
    "partial": ("yes", _yes_no),
    "proxy": ("no", _yes_no),
    "anonymous": (Anonymity.NO.value, _anonymous),
    "empty_seats": ("no", _yes_no),
    "observers": ("yes", _yes_no),
    "observer_press": ("no", _observer_press),
    "diaries": ("private", _diaries),
    "language": ("en", _language),
    "joining": (APPROVAL, _joining),
    "nmr": (HOLD, _nmr),
    "preliminary_used_on_nmr": ("yes", _yes_no),
    "wait_policy": ("ready", _wait_policy),
    "absence": ("auto", _absence),
    "absence_max": ("15", _days),
    "dias": ("yes", _yes_no),
    "concede": ("yes", _yes_no),
    "unanimous": ("yes", _yes_no),
    "draw_votes": (str(USUAL), _draw_votes),
    "illegal_orders": (REJECT, _illegal_orders),
    "list": (PUBLIC, _list),
}
"""Key -> (default, how its value is read). What a key means is the catalogue's "setting.<key>"."""

FIXED = ("anonymous",)
"""What cannot be chosen any more when the game has begun."""


def defaults(variant: Variant) -> dict[str, str]:
    """The value of every key where nothing was chosen. What letters of the variant hide, the game hides."""
    usual = {key: default for key, (default, _) in KEYS.items()}
    return usual | ({"anonymous": Anonymity.YES.value} if variant.press.anonymous else {})

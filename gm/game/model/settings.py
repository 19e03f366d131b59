"""The table of settings, one row each, and the settings of one game.

Values are kept as text in `Game.settings`, one (key, value) per choice the game master made with SET or below CREATE.
A variant brings settings of its own (`Variant.settings`).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cache, lru_cache
from typing import Any, Generic, TypeVar, overload

from msgspec import Struct, field
from msgspec.structs import force_setattr

from gm.errors import GmError
from gm.game.model.records import Game, Person
from gm.game.model.setting_types import (
    ANONYMITY,
    APPROVAL,
    COUNT,
    DAYS,
    DEFAULT_DRAW_VOTES,
    DRAW_VOTES,
    JOINING,
    LANGUAGE,
    NO_SCORING,
    PERCENT,
    PRESS,
    SCHEDULE,
    SCORING,
    START,
    WORDS,
    YES_NO,
    ZONE,
    Anonymity,
    InvalidValue,
    PressMode,
    ReadContext,
    SettingType,
    choice,
    duration,
    switch,
)
from gm.judge.model.variant import Variant
from gm.language.dates.schedule import Schedule, next_due

T = TypeVar("T")

REJECT, HOLD_STILL = ILLEGAL_ORDERS = ("reject", "hold")
HOLD, WAIT, STOP, GM = NMR = ("hold", "wait", "stop", "gm")
OWN_SCHEDULE = "MRQA"
"""Last letters of the phase codes whose schedule the game's own settings define."""


class GameSetting(Struct, Generic[T], frozen=True):
    """A row of the table: a setting that every variant has. The sentence "setting.<key>" tells what it means.

    `key`, `default`, `meaning`, `names` and `fixed` are as in a variant's own `gm.judge.model.variant.Setting`.
    `also` are other names of it, `plain_names` those that CREATE reads without a colon. `is_rule`: a change needs a
    reason once the game has begun. `fixed`: it can't be changed then. `free_press`: press rules that a variant brings
    allow nothing but "yes". `in_welcome`: players read a chosen value in their first letter.
    """

    default: str
    kind: SettingType[T]
    also: tuple[str, ...] = ()
    plain_names: tuple[str, ...] = ()
    is_rule: bool = False
    in_welcome: bool = False
    fixed: bool = False
    free_press: bool = False
    key: str = ""
    meaning: str = ""

    def __set_name__(self, owner: type, name: str) -> None:
        force_setattr(self, "key", name)

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.also, *self.plain_names)

    @overload
    def __get__(self, settings: None, owner: type) -> GameSetting[T]: ...
    @overload
    def __get__(self, settings: GameSettings, owner: type) -> T: ...
    def __get__(self, settings: GameSettings | None, owner: type) -> GameSetting[T] | T:
        if settings is None:
            return self
        value: T = settings.values[self.key]
        return value


class GameSettings(Struct, frozen=True):
    """The settings of a game. Each row's attribute is its value in this game: `settings.proxy` is a bool.

    `hours` are the variant's own schedules, by letters of a phase code, where the game master has chosen no others.
    """

    values: Mapping[str, Any]
    hours: Mapping[str, Schedule] = field(default_factory=dict)

    moves = GameSetting(
        "Sundays 20:00",
        SCHEDULE,
        ("move", "orders", "slot", "slots", "timing", "rhythm", "deadline"),
        plain_names=("moves", "movement", "schedule", "deadlines"),
    )
    retreats = GameSetting("48 h", SCHEDULE, ("retreat",), plain_names=("retreats",))
    builds = GameSetting(
        "48 h",
        SCHEDULE,
        ("build", "adjust", "winter"),
        plain_names=("builds", "adjustments"),
    )
    zone = GameSetting("UTC", ZONE, ("time_zone", "tz"), plain_names=("zone", "timezone"))
    """For schedules, the game master's dates, and players who have not set theirs."""
    reminder = GameSetting("36 h", duration("h"), plain_names=("reminder", "reminders"))
    grace = GameSetting("none", duration("min"), plain_names=("grace",))
    press = GameSetting(PressMode.WHITE.value, PRESS, plain_names=("press",))
    press_minor_phases = GameSetting("yes", YES_NO, ("minor_press",), free_press=True)
    press_late = GameSetting("yes", YES_NO, ("late_press",), free_press=True)
    partial = GameSetting("yes", YES_NO, ("partial_press",), free_press=True)
    """A letter may go to several powers that are not all."""
    press_grace = GameSetting("yes", YES_NO, ("grace_press",), in_welcome=True)
    """Players may write to each other between a deadline and the results."""
    must_order = GameSetting("no", YES_NO, ("mustorder", "order_first", "orders_first"), in_welcome=True)
    """A player who owes orders writes to other players only when they are complete."""
    press_copy = GameSetting("none", switch("none", "gm"), ("press_copies", "copy_press"), in_welcome=True)
    """The game masters get a copy of every letter between players."""
    proxy = GameSetting("no", YES_NO, ("proxies", "proxy_orders"))
    anonymous = GameSetting(
        Anonymity.NO.value,
        ANONYMITY,
        ("anonymity", "anonym", "anonymus", "anonimous", "annonymous"),
        plain_names=("anonymous", "gunboat"),
        fixed=True,
    )
    empty_seats = GameSetting("no", YES_NO)
    observers = GameSetting("yes", YES_NO)
    observer_press = GameSetting("no", switch("no", "public"))
    diaries = GameSetting("private", switch("private", "opened"))
    order_maps = GameSetting("yes", YES_NO, ("orders_map", "order_map"))
    """Answers to orders come with a picture of them."""
    press_opened = GameSetting("no", YES_NO, ("open_press", "opened_press"))
    """Whether the chronicle opens the press that is written from then on."""
    site_names = GameSetting("no", YES_NO, ("names_on_site",))
    """Whether the public site names the players of the finished game, and of its league."""
    statements = GameSetting("14 d", duration("d"), ("statement", "end_statements"))
    """How long players may write a statement when the game is over; 0: none are asked for."""
    language = GameSetting("en", LANGUAGE, ("lang",), plain_names=("language",))
    joining = GameSetting(APPROVAL, JOINING, plain_names=("joining",))
    nmr = GameSetting(HOLD, choice(NMR))
    reliability = GameSetting("none", PERCENT)
    """So reliable must be who asks for a seat (`PlayingRecord.reliability`)."""
    nmr_limit = GameSetting("none", COUNT, ("nmrs", "nmr_max"))
    """So many movement phases without orders in a row open a seat to substitutes."""
    late_notice = GameSetting("none", duration("h"), ("late_notices", "late_reminder"))
    """How often late players are told again after the deadline."""
    preliminary_used_on_nmr = GameSetting("yes", YES_NO, ("drafts", "preliminary", "prelim"))
    delay = GameSetting("none", duration("h"), ("delayed",), in_welcome=True)
    """How long after its last letter a phase is resolved that nobody wants to wait with."""
    wait_policy = GameSetting("ready", choice(("ready", "complete", "deadline")), ("wait",))
    absence = GameSetting("auto", choice(("auto", "ask", "no")), ("absences",))
    absence_max = GameSetting("15", DAYS, ("max_absence",))
    dias = GameSetting("yes", YES_NO, ("draws",))
    """A draw includes all survivors."""
    concede = GameSetting("yes", YES_NO, ("concessions", "concession"))
    unanimous = GameSetting("yes", YES_NO)
    """An end by vote takes every power still in the game, else more than half of them."""
    draw_votes = GameSetting(str(DEFAULT_DRAW_VOTES), DRAW_VOTES, ("votes",))
    illegal_orders = GameSetting(
        REJECT,
        choice(ILLEGAL_ORDERS),
        ("illegal", "illegal_order", "impossible_orders"),
        is_rule=True,
    )
    scoring = GameSetting(NO_SCORING, SCORING, ("score", "scores", "scoring_system"), ("scoring",), is_rule=True)
    """How the result becomes points (`gm.judge.model.scoring`)."""
    list = GameSetting("public", switch("unlisted", "public"), ("listed", "listing"))
    """Whether LIST and a public site of the server's games show the game: positions and orders, by power."""
    start = GameSetting("no", START, ("start_date", "begin", "begins"), plain_names=("start",))
    """When the game begins by itself, if every power has a player: at a date, or when it is full."""
    about = GameSetting("-", WORDS, ("description", "describe"), plain_names=("about", "description"))
    """The game master's own words about the game, for everybody."""

    @classmethod
    def of(cls, game: Game, variant: Variant, zone: str = "UTC") -> GameSettings:
        """`zone` is the server's, for games without one. Raises GmError for an invalid stored value."""
        try:
            return cls._read(game.settings, variant, zone)
        except _InvalidStoredValue as error:
            raise GmError(f"game {game.name}: the setting {error} makes no sense; SET {error.key} mends it") from None

    @classmethod
    @lru_cache(maxsize=256)
    def _read(cls, chosen: tuple[tuple[str, str], ...], variant: Variant, zone: str) -> GameSettings:
        """Cached only for speed: each letter asks for its game's settings many times."""
        defaults = {row.key: default_value(row, variant) for row in game_settings()}
        values = {**defaults, "zone": zone, **dict(chosen)}

        def read(row: GameSetting[T], context: ReadContext) -> T:
            try:
                return row.kind.read(values[row.key], context)
            except InvalidValue:
                raise _InvalidStoredValue(row.key, values[row.key]) from None

        context = ReadContext(read(cls.zone, ReadContext()), stored=True)
        return cls(
            {row.key: read(row, context) for row in game_settings()},
            {
                letters: SCHEDULE.read(text, context)
                for letters, text in variant.hours.items()
                if letters[-1:] not in OWN_SCHEDULE or schedule_key(letters) not in dict(chosen)
            },
        )

    def due(self, phase: str, opened: datetime) -> datetime | None:
        """When a phase ("S1901M") that opens then is due; None: it has no deadline."""
        return next_due(self.schedule_of(phase), opened)

    def schedule_of(self, phase: str) -> Schedule:
        """Phases that are neither retreats nor builds use the schedule of moves."""
        own = self.hours.get(phase[:1] + phase[-1:]) or self.hours.get(phase[-1:])
        schedule: Schedule = self.values[schedule_key(phase)]
        return own or schedule


class _InvalidStoredValue(Exception):
    """A stored value that cannot be read."""

    def __init__(self, key: str, value: str) -> None:
        super().__init__(f"{key} = {value!r}")
        self.key = key


@cache
def game_settings() -> tuple[GameSetting[Any], ...]:
    """All rows, in the order of the table."""
    return tuple(row for row in vars(GameSettings).values() if isinstance(row, GameSetting))


@cache
def plain_names() -> frozenset[str]:
    """Names of settings, and of the variant, that a line below CREATE may set without a colon."""
    return frozenset(("variant", *(name for row in game_settings() for name in row.plain_names)))


def default_value(row: GameSetting[Any], variant: Variant) -> str:
    """The default; `anonymous` is yes in a variant with anonymous press."""
    hidden = row.key == GameSettings.anonymous.key and variant.press.anonymous
    return Anonymity.YES.value if hidden else row.default


def schedule_key(letters: str) -> str:
    """The setting that says when phases with these letters are due."""
    return {"R": "retreats", "Q": "retreats", "A": "builds", "S": "builds"}.get(letters[-1:], "moves")


def language_of(person: Person, game: Game | None = None) -> str:
    """The language of letters to a person: their own choice, else the game's."""
    return person.language or stored_value(game, GameSettings.language)


def stored_value(game: Game | None, row: GameSetting[Any]) -> str:
    """The value as it is kept; without a game, the default."""
    chosen = dict(game.settings) if game is not None else {}
    return chosen.get(row.key, row.default)


def takes_illegal(game: Game) -> bool:
    """Whether the setting `illegal_orders` accepts orders that their unit cannot carry out."""
    return stored_value(game, GameSettings.illegal_orders) == HOLD_STILL

"""Players' absences: deadlines of phases that open later skip them.

An absence is of one person in one game. It counts once granted: at once within the game's allowance of days per game
year, else by the game master. The deadline of the open phase never moves by itself.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from gm.game.model.loaded_game import LoadedGame
from gm.game.model.ports import Store
from gm.game.model.records import MASTER, Absence, Person
from gm.judge.model.position import Position
from gm.language.dates.date_range import DateRange
from gm.language.dates.date_words import MONTHS, WEEKDAYS
from gm.language.dates.schedule import not_before
from gm.language.i18n.catalogue import Catalogue

ROUNDS_MOST = 50


def players(loaded_game: LoadedGame) -> dict[int, str]:
    """Person -> power, of all players in the game."""
    return {seat.person: seat.power for seat in reversed(loaded_game.power_seats) if seat.person is not None}


def current_absences(store: Store, loaded_game: LoadedGame) -> tuple[Absence, ...]:
    """Absences of current players that are not over."""
    here, now = players(loaded_game), store.now()
    every = store.absences.of(loaded_game.game.id)
    return tuple(absence for absence in every if absence.person in here and absence.ends > now)


def deadline_of(
    store: Store, loaded_game: LoadedGame, position: Position, phase: str, opened: datetime
) -> datetime | None:
    """When a phase that opens then, in that position, is due; None: it has no deadline."""
    return due_after_absences(store, loaded_game, position, phase, loaded_game.settings.due(phase, opened))


def due_after_absences(
    store: Store, loaded_game: LoadedGame, position: Position, phase: str, due: datetime | None
) -> datetime | None:
    """The deadline, moved to the next slot after absences of players with due orders in this phase.

    In an anonymous game all players' absences count: else a phase with one retreat would reveal who is away.
    """
    if due is None or position.ended is not None:
        return due
    away = [absence for absence in current_absences(store, loaded_game) if absence.granted]
    if not away:
        return due
    owing = set(loaded_game.variant.step(position).due(position, loaded_game.variant))
    all_alike = loaded_game.anonymous
    mine = {seat.person for seat in loaded_game.power_seats if all_alike or seat.power in owing}
    away = [absence for absence in away if absence.person in mine]
    for _ in range(ROUNDS_MOST):
        back = next((absence.ends for absence in away if absence.begins <= due < absence.ends), None)
        if back is None:
            return due
        later = not_before(loaded_game.settings.schedule_of(phase), back, due, loaded_game.settings.zone)
        due = later if later is not None else due
    return due


def covers_deadline(loaded_game: LoadedGame, absence: Absence) -> bool:
    """Whether the present deadline falls into the absence."""
    due = loaded_game.game.due_at
    return loaded_game.running and due is not None and absence.begins <= due < absence.ends


def file_absence(store: Store, loaded_game: LoadedGame, person: Person, stretch: DateRange) -> tuple[Absence, bool]:
    """Stores an absence, merged with those it touches; also returns whether it was covered already.

    Beyond the allowance it waits for the game master; absences granted before stay granted.
    """
    game, settings = loaded_game.game, loaded_game.settings
    mine = [absence for absence in store.absences.of(game.id) if absence.person == person.id]
    within = [absence for absence in mine if absence.begins <= stretch.begins and stretch.ends <= absence.ends]
    if within:
        return max(within, key=lambda absence: absence.granted), True
    near = _touching(mine, stretch)
    begins = min([stretch.begins, *(absence.begins for absence in near)])
    whole = DateRange(begins, max([stretch.ends, *(absence.ends for absence in near)]))
    year = loaded_game.position.year
    others = [absence for absence in mine if absence.granted and absence.year == year and absence not in near]
    taken = sum(absence_days(other) for other in others) + whole.days
    granted = settings.absence == "auto" and taken <= settings.absence_max
    power = players(loaded_game)[person.id]
    new = Absence(0, game.id, person.id, power, whole.begins, whole.ends, year, granted, store.now())
    for absence in near:
        if granted or not absence.granted:
            store.absences.remove(absence.id)
    return store.absences.add(new), False


def grant_absence(store: Store, absence: Absence) -> Absence:
    """Grants an absence, merged with those of the same player that it touches."""
    stretch = DateRange(absence.begins, absence.ends)
    mine = [other for other in store.absences.of(absence.game) if other.person == absence.person]
    for other in _touching(mine, stretch):
        store.absences.remove(other.id)
    store.absences.remove(absence.id)
    return store.absences.add(replace(absence, granted=True))


def _touching(mine: list[Absence], stretch: DateRange) -> list[Absence]:
    return [absence for absence in mine if absence.begins <= stretch.ends and stretch.begins <= absence.ends]


def absence_days(absence: Absence) -> int:
    return DateRange(absence.begins, absence.ends).days


def days_left(store: Store, loaded_game: LoadedGame, person: int) -> int:
    """Days of the allowance that a player has left in this game year."""
    mine = (absence for absence in store.absences.of(loaded_game.game.id) if absence.person == person)
    year = loaded_game.position.year
    taken = sum(absence_days(absence) for absence in mine if absence.granted and absence.year == year)
    return max(0, loaded_game.settings.absence_max - taken)


def first_and_last_day(catalogue: Catalogue, absence: Absence, zone: ZoneInfo) -> dict[str, str]:
    """The first and the last day in the absent player's time zone."""
    last = absence.ends - timedelta(minutes=1)
    return {"first": _day(catalogue, absence.begins, zone), "last": _day(catalogue, last, zone)}


def _day(catalogue: Catalogue, instant: datetime, zone: ZoneInfo) -> str:
    local = instant.astimezone(zone)
    weekday = catalogue.say(f"date.weekday.{WEEKDAYS[local.weekday()]}")
    month = catalogue.say(f"date.month.{MONTHS[local.month - 1]}")
    return catalogue.say("absence.day", weekday=weekday, day=local.day, month=month, year=local.year)


def is_hidden(loaded_game: LoadedGame, reader: str) -> bool:
    """Whether this seat may not learn which power's player is away."""
    return loaded_game.anonymous and reader != MASTER

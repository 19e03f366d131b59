"""Games that begin by themselves: at a date, or when every power has a player, after a notice (the setting `start`)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from gm.game.letters.notify import format_instant, queue_notice
from gm.game.letters.question import queue_plain_notice
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import LoadedGame, load_game
from gm.game.model.ports import Store
from gm.game.model.records import ApplicantState, Game
from gm.game.model.services import Services
from gm.game.model.setting_types import OPEN, WHEN_FULL
from gm.game.players import new_game, power_assignment
from gm.language.commands.preferences import example_of_wishes

NOTICE = timedelta(hours=24)
"""Between the letter that the game is full and its beginning."""


def check_start(services: Services, store: Store, game: Game) -> datetime | None:
    """Announce or begin a game that has not begun; returns when to look at it again, None for not before it changes.

    `Game.due_at` is the announced beginning.
    """
    loaded_game, now = load_game(services, store, game), store.now()
    _fill_from_waiting_list(services, store, loaded_game)
    planned = _planned(loaded_game, now, full=_is_full(store, loaded_game))
    if planned != game.due_at:
        game = replace(game, due_at=planned)
        store.games.save(game)
        if planned is not None:
            _announce(services, store, load_game(services, store, game), planned)
        elif loaded_game.settings.start == WHEN_FULL:
            _tell_masters(services, store, loaded_game, Note("desk.start-off"), f"start-off:{game.id}:{now:%Y%m%d%H%M}")
    if planned is None or now < planned:
        return planned
    if _is_full(store, loaded_game) or loaded_game.settings.empty_seats:
        new_game.begin_by_itself(services, store, game)
        return None
    settings = tuple((key, value) for key, value in game.settings if key != "start")
    store.games.save(replace(game, due_at=None, settings=settings))
    _tell_masters(services, store, loaded_game, Note("desk.start-short"), f"start-short:{game.id}:{planned:%Y%m%d%H%M}")
    return None


def _fill_from_waiting_list(services: Services, store: Store, loaded_game: LoadedGame) -> None:
    """Where whoever comes may play, those who have waited longest take the seats that have become free."""
    game = loaded_game.game
    if loaded_game.settings.joining != OPEN:
        return
    room = power_assignment.places_left(store, loaded_game)
    waiting = [entry for entry in store.games.applicants(game.id) if entry.state is ApplicantState.ASKED]
    for entry in sorted(waiting, key=lambda entry: entry.at)[: max(0, room)]:
        store.games.save_applicant(replace(entry, state=ApplicantState.APPROVED))
        person, key = store.people.get(entry.person), "you-are-in" if entry.wish else "you-are-in-open"
        variant = loaded_game.variant
        fields = (
            *(("game", game.name), ("title", variant.title)),
            *(("wish", entry.wish), ("likes", example_of_wishes(variant))),
        )
        cause = f"room:{game.id}:{entry.person}:{store.now():%Y%m%d%H%M}"
        queue_plain_notice(services, store, person, game, Note(f"desk.{key}", fields), cause)
        _tell_masters(services, store, loaded_game, Note("desk.from-waiting-list", (("name", person.name),)), cause)


def _planned(loaded_game: LoadedGame, now: datetime, *, full: bool) -> datetime | None:
    start = loaded_game.settings.start
    if isinstance(start, datetime):
        return start.astimezone(UTC)
    if start != WHEN_FULL or not full:
        return None
    return loaded_game.game.due_at or now + NOTICE


def _is_full(store: Store, loaded_game: LoadedGame) -> bool:
    sought = loaded_game.vacant_seats or loaded_game.taken_seats
    return bool(sought) and power_assignment.places_left(store, loaded_game) == 0


def _announce(services: Services, store: Store, loaded_game: LoadedGame, begins: datetime) -> None:
    """Tell everybody who has a seat or is on the list."""
    game, cause = loaded_game.game, f"start:{loaded_game.game.id}:{begins:%Y%m%d%H%M}"
    seated = [seat for seat in loaded_game.seats if seat.person is not None]
    for seat in seated:
        key = "desk.start-planned-master" if seat in loaded_game.masters else "desk.start-planned"
        queue_notice(services, store, game, seat, Note(key, (("game", game.name),)), cause, due=begins)
    informed = {seat.person for seat in seated}
    for entry in power_assignment.approved(store, loaded_game):
        if entry.person not in informed:
            person = store.people.get(entry.person)
            when = format_instant(services, store, game, person, begins)
            note = Note("desk.start-planned", (("game", game.name), ("when", when)))
            queue_plain_notice(services, store, person, game, note, cause)


def _tell_masters(services: Services, store: Store, loaded_game: LoadedGame, note: Note, cause: str) -> None:
    for seat in loaded_game.masters:
        queue_notice(services, store, loaded_game.game, seat, note, cause)

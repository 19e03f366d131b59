"""Pauses of a game, and games that wait at a deadline for missing orders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from msgspec.structs import replace

from gm.game.letters.notify import format_instant, queue_notice, queue_notices
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import LoadedGame, load_game
from gm.game.model.ports import Store
from gm.game.model.records import MASTER, Game, GameState, Person, Seat
from gm.game.model.services import Services
from gm.game.model.settings import GM
from gm.game.phase import absences, missing_orders
from gm.language.dates.schedule import due_after_pause


def end_pause(store: Store, loaded_game: LoadedGame, due: datetime | None) -> Game:
    game = replace(loaded_game.game, due_at=due, paused_at=None, paused_until=None, reminded=0, held=0)
    store.games.save(game)
    return game


def next_slot(store: Store, loaded_game: LoadedGame) -> datetime | None:
    """The deadline of the open phase if the pause ends now: at least a day away."""
    phase, settings = loaded_game.game.phase, loaded_game.settings
    due = due_after_pause(settings.schedule_of(phase), store.now(), settings.zone)
    return absences.due_after_absences(store, loaded_game, loaded_game.position, phase, due)


def check_pause(services: Services, store: Store, game: Game, read_until: datetime | None) -> bool:
    """Ends a pause that is over; announces a deadline that passed without ending its phase.

    Returns True where letters from before the deadline must be read first. `read_until`: None where letters are pushed.
    """
    now = store.now()
    if game.state is not GameState.RUNNING:
        return False
    if game.paused_until is not None and now >= game.paused_until:
        loaded_game = load_game(services, store, game)
        due = next_slot(store, loaded_game)
        loaded_game = replace(loaded_game, game=end_pause(store, loaded_game, due))
        queue_notices(
            services,
            store,
            loaded_game,
            _resumed(services, store, loaded_game),
            f"resumed:{game.id}:{game.paused_until}",
        )
    elif game.due_at is not None and now >= game.due_at and game.held != game.snapshot:
        return _announce_late_powers(services, store, load_game(services, store, game), read_until)
    elif game.due_at is not None and now >= game.due_at and game.paused_at is None:
        _remind_late_powers(services, store, load_game(services, store, game), now, game.due_at)
    return False


def _resumed(services: Services, store: Store, loaded_game: LoadedGame) -> Callable[[Seat, Person], Note]:
    def note(seat: Seat, person: Person) -> Note:
        deadline = format_instant(services, store, loaded_game.game, person, loaded_game.game.due_at)
        return Note("desk.resumed", (("when", deadline),), headline=True)

    return note


def _announce_late_powers(
    services: Services, store: Store, loaded_game: LoadedGame, read_until: datetime | None
) -> bool:
    late, due = missing_orders.awaited_powers(store, loaded_game), loaded_game.game.due_at
    if due is None or not (late or loaded_game.settings.grace):
        return False
    if store.inbox.count_unread(due) or (read_until is not None and read_until < due):
        return True
    game, end = loaded_game.game, missing_orders.closing_time(store, loaded_game)
    store.games.save(replace(game, held=game.snapshot))
    if not late:
        _tell_late(services, store, loaded_game, f"late:{game.snapshot}:{game.due_at}")
        return False

    def note(seat: Seat, person: Person) -> Note:
        key = _late_key(store, loaded_game, seat.power, late, endless=end is None)
        named = sorted(power for power in late if key != "late-gm-master" or late[power] == GM)
        fields = (("powers", ", ".join(named)), ("power", named[0]), ("phase", game.phase))
        ending = () if end is None else (("when", format_instant(services, store, game, person, end)),)
        return Note(f"desk.{key}", (*fields, *ending), headline=True)

    queue_notices(services, store, loaded_game, note, f"late:{game.snapshot}:{game.due_at}")
    return False


def next_late_notice(loaded_game: LoadedGame, now: datetime) -> datetime | None:
    """When late players are told again (`late_notice`)."""
    due, every = loaded_game.game.due_at, loaded_game.settings.late_notice
    return due + ((now - due) // every + 1) * every if every and due is not None and now >= due else None


def _remind_late_powers(
    services: Services, store: Store, loaded_game: LoadedGame, now: datetime, due: datetime
) -> None:
    """Tell late players and game masters again, once at each step of `late_notice`."""
    every = loaded_game.settings.late_notice
    step = (now - due) // every if every else 0
    if step and not loaded_game.game.locked:
        _tell_late(services, store, loaded_game, f"late:{loaded_game.game.snapshot}:{due}:{step}")


def _tell_late(services: Services, store: Store, loaded_game: LoadedGame, cause: str) -> None:
    """Tell those who owe orders, and the game masters, how long orders still count."""
    late, end = missing_orders.late_powers(store, loaded_game), missing_orders.closing_time(store, loaded_game)
    for seat in loaded_game.seats if late and (end is None or store.now() < end) else ():
        if seat.power in late or seat.power == MASTER:
            key = ("grace" if end else "still") + ("" if seat.power == MASTER else "-yours")
            fields = (("powers", ", ".join(late)), ("phase", loaded_game.game.phase))
            note = Note(f"desk.late-{key}", fields, headline=True)
            queue_notice(services, store, loaded_game.game, seat, note, cause, due=end)


def _late_key(store: Store, loaded_game: LoadedGame, reader: str, late: Mapping[str, str], *, endless: bool) -> str:
    """The key of the note for a late power, a game master, or anybody else."""
    if not endless:
        kind = "late-wait"
    else:
        mine = late[reader] if reader in late else GM if reader == MASTER and GM in late.values() else ""
        kind = "late-gm" if mine == GM or set(late.values()) == {GM} else "late-stop"
    if reader == MASTER and endless:
        return f"{kind}-master"
    if reader not in late:
        return kind
    sheet = store.turns.sheet(loaded_game.game.id, loaded_game.game.snapshot, reader, reader)
    draft = sheet is not None and sheet.preliminary and bool(sheet.lines)
    return f"{kind}-draft" if draft else f"{kind}-yours"

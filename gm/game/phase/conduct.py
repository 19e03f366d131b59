"""Counts who sent the orders they owed, when a phase is resolved, and who played a game to its end.

An NMR counts only at a deadline that the player let pass: not in a phase that the game master resolved before it, not
without a deadline, and not in a granted absence. A phase that is resolved again is counted anew. Orders that only the
game master wrote are not the player's.
"""

from __future__ import annotations

from datetime import datetime

from gm.game.model.conduct_records import Conduct, Deed, PlayingRecord
from gm.game.model.loaded_game import LoadedGame
from gm.game.model.ports import Store
from gm.game.model.recipient import variant_of
from gm.game.model.records import Game, GameState, Seat, Sheet
from gm.game.model.services import Services
from gm.game.model.setting_types import Anonymity
from gm.game.model.settings import GameSettings
from gm.game.phase import missing_orders


def record_phase(store: Store, loaded_game: LoadedGame) -> None:
    """Call it before the open phase is resolved."""
    game, now = loaded_game.game, store.now()
    sheets: dict[str, list[Sheet]] = {}
    for sheet in store.turns.sheet_versions(game.id, game.snapshot):
        if sheet.author == sheet.power:
            sheets.setdefault(sheet.power, []).append(sheet)
    owing, noted = missing_orders.owing_powers(loaded_game), list[Conduct]()
    for seat in loaded_game.power_seats:
        if seat.person is not None and seat.power in owing:
            deed = _deed(store, loaded_game, seat, sheets.get(seat.power, []), now)
            if deed is not None:
                noted.append(Conduct(seat.person, game.id, seat.power, game.phase, deed, now))
    store.conduct.note(*noted)


def _deed(store: Store, loaded_game: LoadedGame, seat: Seat, versions: list[Sheet], now: datetime) -> Deed | None:
    due = loaded_game.game.due_at
    written = [sheet for sheet in versions if _is_written(sheet)]
    if written and _counts(loaded_game, versions[-1]):
        first = written[0].at
        return Deed.LATE if due is not None and first is not None and first > due else Deed.ORDERED
    excused = due is None or now < due or loaded_game.game.paused_at is not None
    return None if excused or _is_away(store, loaded_game, seat, due) else Deed.MISSED


def _is_written(sheet: Sheet) -> bool:
    return sheet.ready or any(not line.forced for line in sheet.lines)


def _counts(loaded_game: LoadedGame, sheet: Sheet) -> bool:
    return _is_written(sheet) and (sheet.ready or bool(loaded_game.counted(sheet)))


def _is_away(store: Store, loaded_game: LoadedGame, seat: Seat, due: datetime | None) -> bool:
    absences = store.absences.of(loaded_game.game.id)
    return due is not None and any(
        absence.person == seat.person and absence.granted and absence.begins <= due < absence.ends
        for absence in absences
    )


def record_end(store: Store, game: Game, seats: tuple[Seat, ...]) -> None:
    """Call it when a game that was running has ended."""
    for seat in seats:
        if seat.person is not None:
            store.conduct.note(Conduct(seat.person, game.id, seat.power, "", Deed.FINISHED, store.now()))


def record_resignation(store: Store, seat: Seat) -> None:
    store.conduct.note(Conduct(seat.person or 0, seat.game, seat.power, "", Deed.RESIGNED, store.now()))


def record_for_others(services: Services, store: Store, person: int) -> PlayingRecord:
    """Without anonymous games that are still running: a count that grows would tell who plays what there."""
    conducts = store.conduct.of(person)
    hidden = {game for game in {conduct.game for conduct in conducts} if _is_hidden(services, store.games.get(game))}
    return PlayingRecord.of(conduct for conduct in conducts if conduct.game not in hidden)


def _is_hidden(services: Services, game: Game) -> bool:
    settings = GameSettings.of(game, variant_of(services, game), services.zone)
    return game.state is not GameState.ENDED and settings.anonymous is not Anonymity.NO

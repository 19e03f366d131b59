"""Opens the seat of a player who has missed movement phases in a row (`nmr_limit`) to substitutes.

The player keeps the seat until somebody takes it over; their next orders close it again.
"""

from __future__ import annotations

from itertools import islice

from msgspec.structs import replace

from gm.game.letters.notify import queue_notice
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import LoadedGame, load_game
from gm.game.model.ports import Store
from gm.game.model.recipient import Recipient
from gm.game.model.records import MASTER, Game, GameState, Seat
from gm.game.model.services import Services
from gm.game.session.notices import tell_openings
from gm.game.views.maps import snapshots_back
from gm.game.views.orders.missing_orders import powers_without_orders
from gm.game.views.turns.turn_events import TurnView
from gm.language.orders.phase_names import MOVES


def open_seats(services: Services, store: Store, game: Game) -> None:
    """Call it after a phase is resolved. Players, game masters and observers are told."""
    loaded_game = load_game(services, store, game)
    limit = loaded_game.settings.nmr_limit
    if not limit or game.state is not GameState.RUNNING:
        return
    silent = _silent_powers(services, store, loaded_game, limit)
    opened = [seat for seat in loaded_game.power_seats if seat.power in silent and not (seat.open or seat.dummy)]
    for seat in opened:
        store.games.save_seat(replace(seat, open=True))
        _tell(services, store, loaded_game, seat, limit)
    if opened:
        tell_openings(services, store, game, f"opening:{game.snapshot}")


def _silent_powers(services: Services, store: Store, loaded_game: LoadedGame, limit: int) -> frozenset[str]:
    """Powers with a player that gave no order in the last `limit` movement phases."""
    game, reader = loaded_game.game, Recipient.observing(services, store, loaded_game.game)
    powers = tuple(seat.power for seat in loaded_game.taken_seats)
    moves = (snapshot for snapshot in snapshots_back(store, game) if snapshot.resolved.endswith(MOVES))
    last = [TurnView.of(reader, snapshot) for snapshot in islice(moves, limit)]
    missed = [frozenset(powers_without_orders(turn.legs, powers)) for turn in last]
    return frozenset.intersection(*missed) if len(missed) == limit else frozenset()


def _tell(services: Services, store: Store, loaded_game: LoadedGame, seat: Seat, limit: int) -> None:
    game, cause = loaded_game.game, f"open:{seat.id}:{loaded_game.game.snapshot}"
    fields = (("power", seat.power), ("game", game.name), ("n", str(limit)))
    for reader in (seat, *loaded_game.masters, *loaded_game.watchers()):
        key = "yours" if reader.id == seat.id else "master" if reader.power == MASTER else "observer"
        queue_notice(services, store, game, reader, Note(f"desk.seat-open-{key}", fields), cause)

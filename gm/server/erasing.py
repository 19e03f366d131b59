"""`gm erase`: what the operator sees before and after, and letters to the game masters about vacant seats."""

from __future__ import annotations

from collections.abc import Iterator

from gm.game.letters.notify import queue_notice
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import load_game
from gm.game.model.ports import Store
from gm.game.model.records import MASTER
from gm.server.wiring import Application
from gm.store.upkeep.erasure import Erasure


def describe_words(erased: Erasure) -> Iterator[str]:
    """Names that are replaced, or stay, in sentences of others."""
    for word, count in erased.replaced:
        yield f'The word "{word}" becomes "erased" in {count} places, also where others wrote it.'
    for word, count in erased.kept:
        yield f'"{word}" is an ordinary word: it stays in {count} places. With --everywhere it is replaced there too.'


def describe_rest(erased: Erasure) -> Iterator[str]:
    """What follows from it, and what gm cannot reach."""
    players = sorted({game for game, power in erased.seats if power != MASTER})
    masters = sorted({game for game, power in erased.seats if power == MASTER})
    if players:
        yield f"Seats are vacant in: {', '.join(players)}. The game masters get a letter."
    if masters:
        yield f"They were a game master of: {', '.join(masters)}. A game without any gets one by `gm appoint`."
    yield "Earlier backups and the mailbox's folder of read letters still hold their data."


def tell_masters(app: Application, erased: Erasure) -> None:
    """Tells the game masters of each game which seats are vacant."""
    with app.database.transaction() as store:
        for name, power in erased.seats:
            if power != MASTER:
                _tell(app, store, name, power)


def _tell(app: Application, store: Store, name: str, power: str) -> None:
    game = store.games.by_name(name)
    if game is None:
        return
    note = Note("desk.seat-emptied", (("power", power),))
    seat = next(seat for seat in store.games.seats(game.id) if seat.power == power and seat.person is None)
    for master in load_game(app.services, store, game).masters:
        if master.person is not None:
            queue_notice(app.services, store, game, master, note, f"erased:{seat.id}:{seat.generation}")

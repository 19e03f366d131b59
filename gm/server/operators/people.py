"""`gm erase` and `gm appoint`: what the operator sees, and the letters that go out."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from gm.errors import GmError
from gm.game.letters.notify import queue_notice, queue_notices
from gm.game.letters.results import render_welcome
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import load_game
from gm.game.model.ports import Store, Transaction
from gm.game.model.records import MASTER, Game, GameState, GmAct, Person, Seat
from gm.game.model.services import Services
from gm.setting_errors import ADDRESS
from gm.store.upkeep.erasure import Erasure

OPERATOR = 0
"""The actor in a game's log: no person."""


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


def tell_masters(services: Services, tx: Transaction, erased: Erasure) -> None:
    """Tells the game masters of each game which seats are vacant."""
    with tx() as store:
        for name, power in erased.seats:
            if power != MASTER:
                _tell(services, store, name, power)


def _tell(services: Services, store: Store, name: str, power: str) -> None:
    game = store.games.by_name(name)
    if game is None or game.state is GameState.ENDED:
        return
    note = Note("desk.seat-emptied", (("power", power),))
    vacant = (seat for seat in store.games.seats(game.id) if seat.power == power and seat.person is None)
    seat = next(vacant, None)
    if seat is None:
        return  # somebody has it already
    for master in load_game(services, store, game).masters:
        if master.person is not None:
            queue_notice(services, store, game, master, note, f"erased:{seat.id}:{seat.generation}")


def appoint_master(services: Services, tx: Transaction, name: str, address: str) -> None:
    """Gives a game another game master, in the place of one who is gone, if any is. Raises GmError."""
    address = address.lower()
    if not ADDRESS.fullmatch(address):
        raise GmError(f'"{address}" is not an email address like you@example.net')
    with tx() as store:
        game = store.games.by_name(name)
        if game is None or game.state is GameState.ENDED:
            raise GmError(f"there is no game {name} that goes on")
        now = store.now()
        seat = _chair(services, store, game, address)
        store.turns.log(GmAct(game.id, now, OPERATOR, f"gm appoint {address}", ""))
        holder = store.people.get(seat.person or 0)
        note, cause = Note("desk.master-changed", (("name", holder.name),)), f"appointed:{seat.id}:{holder.id}"
        if game.snapshot:
            store.outbox.add(render_welcome(services, store, game, seat), now)
        else:
            queue_notice(services, store, game, seat, note, cause)
        queue_notices(services, store, load_game(services, store, game), lambda *_: note, cause, skip={seat.id})


def _chair(services: Services, store: Store, game: Game, address: str) -> Seat:
    person = store.people.by_address(address)
    if person is None:
        person = store.people.add(Person(0, address.partition("@")[0], (address,), services.zone))
    seats = store.games.seats(game.id)
    if any(seat.person == person.id for seat in seats):
        raise GmError(f"{address} has a seat in {game.name} already: nobody may know what others write to theirs")
    vacant = next((seat for seat in seats if seat.power == MASTER and seat.person is None), None)
    if vacant is None:
        return store.games.add_seat(Seat(0, game.id, MASTER, person.id))
    seat = replace(vacant, person=person.id)
    store.games.save_seat(seat)
    return seat

"""Letters of ours that came back: game masters are told, because a player who gets nothing cannot say so.

An address whose letters come back again and again cannot be reached: nothing more is sent to it, so that no mail
server takes us for a nuisance, but everything is kept, and leaves when its owner writes again.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from gm.game.letters.notify import queue_notice
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import LoadedGame, lay
from gm.game.model.ports import Store
from gm.game.model.records import BounceRecord, GameState, Letter, OutboxState, OutLetter, Person, Seat
from gm.game.model.services import Services

HARD = 2
"""What a letter counts that was refused for good; and one that was given up for a reason that may pass."""
SOFT = 1
UNREACHABLE = 4
"""From this score on nothing is sent: two letters refused on one day, three in a game of a phase a week."""
HALVED_IN = timedelta(days=30)


def record_bounce(services: Services, store: Store, letter: Letter) -> None:
    """A bounce to an address of ours that only the server of our letter's reader has seen. Each letter counts once."""
    row = store.outbox.by_envelope(letter.bounce_of)
    if row is not None and row.state is not OutboxState.RETURNED:
        store.outbox.mark_returned(row.id, letter.subject)
        report_undelivered(services, store, row.letter, SOFT if letter.bounce_soft else HARD)


def report_undelivered(services: Services, store: Store, letter: OutLetter, weight: float) -> None:
    """Told once for each seat and phase, and once more when the address is given up. `weight` 0: not its fault."""
    if not letter.seat:
        if letter.game:
            _report_without_seat(services, store, lay(services, store, store.games.get(letter.game)), letter)
        return
    if weight and _becomes_unreachable(store, letter.address, weight):
        person = store.people.by_address(letter.address)
        for seat in store.games.seats_of(person.id) if person is not None else ():
            if store.games.get(seat.game).state is not GameState.ENDED:
                _tell_gms(services, store, seat, letter.address, "unreachable", letter.message_id)
    else:
        seat = store.games.seat(letter.seat)
        snapshot = store.games.get(letter.game).snapshot
        _tell_gms(services, store, seat, letter.address, "undelivered", str(snapshot))


def release_kept_letters(store: Store, person: Person) -> None:
    """Whoever writes can be written to again: what was kept for him leaves."""
    for address in person.addresses:
        if store.bounces.of(address) is not None:
            store.bounces.forget(address)
            store.outbox.unhold(address)


def _becomes_unreachable(store: Store, address: str, weight: float) -> bool:
    """Count one more; is it the one that is too many?"""
    now, known = store.now(), store.bounces.of(address)
    score = weight + (_decayed_score(known, now) if known is not None else 0)
    before = known is not None and known.unreachable
    store.bounces.save(BounceRecord(address, score, now, before or score >= UNREACHABLE))
    if before or score < UNREACHABLE:
        return False
    store.outbox.hold(address)
    return True


def _decayed_score(known: BounceRecord, now: datetime) -> float:
    return float(known.score * 0.5 ** ((now - known.at) / HALVED_IN))


def _tell_gms(services: Services, store: Store, seat: Seat, address: str, what: str, occasion: str) -> None:
    """The game masters, but never one of his own letters: that would come back as well."""
    game = store.games.get(seat.game)
    for master in lay(services, store, game).masters:
        if master.person is not None and master.person != seat.person:
            said = Note(f"desk.{what}", (("power", seat.power), ("address", address)))
            queue_notice(services, store, game, master, said, f"{what}:{seat.id}:{occasion}")


def _report_without_seat(services: Services, store: Store, loaded_game: LoadedGame, letter: OutLetter) -> None:
    """An invitation, or a letter to somebody who has no seat yet."""
    for master in loaded_game.masters:
        said = Note("desk.undelivered-to", (("address", letter.address),))
        queue_notice(services, store, loaded_game.game, master, said, f"undelivered:{letter.address}")

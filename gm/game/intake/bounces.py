"""Records bounces and tells game masters about letters that a player did not get.

After repeated bounces an address counts as unreachable: its letters are kept, and sent when its owner writes again.
"""

from __future__ import annotations

from datetime import timedelta

from gm.game.letters.alarms import alarm_gms
from gm.game.letters.notify import queue_notice
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import LoadedGame, load_game
from gm.game.model.ports import Store
from gm.game.model.records import BounceRecord, GameState, Letter, OutboxState, OutLetter, Person
from gm.game.model.services import Services

HARD = 2
"""Scores of permanent and of temporary failures."""
SOFT = 1
UNREACHABLE = 4
"""The score from which nothing is sent: two refusals on a day, or three with a phase a week."""
HALVED_IN = timedelta(days=30)


def record_bounce(services: Services, store: Store, letter: Letter) -> None:
    """Record a bounce. Its envelope address (VERP) proves which letter bounced; each letter counts once."""
    row = store.outbox.by_envelope(letter.bounce_of)
    if row is not None and row.state is not OutboxState.RETURNED:
        store.outbox.mark_returned(row.id, letter.subject)
        report_undelivered(services, store, row.letter, SOFT if letter.bounce_soft else HARD)


def report_undelivered(services: Services, store: Store, letter: OutLetter, weight: float) -> None:
    """Tell game masters, once for each seat and phase and when the address becomes unreachable.

    `weight` is the score; 0 if the address is not the cause.
    """
    if not letter.seat:
        if letter.game:
            _report_without_seat(services, store, load_game(services, store, store.games.get(letter.game)), letter)
        return
    if weight and _becomes_unreachable(store, letter.address, weight):
        person = store.people.by_address(letter.address)
        for seat in store.games.seats_of(person.id) if person is not None else ():
            if store.games.get(seat.game).state is not GameState.ENDED:
                alarm_gms(services, store, seat, "unreachable", letter.address, letter.message_id)
    else:
        seat = store.games.seat(letter.seat)
        snapshot = store.games.get(letter.game).snapshot
        alarm_gms(services, store, seat, "undelivered", letter.address, str(snapshot))


def release_kept_letters(store: Store, person: Person) -> None:
    """Send what was kept for the addresses of a person who writes."""
    for address in person.addresses:
        release_address(store, address)


def release_address(store: Store, address: str) -> bool:
    """Forgets what came back from an address and queues what was kept for it; False if nothing was known."""
    if store.bounces.of(address) is None:
        return False
    store.bounces.forget(address)
    store.outbox.unhold(address)
    return True


def _becomes_unreachable(store: Store, address: str, weight: float) -> bool:
    """Add to the score of an address; whether it becomes unreachable by this."""
    now, known = store.now(), store.bounces.of(address)
    score = weight + (known.score * 0.5 ** ((now - known.at) / HALVED_IN) if known is not None else 0)
    before = known is not None and known.unreachable
    store.bounces.save(BounceRecord(address, score, now, before or score >= UNREACHABLE))
    if before or score < UNREACHABLE:
        return False
    store.outbox.hold(address)
    return True


def _report_without_seat(services: Services, store: Store, loaded_game: LoadedGame, letter: OutLetter) -> None:
    """An invitation, or another letter to a person without a seat, bounced."""
    for master in loaded_game.masters:
        note = Note("desk.undelivered-to", (("address", letter.address),))
        queue_notice(services, store, loaded_game.game, master, note, f"undelivered:{letter.address}")

"""Finds the seat that a letter's secret address or `Ref:` line proves, and the `Ref:` line that counts.

Anybody can write a `Ref:` line, also into words that somebody else quotes later. So a line in quoted words counts only
if it fits the sender: it names a seat of the person registered with the From address, or the seat whose letter this
one answers. A line in the sender's own words counts as well if the From address is nobody's and no other line differs.
"""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.model.ports import Store
from gm.game.model.records import AnsweredLetter, Letter, Reference, Seat
from gm.game.model.reply_addresses import ReplyKey
from gm.game.model.services import Services


def find_thread(store: Store, letter: Letter) -> AnsweredLetter | None:
    """The newest letter of ours that this one answers (`answers` has In-Reply-To first, then References)."""
    if not letter.answers:  # fast path
        return None
    threads = (store.outbox.answered_letter(message_id) for message_id in letter.answers)
    return next((thread for thread in threads if thread is not None), None)


def keyed_seats(services: Services, store: Store, letter: Letter) -> tuple[Seat, ...]:
    """The seats of one person whose secret addresses the letter came to; without any, the seat of the Ref line."""
    keys = services.post.keys(letter.delivered_to)
    seats = tuple(dict.fromkeys(seat for key in keys if (seat := _seat_of_key(services, store, key)) is not None))
    if not seats:
        seats = _fitting_seats(store, letter, _referenced_seats(services, store, letter))[:1]
    return tuple(seat for seat in seats if seat.person == seats[0].person)


def settle_reference(services: Services, store: Store, letter: Letter) -> Letter:
    """The letter with the Ref line that counts as `ref`: that of the seat it proves, or one that names no seat."""
    if not letter.refs:
        return letter
    known = _referenced_seats(services, store, letter)
    seats = keyed_seats(services, store, letter)
    fitting = (reference for reference, seat in known if seat in seats)
    others = (reference for reference in letter.refs if not reference.quoted and reference not in dict(known))
    counts = next(fitting, None) or next(others, None)
    return replace(letter, ref=counts.fields if counts is not None else ())


def quoted_seat(services: Services, store: Store, letter: Letter) -> Seat | None:
    """The seat of a Ref line that does not count, because it does not fit the sender."""
    return next((seat for _, seat in _referenced_seats(services, store, letter)), None)


def _referenced_seats(services: Services, store: Store, letter: Letter) -> tuple[tuple[Reference, Seat], ...]:
    keys = ((reference, services.post.keys((), reference.fields)) for reference in letter.refs)
    seats = ((reference, _seat_of_key(services, store, key)) for reference, own_keys in keys for key in own_keys)
    return tuple((reference, seat) for reference, seat in seats if seat is not None)


def _fitting_seats(store: Store, letter: Letter, known: tuple[tuple[Reference, Seat], ...]) -> tuple[Seat, ...]:
    if not known:
        return ()
    sender, thread = store.people.by_address(letter.sender), find_thread(store, letter)
    if sender is not None:
        return tuple(seat for _, seat in known if seat.person == sender.id)
    if thread is not None and thread.seat:
        return tuple(seat for _, seat in known if seat.id == thread.seat)
    agree = len({seat.person for _, seat in known}) == 1
    return tuple(seat for reference, seat in known if agree and not reference.quoted)


def _seat_of_key(services: Services, store: Store, key: ReplyKey) -> Seat | None:
    game = store.games.by_name(key.game)
    seats = (*store.games.seats(game.id), *store.games.observer_seats(game.id)) if game else ()
    return next((seat for seat in seats if seat.person is not None and services.post.matches(seat, key.token)), None)

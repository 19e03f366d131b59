"""Alarms to operators and game masters: silenced addresses, mail loops, games that cannot be resolved.

Operators get one letter a day for each kind of alarm, game masters one a day for each seat.
`gm.server.monitoring.alarms` raises the alarms about the state of the server with `raise_alarm`.
"""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from datetime import timedelta
from pathlib import PurePath

import structlog
from msgspec.structs import replace

from gm.game.identity.sender import ProvenSender, SeveralSeats, UnprovenSender, identify_sender
from gm.game.letters.notify import queue_notice
from gm.game.letters.question import language_for
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import load_game
from gm.game.model.ports import Store
from gm.game.model.records import MASTER, Game, InboxRow, Letter, OutLetter, Seat
from gm.game.model.services import Services

log = structlog.get_logger(__name__)

LOOP = "mail loop"
OURS = "our own letter"
"""`Letter.why` of letters with too many Received headers, and of ours that came back."""
OURS_MOST = 5
"""In a day; fewer may be mistakes of a person."""
DAY = timedelta(days=1)


def raise_alarm(services: Services, store: Store, kind: str, fields: Mapping[str, str], of: str = "") -> bool:
    """Queue a letter to every operator; False if this alarm was raised before today.

    `kind` names a sentence of the catalogue ("alarm.unsent"), `fields` what it speaks of, `of` one trouble among many
    of the kind. Where there are no operators, a letter to ourselves that is never sent remembers that it was raised.
    """
    now = store.now()
    cause = f"alarm:{kind}{of}:{now:%Y-%m-%d}"
    readers = services.operators or (services.post.address,)
    letters = [_letter(services, store, kind, fields, cause, address, "alarm.tail") for address in readers]
    if not services.operators:
        letters = [replace(letter, expires_at=now) for letter in letters]
    fresh = sum(store.outbox.add(letter, now) for letter in letters) > 0
    if fresh:
        log.warning("alarm", fault=kind, **_for_log(store, fields))
    return fresh


def person_for_log(store: Store, address: str) -> str:
    """Logs name people by their number, which leads nowhere once they are erased."""
    person = store.people.by_address(address)
    return "a stranger" if person is None else str(person.id)


def _for_log(store: Store, fields: Mapping[str, str]) -> Mapping[str, str]:
    return {
        "person" if name == "address" else name: person_for_log(store, value) if name == "address" else value
        for name, value in fields.items()
    }


def raise_stuck_game(services: Services, store: Store, game: Game, fault: BaseException) -> bool:
    """A bug stops a game from being resolved; False if this alarm was raised before today.

    Its game masters get one letter for each error, without data of the game, which may be the cause. The letters name
    the place of the error: its message may hold orders.
    """
    at = traceback.extract_tb(fault.__traceback__)[-1]
    of = f":{game.id}:{game.snapshot}:{type(fault).__name__}:{PurePath(at.filename).name}:{at.lineno}"
    fields = {"game": game.name, "error": f"{type(fault).__name__}, {PurePath(at.filename).name}:{at.lineno}"}
    for seat in store.games.seats(game.id):
        if seat.power == MASTER and seat.person is not None:
            address = store.people.get(seat.person).addresses[0]
            store.outbox.add(_letter(services, store, "stalled", fields, f"alarm:stalled{of}", address), store.now())
    return raise_alarm(services, store, "stuck", fields, of)


def raise_silenced_address(services: Services, store: Store, answer: OutLetter) -> None:
    """An answer was not sent, because its address got too many."""
    log.warning("an address gets no more answers for now", person=person_for_log(store, answer.address))
    raise_alarm(services, store, "silenced", {"address": answer.address})
    if answer.seat:
        alarm_gms(services, store, store.games.seat(answer.seat), "silenced", answer.address)


def raise_mail_loop(services: Services, store: Store, row: InboxRow, letter: Letter) -> None:
    """Raise an alarm if an ignored letter shows a mail loop."""
    often = letter.why == OURS and store.inbox.count_ignored(OURS, store.now() - DAY) >= OURS_MOST - 1
    if letter.why != LOOP and not often:
        return
    players = {
        seat: store.people.get(seat.person) for seat in _looping_seats(services, store, row, letter) if seat.person
    }
    addresses = [person.addresses[0] for person in players.values()] or [letter.sender or "?"]
    raise_alarm(services, store, "loop", {"address": addresses[0]})
    for seat, address in zip(players, addresses, strict=False):
        alarm_gms(services, store, seat, "loop", address)


def _looping_seats(services: Services, store: Store, row: InboxRow, letter: Letter) -> tuple[Seat, ...]:
    """The seats whose letters loop: that of our letter, or of the sender."""
    own = store.outbox.answered_letter(letter.message_id)
    if own is not None and own.seat:
        return (store.games.seat(own.seat),)
    match identify_sender(services, store, row, letter):
        case ProvenSender(_, seat) | UnprovenSender(_, seat) if seat is not None:
            return (seat,)
        case SeveralSeats(_, seats):
            return seats
    return ()


def alarm_gms(
    services: Services, store: Store, seat: Seat, what: str, address: str, occasion: str | None = None
) -> None:
    """Tell game masters once for each occasion, by default a day; not about their own letters."""
    game = store.games.get(seat.game)
    note = Note(f"desk.{what}", (("power", seat.power), ("address", address)))
    occasion = f"{store.now():%Y-%m-%d}" if occasion is None else occasion
    for master in load_game(services, store, game).masters:
        if master.person is not None and master.person != seat.person:
            queue_notice(services, store, game, master, note, f"{what}:{seat.id}:{occasion}")


def _letter(
    services: Services, store: Store, kind: str, fields: Mapping[str, str], cause: str, address: str, *more: str
) -> OutLetter:
    """`more` are keys of sentences below."""
    reader = store.people.by_address(address)
    catalogue, post = services.letters.catalogue(language_for(store, reader) if reader else "en"), services.post
    return OutLetter(
        cause=cause,
        kind="alarm",
        address=address,
        to_name="",
        from_name=catalogue.say("alarm.from"),
        from_address=post.address,
        reply_to=post.address,
        subject=catalogue.say("alarm.subject", what=catalogue.say(f"alarm.short-{kind}", **fields)),
        text="\n\n".join(catalogue.say(key, **fields) for key in (f"alarm.{kind}", *more)) + "\n",
        message_id=post.message_id(cause, "alarm", address),
    )

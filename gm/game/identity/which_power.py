"""Reads "Country: Chile" at the top of a letter of a person with several powers in a game.

The line counts whatever address the letter went to.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from gm.game.identity.sender import ProvenSender, Sender, SeveralSeats, UnprovenSender, WrongPower
from gm.game.model.loaded_game import power_named
from gm.game.model.ports import Store
from gm.game.model.recipient import variant_of
from gm.game.model.records import MASTER, Letter, Person, Seat
from gm.game.model.services import Services

COUNTRY = re.compile(
    r"\s{0,20}[*_]{0,2}(?:country|power)[*_]{0,2}\s?[:=][*_]{0,2}\s{0,5}(?P<name>\S.{0,60})", re.IGNORECASE
)
TOP = 3
"""Only so many non-empty lines at the top are searched."""


def choose_power(services: Services, store: Store, letter: Letter, sender: Sender) -> tuple[Sender, Letter]:
    """The sender with the seat that the letter names, and the letter without that line; unchanged without one.

    The reply address of one seat does not prove another seat of the same person.
    """
    person, seats = _seats(store, sender)
    line = _country_line(letter) if person is not None and len(seats) > 1 else None
    if person is None or line is None:
        return sender, letter
    number, name = line
    keyed = sender.keyed if isinstance(sender, ProvenSender | SeveralSeats) else ()
    named = [
        seat for seat in seats if power_named(variant_of(services, store.games.get(seat.game)), name) == seat.power
    ]
    games = {seat.game for seat in seats}
    if len(named) == 1:
        if keyed and named[0] not in keyed:
            return UnprovenSender(person, named[0]), letter
        rest = tuple(other for other in letter.lines if other[0] != number)
        return ProvenSender(person, named[0], keyed), replace(letter, lines=rest)
    if named or len(games) > 1:
        return SeveralSeats(person, tuple(named) or seats, keyed), letter
    return WrongPower(person, name, tuple(seat.power for seat in seats)), letter


def _seats(store: Store, sender: Sender) -> tuple[Person | None, tuple[Seat, ...]]:
    """The sender's powers that the letter may be about."""
    match sender:
        case ProvenSender(person, seat) if seat is not None and seat.power != MASTER:
            seats = store.games.seats(seat.game)
            return person, tuple(own for own in seats if own.person == person.id and own.power != MASTER)
        case SeveralSeats(person, seats):
            return person, tuple(seat for seat in seats if seat.power != MASTER)
    return None, ()


def _country_line(letter: Letter) -> tuple[int, str] | None:
    """(number, name) of the line."""
    top = [line for line in letter.lines if line[1].strip()][:TOP]
    for number, words in top:
        if match := COUNTRY.fullmatch(words):
            return number, match["name"].strip(" .*_\t")
    return None

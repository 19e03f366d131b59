"""One person with several countries in a game: "Country: Chile" at the top of a letter says for which it is written.

It does so wherever the letter went: to the general address, or to the secret one of another country of his.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from gm.game.identity.sender import ProvenSender, Sender, SeveralSeats, WrongPower
from gm.game.model.loaded_game import power_named, variant_of
from gm.game.model.ports import Store
from gm.game.model.records import MASTER, Letter, Person, Seat
from gm.game.model.services import Services

COUNTRY = re.compile(
    r"\s{0,20}[*_]{0,2}(?:country|power)[*_]{0,2}\s?[:=][*_]{0,2}\s{0,5}(?P<name>\S.{0,60})", re.IGNORECASE
)
TOP = 3
"""Among so many of a letter's first lines with words."""


def choose_power(services: Services, store: Store, letter: Letter, sender: Sender) -> tuple[Sender, Letter]:
    """The seat that the letter names, and the letter without that line; all as it was where it names none."""
    person, seats = _seats(store, sender)
    found = _country_line(letter) if person is not None and len(seats) > 1 else None
    if person is None or found is None:
        return sender, letter
    number, name = found
    named = [
        seat for seat in seats if power_named(variant_of(services, store.games.get(seat.game)), name) == seat.power
    ]
    games = {seat.game for seat in seats}
    if len(named) == 1:
        rest = tuple(line for line in letter.lines if line[0] != number)
        return ProvenSender(person, named[0]), replace(letter, lines=rest)
    if named or len(games) > 1:
        return SeveralSeats(person, tuple(named) or seats), letter
    return WrongPower(person, name, tuple(seat.power for seat in seats)), letter


def _seats(store: Store, sender: Sender) -> tuple[Person | None, tuple[Seat, ...]]:
    """The writer's countries that the letter may be about."""
    match sender:
        case ProvenSender(person, seat) if seat is not None and seat.power != MASTER:
            seats = store.games.seats(seat.game)
            return person, tuple(one for one in seats if one.person == person.id and one.power != MASTER)
        case SeveralSeats(person, seats):
            return person, tuple(seat for seat in seats if seat.power != MASTER)
    return None, ()


def _country_line(letter: Letter) -> tuple[int, str] | None:
    """(number, name) of the line."""
    top = [line for line in letter.lines if line[1].strip()][:TOP]
    for number, words in top:
        if found := COUNTRY.fullmatch(words):
            return number, found["name"].strip(" .*_\t")
    return None

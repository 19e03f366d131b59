"""Proposals of EJECT for a player whose seat another proposal gives to somebody else: SEAT alone does both."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from gm.game.model.loaded_game import power_named
from gm.game.players.seats import find_person
from gm.game.session.session import LetterSession
from gm.language.commands import parser, players, requests
from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LetterContents, LineError, Request


def without_replaced_players(session: LetterSession, reading: LetterContents) -> LetterContents:
    """The letter without proposals that would only empty a seat which another one fills."""
    if not session.master or not reading.troubles:
        return reading
    meant = [tuple(_requests(session, trouble)) for trouble in reading.troubles]
    filled = {
        power_named(session.loaded_game.variant, request.power)
        for each in meant
        for request in each
        if isinstance(request, requests.SeatPlayerRequest) and request.address
    }
    needless = [filled and each and all(_empties(session, request) in filled for request in each) for each in meant]
    kept = (trouble for trouble, drop in zip(reading.troubles, needless, strict=True) if not drop)
    return replace(reading, troubles=tuple(kept))


def _requests(session: LetterSession, trouble: LineError) -> Iterator[Request]:
    for line in trouble.suggestions[0].split("\n") if len(trouble.suggestions) == 1 else ():
        asked = parser.read_command(clean(line).text, session.context.variant)
        if asked is not None and asked.request is not None:
            yield asked.request


def _empties(session: LetterSession, request: Request) -> str:
    """The power whose player a request ejects; "" for other requests."""
    if not isinstance(request, players.EjectRequest):
        return ""
    taken = session.loaded_game.taken_seats
    person = find_person(session, request.who, [seat.person for seat in taken if seat.person])
    by_name = (seat.power for seat in taken if person is not None and seat.person == person.id)
    return power_named(session.loaded_game.variant, request.who) or next(by_name, "")

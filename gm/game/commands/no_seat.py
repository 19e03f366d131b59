"""Requests of persons who write from no seat: to register, to join, about themselves."""

from __future__ import annotations

from gm.game.commands import player as commands
from gm.game.model.command_words import word_of
from gm.game.model.records import Letter
from gm.game.model.services import Services
from gm.game.players import joining as entering
from gm.game.players import observers as onlookers
from gm.game.players import people as persons
from gm.game.session import notices as news
from gm.game.session.handler import Handlers, RequestHandler
from gm.game.session.no_seat import read_in_language
from gm.game.session.session import LetterSession
from gm.language.commands import players as seats
from gm.language.commands import requests as ask
from gm.language.i18n.catalogue import FALLBACK
from gm.language.lines.letter_contents import LetterContents

SEATLESS = "desk.needs-seat"
"""The note on a request that is for those in a game."""


def serve(session: LetterSession, reading: LetterContents) -> None:
    session.faulty = any(not trouble.obeyed for trouble in reading.troubles)
    for given in reading.requests:
        if type(given.request) in REQUESTS:
            commands.perform(session, given, REQUESTS)
        else:
            session.note_once(SEATLESS.removeprefix("desk."), what=word_of(given.request))
    news.send_notices(session)


def personal(reading: LetterContents) -> bool:
    """Whether every request of a letter is about its writer or names its game, and so means none of their seats."""
    asked = {type(given.request) for given in reading.requests}
    return bool(asked) and asked <= PERSONAL and not reading.troubles


def manual(session: LetterSession, request: ask.HelpRequest, line: int) -> None:
    session.note("lobby-help", line=line)


REQUESTS: Handlers = {
    **entering.HANDLERS,
    **persons.HANDLERS,
    **onlookers.COMING,
    ask.TimeZoneRequest: RequestHandler(persons.time_zone),
    ask.HelpRequest: RequestHandler(manual, most=1),
}
PERSONAL = frozenset(REQUESTS) - {ask.HelpRequest, seats.ResignRequest, seats.WhoRequest}


def read_of_stranger(services: Services, letter: Letter) -> tuple[LetterContents, str]:
    """Nobody knows his language: it is the first one of ours in which his letter asks for anything ("" for none)."""
    for language in dict.fromkeys((FALLBACK, *services.letters.languages)):
        reading = read_in_language(services, letter, language)
        if any(type(given.request) in REQUESTS for given in reading.requests):
            return reading, language
    return LetterContents(), ""

"""Serves letters of people who have no seat in a game: REGISTER, JOIN, ALSO, NAME and the like."""

from __future__ import annotations

from gm.game.commands.perform import perform
from gm.game.model.ports import Store
from gm.game.model.records import Letter
from gm.game.model.services import Services
from gm.game.players.joining_in_words import with_joining
from gm.game.session import notices
from gm.game.session.no_seat import read_in_language
from gm.game.session.session import LetterSession
from gm.language.commands import requests
from gm.language.commands.players import RecordRequest, WhoRequest
from gm.language.commands.table import keyword_of, limits_of, rows_of
from gm.language.i18n.catalogue import FALLBACK
from gm.language.lines.letter_contents import LetterContents, Request

LOOKUPS: tuple[type[Request], ...] = (requests.HelpRequest, requests.LookupRequest, WhoRequest)
"""Requests that change nothing and are answered with what anybody may know."""
GAMES = "games"
"""What LIST shows: it means none of the writer's seats."""
SEATLESS = "desk.needs-seat"
"""Key of the note on a request that needs a seat."""


def serve(session: LetterSession, reading: LetterContents) -> None:
    session.has_errors = any(not trouble.obeyed for trouble in reading.troubles)
    for given in reading.requests:
        if limits_of(given.request, "stranger"):
            perform(session, given, "stranger")
        else:
            session.note_once(SEATLESS.removeprefix("desk."), what=keyword_of(given.request))
    notices.send_notices(session)


def only_lookups(reading: LetterContents) -> LetterContents:
    """The requests that only look something up."""
    return LetterContents(requests=tuple(given for given in reading.requests if isinstance(given.request, LOOKUPS)))


def is_personal(reading: LetterContents) -> bool:
    """Whether every request of a letter is about its writer or names its game, and so means none of their seats."""
    asked = [given.request for given in reading.requests]
    return bool(asked) and all(map(_request_is_personal, asked)) and not reading.troubles


def _request_is_personal(request: Request) -> bool:
    return isinstance(request, RecordRequest) or any(row.personal or row.shows == GAMES for row in rows_of(request))


def read_of_stranger(services: Services, store: Store, letter: Letter) -> tuple[LetterContents, str]:
    """The letter of somebody unknown, in the language in which it asks for most ("" if it asks for nothing)."""
    languages = dict.fromkeys((FALLBACK, *services.letters.languages))
    read = [(read_in_language(services, letter, language), language) for language in languages]
    readings = [(with_joining(services, store, letter, reading), language) for reading, language in read]
    best = max(readings, key=lambda reading: _asked_for(reading[0]))
    return best if _asked_for(best[0]) else (LetterContents(), "")


def _asked_for(reading: LetterContents) -> int:
    return sum(bool(limits_of(given.request, "stranger")) for given in reading.requests)

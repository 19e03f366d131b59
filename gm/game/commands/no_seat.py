"""Requests of persons who write from no seat: to register, to join, about themselves."""

from __future__ import annotations

from gm.game.commands import player as commands
from gm.game.model.command_words import word_of
from gm.game.model.records import Letter, Person
from gm.game.model.services import Services
from gm.game.model.settings import language_of
from gm.game.players import joining as entering
from gm.game.players import observers as onlookers
from gm.game.players import people as persons
from gm.game.session import notices as news
from gm.game.session.handler import Handlers, RequestHandler
from gm.game.session.session import LetterSession
from gm.language.commands import players as seats
from gm.language.commands import requests as ask
from gm.language.i18n.catalogue import FALLBACK
from gm.language.i18n.localized_variant import spoken
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, LetterContext

LINES_READ = 200
"""So much of a letter from nobody we know is looked at."""

SEATLESS = "desk.needs-seat"
"""The note on a request that is for those in a game."""


def read_anywhere(office: Services, letter: Letter, person: Person | None = None) -> LetterContents:
    """Read for what it asks, where no game is known: with the rules and the start of the library's first variant."""
    return understood(office, letter, person)[0]


def understood(office: Services, letter: Letter, person: Person | None = None) -> tuple[LetterContents, str]:
    """The same, and the language it is in: his own; of who has chosen none, the one in which most lines ask for
    something and fewest are troubled.
    """
    usual = FALLBACK if person is None else language_of(person)
    settled = person is None or person.language
    languages = (usual,) if settled else (usual, *office.letters.languages)
    read = [(_read(office, letter, language), language) for language in dict.fromkeys(languages)]
    return max(read, key=lambda one: len(one[0].requests) - len(one[0].troubles))


def read_of_stranger(office: Services, letter: Letter) -> tuple[LetterContents, str]:
    """Nobody knows his language: it is the first one of ours in which his letter asks for anything ("" for none)."""
    for language in dict.fromkeys((FALLBACK, *office.letters.languages)):
        reading = _read(office, letter, language)
        if any(type(given.request) in REQUESTS for given in reading.requests):
            return reading, language
    return LetterContents(), ""


def _read(office: Services, letter: Letter, language: str) -> LetterContents:
    variant = spoken(office.variant(office.variant_ids[0], {}), language)
    return read_letter(letter.lines[:LINES_READ], LetterContext(variant, variant.start, "", master=True))


def serve(sitting: LetterSession, reading: LetterContents) -> None:
    sitting.faulty = any(not trouble.obeyed for trouble in reading.troubles)
    for given in reading.requests:
        if type(given.request) in REQUESTS:
            commands.perform(sitting, given, REQUESTS)
        else:
            sitting.note_once(SEATLESS.removeprefix("desk."), what=word_of(given.request))
    news.tell(sitting)


def asks(office: Services, letter: Letter) -> bool:
    """Whether a letter asks for anything that needs no seat."""
    return bool(read_of_stranger(office, letter)[0].requests)


def personal(office: Services, letter: Letter, person: Person) -> bool:
    """Whether all that a letter asks for is of its writer himself or names its game: none of his seats is meant."""
    reading = read_anywhere(office, letter, person)
    asked = {type(given.request) for given in reading.requests}
    return bool(asked) and asked <= PERSONAL and not reading.troubles


def manual(sitting: LetterSession, request: ask.HelpRequest, line: int) -> None:
    sitting.note("lobby-help", line=line)


REQUESTS: Handlers = {
    **entering.HANDLERS,
    **persons.HANDLERS,
    **onlookers.COMING,
    ask.TimeZoneRequest: RequestHandler(commands.time_zone),
    ask.HelpRequest: RequestHandler(manual, most=1),
}
PERSONAL = frozenset(REQUESTS) - {ask.HelpRequest, seats.ResignRequest, seats.WhoRequest}

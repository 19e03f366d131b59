"""Sessions of people without a seat in the game, and reading letters without a game."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from gm.game.model.loaded_game import LoadedGame, load_game
from gm.game.model.ports import Store
from gm.game.model.records import MASTER, Game, InboxRow, Letter, Person, Seat
from gm.game.model.services import Services
from gm.game.model.settings import language_of, plain_names
from gm.game.session.session import LetterSession, News
from gm.language.commands.command_line import is_command_like
from gm.language.commands.in_words import plain_questions
from gm.language.commands.parser import begins_like_command
from gm.language.commands.press_for_several import press_lines
from gm.language.commands.requests import CreateRequest
from gm.language.i18n.catalogue import FALLBACK
from gm.language.i18n.joining_words import THEN
from gm.language.i18n.localized_variant import localized
from gm.language.i18n.normalize import clean
from gm.language.letter.letter_reader import read_letter
from gm.language.letter.talk.consent_words import only_agrees
from gm.language.lines.blocks import number_lines
from gm.language.lines.letter_contents import LetterContents, LetterContext


def session_without_game(
    services: Services, store: Store, row: InboxRow, letter: Letter, person: Person
) -> LetterSession:
    """A session about no game: an unstored one of the first variant stands for none."""
    variant = services.variant(services.variant_ids[0], {})
    loaded_game = LoadedGame(Game(0, "", variant.id), variant, variant.start, None, ())
    return LetterSession(services, store, row, letter, person, Seat(0, 0, MASTER, person.id), loaded_game, MASTER)


def session_in_game(session: LetterSession, game: Game) -> LetterSession:
    """The session of the same letter about another game, which the writer may have no seat in. Notes are shared."""
    if game.id == session.game.id:
        return session
    loaded_game = load_game(session.services, session.store, session.store.games.lock(game.id))
    seat = Seat(0, game.id, MASTER, session.person.id)
    return replace(session, loaded_game=loaded_game, seat=seat, news=News(), drafts={}, copies={}, decrees=[])


def read_without_game(services: Services, letter: Letter, person: Person | None = None) -> LetterContents:
    """Read the requests of a letter without a game, with the rules of the first variant."""
    return read_in_best_language(services, partial(read_in_language, services, letter), person)[0]


def read_in_best_language(
    services: Services, read: Callable[[str], LetterContents], person: Person | None
) -> tuple[LetterContents, str]:
    """The requests and the language they are in: the person's own, if they have chosen one. `read` reads the letter.

    Otherwise it is the language with the most requests and the fewest errors; also where lines in another language
    create a game, as they were once proposed.
    """
    usual = FALLBACK if person is None else language_of(person)
    settled = person is None or person.language
    languages = (usual,) if settled else (usual, *services.letters.languages)
    readings = [(read(language), language) for language in dict.fromkeys(languages)]
    if settled and not readings[0][0].requests:
        others = ((read(language), language) for language in services.letters.languages if language != usual)
        readings += [other for other in others if _creates(other[0])]
    return max(readings, key=lambda result: len(result[0].requests) - len(result[0].troubles))


def _creates(reading: LetterContents) -> bool:
    return any(isinstance(given.request, CreateRequest) for given in reading.requests[:1])


def read_in_language(services: Services, letter: Letter, language: str) -> LetterContents:
    variant = localized(services.variant(services.variant_ids[0], {}), language)
    context = LetterContext(variant, variant.start, master=True, plain_settings=plain_names())
    lines = tuple((number, _behind_agreement(text, context)) for number, text in letter.lines[:LINES_READ])
    reading = read_letter(lines, context)
    spoken = " ".join(clean(text).text.lower() for _, text in lines[:LINES_SEARCHED])
    asks = plain_questions.compiled_patterns("lobby", language)["operator"].search(spoken)
    if reading.requests or not lines or asks is None:
        return reading
    words = "\n".join(text for _, text in lines).strip()
    return read_letter(number_lines(press_lines(language, "press-gm", words)), context)


def _behind_agreement(text: str, context: LetterContext) -> str:
    """A line from its command on, where only words of agreement stand before it: "OK then: PRESS TO GM: …"."""
    match = AGREEMENT.match(text)
    if match is None or not begins_like_command(text[match.end() :], context.variant):
        return text
    words = re.sub(rf"\b(?:{THEN})\b", "", match["words"], flags=re.IGNORECASE)
    agrees = only_agrees(words, (context.variant.language, FALLBACK))
    return text[match.end() :] if agrees and is_command_like(text[match.end() :]) else text


AGREEMENT = re.compile(r"(?P<words>[^:,.!]{1,30})[:,.!]+\s+(?=\S)")
LINES_SEARCHED = 20
"""Lines of a letter that may ask whoever runs the games for something."""
LINES_READ = 200
"""Lines of a letter that are read without a game."""

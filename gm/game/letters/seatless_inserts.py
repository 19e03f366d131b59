"""Inserts of answers to people without a seat: LIST and HELP."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from gm.game.identity.sender import may_create_games
from gm.game.letters.question import language_for
from gm.game.model.letter_report import AnswerInsert
from gm.game.model.ports import Store
from gm.game.model.records import Person
from gm.game.model.reply_addresses import GAME_NAME_MOST
from gm.game.model.services import Services
from gm.game.views.public import first_steps, game_list
from gm.language.commands.in_words.game_in_words import GameInWords, changed_by
from gm.language.i18n.catalogue import Catalogue
from gm.language.rendering.views import SectionView

Sections = tuple[SectionView, ...]
Letters = Sequence[Sequence[str]]
"""The lines of several letters, the oldest first."""


def sections(
    services: Services, store: Store, person: Person, inserts: Iterable[AnswerInsert], words: Sequence[str] = ()
) -> Sections:
    """`words`: the lines of the letter that is answered."""
    return tuple(section for insert in inserts for section in _sections(services, store, person, insert, words))


def _sections(services: Services, store: Store, person: Person, insert: AnswerInsert, words: Sequence[str]) -> Sections:
    language = person.language or language_for(store, person)
    catalogue = services.letters.catalogue(language)
    if insert.kind == "games":
        return game_list.sections(services, store, person, catalogue, insert.topic)
    games = game_list.open_games(services, store)
    if not person.id:
        return first_steps.how_to_join(catalogue, games) if services.registration else ()
    making = how_to_create(services, store, person, (words,)) if may_create_games(services, person) else ()
    playing = first_steps.without_seat(catalogue, games)
    listed = first_steps.asked_games(store, person, catalogue)
    return (*listed, *making, *game_list.open_sections(services, store, person, catalogue), *playing)


def describes_game(services: Services, person: Person, letters: Letters) -> bool:
    """Whether the letters say anything of what a new game is to be."""
    return replace(_described(services, person, letters), left="") != GameInWords()


def changes_game(services: Services, person: Person, letters: Letters, reply: Sequence[str]) -> bool:
    """Whether a reply says anything of the game that the letters describe."""
    later = first_steps.find_game_in_words(
        services, reply, ZoneInfo(person.zone), _described(services, person, letters).variant
    )
    return replace(later, left="") != GameInWords()


def names_game(services: Services, person: Person, letters: Letters) -> bool:
    """Whether the letters name a new game, or its variant."""
    game = _described(services, person, letters)
    return bool(game.name or game.variant)


def creation_lines(services: Services, store: Store, person: Person, letters: Letters) -> tuple[str, ...]:
    """The lines that create the game which the letters describe."""
    catalogue = services.letters.catalogue(person.language or language_for(store, person))
    game = _described(services, person, letters)
    return first_steps.creation_lines(services, catalogue, _free_name(store, catalogue, game), game, person.zone)


def _described(services: Services, person: Person, letters: Letters) -> GameInWords:
    """What the letters say of a game; what a later one says counts."""
    game = GameInWords()
    for words in letters:
        later = first_steps.find_game_in_words(services, words, ZoneInfo(person.zone), game.variant)
        if game != GameInWords() and replace(later, left="") == GameInWords():
            later = replace(later, left=" ".join(words))  # a reply of which nothing is understood
        game = changed_by(game, later)
    return game


def how_to_create(services: Services, store: Store, person: Person, letters: Letters) -> Sections:
    """The lines that create the game which the letters describe, and what they mean."""
    catalogue = services.letters.catalogue(person.language or language_for(store, person))
    game = _described(services, person, letters)
    return first_steps.how_to_create(services, catalogue, _free_name(store, catalogue, game), game, person.zone)


def _free_name(store: Store, catalogue: Catalogue, game: GameInWords) -> str:
    """The name that the words give, or a usual one, with a number where a game has it already."""
    wanted = game.name or catalogue.say("first-steps.create-name")
    names = (f"{wanted[: GAME_NAME_MOST - 3]}-{number}" for number in count(2))
    if store.games.by_name(wanted) is None:
        return wanted
    return next(free for free in names if not store.games.by_name(free))

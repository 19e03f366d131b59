"""Inserts of answers to people without a seat: LIST and HELP."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count
from zoneinfo import ZoneInfo

from gm.game.identity.sender import may_create_games
from gm.game.letters.question import language_for
from gm.game.model.letter_report import AnswerInsert
from gm.game.model.ports import Store
from gm.game.model.records import Person
from gm.game.model.reply_addresses import GAME_NAME_MOST
from gm.game.model.services import Services
from gm.game.views.public import first_steps, game_list
from gm.language.i18n.catalogue import Catalogue
from gm.language.rendering.views import SectionView

Sections = tuple[SectionView, ...]
CREATE = "create"
"""The insert that shows the lines which make a game."""


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
    making = _how_to_create(services, store, person, catalogue, words) if may_create_games(services, person) else ()
    if insert.kind == CREATE:
        return making
    playing = first_steps.without_seat(catalogue, games)
    listed = first_steps.asked_games(store, person, catalogue)
    return (*listed, *making, *game_list.open_sections(services, store, person, catalogue), *playing)


def _how_to_create(
    services: Services, store: Store, person: Person, catalogue: Catalogue, words: Sequence[str]
) -> Sections:
    """With a name that no game has."""
    game = first_steps.find_game_in_words(services, words, ZoneInfo(person.zone))
    wanted = game.name or catalogue.say("first-steps.create-name")
    names = (f"{wanted[: GAME_NAME_MOST - 3]}-{number}" for number in count(2))
    name = (
        wanted if store.games.by_name(wanted) is None else next(free for free in names if not store.games.by_name(free))
    )
    return first_steps.how_to_create(services, catalogue, name, game, person.zone)

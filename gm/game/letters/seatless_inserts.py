"""Inserts of answers to people without a seat: LIST and HELP."""

from __future__ import annotations

from collections.abc import Iterable

from gm.game.identity.sender import may_create_games
from gm.game.letters.question import language_for
from gm.game.model.letter_report import AnswerInsert
from gm.game.model.ports import Store
from gm.game.model.records import Person
from gm.game.model.services import Services
from gm.game.views.public import first_steps, game_list, own_lists
from gm.language.rendering.views import SectionView

Sections = tuple[SectionView, ...]


def sections(services: Services, store: Store, person: Person, inserts: Iterable[AnswerInsert]) -> Sections:
    return tuple(section for insert in inserts for section in _sections(services, store, person, insert))


def _sections(services: Services, store: Store, person: Person, insert: AnswerInsert) -> Sections:
    language = person.language or language_for(store, person)
    catalogue = services.letters.catalogue(language)
    if insert.kind == "games":
        return game_list.sections(services, store, person, catalogue, insert.topic)
    games = game_list.open_games(services, store)
    if not person.id:
        return first_steps.how_to_join(catalogue, games) if services.registration else ()
    making = first_steps.how_to_create(services, catalogue, person.zone) if may_create_games(services, person) else ()
    playing = first_steps.without_seat(catalogue, games)
    listed = own_lists.sections(store, person, catalogue)
    return (*listed, *making, *game_list.open_sections(services, store, person, catalogue), *playing)

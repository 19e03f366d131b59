"""The answer to an unknown address: what this is, which games look for players, how to get in.

It is a question: a YES to it, or any line that asks to play, registers the address. It holds nothing that a stranger
wrote, because the address may be another's.
"""

from __future__ import annotations

from collections.abc import Mapping

from gm.game.model.ports import Store
from gm.game.model.records import Person
from gm.game.model.services import Services
from gm.game.model.settings import language_of
from gm.game.session import confirmation_requests
from gm.game.views.public import first_steps, game_list
from gm.language.rendering.views import ParagraphView, SectionView

STRANGER = "stranger"
"""Kind of the question. A YES to it registers."""
CLOSED = "stranger-closed"
"""The same where nobody may register."""


def answer(services: Services, store: Store, address: str, payload: Mapping[str, str], language: str) -> None:
    """Send the answer to an address, once a day. `language` is that of the letter; where it is unknown (""), a
    summary follows in the other languages.
    """
    person = Person(0, "", (address,), services.zone, language)
    catalogue = services.letters.catalogue(language_of(person))
    games = game_list.open_games(services, store)
    how = first_steps.how_to_join(catalogue, games) if services.registration else ()
    sections = (
        *game_list.open_sections(services, store, person, catalogue),
        *how,
        *(() if language else _other_languages(services, catalogue.language)),
    )
    kind = STRANGER if services.registration else CLOSED
    confirmation_requests.ask_for_confirmation(
        services, store, kind, address, payload, sections=sections, language=language, letter_kind="plain"
    )


def _other_languages(services: Services, language: str) -> tuple[SectionView, ...]:
    others = map(services.letters.catalogue, (other for other in services.letters.languages if other != language))
    return tuple(
        SectionView(other.say("plain.in-words"), (ParagraphView(other.say("stranger.short")),)) for other in others
    )

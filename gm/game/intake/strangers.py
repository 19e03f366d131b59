"""The answer to an unknown address: what this is, which games look for players, how to get in.

It is a question: a YES to it, or any line that asks to play, registers the address. It holds nothing that a stranger
wrote, because the address may be another's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gm.game.commands import no_seat
from gm.game.intake import lobby_words
from gm.game.intake.incoming_letter import IncomingLetter
from gm.game.letters import reply_limits
from gm.game.model.letter_report import Note
from gm.game.model.ports import Store
from gm.game.model.records import Person
from gm.game.model.services import Services
from gm.game.model.settings import language_of
from gm.game.session import confirmation_requests
from gm.game.session.no_seat import session_without_game
from gm.game.views.public import first_steps, game_list
from gm.language.i18n.catalogue import Catalogue
from gm.language.lines.letter_contents import LetterContents
from gm.language.rendering.views import BulletsView, ParagraphView, SectionView

STRANGER = "stranger"
"""Kind of the question. A YES to it registers."""
CLOSED = "stranger-closed"
"""The same where nobody may register."""
LETTERS_MOST = 5
"""Answers to a proven address in a day."""


def answer(
    services: Services, store: Store, address: str, payload: Mapping[str, str], language: str, answers: Sequence[Note]
) -> bool:
    """Send the answer to an address, once a day; False if it has gone today. `language` is that of the letter; where it
    is unknown (""), a summary follows in the other languages. `answers` are those to its questions.
    """
    person = Person(0, "", (address,), services.zone, language)
    catalogue = services.letters.catalogue(language_of(person))
    games = game_list.open_games(services, store)
    how = first_steps.how_to_join(catalogue, games) if services.registration else ()
    sections = (
        *_answer_sections(catalogue, answers),
        *game_list.open_sections(services, store, person, catalogue),
        *how,
        *(() if language else _other_languages(services, catalogue.language)),
    )
    kind = STRANGER if services.registration else CLOSED
    return confirmation_requests.ask_for_confirmation(
        services, store, kind, address, payload, sections=sections, language=language, letter_kind="plain"
    )


def answer_again(
    incoming: IncomingLetter, reading: LetterContents, language: str, answers: Sequence[Note], *, wants: bool
) -> None:
    """Answer another letter of the day from a proven address, if it asks for something; a few, so that loops end.

    `wants`: it asks to play.
    """
    services, store, address = incoming.services, incoming.store, incoming.letter.sender.lower()
    if store.outbox.count_answers(address, store.now() - reply_limits.DAY) >= LETTERS_MOST:
        return
    person = Person(0, "", (address,), services.zone, language)
    session = session_without_game(services, store, incoming.row, incoming.letter, person)
    no_seat.serve(session, no_seat.only_lookups(reading))
    notes = (*answers, *session.notes)
    sections: tuple[SectionView, ...] = ()
    if wants and not session.inserts:
        catalogue, games = services.letters.catalogue(language_of(person)), game_list.open_games(services, store)
        sections = (
            *game_list.open_sections(services, store, person, catalogue),
            *(first_steps.how_to_join(catalogue, games) if services.registration else ()),
        )
        notes = (*notes, Note("public.join" if games else "public.join-none"))
    elif not (notes or session.inserts):
        notes = (Note("public.no-answer", done=False),)
    code = confirmation_requests.code_of_today(services, store, STRANGER, address)
    incoming.reply(person, *notes, inserts=session.inserts, sections=sections, code=code)


def answer_privacy(services: Services, store: Store, address: str, wish: str, language: str) -> None:
    """Answer somebody who wants no letters, or their data deleted, once a day, and tell whoever runs the server."""
    kind = f"stranger-{wish}"
    if confirmation_requests.ask_for_confirmation(
        services, store, kind, address, {}, language=language, letter_kind="plain"
    ):
        lobby_words.tell_operators(services, store, wish, address)


def _answer_sections(catalogue: Catalogue, answers: Sequence[Note]) -> tuple[SectionView, ...]:
    words = tuple(catalogue.say(note.key, **dict(note.fields)) for note in answers)
    return (SectionView(catalogue.say("public.title"), (BulletsView(words),)),) if words else ()


def _other_languages(services: Services, language: str) -> tuple[SectionView, ...]:
    others = map(services.letters.catalogue, (other for other in services.letters.languages if other != language))
    return tuple(
        SectionView(other.say("plain.in-words"), (ParagraphView(other.say("stranger.short")),)) for other in others
    )

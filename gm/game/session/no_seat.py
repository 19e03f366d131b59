"""Letters of somebody who has no seat in the game they are about, or are about none."""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.model.loaded_game import LoadedGame, lay
from gm.game.model.ports import Store
from gm.game.model.records import MASTER, Game, InboxRow, Letter, Person, Seat
from gm.game.model.services import Services
from gm.game.model.settings import language_of, plain_names
from gm.game.session.session import LetterSession
from gm.judge.model.variant import Variant
from gm.language.i18n.catalogue import FALLBACK
from gm.language.i18n.localized_variant import spoken
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, LetterContext


def loaded_without_game(variant: Variant) -> LoadedGame:
    """A table without a game."""
    return LoadedGame(Game(0, "", variant.id), variant, variant.start, None, ())


def session_without_game(
    services: Services, store: Store, row: InboxRow, letter: Letter, person: Person
) -> LetterSession:
    """Somebody who stands at no table."""
    loaded_game = loaded_without_game(services.variant(services.variant_ids[0], {}))
    return LetterSession(services, store, row, letter, person, Seat(0, 0, MASTER, person.id), loaded_game, MASTER)


def session_in_game(session: LetterSession, game: Game) -> LetterSession:
    """The same letter, at the table of a game that its writer need have no seat in. What it notes is the letter's."""
    if game.id == session.game.id:
        return session
    loaded_game = lay(session.services, session.store, session.store.games.lock(game.id))
    seat = Seat(0, game.id, MASTER, session.person.id)
    return replace(
        session,
        loaded_game=loaded_game,
        seat=seat,
        news=[],
        welcomed=set(),
        introduced=set(),
        drafts={},
        copies={},
        decrees=[],
    )


def read_without_game(services: Services, letter: Letter, person: Person | None = None) -> LetterContents:
    """Read for what it asks, where no game is known: with the rules and the start of the library's first variant."""
    return read_in_best_language(services, letter, person)[0]


def read_in_best_language(
    services: Services, letter: Letter, person: Person | None = None
) -> tuple[LetterContents, str]:
    """The same, and the language it is in: his own; of who has chosen none, the one in which most lines ask for
    something and fewest are troubled.
    """
    usual = FALLBACK if person is None else language_of(person)
    settled = person is None or person.language
    languages = (usual,) if settled else (usual, *services.letters.languages)
    read = [(read_in_language(services, letter, language), language) for language in dict.fromkeys(languages)]
    return max(read, key=lambda one: len(one[0].requests) - len(one[0].troubles))


def read_in_language(services: Services, letter: Letter, language: str) -> LetterContents:
    variant = spoken(services.variant(services.variant_ids[0], {}), language)
    context = LetterContext(variant, variant.start, master=True, plain_settings=plain_names())
    return read_letter(letter.lines[:LINES_READ], context)


LINES_READ = 200
"""So much of a letter from nobody we know is looked at."""

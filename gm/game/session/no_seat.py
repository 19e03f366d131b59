"""Letters of somebody who has no seat in the game they are about, or are about none."""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.model.loaded_game import LoadedGame, lay
from gm.game.model.ports import Store
from gm.game.model.records import MASTER, Game, InboxRow, Letter, Person, Seat
from gm.game.model.services import Services
from gm.game.session.session import LetterSession
from gm.judge.model.variant import Variant


def nowhere(variant: Variant) -> LoadedGame:
    """A table without a game."""
    return LoadedGame(Game(0, "", variant.id), variant, variant.start, None, ())


def sit(office: Services, store: Store, row: InboxRow, letter: Letter, person: Person) -> LetterSession:
    """Somebody who stands at no table."""
    table = nowhere(office.variant(office.variant_ids[0], {}))
    return LetterSession(office, store, row, letter, person, Seat(0, 0, MASTER, person.id), table, MASTER)


def at(sitting: LetterSession, game: Game) -> LetterSession:
    """The same letter, at the table of a game that its writer need have no seat in. What it notes is the letter's."""
    if game.id == sitting.game.id:
        return sitting
    table = lay(sitting.office, sitting.store, sitting.store.games.lock(game.id))
    seat = Seat(0, game.id, MASTER, sitting.person.id)
    return replace(
        sitting, table=table, seat=seat, news=[], welcomed=set(), introduced=set(), drafts={}, copies={}, decrees=[]
    )

"""The games of somebody with several seats: what they are in each, and when it is due."""

from __future__ import annotations

from collections.abc import Sequence

from gm.errors import GmError
from gm.game.model.ports import Store
from gm.game.model.recipient import Recipient
from gm.game.model.records import GameState, Seat
from gm.game.model.services import Services
from gm.language.i18n.catalogue import Catalogue
from gm.language.rendering.views import SectionView, TableView


def own_games(services: Services, store: Store, seats: Sequence[Seat], catalogue: Catalogue) -> SectionView:
    """A row for each seat; a game whose files or settings are broken has none."""
    rows = (_row(services, store, seat, catalogue.language) for seat in seats)
    return SectionView(catalogue.say("own-games.title"), (TableView(tuple(filter(None, rows))),))


def _row(services: Services, store: Store, seat: Seat, language: str) -> tuple[str, str] | None:
    try:
        reader = Recipient.of(services, store, store.games.get(seat.game), seat, language)
    except (GmError, KeyError):
        return None
    game = reader.game
    fields = {"role": reader.role, "title": reader.variant.title}
    if game.state is GameState.RUNNING:
        fields |= {"season": reader.season(game.phase), "when": reader.due()}
    return game.name, reader.say(f"own-games.{game.state.value}", **fields)

"""The games that somebody without a seat has asked to play in, and how it stands there."""

from __future__ import annotations

from collections.abc import Iterator

from gm.game.model.ports import Store
from gm.game.model.records import Applicant, ApplicantState, Person
from gm.game.model.setting_types import OPEN
from gm.game.model.settings import GameSettings, stored_value
from gm.language.i18n.catalogue import Catalogue
from gm.language.rendering.views import ParagraphView, RowsView, RowView, SectionView


def sections(store: Store, person: Person, catalogue: Catalogue) -> tuple[SectionView, ...]:
    """() for somebody who is on no list."""
    entries = store.games.applications_of(person.id) if person.id else ()
    if not entries:
        return ()
    rows = tuple(_row(store, entry, catalogue) for entry in entries)
    first = store.games.get(entries[0].game).name
    below = ParagraphView(catalogue.say("own-lists.change", game=first))
    return (SectionView(catalogue.say("own-lists.title"), (RowsView(rows), below)),)


def _row(store: Store, entry: Applicant, catalogue: Catalogue) -> RowView:
    return RowView(store.games.get(entry.game).name, " ".join(_sentences(store, entry, catalogue)))


def _sentences(store: Store, entry: Applicant, catalogue: Catalogue) -> Iterator[str]:
    game = store.games.get(entry.game)
    if entry.state is ApplicantState.APPROVED:
        yield catalogue.say("own-lists.approved")
    elif stored_value(game, GameSettings.joining) == OPEN:
        waiting = [other for other in store.games.applicants(game.id) if other.state is ApplicantState.ASKED]
        yield catalogue.say("own-lists.waiting", n=[other.person for other in waiting].index(entry.person) + 1)
    else:
        yield catalogue.say("own-lists.asked")
    if entry.wish:
        yield catalogue.say("own-lists.wish", wish=entry.wish)

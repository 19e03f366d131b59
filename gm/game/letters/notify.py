"""Queues notices to one seat or to all, with instants in each reader's time zone."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from gm.game.letters import digest
from gm.game.letters.results import render_notice
from gm.game.model import mail_preferences
from gm.game.model.letter_report import Note, StateBefore
from gm.game.model.loaded_game import LoadedGame
from gm.game.model.ports import Store
from gm.game.model.recipient import no_deadline_words
from gm.game.model.records import Game, Person, Seat
from gm.game.model.services import Services
from gm.game.model.settings import language_of
from gm.language.dates.dates import format_date_and_span


def format_instant(services: Services, store: Store, game: Game, person: Person, instant: datetime | None) -> str:
    """An instant in the person's time zone and language; a word for None."""
    catalogue = services.letters.catalogue(language_of(person, game))

    def in_zone(moment: datetime) -> str:
        return format_date_and_span(moment, ZoneInfo(person.zone), store.now(), catalogue)

    return no_deadline_words(catalogue, game, in_zone, "desk.no-deadline") if instant is None else in_zone(instant)


def queue_notice(
    services: Services,
    store: Store,
    game: Game,
    seat: Seat,
    note: Note,
    cause: str,
    *,
    text: str = "",
    subject: str = "",
    due: datetime | None = None,
    former: StateBefore | None = None,
) -> None:
    """Queue a notice for one seat. `due` becomes its field `when`, in the reader's zone.

    With `former` the letter shows what is different from that state.
    """
    if seat.person is None:
        return
    if due is not None:
        person = store.people.get(seat.person)
        note = replace(note, fields=(*note.fields, ("when", format_instant(services, store, game, person, due))))
    letter = render_notice(services, store, game, seat, note, cause, text, subject, former=former)
    mail_preferences.send(store, seat, letter, may_wait=former is None and due is None and digest.may_wait((note,)))


def queue_notices(
    services: Services,
    store: Store,
    loaded_game: LoadedGame,
    note_for: Callable[[Seat, Person], Note],
    cause: str,
    *,
    text: str = "",
    skip: Collection[int] = (),
) -> None:
    """Queue a notice for everybody but the seats `skip`; `note_for` makes the words for each reader."""
    for seat in loaded_game.public:
        if seat.id not in skip and seat.person is not None:
            queue_notice(
                services, store, loaded_game.game, seat, note_for(seat, store.people.get(seat.person)), cause, text=text
            )

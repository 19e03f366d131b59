"""Collects what a letter changes for everybody, and sends one notice to each seat at its end."""

from __future__ import annotations

from gm.game.letters import digest
from gm.game.letters.question import queue_plain_notice
from gm.game.letters.results import render_notice
from gm.game.model import mail_preferences
from gm.game.model.letter_report import Note
from gm.game.model.observer_records import OBSERVER_SEATS
from gm.game.model.ports import Store
from gm.game.model.records import Game, GameState
from gm.game.model.services import Services
from gm.game.model.setting_types import CLOSED
from gm.game.session.session import LetterSession
from gm.game.views.public import game_list
from gm.language.rendering.views import QuotedWordsView, RowsView, SectionView

REASON_MOST = 2000
"""Characters of a reason that the others are sent."""


def add_notice(session: LetterSession, note: Note) -> None:
    session.news.notes.append(note)


def send_notices(session: LetterSession) -> None:
    """Send the notices to all seats but the writer's and those that get a welcome letter."""
    _introduce(session)
    opened, session.news.opened = session.news.opened, False
    if opened:
        tell_openings(session.services, session.store, session.game, f"opening:{session.row.id}")
    notes, session.news.notes = tuple(session.news.notes), []
    if not notes:
        return
    cause = f"act:{session.row.id}:news:{session.game.id}"
    for seat in session.loaded_game.public:
        if seat.id not in (session.seat.id, *session.news.welcomed):
            first, *more = (*notes, *(_wanted(session) if opened and seat.power in OBSERVER_SEATS else ()))
            letter = render_notice(session.services, session.store, session.game, seat, first, cause, more=tuple(more))
            mail_preferences.send(session.store, seat, letter, may_wait=digest.may_wait((first, *more)))


def _wanted(session: LetterSession) -> tuple[Note, ...]:
    """For observers: the line that asks for an empty seat."""
    free = session.loaded_game.vacant_seats
    if not free or session.loaded_game.settings.joining == CLOSED:
        return ()
    return (Note("desk.seat-wanted", (("game", session.game.name), ("power", free[0].power))),)


def _introduce(session: LetterSession) -> None:
    """Tell new game masters of a game that has not started; in others they get a welcome letter."""
    seats, session.news.introduced = session.news.introduced, set()
    for seat in session.loaded_game.masters if not session.game.snapshot else ():
        if seat.id in seats:
            note = Note("desk.you-master")
            session.send(render_notice(session.services, session.store, session.game, seat, note, f"chair:{seat.id}"))


def tell_applicants(session: LetterSession, words: str, cause: str) -> int:
    """Send a game master's words to whoever waits on the list of a game that has not begun; how many these are."""
    if session.game.state is not GameState.FORMING:
        return 0
    players = {seat.person for seat in session.loaded_game.manned}
    waiting = [entry.person for entry in session.store.games.applicants(session.game.id)]
    people = [session.store.people.get(number) for number in waiting if number not in players]
    section = SectionView("", (QuotedWordsView(words),))
    note = Note("desk.announcement", (("game", session.game.name),))
    return sum(
        queue_plain_notice(session.services, session.store, person, session.game, note, cause, (section,))
        for person in people
    )


def tell_gms(session: LetterSession, note: Note, cause: str, text: str = "") -> None:
    """Send game masters a notice about something to decide. `text`: what somebody writes about it."""
    for seat in session.loaded_game.masters:
        if seat.person is not None and seat.id != session.seat.id:
            session.send(render_notice(session.services, session.store, session.game, seat, note, cause, text))


def tell_openings(services: Services, store: Store, game: Game, cause: str) -> None:
    """Queue the letters if the game is listed and open. Nobody who has a seat in it, or observes it, gets one."""
    if not game.id:
        return
    inside = {seat.person for seat in (*store.games.seats(game.id), *store.games.observer_seats(game.id))}
    inside |= {entry.person for entry in store.games.applicants(game.id)}
    for person in store.people.wanting_openings():
        offer = game_list.offer(services, store, person, game) if person.id not in inside else None
        if offer is not None:
            row, words = offer
            note = Note("desk.opening", (("game", game.name),))
            sections = (SectionView(words, (RowsView((row,)),)),)
            queue_plain_notice(services, store, person, game, note, cause, sections)

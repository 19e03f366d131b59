"""Tells whoever asked for it (NOTIFY GAMES) that a public game looks for players."""

from __future__ import annotations

from gm.game.letters.question import queue_plain_notice
from gm.game.model.letter_report import Note
from gm.game.model.ports import Store
from gm.game.model.records import Game
from gm.game.model.services import Services
from gm.game.views.public import game_list
from gm.language.rendering.views import RowsView, SectionView


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

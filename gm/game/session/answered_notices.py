"""Finds whether a letter is a reply to a certain notice."""

from __future__ import annotations

from gm.game.identity.references import find_thread
from gm.game.model.records import Letter
from gm.game.session.session import LetterSession


def answers_notice(session: LetterSession, letter: Letter, *titles: str) -> bool:
    """Whether the letter is a reply to a notice with one of these titles, in any language."""
    thread = find_thread(session.store, letter)
    if thread is None or thread.seat != session.seat.id:
        return False
    catalogues = [session.services.letters.catalogue(language) for language in session.languages]
    return any(thread.subject.endswith(catalogue.say(title)) for catalogue in catalogues for title in titles)

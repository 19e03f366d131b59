"""Handler of DIARY: a notebook that only its writer reads, and that a game may open to all at its end.

An entry is opened only if the game's setting said so both when it was written and at the end.
"""

from __future__ import annotations

from gm.game.model.observer_records import NotebookEntry
from gm.game.model.records import GameState
from gm.game.session.session import Handlers, LetterSession
from gm.language.commands import observers

ENTRY_MOST = 20_000
"""Most characters in one entry."""
ENTRIES_MOST = 2000
"""Most entries of one player in one game."""


def diary(session: LetterSession, request: observers.DiaryRequest, line: int) -> None:
    if request.everybody:
        opened = session.game.state is GameState.ENDED and session.loaded_game.settings.diaries
        if opened:
            session.insert("diaries")
        else:
            key = "diaries-not-yet" if session.loaded_game.settings.diaries else "diaries-private"
            session.note(key, done=False, line=line)
    elif session.observes:
        session.note("diary-players", done=False, line=line)
    elif request.delete:
        _delete(session, request.delete, line)
    elif request.text:
        _write(session, request.text, line)
    else:
        session.insert("diary")


def _write(session: LetterSession, words: str, line: int) -> None:
    game, person = session.game, session.person
    mine = [entry for entry in session.store.observers.notebook(game.id) if (entry.seat, entry.person) == _key(session)]
    if mine and (mine[-1].words, mine[-1].phase) == (words, game.phase):
        session.note("diary-again", line=line, number=str(mine[-1].number))
    elif len(words) > ENTRY_MOST or len(mine) >= ENTRIES_MOST:
        session.note("diary-full", done=False, line=line, most=str(ENTRY_MOST), entries=str(ENTRIES_MOST))
    else:
        opens, at = session.loaded_game.settings.diaries and game.state is not GameState.ENDED, session.store.now()
        number = len(mine) + 1
        new = NotebookEntry(
            0, game.id, session.seat.id, person.id, number, session.seat.power, game.phase, at, words, opens
        )
        session.store.observers.add_notebook_entry(new)
        session.note("diary-opens" if opens else "diary-kept", line=line, headline=True, number=str(number))


def _delete(session: LetterSession, number: int, line: int) -> None:
    for entry in session.store.observers.notebook(session.game.id):
        if (entry.seat, entry.person) == _key(session) and entry.number == number:
            session.store.observers.blank_notebook_entry(entry.id)
            session.note("diary-deleted", line=line, headline=True, number=str(number))
            return
    session.note("diary-no-entry", done=False, line=line, number=str(number))


def _key(session: LetterSession) -> tuple[int, int]:
    return session.seat.id, session.person.id


HANDLERS: Handlers = {observers.DiaryRequest: diary}

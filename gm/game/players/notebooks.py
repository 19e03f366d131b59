"""DIARY: a notebook that only its writer reads, and that a game may open to all when it is over.

An entry is opened only if the game's setting said so when it was written and says so at the end: what was written in
private stays private, whatever a game master sets later.
"""

from __future__ import annotations

from gm.game.model.observer_records import NotebookEntry
from gm.game.model.records import GameState
from gm.game.session.handler import Handlers, RequestHandler
from gm.game.session.session import LetterSession
from gm.language.commands import observers as ask

LONGEST = 20_000
"""Characters in one entry."""
MOST = 2000
"""Entries of one player in one game."""


def diary(sitting: LetterSession, request: ask.DiaryRequest, line: int) -> None:
    if request.everybody:
        opened = sitting.game.state is GameState.ENDED and sitting.table.settings.diaries
        if opened:
            sitting.insert("diaries")
        else:
            key = "diaries-not-yet" if sitting.table.settings.diaries else "diaries-private"
            sitting.note(key, done=False, line=line)
    elif sitting.observes:
        sitting.note("diary-players", done=False, line=line)
    elif request.delete:
        _delete(sitting, request.delete, line)
    elif request.text:
        _write(sitting, request.text, line)
    else:
        sitting.insert("diary")


def _write(sitting: LetterSession, words: str, line: int) -> None:
    game, person = sitting.game, sitting.person
    mine = [entry for entry in sitting.store.circle.entries(game.id) if (entry.seat, entry.person) == _key(sitting)]
    if mine and (mine[-1].words, mine[-1].phase) == (words, game.phase):
        sitting.note("diary-again", line=line, number=str(mine[-1].number))
    elif len(words) > LONGEST or len(mine) >= MOST:
        sitting.note("diary-full", done=False, line=line, most=str(LONGEST), entries=str(MOST))
    else:
        opens, at = sitting.table.settings.diaries and game.state is not GameState.ENDED, sitting.store.now()
        number = len(mine) + 1
        new = NotebookEntry(
            0, game.id, sitting.seat.id, person.id, number, sitting.seat.power, game.phase, at, words, opens
        )
        sitting.store.circle.add_entry(new)
        sitting.note("diary-opens" if opens else "diary-kept", line=line, headline=True, number=str(number))


def _delete(sitting: LetterSession, number: int, line: int) -> None:
    for entry in sitting.store.circle.entries(sitting.game.id):
        if (entry.seat, entry.person) == _key(sitting) and entry.number == number:
            sitting.store.circle.blank_entry(entry.id)
            sitting.note("diary-deleted", line=line, headline=True, number=str(number))
            return
    sitting.note("diary-no-entry", done=False, line=line, number=str(number))


def _key(sitting: LetterSession) -> tuple[int, int]:
    return sitting.seat.id, sitting.person.id


HANDLERS: Handlers = {ask.DiaryRequest: RequestHandler(diary)}

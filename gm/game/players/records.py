"""RECORD, and the gate `reliability`: what is counted of a person is told to them, and to whom they ask for a seat."""

from __future__ import annotations

from gm.game.model.conduct_records import PlayingRecord
from gm.game.model.letter_report import Note
from gm.game.phase import conduct
from gm.game.session.session import Handlers, LetterSession
from gm.language.commands.players import RecordRequest


def record(session: LetterSession, request: RecordRequest, line: int) -> None:
    fields = PlayingRecord.of(session.store.conduct.of(session.person.id)).fields if session.person.id else ()
    key = "desk.record" if fields else "desk.record-empty"
    session.notes.append(Note(key, fields, line=line, headline=True))


def is_refused(there: LetterSession, line: int) -> bool:
    """Whether the game asks for more reliability than the writer has; then a note says so."""
    least = there.loaded_game.settings.reliability
    mine = conduct.record_for_others(there.services, there.store, there.person.id)
    if mine.reliability >= least:
        return False
    fields = (*mine.fields, ("least", str(least)), ("game", there.game.name))
    there.notes.append(Note("desk.join-unreliable", fields, done=False, line=line))
    return True


def fields_for_masters(there: LetterSession) -> tuple[tuple[str, str], ...]:
    """The record of a person who asks for a seat, for the game masters whom they ask."""
    return conduct.record_for_others(there.services, there.store, there.person.id).fields


HANDLERS: Handlers = {RecordRequest: record}

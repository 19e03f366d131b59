"""CORRECT RESULT: sends results again, as a new version with a note of the game master on top."""

from __future__ import annotations

from gm.game.letters import results
from gm.game.model.poll_records import Erratum
from gm.game.model.records import Snapshot
from gm.game.session.session import LetterSession
from gm.game.turns.overrule import finish_pending
from gm.game.views import maps
from gm.game.views.turns.turn_events import TurnSteps
from gm.language.commands.gm import CorrectRequest
from gm.language.formats.stored_values import events_from_text

NOTE_MOST = 4000
"""Characters of a note."""


def correct(session: LetterSession, request: CorrectRequest, line: int) -> None:
    if not request.text.strip():
        session.note("erratum-empty", done=False, line=line)
        return
    if session.late_for and not request.phase:  # "the last results" were others when it was written
        session.was_late = True
        return
    finish_pending(session)
    resolved = [old for old in maps.snapshots_back(session.store, session.game) if old.previous and old.resolved]
    snapshot = next((old for old in resolved if request.phase in ("", old.resolved)), None)
    if snapshot is None:
        phases = ", ".join(dict.fromkeys(old.resolved for old in reversed(resolved)))
        key = "erratum-no-phase" if resolved else "erratum-nothing"
        session.note(key, done=False, line=line, phase=request.phase, phases=phases)
        return
    _add(session, snapshot, request.text.strip()[:NOTE_MOST])
    note = session.note("erratum-done", line=line, headline=True, phase=snapshot.resolved)
    session.log(f"CORRECT RESULT {snapshot.resolved}\n{request.text}", note)


def _add(session: LetterSession, snapshot: Snapshot, text: str) -> None:
    store, game = session.store, session.game
    store.polls.add_erratum(Erratum(game.id, snapshot.id, snapshot.resolved, text, store.now()))
    steps = TurnSteps(events_from_text(snapshot.events))
    for seat in session.loaded_game.manned:
        store.outbox.add(results.render_results(session.services, store, game, seat, snapshot, steps), store.now())

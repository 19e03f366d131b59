"""CORRECT RESULT, RULE: the game master's note goes on top of results, which go out again as another version."""

from __future__ import annotations

from gm.game.letters import results
from gm.game.letters.notify import queue
from gm.game.model.poll_records import Erratum
from gm.game.model.records import Snapshot
from gm.game.session.session import LetterSession
from gm.game.turns.overrule import settle
from gm.game.views import maps as pictures
from gm.language.commands.gm import CorrectRequest

MOST = 4000
"""Characters of a note."""


def correct(sitting: LetterSession, request: CorrectRequest, line: int) -> None:
    if not request.text.strip():
        sitting.note("erratum-empty", done=False, line=line)
        return
    if sitting.late_for and not request.phase:  # the last results of which phase?
        sitting.was_late = True
        return
    settle(sitting)
    resolved = [one for one in pictures.line_of(sitting.store, sitting.game) if one.previous and one.resolved]
    found = next((one for one in resolved if request.phase in ("", one.resolved)), None)
    if found is None:
        phases = ", ".join(dict.fromkeys(one.resolved for one in reversed(resolved)))
        key = "erratum-no-phase" if resolved else "erratum-nothing"
        sitting.note(key, done=False, line=line, phase=request.phase, phases=phases)
        return
    _add(sitting, found, sitting.office.post.hide(request.text.strip()[:MOST]))
    note = sitting.note("erratum-done", line=line, headline=True, phase=found.resolved)
    sitting.log(f"CORRECT RESULT {found.resolved}\n{request.text}", note)


def _add(sitting: LetterSession, snapshot: Snapshot, text: str) -> None:
    store, game = sitting.store, sitting.game
    store.minutes.add_erratum(Erratum(game.id, snapshot.id, snapshot.resolved, text, store.now()))
    for seat in sitting.table.manned:
        queue(store, results.results(sitting.office, store, game, seat, snapshot))

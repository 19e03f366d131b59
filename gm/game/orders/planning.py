"""What players ask for about orders ahead: kept for a later phase, forgotten again, tried out."""

from __future__ import annotations

from gm.game.identity import which_phase as phases
from gm.game.phase import planned_orders as ahead
from gm.game.session.handler import Handlers, RequestHandler
from gm.game.session.session import LetterSession
from gm.language.commands import planning as ask

TRIES_MOST = 3
"""CHECKs in one letter: each is a whole adjudication."""


def _refused(sitting: LetterSession, what: str, line: int) -> bool:
    """No game to plan for."""
    if not sitting.table.running:
        sitting.note(phases.closed(sitting.game), done=False, line=line, what=what)
    return not sitting.table.running


def keep(sitting: LetterSession, request: ask.ForPhaseRequest, line: int) -> None:
    if _refused(sitting, "FOR", line):
        return
    table, phase = sitting.table, request.phase
    if table.variant.phase_at(phase) <= (table.position.year, table.position.at):
        sitting.note("ahead-over", done=False, line=line, phase=phase)
    elif ahead.add(sitting.store, table, sitting.row, sitting.author, phase, request.lines):
        sitting.note("ahead-kept", line=line, headline=True, n=str(len(request.lines)), phase=phase)
    else:
        sitting.note("ahead-too-many", done=False, line=line, most=str(ahead.MOST_LINES))


def forget(sitting: LetterSession, request: ask.ClearFutureRequest, line: int) -> None:
    if _refused(sitting, "CLEAR FUTURE", line):
        return
    gone = ahead.forget(sitting.store, sitting.table, sitting.row, sitting.author, request.phase, request.provinces)
    key = "ahead-forgotten" if gone else "ahead-nothing"
    sitting.note(key, done=bool(gone), line=line, headline=bool(gone), n=str(gone))


def check(sitting: LetterSession, request: ask.CheckRequest, line: int) -> None:
    if not _refused(sitting, "CHECK", line):
        sitting.insert("check", "\n".join(request.lines))


def preliminary(sitting: LetterSession, request: ask.PreliminaryRequest, line: int) -> None:
    """The mark stays with the sheet, also over letters to come, until FINAL or READY takes it off."""
    for draft in sitting.hands():
        draft.preliminary = not request.off
        draft.ready = draft.ready and request.off


HANDLERS: Handlers = {
    ask.ForPhaseRequest: RequestHandler(keep, most=20),
    ask.ClearFutureRequest: RequestHandler(forget),
    ask.CheckRequest: RequestHandler(check, most=TRIES_MOST),
    ask.PreliminaryRequest: RequestHandler(preliminary, of_phase=True),
}
IN_BLOCK = frozenset({ask.ForPhaseRequest, ask.ClearFutureRequest, ask.PreliminaryRequest})
"""What of it may stand in a game master's AS block."""

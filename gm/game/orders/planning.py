"""Handlers of FOR, CLEAR FUTURE, CHECK and PRELIM."""

from __future__ import annotations

from gm.game.identity import which_phase
from gm.game.phase import planned_orders
from gm.game.session.session import Handlers, LetterSession
from gm.language.commands import planning


def _refused(session: LetterSession, what: str, line: int) -> bool:
    """Notes that there is no running game, if so."""
    if not session.loaded_game.running:
        session.note(which_phase.closed_reason(session.game), done=False, line=line, what=what)
    return not session.loaded_game.running


def keep_for_phase(session: LetterSession, request: planning.ForPhaseRequest, line: int) -> None:
    if _refused(session, "FOR", line):
        return
    loaded_game, phase = session.loaded_game, request.phase
    if loaded_game.variant.phase_at(phase) <= (loaded_game.position.year, loaded_game.position.at):
        session.note("ahead-over", done=False, line=line, phase=phase)
    elif planned_orders.add_lines(session.store, loaded_game, session.row, session.author, phase, request.lines):
        session.note("ahead-kept", line=line, headline=True, n=str(len(request.lines)), phase=phase)
    else:
        session.note("ahead-too-many", done=False, line=line, most=str(planned_orders.MOST_LINES))


def clear_future(session: LetterSession, request: planning.ClearFutureRequest, line: int) -> None:
    if _refused(session, "CLEAR FUTURE", line):
        return
    gone = planned_orders.remove_lines(
        session.store, session.loaded_game, session.row, session.author, request.phase, request.provinces
    )
    key = "ahead-forgotten" if gone else "ahead-nothing"
    session.note(key, done=bool(gone), line=line, headline=bool(gone), n=str(gone))


def check_orders(session: LetterSession, request: planning.CheckRequest, line: int) -> None:
    if not _refused(session, "CHECK", line):
        session.insert("check", "\n".join(request.lines))


def mark_preliminary(session: LetterSession, request: planning.PreliminaryRequest, line: int) -> None:
    """The mark stays with the sheet until FINAL or READY."""
    for draft in session.own_sheets():
        draft.preliminary = not request.off
        draft.ready = draft.ready and request.off


HANDLERS: Handlers = {
    planning.ForPhaseRequest: keep_for_phase,
    planning.ClearFutureRequest: clear_future,
    planning.CheckRequest: check_orders,
    planning.PreliminaryRequest: mark_preliminary,
}

"""What a game master may ask for in a running game beyond the everyday acts: the table of requests and handlers."""

from __future__ import annotations

from gm.game.letters import debug_trace as tracing
from gm.game.session.handler import Handlers, RequestHandler
from gm.game.session.session import LetterSession
from gm.game.turns import correct_results as correcting
from gm.game.turns import edit_position as editing
from gm.game.turns import rollback as rewind
from gm.game.views.exports import EXPORT, FORMS, JSON
from gm.game.votes import polls
from gm.language.commands import requests as ask
from gm.language.commands.gm import (
    ClosePollRequest,
    CorrectRequest,
    DebugRequest,
    ExportRequest,
    ImportRequest,
    LedgerRequest,
    PollRequest,
    PreviewRequest,
    RedoRequest,
    SetupRequest,
)

ACTS_SHOWN = 20


def show_ledger(sitting: LetterSession, request: LedgerRequest, line: int) -> None:
    sitting.insert("ledger", str(request.count or ACTS_SHOWN))


def export(sitting: LetterSession, request: ExportRequest, line: int) -> None:
    form = request.form or JSON
    if form not in FORMS:
        sitting.note("export-form", done=False, line=line, form=form[:20], forms=", ".join(FORMS))
    elif sitting.game.snapshot:
        sitting.insert(EXPORT, form)
    else:
        sitting.note("not-started", done=False, line=line, what="EXPORT")


def debug(sitting: LetterSession, request: DebugRequest, line: int) -> None:
    known = tracing.letters(sitting.office, sitting.store, sitting.table)
    if request.letter and tracing.found(known, request.letter) is None:
        sitting.note("debug-unknown", done=False, line=line, letter=request.letter[:60])
    else:
        sitting.insert(tracing.DEBUG, request.letter)


HANDLERS: Handlers = {
    PreviewRequest: RequestHandler(rewind.preview, of_phase=True, most=3),
    ask.RollbackRequest: RequestHandler(rewind.roll_back, final=True, most=1),
    SetupRequest: RequestHandler(editing.propose, of_phase=True, most=5),
    ask.ConfirmRequest: RequestHandler(editing.confirm, final=True),
    CorrectRequest: RequestHandler(correcting.correct, final=True, most=3),
    ImportRequest: RequestHandler(editing.import_file, of_phase=True, most=3),
    ExportRequest: RequestHandler(export, most=3),
    DebugRequest: RequestHandler(debug, most=3),
    LedgerRequest: RequestHandler(show_ledger, most=1),
    PollRequest: RequestHandler(polls.open_poll, final=True, most=3),
    ClosePollRequest: RequestHandler(polls.close_poll, final=True, most=5),
    RedoRequest: RequestHandler(rewind.redo, final=True, most=1),
}

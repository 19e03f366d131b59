"""What a game master may ask for in a running game: a table of requests and what does them.

Every act is logged; one that changes the game is told to every seat.
"""

from __future__ import annotations

from gm.game.commands import act_as as act_as_
from gm.game.commands.player import PLAYER
from gm.game.deadlines import gm_clock as timing
from gm.game.letters import debug_trace as tracing
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import power_named
from gm.game.model.records import Snapshot
from gm.game.orders import gm_orders as hand
from gm.game.orders import planning as planned
from gm.game.orders import proxy as proxies
from gm.game.phase.draw_votes import DRAW, survivors
from gm.game.players import mail_choices as mailchoices
from gm.game.players import new_game as founding
from gm.game.players import observers as onlookers
from gm.game.players import seats as admitting
from gm.game.session import change_setting
from gm.game.session.handler import Handlers, RequestHandler
from gm.game.session.session import LetterSession, Overrule, act_cause, tell_all
from gm.game.turns import civil_disorder as declared
from gm.game.turns import correct_results as correcting
from gm.game.turns import edit_position as editing
from gm.game.turns import resolve as turn
from gm.game.turns import rollback as rewind
from gm.game.turns.overrule import check_overrules
from gm.game.views.exports import EXPORT, FORMS, JSON
from gm.game.votes import polls
from gm.judge.model.events import OrderResult, Outcome
from gm.judge.model.sheets import Decree
from gm.language.commands import deadlines as times
from gm.language.commands import requests as ask
from gm.language.commands.gm import (
    BallotRequest,
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
from gm.language.formats import stored_values as codec
from gm.language.lines.letter_contents import LineError

REASON_MOST = 2000
SOLO = "solo"


def process(session: LetterSession, request: ask.ProcessRequest, line: int) -> None:
    phase = session.game.phase
    if request.phase and request.phase.upper() != phase:
        session.note("wrong-phase", done=False, line=line, phase=phase, asked=request.phase.upper())
        return
    check_overrules(session)
    note = session.note("processed", line=line, headline=True, phase=phase)
    session.log(f"PROCESS {request.phase}".strip(), note)
    session.lay(turn.resolve_phase(session.services, session.store, session.game))


def overrule(session: LetterSession, request: ask.OverruleRequest, line: int) -> None:
    snapshot = session.loaded_game.snapshot
    if session.late_for:  # an answer to older results, which may hold the same order
        session.was_late = True
        return
    if snapshot is None or not snapshot.previous or not snapshot.resolved:
        session.note("nothing-to-overrule", done=False, line=line)
        return
    try:
        outcome = Outcome(request.outcome.lower())
    except ValueError:
        words = ", ".join(one.value for one in Outcome)
        session.note("unknown-outcome", done=False, line=line, outcome=request.outcome[:40], outcomes=words)
        return
    found = _resolved(session, snapshot, request.order)
    if isinstance(found, LineError):
        hand.refuse(session, found, line, request.order)
    elif found is None or found.unit is None:
        session.note("not-resolved", done=False, line=line, order=request.order[:80], phase=snapshot.resolved)
    else:
        text = f"OVERRULE {request.order}: {request.outcome}"
        reason = session.services.post.hide(request.reason.strip()[:REASON_MOST])
        session.decrees.append(Overrule(Decree(found.unit, outcome), reason, text, line))


def announce(session: LetterSession, request: ask.AnnounceRequest, line: int) -> None:
    if not request.text.strip():
        session.note("press-empty", done=False, line=line)
        return
    hide = session.services.post.hide
    subject, text = hide(" ".join(request.subject.split())), hide(request.text)
    tell_all(session, Note("desk.announcement"), act_cause(session, line), text=text, subject=subject)
    note = session.note("announced", line=line, headline=True, n=str(len(session.loaded_game.manned) - 1))
    session.log(f"ANNOUNCE {subject}\n{request.text}", note)


def missing(session: LetterSession, request: ask.MissingRequest, line: int) -> None:
    session.insert("missing")


def end_game(session: LetterSession, request: ask.EndGameRequest, line: int) -> None:
    names = [(name, power_named(session.loaded_game.variant, name)) for name in request.winners]
    for name, power in names:
        if power is None:
            hand.unknown_power(session, name, line)
            return
    winners = tuple(power for _, power in names if power)
    if request.why == DRAW and not winners:
        winners = survivors(session.loaded_game)
    if request.why == SOLO and len(winners) != 1:
        session.note("solo-whose", done=False, line=line, power=session.loaded_game.variant.powers[0].name)
        return
    check_overrules(session)
    session.lay(turn.end_game(session.services, session.store, session.game, request.why, winners))
    key = f"ended-{request.why}" if request.why in ("draw", "solo") else "ended"
    note = session.note(key, line=line, headline=True, winners=", ".join(winners))
    session.log(f"CLOSE {request.why} {' '.join(winners)}".strip(), note)
    tell_all(session, Note(note.key, note.fields, headline=True), act_cause(session, line))


def _resolved(session: LetterSession, snapshot: Snapshot, text: str) -> OrderResult | LineError | None:
    """The result that an OVERRULE means, by its order or its unit alone."""
    variant = session.loaded_game.variant
    before = codec.position_from_text(session.store.turns.snapshot(snapshot.previous).position, variant)
    order = hand.order_in(session, before, text)
    if order is None or isinstance(order, LineError):
        unit = hand.unit_in(session, before, text)
        if unit is None or isinstance(unit, LineError):
            return order
        power, slot = unit[0], ("unit", f"{unit[1].kind} {unit[1].at.province}")
    else:
        power, slot = order[0], order[1].slot
    events = codec.events_from_text(snapshot.events)[0][1]
    results = (event for event in events if isinstance(event, OrderResult))
    return next((result for result in results if result.power == power and result.order.slot == slot), None)


def show_ledger(session: LetterSession, request: LedgerRequest, line: int) -> None:
    session.insert("ledger", str(request.count or ACTS_SHOWN))


def export(session: LetterSession, request: ExportRequest, line: int) -> None:
    form = request.form or JSON
    if form not in FORMS:
        session.note("export-form", done=False, line=line, form=form[:20], forms=", ".join(FORMS))
    elif session.game.snapshot:
        session.insert(EXPORT, form)
    else:
        session.note("not-started", done=False, line=line, what="EXPORT")


def debug(session: LetterSession, request: DebugRequest, line: int) -> None:
    known = tracing.traced_letters(session.services, session.store, session.loaded_game)
    if request.letter and tracing.find_letter(known, request.letter) is None:
        session.note("debug-unknown", done=False, line=line, letter=request.letter[:60])
    else:
        session.insert(tracing.DEBUG, request.letter)


HANDLERS: Handlers = {
    PreviewRequest: RequestHandler(rewind.preview, of_phase=True, most=3),
    ask.RollbackRequest: RequestHandler(rewind.roll_back, final=True, most=1),
    SetupRequest: RequestHandler(editing.propose_edit, of_phase=True, most=5),
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

MASTER_ONLY: Handlers = {
    **HANDLERS,
    ask.CreateRequest: RequestHandler(founding.create),
    ask.SeatPlayerRequest: RequestHandler(founding.seat_player, most=60),
    ask.SetRequest: RequestHandler(change_setting.change_setting, most=60),
    ask.TimeZoneRequest: RequestHandler(founding.time_zone),
    ask.StartRequest: RequestHandler(founding.start, final=True, most=1),
    ask.ProcessRequest: RequestHandler(process, of_phase=True, final=True, most=1),
    **timing.HANDLERS,
    ask.ForceRequest: RequestHandler(hand.force, of_phase=True),
    ask.StrikeRequest: RequestHandler(hand.strike, of_phase=True),
    ask.ActAsRequest: RequestHandler(act_as_.act_as, of_phase=True),
    ask.OverruleRequest: RequestHandler(overrule, final=True),
    ask.AnnounceRequest: RequestHandler(announce, final=True, most=3),
    ask.MissingRequest: RequestHandler(missing),
    ask.ExcludeRequest: RequestHandler(declared.exclude, of_phase=True, final=True, most=20),
    ask.CivilDisorderRequest: RequestHandler(declared.civil_disorder, of_phase=True, final=True, most=7),
    ask.EndGameRequest: RequestHandler(end_game, of_phase=True, final=True, most=1),
    **onlookers.MASTERS,
    **admitting.HANDLERS,
}

NOT_FOR_MASTERS = frozenset(
    {
        ask.ReadyRequest,
        ask.WaitRequest,
        ask.ClearRequest,
        ask.HoldRestRequest,
        ask.VoteRequest,
        BallotRequest,
        times.CancelAbsenceRequest,
    }
    | set(mailchoices.HANDLERS)
    | set(planned.HANDLERS)
    | set(proxies.HANDLERS)
)

"""These are a power's; most need a sheet, and a game master has one only inside AS … END AS. He gets all letters."""

MASTER = {kind: one for kind, one in PLAYER.items() if kind not in NOT_FOR_MASTERS} | dict(MASTER_ONLY)

ACTS_SHOWN = 20

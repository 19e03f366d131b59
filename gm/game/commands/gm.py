"""Handlers of a game master's commands that run a game: PROCESS, OVERRULE, ANNOUNCE, CLOSE, EXPORT, DEBUG.

Each is logged; one that changes the game is announced to every seat.
"""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.letters.traced_letters import DEBUG, GameLetters
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import power_named, stored_position
from gm.game.model.records import GameState, Snapshot
from gm.game.orders import gm_orders
from gm.game.phase.draw_votes import DRAW, survivors
from gm.game.players.new_game import call_off
from gm.game.session import notices
from gm.game.session.notices import REASON_MOST
from gm.game.session.session import Handlers, LetterSession, Overrule, tell_all
from gm.game.turns import civil_disorder, compare_sheets, correct_results, edit_position, resolve, rollback
from gm.game.turns.overrule import finish_pending
from gm.game.views import maps
from gm.game.views.exports import EXPORT, EXPORT_FORMATS, JSON, fitting_formats
from gm.judge.model.events import OrderResult, Outcome
from gm.judge.model.orders import Hold, Statement, UnitOrder
from gm.judge.model.position import Position
from gm.judge.model.sheets import Decree
from gm.language.commands import requests
from gm.language.commands.gm import (
    CorrectRequest,
    DebugRequest,
    ExportRequest,
    ImportRequest,
    PreviewDifferenceRequest,
    PreviewRequest,
    RedoRequest,
    SetupRequest,
)
from gm.language.formats import stored_values
from gm.language.formats.saved_game import TITLES
from gm.language.lines.letter_contents import LineError
from gm.language.rendering import order_text

SOLO = "solo"
OTHER_PHASE = frozenset({"wrong-phase", "wrong-phase-ahead"})
"""Keys of what is said about an order for another kind of phase."""


def process(session: LetterSession, request: requests.ProcessRequest, line: int) -> None:
    if rollback.refuse_wrong_phase(session, request.phase, line):
        return
    finish_pending(session)
    note = session.note("processed", line=line, headline=True, phase=session.game.phase)
    session.log(f"PROCESS {request.phase}".strip(), note)
    session.reload_game(resolve.resolve_open_phase(session.services, session.store, session.game))


def overrule(session: LetterSession, request: requests.OverruleRequest, line: int) -> None:
    snapshot = session.loaded_game.snapshot
    if session.late_for:  # about older results, which may hold the same order
        session.was_late = True
        return
    if snapshot is None or not snapshot.previous or not snapshot.resolved:
        if _is_order_now(session, request.order):
            session.note("overrule-open", done=False, line=line, order=request.order[:80], open=session.game.phase)
            return
        key = "overrule-by-hand" if snapshot is not None and snapshot.previous else "nothing-to-overrule"
        session.note(key, done=False, line=line)
        return
    try:
        outcome = Outcome(request.outcome.lower())
    except ValueError:
        words = ", ".join(known.value for known in Outcome)
        session.note("unknown-outcome", done=False, line=line, outcome=request.outcome[:40], outcomes=words)
        return
    result = _find_result(session, snapshot, request.order)
    if result is None or isinstance(result, LineError) or result.unit is None:
        _say_where(session, snapshot, request.order, result if isinstance(result, LineError) else None, line)
    elif not _named_results(session, snapshot, request.order) and _older_phase(session, request.order):
        _say_where(session, snapshot, request.order, None, line)  # "A Mun - Bur" of spring, where it held in fall
    else:
        text = f"OVERRULE {request.order}: {request.outcome}"
        reason = request.reason.strip()[:REASON_MOST]
        session.decrees.append(Overrule(Decree(result.unit, outcome), reason, text, line))


def _say_where(session: LetterSession, last: Snapshot, order: str, trouble: LineError | None, line: int) -> None:
    """Answer an OVERRULE of an order that the last results do not have: it may be one of the open or an older phase."""
    words, now = order[:80], session.game.phase
    if trouble is not None and trouble.key not in OTHER_PHASE:
        gm_orders.refuse(session, trouble, line, order)
    elif phase := "" if _is_on_file(session, order) else _older_phase(session, order):
        session.note("overrule-earlier", done=False, line=line, order=words, earlier=phase)
    elif _is_order_now(session, order):
        session.note("overrule-open", done=False, line=line, order=words, open=now)
    elif trouble is not None:
        gm_orders.refuse(session, trouble, line, order)
    else:
        session.note("not-resolved", done=False, line=line, order=words, phase=last.resolved)


def _older_phase(session: LetterSession, order: str) -> str:
    """The newest phase before the last results in which somebody gave this order; "" for none."""
    resolved = [old for old in maps.snapshots_back(session.store, session.game)[1:] if old.previous and old.resolved]
    return next((old.resolved for old in resolved if _named_results(session, old, order)), "")


def _is_order_now(session: LetterSession, text: str) -> bool:
    """Whether a text is an order of somebody's for the open phase."""
    return isinstance(gm_orders.find_orders(session, session.loaded_game.position, text), list)


def _is_on_file(session: LetterSession, text: str) -> bool:
    """Whether a text is an order that somebody has given for the open phase."""
    orders = gm_orders.find_orders(session, session.loaded_game.position, text)
    letter = session.game.phase[-1:]
    written = [order_text.statement(order, letter) for _, order in orders] if isinstance(orders, list) else []
    sheets = session.store.turns.sheets(session.game.id, session.game.snapshot)
    return any(line.text in written for sheet in sheets for line in sheet.lines)


def announce(session: LetterSession, request: requests.AnnounceRequest, line: int) -> None:
    if not request.text.strip():
        session.note("press-empty", done=False, line=line)
        return
    subject, text = " ".join(request.subject.split()), request.text
    others = tell_all(session, Note("desk.announcement"), line, text=text, subject=subject)
    others += notices.tell_applicants(session, text, session.cause(line))
    note = session.note("announced", line=line, headline=True, n=str(others))
    session.log(f"ANNOUNCE {subject}\n{request.text}", note)


def end_game(session: LetterSession, request: requests.EndGameRequest, line: int) -> None:
    names = [(name, power_named(session.loaded_game.variant, name)) for name in request.winners]
    for name, power in names:
        if power is None:
            session.unknown_power(name, line)
            return
    winners = tuple(power for _, power in names if power)
    if request.why == DRAW and not winners:
        winners = survivors(session.loaded_game)
    if request.why == SOLO and len(winners) != 1:
        session.note("solo-whose", done=False, line=line, power=session.loaded_game.variant.powers[0].name)
        return
    _end(session, request.why, winners, line)


def terminate(session: LetterSession, request: requests.TerminateRequest, line: int) -> None:
    if session.game.state is GameState.FORMING:
        call_off(session, line)
    elif session.game.state is GameState.ENDED:
        session.note("game-over", done=False, line=line, what="TERMINATE")
    else:
        _end(session, "terminated", (), line)


def _end(session: LetterSession, why: str, winners: tuple[str, ...], line: int) -> None:
    finish_pending(session)
    session.reload_game(resolve.end_game(session.services, session.store, session.game, why, winners))
    key = f"ended-{why}" if winners else "ended"
    note = session.note(key, line=line, headline=True, winners=", ".join(winners))
    session.log(f"CLOSE {why} {' '.join(winners)}".strip(), note)


def _find_result(session: LetterSession, snapshot: Snapshot, text: str) -> OrderResult | LineError | None:
    """The result that OVERRULE names by an order or by its unit."""
    alike = _named_results(session, snapshot, text)
    before, results = _results_of(session, snapshot)
    orders = gm_orders.find_orders(session, before, text)
    if len(alike) == 1 and gm_orders.NUMBER not in text:
        return alike[0]
    order = gm_orders.one_unit(before, text, orders)
    if order is None or isinstance(order, LineError):
        unit = gm_orders.find_unit(session, before, text)
        if isinstance(unit, LineError) and unit.key == "which-unit":
            return unit
        if unit is None or isinstance(unit, LineError):
            return order
        power, slot = unit[0], Hold(unit[1]).slot
    else:
        power, slot = order[0], order[1].slot
    return next((result for result in results if result.power == power and result.order.slot == slot), None)


def _results_of(session: LetterSession, snapshot: Snapshot) -> tuple[Position, list[OrderResult]]:
    """The position before a turn, and the results of its first step."""
    before = stored_position(session.store, snapshot.previous, session.loaded_game.variant)
    events = stored_values.events_from_text(snapshot.events)[0][1]
    return before, [event for event in events if isinstance(event, OrderResult)]


def _named_results(session: LetterSession, snapshot: Snapshot, text: str) -> list[OrderResult]:
    """The results of the very order that a text names."""
    before, results = _results_of(session, snapshot)
    orders = gm_orders.find_orders(session, before, text)
    written = [(power, _unnumbered(order)) for power, order in orders] if isinstance(orders, list) else []
    return [result for result in results if (result.power, _unnumbered(result.order)) in written]


def _unnumbered(order: Statement) -> Statement:
    """The order, without the number of a fleet among several."""
    return replace(order, unit=replace(order.unit, number=0)) if isinstance(order, UnitOrder) else order


def export(session: LetterSession, request: ExportRequest, line: int) -> None:
    form = request.form.lower() or JSON
    variant = session.loaded_game.variant
    fitting = fitting_formats(variant)
    if form not in EXPORT_FORMATS:
        session.note("export-form", done=False, line=line, form=form[:20], forms=", ".join(fitting))
    elif form not in fitting:
        ours, forms = variant.title, ", ".join(fitting)
        session.note("export-variant", done=False, line=line, program=TITLES[form], ours=ours, forms=forms)
    elif session.game.snapshot:
        session.insert(EXPORT, form)
    else:
        session.note("not-started", done=False, line=line, what="EXPORT")


def debug(session: LetterSession, request: DebugRequest, line: int) -> None:
    letters = GameLetters(session.services, session.store, session.loaded_game)
    letter = request.letter.strip("<>")
    if letter and letters.find(letter) is None:
        session.note("debug-unknown", done=False, line=line, letter=letter[:60])
    else:
        session.insert(DEBUG, letter)


HANDLERS: Handlers = {
    requests.ProcessRequest: process,
    requests.OverruleRequest: overrule,
    requests.AnnounceRequest: announce,
    requests.EndGameRequest: end_game,
    requests.TerminateRequest: terminate,
    requests.ExcludeRequest: civil_disorder.exclude,
    requests.CivilDisorderRequest: civil_disorder.civil_disorder,
    requests.RollbackRequest: rollback.roll_back,
    (requests.ConfirmRequest, "gm"): edit_position.confirm,
    PreviewRequest: rollback.preview,
    PreviewDifferenceRequest: compare_sheets.preview_difference,
    RedoRequest: rollback.redo,
    SetupRequest: edit_position.propose_edit,
    ImportRequest: edit_position.import_file,
    CorrectRequest: correct_results.correct,
    ExportRequest: export,
    DebugRequest: debug,
}

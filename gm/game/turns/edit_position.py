"""SETUP … END, IMPORT and CONFIRM code: the game master edits the position.

SETUP and IMPORT change nothing: the answer echoes every line, shows what would be different, and gives a code. CONFIRM
with that code applies the edits, if it comes from the same game master and the position is still the same. Then every
player reads what is different and which of their lines no longer fit.
"""

from __future__ import annotations

from msgspec import Struct

from gm.game.letters.notify import queue_notice
from gm.game.model.letter_report import AnswerInsert, Note, StateBefore
from gm.game.model.loaded_game import LoadedGame
from gm.game.model.records import Question, Seat, Sheet
from gm.game.session.confirmation_requests import note_nothing_to_confirm
from gm.game.session.session import LetterSession
from gm.game.turns import resolve
from gm.game.turns.import_position import ImportedLine, check_whole, position_in, put_orders, sheet_lines, text_beside
from gm.game.turns.overrule import finish_pending
from gm.judge.gm_changes.edits_between import edits_between
from gm.judge.gm_changes.position_edits import Edit, PositionEdit
from gm.language.commands import requests
from gm.language.commands.blocks.position_edits import EditTrouble, read_edit, written
from gm.language.commands.gm import ImportRequest, SetupRequest
from gm.language.formats.json_values import ExchangeError
from gm.language.formats.saved_game import UnreadGameError
from gm.language.i18n.localized_variant import localized
from gm.language.letter.talk.consent_words import only_agrees

EDIT = "edit"
"""The kind of question that a CONFIRM answers."""
CODE_LENGTH = 8
MOST_LINES = 200


class _Proposal(Struct, frozen=True):
    """What a code stands for: the snapshot it is valid for, edits, and lines for sheets."""

    snapshot: int
    lines: tuple[str, ...]
    orders: tuple[ImportedLine, ...] = ()

    @classmethod
    def read(cls, payload: str) -> _Proposal:
        snapshot, *lines = payload.split("\n")
        orders = [ImportedLine.read(line) for line in lines]
        edits = (line for line, order in zip(lines, orders, strict=True) if order is None)
        return cls(int(snapshot), tuple(edits), tuple(order for order in orders if order is not None))

    def __str__(self) -> str:
        return "\n".join((str(self.snapshot), *self.lines, *map(str, self.orders)))


def propose_edit(session: LetterSession, request: SetupRequest, line: int) -> None:
    if session.decrees:
        finish_pending(session)
    edits = _read_edits(session, request)
    if edits is None:
        session.has_errors = True
        session.note("edit-none", done=False, line=line)
        return
    loaded_game = session.loaded_game
    editing = PositionEdit(edits)
    if _note_errors(session, editing, line):
        session.has_errors = True
        session.note("edit-none", done=False, line=line)
        session.show(AnswerInsert("edits", _echo(editing, loaded_game)))
        return
    ask_to_confirm(session, editing, (), line)
    if request.left:
        session.note("edit-left", done=False, line=line, words=request.left)


def import_file(session: LetterSession, request: ImportRequest, line: int) -> None:
    if session.decrees:
        finish_pending(session)
    loaded_game = session.loaded_game
    text = request.text or text_beside(session, line)
    if not text:
        session.has_errors = True
        return
    try:
        check_whole(session, request)
        position, document = position_in(session, text)
        orders = sheet_lines(session, position, document)
    except UnreadGameError as error:
        session.notes.append(Note(f"desk.import-{error.key}", tuple(error.fields.items()), done=False, line=line))
        orders = None
    except ExchangeError as error:
        session.note("import-unread", done=False, line=line, why=str(error)[:200])
        orders = None
    edits = edits_between(loaded_game.position, position, loaded_game.variant) if orders is not None else None
    if orders is not None and (edits is None or not _can_be_written(edits, loaded_game)):
        session.note("import-beyond", done=False, line=line)
    elif edits is not None and orders is not None and not _note_errors(session, PositionEdit(edits), line):
        ask_to_confirm(session, PositionEdit(edits), orders, line)
        return
    session.has_errors = True
    session.note("import-none", done=False, line=line)


def _can_be_written(edits: tuple[Edit, ...], loaded_game: LoadedGame) -> bool:
    """Whether lines of SETUP can express the edits."""
    return all(
        read_edit(written(edit, loaded_game.variant), loaded_game.variant, loaded_game.position) == edit
        for edit in edits
    )


def _note_errors(session: LetterSession, editing: PositionEdit, line: int) -> bool:
    faults = dict.fromkeys(editing.problems(session.loaded_game.position, session.loaded_game.variant))
    for fault in faults:
        first, second = (*fault.places, "", "")[:2]
        session.note(f"edit-fault-{fault.key}", done=False, line=line, one=first, two=second)
    return bool(faults)


def ask_to_confirm(session: LetterSession, editing: PositionEdit, orders: tuple[ImportedLine, ...], line: int) -> None:
    """Answer with the echo, the difference and a code."""
    loaded_game, post = session.loaded_game, session.services.post
    turn = editing.apply(loaded_game.position, loaded_game.variant)
    same = turn.position == loaded_game.position
    if same and not orders:
        session.note("edit-same", done=False, line=line)
        return
    edits = () if same else editing.edits
    proposal = _Proposal(loaded_game.game.snapshot, tuple(written(edit, loaded_game.variant) for edit in edits), orders)
    code = post.code(EDIT, str(session.seat.id), str(proposal))[:CODE_LENGTH]
    now = session.store.now()
    session.store.turns.add_question(
        Question(code, EDIT, loaded_game.game.id, session.seat.id, session.row.id, str(proposal), now)
    )
    session.note("edit-sheets" if same else "edit-confirm", line=line, headline=True, code=code.upper())
    session.proposed.offered.append(f"CONFIRM {code.upper()}")
    shown = "\n".join((*proposal.lines, *map(str, orders)))
    would = None if same else resolve.edited_snapshot(loaded_game, now, turn)
    session.show(AnswerInsert("edits", shown, turn=would, former=session.former))


def _echo(editing: PositionEdit, loaded_game: LoadedGame) -> str:
    return "\n".join(written(edit, loaded_game.variant) for edit in editing.edits)


def _read_edits(session: LetterSession, request: SetupRequest) -> tuple[Edit, ...] | None:
    """The edits; None if a line is none, after an echo of the others."""
    edits: list[Edit] = []
    loaded_game = session.loaded_game
    variant = localized(loaded_game.variant, session.language)
    for number, text in request.lines[:MOST_LINES]:
        edit = read_edit(text, variant, loaded_game.position)
        if isinstance(edit, EditTrouble):
            fields = {**dict(edit.fields), "line": text[:80]}
            session.notes.append(Note(f"desk.edit-{edit.key}", tuple(fields.items()), done=False, line=number))
        else:
            edits.append(edit)
    if len(edits) == len(request.lines):
        return tuple(edits)
    if edits:
        session.show(AnswerInsert("edits", _echo(PositionEdit(tuple(edits)), loaded_game)))
    return None


def confirm(session: LetterSession, request: requests.ConfirmRequest, line: int) -> None:
    question = session.store.turns.question(request.code) if request.code else None
    if not request.code or (question is None and only_agrees(request.code, session.languages)):  # "yes please"
        note_nothing_to_confirm(session, line)
    elif question is None or question.kind != EDIT or question.game != session.game.id:
        session.note("confirm-unknown", done=False, line=line, code=request.code.upper())
    elif question.seat != session.seat.id:
        session.note("confirm-not-yours", done=False, line=line, code=request.code.upper())
    elif question.answered:
        session.note("confirmed-already", done=False, line=line, code=request.code.upper())
    elif session.late_for or _Proposal.read(question.payload).snapshot != session.game.snapshot:
        session.note("confirm-stale", done=False, line=line, code=request.code.upper())
    else:
        _apply(session, question, line)


def _apply(session: LetterSession, question: Question, line: int) -> None:
    finish_pending(session)
    loaded_game, proposal = session.loaded_game, _Proposal.read(question.payload)
    if proposal.snapshot != loaded_game.game.snapshot:  # a decree of this letter came before
        session.note("confirm-stale", done=False, line=line, code=question.code.upper())
        return
    read = [read_edit(text, loaded_game.variant, loaded_game.position) for text in proposal.lines]
    edits = tuple(edit for edit in read if not isinstance(edit, EditTrouble))
    former, sheets = session.former, session.store.turns.sheets(loaded_game.game.id, loaded_game.game.snapshot)
    session.store.turns.mark_answered(question.code)
    if not edits:
        put_orders(session, proposal.orders, line)
        return
    turn = PositionEdit(edits).apply(loaded_game.position, loaded_game.variant)
    session.reload_game(resolve.edit_position(session.services, session.store, session.game, turn))
    note = session.note("edit-done", line=line, headline=True, phase=session.game.phase)
    session.show(AnswerInsert("difference", former=former))
    session.log("\n".join(("SETUP", *proposal.lines)), note)
    for seat in session.loaded_game.manned:
        if seat.id != session.seat.id:
            notice = _notice(session, seat, sheets, former)
            queue_notice(
                session.services, session.store, session.game, seat, notice, session.cause(line), former=former
            )
    if proposal.orders:
        put_orders(session, proposal.orders, line)


def _notice(session: LetterSession, seat: Seat, before: tuple[Sheet, ...], former: StateBefore) -> Note:
    """The notice for a player, with the lines of their sheets that no longer fit."""
    now = {
        (sheet.power, line.text)
        for sheet in session.store.turns.sheets(session.game.id, session.game.snapshot)
        if sheet.author == seat.power
        for line in sheet.lines
    }
    lost = [
        line.text
        for sheet in before
        if sheet.author == seat.power
        for line in sheet.lines
        if (sheet.power, line.text) not in now
    ]
    if not lost:
        same = session.loaded_game.variant.phase_name(former.position) == session.game.phase
        key = "desk.edited" if same else "desk.edited-phase"
        return Note(key, (("phase", session.game.phase),), headline=True)
    return Note("desk.edited-lost", (("phase", session.game.phase), ("lines", ", ".join(lost))), headline=True)

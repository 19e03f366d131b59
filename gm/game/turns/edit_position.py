"""SETUP … END and CONFIRM code: a position mended line by line.

What IMPORT reads (`gm.game.turns.import_position`) goes this way too.

SETUP changes nothing: the answer echoes every line, shows what would be different, and gives a code. CONFIRM with that
code does it, from the same game master and while the position is the one that was shown. Then every player reads what
is different now, and which lines of his no longer fit.
"""

from __future__ import annotations

from msgspec import Struct

from gm.game.letters.notify import queue_notice
from gm.game.model.letter_report import AnswerInsert, Note, StateBefore
from gm.game.model.loaded_game import LoadedGame
from gm.game.model.records import Question, Seat, Sheet
from gm.game.session.session import LetterSession, act_cause
from gm.game.turns import resolve
from gm.game.turns.import_position import ImportedLine, attached_text, position_in, put_orders, sheet_lines
from gm.game.turns.overrule import check_overrules
from gm.judge.gm_changes.edits_between import between
from gm.judge.gm_changes.position_edits import Edit, PositionEdit
from gm.language.commands import requests
from gm.language.commands.gm import ImportRequest, SetupRequest
from gm.language.commands.position_edits import EditTrouble, read_edit, written
from gm.language.formats.json_position import ExchangeError
from gm.language.i18n.localized_variant import spoken

EDIT = "edit"
"""The kind of question that a CONFIRM answers."""
CODE_LENGTH = 8
MOST_LINES = 200


class _Proposal(Struct, frozen=True):
    """What a code stands for: the snapshot it is good for, the edits as lines, and lines for sheets."""

    snapshot: int
    lines: tuple[str, ...]
    orders: tuple[ImportedLine, ...] = ()

    @classmethod
    def read(cls, payload: str) -> _Proposal:
        snapshot, *lines = payload.split("\n")
        found = [ImportedLine.read(line) for line in lines]
        edits = (line for line, order in zip(lines, found, strict=True) if order is None)
        return cls(int(snapshot), tuple(edits), tuple(order for order in found if order is not None))

    def __str__(self) -> str:
        return "\n".join((str(self.snapshot), *self.lines, *map(str, self.orders)))


def propose_edit(session: LetterSession, request: SetupRequest, line: int) -> None:
    if session.decrees:
        check_overrules(session)
    edits = _read_edits(session, request)
    if edits is None:
        session.faulty = True
        session.note("edit-none", done=False, line=line)
        return
    loaded_game = session.loaded_game
    editing = PositionEdit(edits)
    if _note_errors(session, editing, line):
        session.faulty = True
        session.note("edit-none", done=False, line=line)
        session.show(AnswerInsert("edits", _echo(editing, loaded_game)))
        return
    ask_to_confirm(session, editing, (), line)


def import_file(session: LetterSession, request: ImportRequest, line: int) -> None:
    if session.decrees:
        check_overrules(session)
    loaded_game = session.loaded_game
    text = request.text or attached_text(session, line)
    if not text:
        session.faulty = True
        return
    try:
        position, document = position_in(session, text)
        orders = sheet_lines(session, position, document)
    except ExchangeError as error:
        session.note("import-unread", done=False, line=line, why=str(error)[:200])
        orders = None
    edits = between(loaded_game.position, position, loaded_game.variant) if orders is not None else None
    if orders is not None and (edits is None or not _are_lines(edits, loaded_game)):
        session.note("import-beyond", done=False, line=line)
    elif edits is not None and orders is not None and not _note_errors(session, PositionEdit(edits), line):
        ask_to_confirm(session, PositionEdit(edits), orders, line)
        return
    session.faulty = True
    session.note("import-none", done=False, line=line)


def _are_lines(edits: tuple[Edit, ...], loaded_game: LoadedGame) -> bool:
    """A code stands for lines: what none says cannot be asked about."""
    return all(
        read_edit(written(edit, loaded_game.variant), loaded_game.variant, loaded_game.position) == edit
        for edit in edits
    )


def _note_errors(session: LetterSession, editing: PositionEdit, line: int) -> bool:
    faults = dict.fromkeys(editing.faults(session.loaded_game.position, session.loaded_game.variant))
    for fault in faults:
        one, two = (*fault.places, "", "")[:2]
        session.note(f"edit-fault-{fault.key}", done=False, line=line, one=one, two=two)
    return bool(faults)


def ask_to_confirm(session: LetterSession, editing: PositionEdit, orders: tuple[ImportedLine, ...], line: int) -> None:
    """Echo, difference and a code; nothing is done yet."""
    loaded_game, post = session.loaded_game, session.services.post
    told = editing.apply(loaded_game.position, loaded_game.variant, {})
    same = told.position == loaded_game.position
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
    shown = "\n".join((*proposal.lines, *map(str, orders)))
    would = None if same else resolve.edited_snapshot(loaded_game, now, told)
    session.show(AnswerInsert("edits", shown, turn=would, former=session.former))


def _echo(editing: PositionEdit, loaded_game: LoadedGame) -> str:
    return "\n".join(written(edit, loaded_game.variant) for edit in editing.edits)


def _read_edits(session: LetterSession, request: SetupRequest) -> tuple[Edit, ...] | None:
    """None where a line is no edit; those that are one are echoed then."""
    found: list[Edit] = []
    loaded_game = session.loaded_game
    variant = spoken(loaded_game.variant, session.language)
    for number, text in request.lines[:MOST_LINES]:
        one = read_edit(text, variant, loaded_game.position)
        if isinstance(one, EditTrouble):
            fields = {**dict(one.fields), "line": text[:80]}
            session.notes.append(Note(f"desk.edit-{one.key}", tuple(fields.items()), done=False, line=number))
        else:
            found.append(one)
    if len(found) == len(request.lines):
        return tuple(found)
    if found:
        session.show(AnswerInsert("edits", _echo(PositionEdit(tuple(found)), loaded_game)))
    return None


def confirm(session: LetterSession, request: requests.ConfirmRequest, line: int) -> None:
    question = session.store.turns.question(request.code) if request.code else None
    if not request.code:
        session.note("nothing-to-confirm", done=False, line=line)
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
    check_overrules(session)
    loaded_game, proposal = session.loaded_game, _Proposal.read(question.payload)
    if proposal.snapshot != loaded_game.game.snapshot:  # a decree of this very letter came before
        session.note("confirm-stale", done=False, line=line, code=question.code.upper())
        return
    read = [read_edit(text, loaded_game.variant, loaded_game.position) for text in proposal.lines]
    edits = tuple(one for one in read if not isinstance(one, EditTrouble))
    former, sheets = session.former, session.store.turns.sheets(loaded_game.game.id, loaded_game.game.snapshot)
    session.store.turns.mark_answered(question.code)
    if not edits:
        put_orders(session, proposal.orders, line)
        return
    told = PositionEdit(edits).apply(loaded_game.position, loaded_game.variant, {})
    session.lay(resolve.edit_position(session.services, session.store, session.game, told))
    note = session.note("edit-done", line=line, headline=True, phase=session.game.phase)
    session.show(AnswerInsert("difference", former=former))
    session.log("\n".join(("SETUP", *proposal.lines)), note)
    for seat in session.loaded_game.manned:
        if seat.id != session.seat.id:
            said = _notice(session, seat, sheets, former)
            queue_notice(
                session.services, session.store, session.game, seat, said, act_cause(session, line), former=former
            )
    if proposal.orders:
        put_orders(session, proposal.orders, line)


def _notice(session: LetterSession, seat: Seat, before: tuple[Sheet, ...], former: StateBefore) -> Note:
    """With the lines of the reader's own sheets that are gone."""
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

"""SETUP … END and CONFIRM code: a position mended line by line.

What IMPORT reads (`gm.game.turns.import_position`) goes this way too.

SETUP changes nothing: the answer echoes every line, shows what would be different, and gives a code. CONFIRM with that
code does it, from the same game master and while the position is the one that was shown. Then every player reads what
is different now, and which lines of his no longer fit.
"""

from __future__ import annotations

from msgspec import Struct

from gm.game.letters.notify import tell
from gm.game.model.letter_report import AnswerInsert, Note, StateBefore
from gm.game.model.loaded_game import LoadedGame
from gm.game.model.records import Question, Seat, Sheet
from gm.game.session.session import LetterSession, cause
from gm.game.turns import resolve as turn
from gm.game.turns.import_position import ImportedLine, attached, position_in, put, sheet_lines
from gm.game.turns.overrule import settle
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


def propose(sitting: LetterSession, request: SetupRequest, line: int) -> None:
    if sitting.decrees:
        settle(sitting)
    edits = _read(sitting, request)
    if edits is None:
        sitting.faulty = True
        sitting.note("edit-none", done=False, line=line)
        return
    table = sitting.table
    editing = PositionEdit(edits)
    if _told_faults(sitting, editing, line):
        sitting.faulty = True
        sitting.note("edit-none", done=False, line=line)
        sitting.show(AnswerInsert("edits", _echo(editing, table)))
        return
    ask(sitting, editing, (), line)


def import_file(sitting: LetterSession, request: ImportRequest, line: int) -> None:
    if sitting.decrees:
        settle(sitting)
    table = sitting.table
    text = request.text or attached(sitting, line)
    if not text:
        sitting.faulty = True
        return
    try:
        position, document = position_in(sitting, text)
        orders = sheet_lines(sitting, position, document)
    except ExchangeError as error:
        sitting.note("import-unread", done=False, line=line, why=str(error)[:200])
        orders = None
    edits = between(table.position, position, table.variant) if orders is not None else None
    if orders is not None and (edits is None or not _are_lines(edits, table)):
        sitting.note("import-beyond", done=False, line=line)
    elif edits is not None and orders is not None and not _told_faults(sitting, PositionEdit(edits), line):
        ask(sitting, PositionEdit(edits), orders, line)
        return
    sitting.faulty = True
    sitting.note("import-none", done=False, line=line)


def _are_lines(edits: tuple[Edit, ...], table: LoadedGame) -> bool:
    """A code stands for lines: what none says cannot be asked about."""
    return all(read_edit(written(edit, table.variant), table.variant, table.position) == edit for edit in edits)


def _told_faults(sitting: LetterSession, editing: PositionEdit, line: int) -> bool:
    faults = dict.fromkeys(editing.faults(sitting.table.position, sitting.table.variant))
    for fault in faults:
        one, two = (*fault.places, "", "")[:2]
        sitting.note(f"edit-fault-{fault.key}", done=False, line=line, one=one, two=two)
    return bool(faults)


def ask(sitting: LetterSession, editing: PositionEdit, orders: tuple[ImportedLine, ...], line: int) -> None:
    """Echo, difference and a code; nothing is done yet."""
    table, post = sitting.table, sitting.office.post
    told = editing.apply(table.position, table.variant, {})
    same = told.position == table.position
    if same and not orders:
        sitting.note("edit-same", done=False, line=line)
        return
    edits = () if same else editing.edits
    proposal = _Proposal(table.game.snapshot, tuple(written(edit, table.variant) for edit in edits), orders)
    code = post.code(EDIT, str(sitting.seat.id), str(proposal))[:CODE_LENGTH]
    now = sitting.store.now()
    sitting.store.turns.ask(Question(code, EDIT, table.game.id, sitting.seat.id, sitting.row.id, str(proposal), now))
    sitting.note("edit-sheets" if same else "edit-confirm", line=line, headline=True, code=code.upper())
    shown = "\n".join((*proposal.lines, *map(str, orders)))
    would = None if same else turn.edited(table, now, told)
    sitting.show(AnswerInsert("edits", shown, turn=would, former=sitting.former))


def _echo(editing: PositionEdit, table: LoadedGame) -> str:
    return "\n".join(written(edit, table.variant) for edit in editing.edits)


def _read(sitting: LetterSession, request: SetupRequest) -> tuple[Edit, ...] | None:
    """None where a line is no edit; those that are one are echoed then."""
    found: list[Edit] = []
    table = sitting.table
    variant = spoken(table.variant, sitting.language)
    for number, text in request.lines[:MOST_LINES]:
        one = read_edit(text, variant, table.position)
        if isinstance(one, EditTrouble):
            fields = {**dict(one.fields), "line": text[:80]}
            sitting.notes.append(Note(f"desk.edit-{one.key}", tuple(fields.items()), done=False, line=number))
        else:
            found.append(one)
    if len(found) == len(request.lines):
        return tuple(found)
    if found:
        sitting.show(AnswerInsert("edits", _echo(PositionEdit(tuple(found)), table)))
    return None


def confirm(sitting: LetterSession, request: requests.ConfirmRequest, line: int) -> None:
    question = sitting.store.turns.question(request.code) if request.code else None
    if not request.code:
        sitting.note("nothing-to-confirm", done=False, line=line)
    elif question is None or question.kind != EDIT or question.game != sitting.game.id:
        sitting.note("confirm-unknown", done=False, line=line, code=request.code.upper())
    elif question.seat != sitting.seat.id:
        sitting.note("confirm-not-yours", done=False, line=line, code=request.code.upper())
    elif question.answered:
        sitting.note("confirmed-already", done=False, line=line, code=request.code.upper())
    elif sitting.late_for or _Proposal.read(question.payload).snapshot != sitting.game.snapshot:
        sitting.note("confirm-stale", done=False, line=line, code=request.code.upper())
    else:
        _do(sitting, question, line)


def _do(sitting: LetterSession, question: Question, line: int) -> None:
    settle(sitting)
    table, proposal = sitting.table, _Proposal.read(question.payload)
    if proposal.snapshot != table.game.snapshot:  # a decree of this very letter came before
        sitting.note("confirm-stale", done=False, line=line, code=question.code.upper())
        return
    read = [read_edit(text, table.variant, table.position) for text in proposal.lines]
    edits = tuple(one for one in read if not isinstance(one, EditTrouble))
    former, sheets = sitting.former, sitting.store.turns.sheets(table.game.id, table.game.snapshot)
    sitting.store.turns.answered(question.code)
    if not edits:
        put(sitting, proposal.orders, line)
        return
    told = PositionEdit(edits).apply(table.position, table.variant, {})
    sitting.lay(turn.edit(sitting.office, sitting.store, sitting.game, told))
    note = sitting.note("edit-done", line=line, headline=True, phase=sitting.game.phase)
    sitting.show(AnswerInsert("difference", former=former))
    sitting.log("\n".join(("SETUP", *proposal.lines)), note)
    for seat in sitting.table.manned:
        if seat.id != sitting.seat.id:
            said = _told(sitting, seat, sheets, former)
            tell(sitting.office, sitting.store, sitting.game, seat, said, cause(sitting, line), former=former)
    if proposal.orders:
        put(sitting, proposal.orders, line)


def _told(sitting: LetterSession, seat: Seat, before: tuple[Sheet, ...], former: StateBefore) -> Note:
    """With the lines of the reader's own sheets that are gone."""
    now = {
        (sheet.power, line.text)
        for sheet in sitting.store.turns.sheets(sitting.game.id, sitting.game.snapshot)
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
        same = sitting.table.variant.phase_name(former.position) == sitting.game.phase
        key = "desk.edited" if same else "desk.edited-phase"
        return Note(key, (("phase", sitting.game.phase),), headline=True)
    return Note("desk.edited-lost", (("phase", sitting.game.phase), ("lines", ", ".join(lost))), headline=True)

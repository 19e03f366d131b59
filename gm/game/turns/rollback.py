"""PREVIEW, ROLLBACK and REDO: a turn looked at before it is taken, a turn taken back, and that taken back.

Every player gets one letter of what is different now; the game master reads the same in his answer.
"""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.model.letter_report import AnswerInsert, Note, StateBefore
from gm.game.phase import sheets
from gm.game.session.session import LetterSession, cause, tell_all
from gm.game.turns import resolve as turn
from gm.game.turns.overrule import settle
from gm.game.views import maps as pictures
from gm.judge.model.sheets import Submissions
from gm.language.commands import requests as ask
from gm.language.commands.gm import PreviewRequest, RedoRequest


def preview(sitting: LetterSession, request: PreviewRequest, line: int) -> None:
    """With what is on file, this letter's lines so far among it. Nothing is stored, nobody told."""
    if wrong_phase(sitting, request.phase, line):
        return
    phase = sitting.game.phase
    book = _book(sitting)
    told = turn.foretell(sitting.office, sitting.store, sitting.table, book)
    sitting.note("previewed", line=line, headline=True, phase=phase)
    sitting.show(AnswerInsert("preview", turn=told))


def _book(sitting: LetterSession) -> Submissions:
    """What is on file, with this letter's drafts in place of the sheets that they are to become."""
    for draft in sitting.drafts.values():
        draft.settle()
    return sheets.book(sitting.office, sitting.store, sitting.table, sitting.drafts)


def wrong_phase(sitting: LetterSession, asked: str, line: int) -> bool:
    """Whether the phase named in the request is not the open one; it is told then."""
    phase = sitting.game.phase
    if asked and asked.upper() != phase:
        sitting.note("wrong-phase", done=False, line=line, phase=phase, asked=asked.upper())
        return True
    return False


def roll_back(sitting: LetterSession, request: ask.RollbackRequest, line: int) -> None:
    history = pictures.line_of(sitting.store, sitting.game)
    wanted = request.phase.upper()
    if sitting.late_for:  # it was written before the game stood where it stands
        sitting.was_late = True
        return
    earlier = [one for one in history[1:] if one.phase and (not wanted or one.phase == wanted)]
    if not earlier:
        phases = ", ".join(dict.fromkeys(one.phase for one in history[1:] if one.phase))
        key = "nothing-to-roll-back" if not phases else "no-such-phase"
        sitting.note(key, done=False, line=line, phase=wanted, phases=phases)
        return
    settle(sitting)
    former = sitting.former
    sitting.lay(turn.roll_back(sitting.office, sitting.store, sitting.game, earlier[0]))
    _told(sitting, "rolled-back", f"ROLLBACK {request.phase}".strip(), former, line)


def redo(sitting: LetterSession, request: RedoRequest, line: int) -> None:
    if sitting.late_for:
        sitting.was_late = True
        return
    left = turn.left_behind(sitting.store, sitting.game) if sitting.game.snapshot else None
    if left is None:
        sitting.note("nothing-to-redo", done=False, line=line)
        return
    settle(sitting)
    former = sitting.former
    sitting.lay(turn.redo(sitting.office, sitting.store, sitting.game, left))
    _told(sitting, "redone" if sitting.table.running else "redone-over", "REDO", former, line)


def _told(sitting: LetterSession, key: str, text: str, former: StateBefore, line: int) -> None:
    phase, due = sitting.game.phase, sitting.game.due_at
    note = sitting.note(key, line=line, headline=True, phase=phase, when=sitting.when(due))
    sitting.show(AnswerInsert("difference", former=former))
    sitting.log(text, note)
    announced = Note(f"desk.{key}", (("phase", phase),), headline=True)
    if due is None:
        announced = replace(announced, fields=(*announced.fields, ("when", sitting.when(None))))
    tell_all(sitting, announced, cause(sitting, line), due=due, former=former)

"""PREVIEW, ROLLBACK and REDO.

Every player gets one letter about what is different; the game master reads the same in the answer.
"""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from gm.game.model.letter_report import AnswerInsert, Note, StateBefore
from gm.game.model.records import Snapshot
from gm.game.phase import sheets
from gm.game.session.session import LetterSession, tell_all
from gm.game.turns import resolve
from gm.game.turns.overrule import finish_pending
from gm.game.views import maps
from gm.judge.model.sheets import Submissions
from gm.language.commands import requests
from gm.language.commands.gm import PreviewRequest, RedoRequest


def preview(session: LetterSession, request: PreviewRequest, line: int) -> None:
    """Show the results of the orders on file and of this letter so far. Nothing is stored."""
    if refuse_wrong_phase(session, request.phase, line):
        return
    phase = session.game.phase
    book = _book(session)
    turn = resolve.preview_resolution(session.store, session.loaded_game, book)
    session.note("previewed", line=line, headline=True, phase=phase)
    session.show(AnswerInsert("preview", turn=turn))


def _book(session: LetterSession) -> Submissions:
    """The orders on file, with this letter's drafts in place of their sheets."""
    for draft in session.drafts.values():
        draft.settle()
    return sheets.load_submissions(session.services, session.store, session.loaded_game, session.drafts)


def refuse_wrong_phase(session: LetterSession, asked: str, line: int) -> bool:
    """Whether the request names another phase than the open one; then a note says so."""
    phase = session.game.phase
    if asked and asked.upper() != phase:
        session.note("wrong-phase", done=False, line=line, phase=phase, asked=asked.upper())
        return True
    return False


def roll_back(session: LetterSession, request: requests.RollbackRequest, line: int) -> None:
    if session.late_for:  # the letter is about an earlier state of the game
        session.was_late = True
        return
    earlier = find_earlier(session, request, line)
    if earlier is None:
        return
    finish_pending(session)
    former = session.former
    session.reload_game(resolve.roll_back_to(session.services, session.store, session.game, earlier))
    _announce(session, "rolled-back", f"ROLLBACK {request.phase}".strip(), former, line)


def find_earlier(session: LetterSession, request: requests.RollbackRequest, line: int) -> Snapshot | None:
    """The phase to go back to; None where there is none, which a note says."""
    before, wanted = maps.snapshots_back(session.store, session.game)[1:], request.phase.upper()
    earlier = next((old for old in before if old.phase and wanted in ("", old.phase)), None)
    if earlier is None:
        phases = ", ".join(dict.fromkeys(old.phase for old in before if old.phase))
        key = "nothing-to-roll-back" if not phases else "no-such-phase"
        session.note(key, done=False, line=line, phase=wanted, phases=phases)
    return earlier


def phase_before(session: LetterSession) -> str:
    """The phase whose results are the last, whatever was changed by hand since; "" before there are any."""
    before = maps.snapshots_back(session.store, session.game)[1:]
    return next((old.phase for old in before if old.phase not in ("", session.game.phase)), "")


def redo(session: LetterSession, request: RedoRequest, line: int) -> None:
    if session.late_for:
        session.was_late = True
        return
    left = resolve.undone_snapshot(session.store, session.game) if session.game.snapshot else None
    if left is None:
        session.note("nothing-to-redo", done=False, line=line)
        return
    finish_pending(session)
    former = session.former
    session.reload_game(resolve.redo_phase(session.services, session.store, session.game, left))
    _announce(session, "redone" if session.loaded_game.running else "redone-over", "REDO", former, line)


def _announce(session: LetterSession, key: str, text: str, former: StateBefore, line: int) -> None:
    """Waits for what the letter says of the new deadline."""
    session.news.waiting.append(partial(_announce_as_it_is, session, key, text, former, line, len(session.notes)))


def _announce_as_it_is(
    session: LetterSession, key: str, text: str, former: StateBefore, line: int, behind: int
) -> None:
    """`behind`: how many notes of the letter stand before this one."""
    phase, due = session.game.phase, session.game.due_at
    note = session.note(key, line=line, headline=True, phase=phase, when=session.when(due))
    session.notes.insert(behind, session.notes.pop())
    session.show(AnswerInsert("difference", former=former))
    session.log(text, note)
    announced = Note(f"desk.{key}", (("phase", phase),), headline=True)
    if due is None:
        announced = replace(announced, fields=(*announced.fields, ("when", session.when(None))))
    tell_all(session, announced, line, due=due, former=former)

"""PREVIEW DIFFERENCE: what the open phase would bring with two versions of the sheets, side by side.

Below lines that change orders (FORCE, AS …): the sheets on file against those with the letter so far. Otherwise the
sheets on file against the version before them, of one power or of all that have sent their orders more than once.
"""

from __future__ import annotations

from collections.abc import Mapping

from gm.game.model.letter_report import AnswerInsert
from gm.game.model.loaded_game import power_named
from gm.game.model.records import Sheet
from gm.game.phase import sheets
from gm.game.phase.sheets import SheetDraft, load_draft
from gm.game.session.session import LetterSession
from gm.game.turns import resolve
from gm.language.commands.gm import PreviewDifferenceRequest

SheetKey = tuple[str, str]
"""(author, power)"""


def preview_difference(session: LetterSession, request: PreviewDifferenceRequest, line: int) -> None:
    power = power_named(session.loaded_game.variant, request.power) if request.power else ""
    if power is None or (power and session.loaded_game.seat_of(power) is None):
        session.unknown_power(request.power, line)
        return
    for draft in session.drafts.values():
        draft.settle()
    changed = {key: draft for key, draft in session.drafts.items() if draft.has_other_lines}
    before = {} if changed else _sheets_before(session, power)
    if not changed and not before:
        session.note("nothing-to-compare", done=False, line=line, phase=session.game.phase)
        return
    key = "compared-letter" if changed else "compared-versions"
    session.note(key, line=line, headline=True, phase=session.game.phase)
    was, now = (
        resolve.preview_resolution(
            session.store,
            session.loaded_game,
            sheets.load_submissions(session.services, session.store, session.loaded_game, drafts),
        )
        for drafts in (before, changed)
    )
    session.show(AnswerInsert("preview-difference", turn=now, earlier=was))


def _sheets_before(session: LetterSession, power: str) -> Mapping[SheetKey, SheetDraft]:
    """For each sheet that was sent with other lines before: the last one of these."""
    game, store = session.game, session.store
    versions: dict[SheetKey, list[Sheet]] = {}
    for sheet in store.turns.sheet_versions(game.id, game.snapshot):
        versions.setdefault((sheet.author, sheet.power), []).append(sheet)
    drafts: dict[SheetKey, SheetDraft] = {}
    for (author, owner), each in versions.items():
        older = [sheet for sheet in each[:-1] if sheet.version and sheet.lines != each[-1].lines]
        if older and power in ("", author, owner):
            draft = load_draft(store, session.loaded_game, owner, author)
            draft.lines = {line.slot: line for line in older[-1].lines}
            draft.preliminary = older[-1].preliminary
            drafts[author, owner] = draft
    return drafts

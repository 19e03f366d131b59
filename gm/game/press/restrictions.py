"""Press that the settings forbid: PRESS, PRESS_MINOR_PHASES, PRESS_GRACE, PRESS_LATE, MUST_ORDER and PARTIAL.

Letters from a game master, or to game masters only, are never forbidden. A letter to all is one to every power that
BROADCAST reaches; a reply to it is a letter to all as well.
"""

from __future__ import annotations

from gm.game.model.observer_records import OBSERVERS
from gm.game.model.records import MASTER, PressRow
from gm.game.model.setting_types import PressMode
from gm.game.model.settings import GameSettings
from gm.game.phase import missing_orders, sheets
from gm.game.session.session import LetterSession
from gm.language.orders.phase_names import MOVES


def find_restriction(session: LetterSession, row: PressRow) -> str:
    """The key of the sentence that says why the letter may not go, or ""."""
    loaded_game, settings = session.loaded_game, session.loaded_game.settings
    if set(row.to) == {MASTER} or session.master:
        return ""
    if settings.press is PressMode.NONE:
        return "press-off"
    if loaded_game.running and not settings.press_minor_phases and row.phase[-1:] != MOVES:
        return "press-minor"
    if loaded_game.running and (key := _of_the_clock(session)):
        return key
    everyone = set(loaded_game.variant.press.everyone(loaded_game.position, loaded_game.variant))
    to = set(row.to) - {MASTER, OBSERVERS}
    if everyone <= to | {row.sender}:
        return ""
    if settings.press is PressMode.PUBLIC:
        return "press-public"
    return "press-partial" if len(to) > 1 and not settings.partial else ""


def _of_the_clock(session: LetterSession) -> str:
    """What forbids the letter because of the deadline, or of orders that its writer owes."""
    due, settings = session.game.due_at, session.loaded_game.settings
    after_deadline = due is not None and session.row.received_at > due
    if after_deadline and not settings.press_grace:
        return "press-grace"
    if after_deadline and not settings.press_late and _has_no_orders(session):
        return "press-owing"
    return "press-must-order" if settings.must_order and not _has_ordered(session) else ""


def _has_no_orders(session: LetterSession) -> bool:
    """Whether the player owes orders and has none, neither on file nor in this letter."""
    return (
        session.author in missing_orders.late_powers(session.store, session.loaded_game)
        and not session.draft(session.author).settled()
    )


def _has_ordered(session: LetterSession) -> bool:
    """Whether the player's orders are complete, those of this letter included, or leave out what they may."""
    draft = session.draft(session.author)
    draft.settle()
    sheet = draft.sheet()
    missing = sheets.missing_from_sheet(session.loaded_game, (session.author, session.author), sheet)
    return not missing or bool(missing.task) or missing_orders.is_choice(sheet, missing)


def waits_for_orders(settings: GameSettings) -> bool:
    """Whether a letter that also holds orders may need them for its press."""
    return settings.must_order or not settings.press_late

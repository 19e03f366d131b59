"""Press that the settings forbid: PRESS, PRESS_MINOR_PHASES, PRESS_LATE and PARTIAL.

Letters from a game master, or to game masters only, are never forbidden. A letter to all is one to every power that
BROADCAST reaches; a reply to it is a letter to all as well.
"""

from __future__ import annotations

from gm.game.model.observer_records import OBSERVERS
from gm.game.model.records import MASTER, PressRow
from gm.game.model.setting_types import PressMode
from gm.game.phase import missing_orders
from gm.game.session.session import LetterSession

MOVES = "M"
"""The letter of movement phases; all other phases are minor."""


def find_restriction(session: LetterSession, row: PressRow) -> str:
    """The key of the sentence that says why the letter may not go, or ""."""
    loaded_game, settings = session.loaded_game, session.loaded_game.settings
    if set(row.to) == {MASTER} or session.master:
        return ""
    if settings.press is PressMode.NONE:
        return "press-off"
    if loaded_game.running and not settings.press_minor_phases and row.phase[-1:] != MOVES:
        return "press-minor"
    if not settings.press_late and _owes_orders(session):
        return "press-owing"
    everyone = set(loaded_game.variant.press.everyone(loaded_game.position, loaded_game.variant))
    to = set(row.to) - {MASTER, OBSERVERS}
    if everyone <= to | {row.sender}:
        return ""
    if settings.press is PressMode.PUBLIC:
        return "press-public"
    return "press-partial" if len(to) > 1 and not settings.partial else ""


def _owes_orders(session: LetterSession) -> bool:
    """Whether the deadline has passed and the player has no orders, neither on file nor in this letter."""
    due = session.game.due_at
    if due is None or not session.loaded_game.running or session.row.received_at <= due:
        return False
    return (
        session.author in missing_orders.late_powers(session.store, session.loaded_game)
        and not session.draft(session.author).settled()
    )

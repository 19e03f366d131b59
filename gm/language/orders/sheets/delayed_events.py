"""Movement sheets on which events may stand that happen after the turn."""

from __future__ import annotations

from gm.language.orders.sheets import moves, moving_borders
from gm.language.orders.sheets.sheet_kind import SheetKind

SHEET = SheetKind("delayed_events", moves.MoveTree, moves.CHECKS, also=moving_borders.SHEET.name, holds=True)

"""The table of all kinds of order sheets."""

from __future__ import annotations

from collections.abc import Mapping

from gm.language.orders.parsing.grammar import Grammar, grammar
from gm.language.orders.sheets import (
    adjustments,
    delayed_events,
    diplomacy_points,
    dips,
    ferries,
    influence,
    moves,
    moving_borders,
    retreats,
    unit_placement,
    wings,
)
from gm.language.orders.sheets.sheet_kind import SheetKind

SHEETS = (
    moves.SHEET,
    retreats.SHEET,
    adjustments.SHEET,
    diplomacy_points.SHEET,
    dips.SHEET,
    influence.SHEET,
    ferries.SHEET,
    wings.SHEET,
    moving_borders.SHEET,
    delayed_events.SHEET,
    unit_placement.SHEET,
)
BY_NAME: Mapping[str, SheetKind] = {sheet.name: sheet for sheet in SHEETS}


def sheet_grammar(name: str) -> Grammar:
    """The grammar of the sheet with that name; compiled once."""
    return grammar(name, BY_NAME[name].tree)

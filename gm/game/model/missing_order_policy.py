"""What happens when a power has sent no orders (NMR): the policies and to whom they apply.

The settings `nmr` and `preliminary_used_on_nmr` decide, or NMR of the game master for a power in the open phase.

    hold    the phase is resolved
    wait    it waits for the time of `grace`, or a day, and everybody learns for whom
    stop    it waits for the late powers or the game master
    gm      it waits for the game master to enter orders
    draft   a draft on file counts, whatever the setting says; without a draft like `hold`

A draft is a preliminary sheet. If drafts do not count, only the lines that the game master forced do.
"""

from __future__ import annotations

from gm.game.model.records import Game, Sheet, SheetLine
from gm.game.model.settings import GM, HOLD, STOP, WAIT, GameSettings

DRAFT = "draft"
POLICIES = (HOLD, WAIT, STOP, GM, DRAFT)
"""Policies for a single power; all but the last are also values of `nmr`."""
PATIENT = (WAIT, STOP, GM)
"""With these the phase does not end at its deadline."""
ENDLESS = (STOP, GM)


def policy(game: Game, settings: GameSettings, power: str) -> str:
    policies = dict(word.split("=", 1) for word in game.forbearance)
    return policies.get(power, settings.nmr)


def with_policy(game: Game, power: str, word: str) -> tuple[str, ...]:
    others = tuple(entry for entry in game.forbearance if entry.partition("=")[0] != power)
    return (*others, f"{power}={word}")


def is_counted(game: Game, settings: GameSettings, sheet: Sheet) -> bool:
    """Whether the lines of the sheet would count if the deadline were now."""
    if not sheet.preliminary or settings.preliminary_used_on_nmr:
        return True
    return policy(game, settings, sheet.author) == DRAFT


def counted_lines(game: Game, settings: GameSettings, sheet: Sheet) -> tuple[SheetLine, ...]:
    """The lines of the sheet that would count."""
    if is_counted(game, settings, sheet):
        return sheet.lines
    return tuple(line for line in sheet.lines if line.forced)

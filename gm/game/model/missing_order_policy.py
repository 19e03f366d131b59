"""What is made of powers that have written no orders by the deadline, or only a draft: the settings `nmr` and
`preliminary_used_on_nmr`, or the game master's word on one power for the open phase.

    hold    the phase is resolved all the same
    wait    it waits so long as `grace` says, a day where that says nothing, and tells everybody whom for
    stop    it waits for the late powers or the game master
    gm      it waits for the game master, who enters their orders, or ends with those that he has entered by then
    draft   a draft that is on file counts, whatever the setting says of drafts; without one it is `hold`

A draft is a sheet that its writer has called preliminary. Where drafts do not count it is as if nothing had been
written, but for the lines that the game master forced.
"""

from __future__ import annotations

from gm.game.model.records import Game, Sheet, SheetLine
from gm.game.model.settings import GM, HOLD, STOP, WAIT, GameSettings

DRAFT = "draft"
POLICIES = (HOLD, WAIT, STOP, GM, DRAFT)
"""The words a game master may say of one power; all but the last are a game's `nmr` as well."""
PATIENT = (WAIT, STOP, GM)
"""Under these the phase does not end at its deadline."""
ENDLESS = (STOP, GM)


def policy(game: Game, settings: GameSettings, power: str) -> str:
    policies = dict(word.split("=", 1) for word in game.forbearance)
    return policies.get(power, settings.nmr)


def with_word(game: Game, power: str, word: str) -> tuple[str, ...]:
    others = tuple(entry for entry in game.forbearance if entry.partition("=")[0] != power)
    return (*others, f"{power}={word}")


def counts(game: Game, settings: GameSettings, sheet: Sheet) -> bool:
    """Whether its lines would be orders if the deadline were now."""
    if not sheet.preliminary or settings.preliminary_used_on_nmr:
        return True
    return policy(game, settings, sheet.author) == DRAFT


def orders(game: Game, settings: GameSettings, sheet: Sheet) -> tuple[SheetLine, ...]:
    """The lines that would be."""
    if counts(game, settings, sheet):
        return sheet.lines
    return tuple(line for line in sheet.lines if line.forced)

"""What the open phase still waits for, asked by the clock and by the answer to the letter that was the last one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from gm.desk import sheets
from gm.desk.ports import Store
from gm.desk.records import Sheet
from gm.desk.table import Table
from gm.judge.steps import Owed

MOVES = "M"
"""The last letter of a movement phase's name: these keep their slot unless everybody says READY."""


@dataclass(frozen=True, slots=True)
class Readiness:
    """What the open phase still waits for. `ready`: nobody wants to wait for the deadline."""

    owed: dict[tuple[str, str], tuple[Sheet | None, Owed]]
    complete: bool
    ready: bool
    newest: datetime | None


def readiness(store: Store, table: Table) -> Readiness:
    """Who still owes what, and whether the phase may end before its deadline.

    Moves end early when every seat that owes orders has said READY; retreats and builds as soon as every sheet is
    complete. One WAIT, a draft, or a line that was asked back, keeps any phase open, and so does a seat that was given
    up in it.
    The game's `wait_policy` may have moves end like the others ("complete"), or all phases at their deadlines only
    ("deadline"). Nothing ends in a pause.
    """
    manned = {seat.power for seat in table.power_seats if seat.person is not None}
    every = sheets.owed(store, table)
    owed = {key: one for key, one in every.items() if key[0] in manned}
    given_up = any(sheet is not None and sheet.wait for key, (sheet, _) in every.items() if key[0] not in manned)
    held = [sheet for sheet, _ in owed.values() if sheet is not None]
    complete = all(not missing for _, missing in owed.values())
    willing = (
        len(held) == len(owed)
        and not given_up
        and not any(sheet.wait or sheet.preliminary or sheet.open_questions or sheet.at is None for sheet in held)
    )
    wish = table.settings.wait_policy
    moves = table.step.letter == MOVES
    if table.game.paused_at is not None or (owed and wish == "deadline" and table.game.due_at is not None):
        ready = False
    elif moves and wish != "complete":
        ready = bool(owed) and willing and all(sheet.ready for sheet in held)
    else:
        ready = willing and complete and bool(owed or not moves)
    newest = max((sheet.at for sheet in held if sheet.at), default=None)
    return Readiness(owed, complete, ready, newest)

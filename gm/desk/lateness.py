"""What happens at a deadline when who owes orders has written none: the game's `nmr`, or the game master's word.

    hold    the phase is resolved all the same
    wait    it waits so long as `grace` says, a day where that says nothing, and tells everybody whom for
    stop    it waits for the late powers or the game master

A sheet that lacks some orders is a sheet: nobody waits for it under these. READY has nothing to do with it. What may be
left out (builds) and what nobody must know of (bids, events, a set-up) holds no game up.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from gm.desk import sheets
from gm.desk.ports import Store
from gm.desk.records import Game
from gm.desk.table import Table

HOLD, WAIT, STOP = "hold", "wait", "stop"
POLICIES = (HOLD, WAIT, STOP)
PATIENCE = timedelta(hours=24)


def policy(table: Table, power: str) -> str:
    said = dict(word.split("=", 1) for word in table.game.forbearance)
    return said.get(power, table.settings.nmr)


def with_word(game: Game, power: str, word: str) -> tuple[str, ...]:
    others = tuple(one for one in game.forbearance if one.partition("=")[0] != power)
    return (*others, f"{power}={word}")


def late(store: Store, table: Table) -> tuple[str, ...]:
    """Powers with a player, of whom nothing is on file that they owe."""
    manned = {seat.power for seat in table.power_seats if seat.person is not None}
    step, here = table.step, (table.position, table.variant)
    return tuple(
        power
        for (author, power), (_, missing) in sheets.owed(store, table).items()
        if author == power
        and power in manned
        and missing
        and not missing.optional
        and not missing.task
        and missing == step.missing(*here, power, ())
    )


def waited_for(store: Store, table: Table) -> dict[str, str]:
    """The late powers that the phase does not end without, and how: "wait" or "stop"."""
    if table.game.locked or (table.settings.nmr == HOLD and not table.game.forbearance):
        return {}
    found = {power: policy(table, power) for power in late(store, table)}
    return {power: how for power, how in found.items() if how != HOLD}


def closing(store: Store, table: Table) -> datetime | None:
    """When the open phase takes its last letter; None: it has no deadline, or waits for somebody without end."""
    due = table.game.due_at
    if due is None or table.game.paused_at is not None:
        return None
    grace = table.settings.grace
    if store.now() < due:
        return due + grace
    hows = set(waited_for(store, table).values())
    if STOP in hows:
        return None
    return due + (grace or PATIENCE) if hows else due + grace

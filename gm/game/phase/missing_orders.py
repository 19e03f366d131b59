"""What happens at a deadline when who owes orders has written none: the game's `nmr`, or the game master's word.

The policies stand in `gm.game.model.missing_order_policy`. A sheet that lacks some orders is a sheet: nobody waits
for it under any.
READY has nothing to do with it. What may be left out (builds) and what nobody must know of (bids, events, a set-up)
holds no game up.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from gm.game.model.loaded_game import LoadedGame
from gm.game.model.missing_order_policy import ENDLESS, PATIENT, policy
from gm.game.model.ports import Store
from gm.game.phase import sheets

PATIENCE = timedelta(hours=24)


def late(store: Store, loaded_game: LoadedGame) -> tuple[str, ...]:
    """Powers with a player, of whom nothing is on file that they owe."""
    manned = {seat.power for seat in loaded_game.power_seats if seat.person is not None}
    step, here = loaded_game.step, (loaded_game.position, loaded_game.variant)
    return tuple(
        power
        for (author, power), (_, missing) in sheets.owed(store, loaded_game).items()
        if author == power
        and power in manned
        and missing
        and not missing.optional
        and not missing.task
        and missing == step.missing(*here, power, ())
    )


def waited_for(store: Store, loaded_game: LoadedGame) -> dict[str, str]:
    """The late powers that the phase does not end without, and by which policy."""
    game, settings = loaded_game.game, loaded_game.settings
    if game.locked or (settings.nmr not in PATIENT and not game.forbearance):
        return {}
    policies = {power: policy(game, settings, power) for power in late(store, loaded_game)}
    return {power: how for power, how in policies.items() if how in PATIENT}


def closing(store: Store, loaded_game: LoadedGame) -> datetime | None:
    """When the open phase takes its last letter; None: it has no deadline, or waits for somebody without end."""
    due = loaded_game.game.due_at
    if due is None or loaded_game.game.paused_at is not None:
        return None
    grace = loaded_game.settings.grace
    if store.now() < due:
        return due + grace
    hows = set(waited_for(store, loaded_game).values())
    if hows.intersection(ENDLESS):
        return None
    return due + (grace or PATIENCE) if hows else due + grace

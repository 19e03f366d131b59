"""Which powers have sent no orders at a deadline (NMR), and whether the phase waits for them.

`gm.game.model.missing_order_policy` lists the policies. A sheet that lacks some orders counts as sent; READY makes no
difference. Optional orders (builds) and secret ones (bids, events, a set-up) hold no game up.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from gm.game.model.loaded_game import LoadedGame
from gm.game.model.missing_order_policy import ENDLESS, PATIENT, policy
from gm.game.model.ports import Store
from gm.game.model.records import Sheet
from gm.game.phase import sheets
from gm.judge.model.sheets import DueOrders

PATIENCE = timedelta(hours=24)


def owing_powers(loaded_game: LoadedGame) -> frozenset[str]:
    """Powers that owe orders in the open phase; secret and optional ones do not count."""
    here = loaded_game.position, loaded_game.variant
    owed = {power: loaded_game.step.missing(*here, power, ()) for power in loaded_game.step.due(*here)}
    return frozenset(power for power, due in owed.items() if due and not due.optional and not due.task)


def late_powers(store: Store, loaded_game: LoadedGame) -> tuple[str, ...]:
    """Powers with a player that owe orders and have none on file."""
    manned = {seat.power for seat in loaded_game.taken_seats}
    step, here = loaded_game.step, (loaded_game.position, loaded_game.variant)
    return tuple(
        power
        for (author, power), (_, missing) in sheets.due_sheets(store, loaded_game).items()
        if author == power
        and power in manned
        and missing
        and not missing.optional
        and not missing.task
        and missing == step.missing(*here, power, ())
    )


def is_choice(sheet: Sheet | None, missing: DueOrders) -> bool:
    """Whether the player left out on purpose what is missing: it is optional, and something was written."""
    return missing.optional and sheet is not None and bool(sheet.lines or sheet.ready)


def awaited_powers(store: Store, loaded_game: LoadedGame) -> dict[str, str]:
    """The late powers that the phase waits for, with their policies."""
    game, settings = loaded_game.game, loaded_game.settings
    if game.locked or (settings.nmr not in PATIENT and not game.forbearance):
        return {}
    policies = {power: policy(game, settings, power) for power in late_powers(store, loaded_game)}
    return {power: how for power, how in policies.items() if how in PATIENT}


def closing_time(store: Store, loaded_game: LoadedGame) -> datetime | None:
    """When the open phase stops accepting orders; None if it has no deadline or waits without limit."""
    due = loaded_game.game.due_at
    if due is None or loaded_game.game.paused_at is not None:
        return None
    grace = loaded_game.settings.grace
    if store.now() < due:
        return due + grace
    hows = set(awaited_powers(store, loaded_game).values())
    if hows.intersection(ENDLESS):
        return None
    return due + (grace or PATIENCE) if hows else due + grace

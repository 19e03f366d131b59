"""Bids that go up or down: "two more on Poland, one less on Turkey", "raise Finland by 2", "Poland down 2"."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from gm.judge.mechanics.influence.bid_orders import Bid
from gm.language.prose.guesses.amounts_changed import amount_changes
from gm.language.prose.guesses.bids_on_file import all_bids, bids_before, minor_at
from gm.language.prose.guesses.clause import NAMES, Clause
from gm.language.prose.guesses.guess import Guess


def bids_raised(clause: Clause) -> Guess | None:
    bids = bids_before(clause)
    others = {token.value for token in clause.of(*NAMES) if not minor_at(clause, token)}
    kept = len(clause.of("KEPT"))  # "Rumania unchanged"
    if others - {clause.context.power} or len(clause.of("NUMBER")) + kept < len(clause.of(*NAMES)) - len(others):
        return None  # "raise Finland and Poland by one"
    for change in amount_changes(clause.tokens, partial(minor_at, clause)):
        before = bids.get(change.power)
        if kept and before is not None and not change.amount and not change.sign:
            continue
        if not change.is_whole or not change.amount or (change.sign and before is None):
            return None
        points = change.amount if not change.sign or before is None else before.points + change.sign * change.amount
        if points < 0:
            return None
        bids[change.power] = Bid(change.power, points) if before is None else replace(before, points=points)
    return all_bids(clause, bids)

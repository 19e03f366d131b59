"""Bids that go up or down: "two more on Poland, one less on Turkey", "raise Finland by 2", "Poland down 2"."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from gm.judge.mechanics.influence.bid_orders import Bid
from gm.language.prose.guesses.amounts_changed import amount_changes
from gm.language.prose.guesses.bids_on_file import all_bids, bids_before, minor_at, points_freed
from gm.language.prose.guesses.clause import NAMES, Clause
from gm.language.prose.guesses.guess import Guess


def bids_raised(clause: Clause) -> Guess | None:
    """None where one amount is for several powers ("raise Finland and Poland by one"), or where it is not clear."""
    bids, total = bids_before(clause), sum(bid.points for bid in clause.on_file(Bid))
    if "BALANCE" in clause.types:
        bids = {bid.minor: bid for bid in clause.on_file(Bid)} | bids
    named = {token.value for token in clause.of(*NAMES) if not minor_at(clause, token)}
    if named - {clause.context.power}:
        return None
    given_back = points_freed(clause)
    for change in amount_changes(clause.tokens, partial(minor_at, clause)):
        before = bids.get(change.power)
        stays = "KEPT" in clause.types and not change.amount and not change.sign  # "Rumania unchanged"
        if stays and before is not None:
            continue
        if change.balances:
            change.amount = -change.sign * (sum(bid.points for bid in bids.values()) - total)
        elif change.amount is None and change.sign >= 0:
            change.amount, change.sign, given_back = given_back, 1, 0  # "… and put it on Poland"
        if before is not None and change.amount == 0 and not change.sign:  # "nothing for Rumania, its two on Poland"
            given_back, bids[change.power] = before.points, replace(before, points=0)
            continue
        if not change.power or not change.amount or change.amount < 0 or (change.sign < 0 and before is None):
            return None
        points = change.amount if not change.sign or before is None else before.points + change.sign * change.amount
        if points < 0:
            return None
        given_back = change.amount if change.sign < 0 else given_back
        bids[change.power] = Bid(change.power, points) if before is None else replace(before, points=points)
    return all_bids(clause, bids)

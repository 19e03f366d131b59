"""Bids that go up or down: "two more on Poland, one less on Turkey", "raise Finland by 2", "Poland down 2"."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from gm.judge.mechanics.influence.bid_orders import Bid
from gm.language.prose.guesses.amounts_changed import AmountChange, amount_changes, amounts_after
from gm.language.prose.guesses.bids_on_file import all_bids, bids_before, minor_at, points_freed
from gm.language.prose.guesses.clause import NAMES, Clause
from gm.language.prose.guesses.guess import Guess


def bids_raised(clause: Clause) -> Guess | None:
    """None where one amount is for several powers ("raise Finland and Poland by one"), or where it is not clear."""
    others = {token.value for token in clause.of(*NAMES) if not minor_at(clause, token)}
    every = amount_changes(clause.tokens, partial(minor_at, clause))
    changes = [change for change in every if not _stays(clause, change)]
    if others - {clause.context.power} or not all(change.power for change in changes):
        return None
    bids = bids_before(clause)
    if "BALANCE" in clause.types:  # "Raise Poland to 7. … cut Hungary accordingly"
        changes = [*(AmountChange(bid.minor, bid.points) for bid in clause.written(Bid)), *changes]
        bids = {bid.minor: bid for bid in clause.on_file(Bid)}
    before = {bid.minor: bid.points for bid in bids.values()}
    after = amounts_after(changes, before, clause.purse.amount, points_freed(clause))
    if after is None:
        return None
    return all_bids(clause, {name: _bid(bids.get(name), name, points) for name, points in after.items()})


def _stays(clause: Clause, change: AmountChange) -> bool:
    """ "Rumania unchanged"."""
    return "KEPT" in clause.types and bool(change.power) and not (change.amount or change.sign)


def _bid(before: Bid | None, minor: str, points: int) -> Bid:
    return Bid(minor, points) if before is None else replace(before, points=points)

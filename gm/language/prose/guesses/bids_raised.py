"""Bids that go up or down: "two more on Poland, one less on Turkey", "raise Finland by 2", "Poland down 2"."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.mechanics.influence.bid_orders import Bid
from gm.language.prose.guesses.bids_on_file import all_bids, bids_before, minor_at
from gm.language.prose.guesses.clause import NAMES, Clause
from gm.language.prose.guesses.guess import Guess

SIGNS = {"MORE": 1, "LESS": -1}


class _Change(Struct):
    """What words say of one bid, in any order; without a sign the amount is the new one: "Poland to 3"."""

    minor: str = ""
    amount: int = 0
    sign: int = 0

    @property
    def is_whole(self) -> bool:
        return bool(self.minor and self.amount)


def bids_raised(clause: Clause) -> Guess | None:
    bids = bids_before(clause)
    others = {token.value for token in clause.of(*NAMES) if not minor_at(clause, token)}
    if others - {clause.context.power}:
        return None
    for change in _changes(clause):
        before = bids.get(change.minor)
        if not change.is_whole or (change.sign and before is None):
            return None
        points = change.amount if not change.sign or before is None else before.points + change.sign * change.amount
        if points < 0:
            return None
        bids[change.minor] = Bid(change.minor, points) if before is None else replace(before, points=points)
    return all_bids(clause, bids)


def _changes(clause: Clause) -> Iterator[_Change]:
    change = _Change()
    for token in clause.tokens:
        number = int(token.value) if token.type == "NUMBER" and str(token.value).isdigit() else 0
        minor = minor_at(clause, token) if token.type in NAMES else ""
        sign = SIGNS.get(token.type, 0)
        again = (number and change.amount) or (minor and change.minor) or (sign and change.sign)
        if change.is_whole and (again or token.type == "SEP"):
            yield change
            change = _Change()
        change.amount, change.minor, change.sign = number or change.amount, minor or change.minor, sign or change.sign
    if change != _Change():
        yield change

"""Bids in words: "5 on Poland and the rest on Hungary", "half of it to Spain, a third to Turkey", "all on Finland"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.mechanics.influence.bid_orders import Bid
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.clause import Clause
from gm.language.prose.guess import REFUSED, Guess

SHARES = {"HALF": Fraction(1, 2), "THIRD": Fraction(1, 3), "TWO_THIRDS": Fraction(2, 3), "QUARTER": Fraction(1, 4)}
AMOUNTS = frozenset({"NUMBER", "REST", "EVERYTHING", *SHARES})


class ShareOfPoints(NamedTuple):
    amount: Token
    minor: str
    backs: str = ""


def guess_bids(clause: Clause) -> Guess | None:
    if "MOVED" in clause.types:
        return _moved(clause)
    clause = _without_purse(clause)
    items = _items(clause)
    if not items:
        more = "EACH" not in clause.types and len(_amounts(clause)) > len(list(filter(None, _named(clause))))
        return REFUSED if more else None
    before = {bid.minor: bid for bid in clause.written(Bid) if isinstance(bid, Bid)}
    if len(items) == 1 and items[0].amount.value == "0":
        return _without(clause, items[0].minor, before)
    rest = next((at for at, item in enumerate(items) if item.amount.type == "REST"), -1)
    if rest >= 0 and (clause.memory.is_doubted or rest < len(items) - 1):
        return None
    kept: dict[str, Bid] = {}
    if rest == 0 and not before:  # "the rest on Finland": besides the bids on file
        kept = {bid.minor: bid for bid in clause.memory.on_file if isinstance(bid, Bid) and bid.minor != items[0].minor}
    lines = [_line(bid.minor, bid.points, bid.backs) for bid in kept.values()]
    left = clause.purse.amount - sum(bid.points for bid in (*before.values(), *kept.values()))
    for item in items:
        points = _points(item.amount, clause.purse.amount, left)
        if points is None or not 0 < points <= left:
            return None
        left -= points
        if points > clause.purse.most:
            return clause.guess([_line(item.minor, clause.purse.most, item.backs)], certain=False)
        lines.append(_line(item.minor, points, item.backs))
    return clause.guess(lines, certain=rest != 0 or bool(before or kept))


def _without_purse(clause: Clause) -> Clause:
    """ "Half of my twelve": without the number of all points behind a share, and without names that no bid is for."""
    tokens: list[Token] = []
    for token in clause.tokens:
        share = next((before.type for before in reversed(tokens) if before.type != "OF"), "")
        if token.type == "NUMBER" and share in SHARES and token.value == str(clause.purse.amount):
            continue
        own = token.type == "NATION" and token.value == clause.context.power
        if not own and (token.type != "PLACE" or _minor(clause, token)):
            tokens.append(token)
    return replace(clause, tokens=tokens)


def _without(clause: Clause, minor: str, before: Mapping[str, Bid]) -> Guess | None:
    """ "Poland gets nothing": of the bids of the letter, or else of those on file, this one goes."""
    if minor in before:
        return Guess((), clause.is_known, withdrawn=(before[minor].slot,))
    on_file = [bid for bid in clause.memory.on_file if isinstance(bid, Bid)]
    kept = [bid for bid in on_file if bid.minor != minor]
    if before or not kept or len(kept) == len(on_file):
        return None
    return clause.guess([_line(bid.minor, bid.points, bid.backs) for bid in kept])


def _amounts(clause: Clause) -> list[Token]:
    """Without the word for all before a number: "all 12"."""
    amounts = clause.of(*AMOUNTS)
    return [token for token in amounts if token.type != "EVERYTHING" or len(amounts) == 1]


def _line(minor: str, points: int, backs: str) -> str:
    return f"bid {minor} {points}" + (f" support {backs}" if backs else "")


def _points(amount: Token, total: int, left: int) -> int | None:
    if amount.type in ("REST", "EVERYTHING"):
        return left if amount.type == "REST" or left == total else None
    if amount.type == "NUMBER":
        return int(amount.value) if str(amount.value).isdigit() and len(amount.value) < 4 else None
    share = SHARES[amount.type] * total
    return int(share) if share.denominator == 1 else None


def _minor(clause: Clause, token: Token) -> str:
    """The minor power that bids can be for, by its name or a place of it."""
    minors = [minor for minor in clause.context.variant.minors if minor.homes]
    if token.type == "NATION":
        return next((minor.name for minor in minors if minor.name == token.value), "")
    fitting = [minor.name for minor in minors if set(minor.homes) & set(token.value.provinces)]
    return fitting[0] if len(fitting) == 1 else ""


def _items(clause: Clause) -> list[ShareOfPoints] | None:
    """An amount and a minor power by turns, in one and the same order; "each" gives all of them one amount."""
    if "EACH" in clause.types:
        minors = list(_named(clause))
        amounts = clause.of(*AMOUNTS)
        return [ShareOfPoints(amounts[0], minor) for minor in minors] if all(minors) and len(amounts) == 1 else None
    items: list[ShareOfPoints] = []
    pair = _Pair()
    for token in clause.tokens:
        if token.type in AMOUNTS:
            if pair.amount is not None and (pair.amount.type, token.type) not in WHOLE_NUMBERS:
                return None
            pair.amount = token
        elif token.type == "SUPPORT":
            pair.helps = True
        elif token.type in ("NATION", "PLACE") and not pair.take(token, _minor(clause, token), items):
            return None
        if pair.amount is not None and pair.minor and not pair.helps:
            items.append(ShareOfPoints(pair.amount, pair.minor, pair.backs))
            pair = _Pair()
    return items if pair == _Pair() else None


WHOLE_NUMBERS = frozenset({("EVERYTHING", "NUMBER"), ("REST", "NUMBER")})
"""Amounts that say a number as well: "all 12", "the remaining 6"."""


class _Pair(Struct):
    """A bid that is not complete yet. `helps`: the power that it supports comes next."""

    amount: Token | None = None
    minor: str = ""
    backs: str = ""
    helps: bool = False

    def take(self, token: Token, minor: str, items: list[ShareOfPoints]) -> bool:
        """Whether the name fits here: the minor power, or whom a bid supports."""
        if self.helps and token.type == "NATION" and not minor:
            self.helps = False
            if self.amount is None and not self.minor and items and not items[-1].backs:
                items[-1] = items[-1]._replace(backs=str(token.value))
            else:
                self.backs = str(token.value)
            return True
        fits = bool(minor) and not self.minor and not self.helps
        self.minor = minor if fits else self.minor
        return fits


def _moved(clause: Clause) -> Guess | None:
    """ "My 3 from Poland go to Rumania": all bids on file, one of them for another minor power."""
    on_file = {bid.minor: bid for bid in clause.memory.on_file if isinstance(bid, Bid)}
    named = list(_named(clause))
    numbers = [int(token.value) for token in clause.of("NUMBER")]
    if len(named) != 2 or len(numbers) > 1 or named[0] not in on_file or named[1] in on_file:
        return None
    old, new = named
    if on_file[old].backs or (numbers and numbers[0] != on_file[old].points):
        return None
    bids = [(new if bid.minor == old else bid.minor, bid) for bid in on_file.values()]
    return clause.guess([_line(name, bid.points, bid.backs) for name, bid in bids])


def _named(clause: Clause) -> Iterator[str]:
    for token in clause.of("NATION", "PLACE"):
        yield _minor(clause, token)

"""Bids on file that change: "move two from Hungary to Poland", "one more on Poland", "nothing for Turkey any more"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from gm.judge.mechanics.influence.bid_orders import Bid
from gm.judge.mechanics.influence.influence_points import IP
from gm.judge.model.position import LedgerKey
from gm.language.i18n.place_names import powers
from gm.language.i18n.similar_words import similar_words
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.guesses.clause import Clause
from gm.language.prose.guesses.guess import Guess

NO_BIDS = "bid none"
NEAR, MOST_NEAR, SHORTEST = 80, 6, 4
"""How alike (of 100) a word and a name are, names that are looked at, and letters of the shortest word."""
BEFORE = frozenset({"ON", "FOR", "TO", "OF", "NUMBER"})


def bids_before(clause: Clause) -> dict[str, Bid]:
    """Those that stand: of the letter, else those on file. All bids of a letter replace those on file."""
    return {bid.minor: bid for bid in clause.written(Bid) or clause.on_file(Bid)}


def line_of(minor: str, points: int, backs: str) -> str:
    return f"bid {minor} {points}" + (f" support {backs}" if backs else "")


def all_bids(clause: Clause, bids: Mapping[str, Bid]) -> Guess | None:
    lines = [line_of(bid.minor, bid.points, bid.backs) for bid in bids.values() if bid.points]
    return clause.guess(lines or [NO_BIDS]) if sum(bid.points for bid in bids.values()) <= clause.purse.amount else None


def bids_moved(clause: Clause, source: str, target: str, numbers: Sequence[int]) -> Guess | None:
    """Points of one bid for another minor power: all of them, or the first number; a second number is the new total."""
    bids = bids_before(clause)
    if source not in bids or source == target or (bids[source].backs and target not in bids):
        return None
    amount = numbers[0] if numbers else bids[source].points
    after = amount + (bids[target].points if target in bids else 0)
    if not 0 < amount <= bids[source].points or any(number != after for number in numbers[1:]):
        return None
    new = replace(bids[target], points=after) if target in bids else Bid(target, amount)
    left = {**bids, source: replace(bids[source], points=bids[source].points - amount)}
    if target in bids or left[source].points:
        return all_bids(clause, {**left, target: new})
    return all_bids(clause, {name: new if name == source else bid for name, bid in bids.items()})


def bids_without(clause: Clause, minors: Sequence[str]) -> Guess | None:
    """A bid of 0 takes one on file back."""
    written = {bid.minor: bid for bid in clause.written(Bid)}
    on_file = {bid.minor for bid in clause.on_file(Bid)}
    if not minors or not set(minors) <= {*written, *on_file}:
        return None
    gone = tuple(written[minor].slot for minor in minors if minor in written)
    lines = [line_of(minor, 0, "") for minor in minors if minor in on_file]
    guess = clause.guess(lines) if lines else Guess((), clause.is_known)
    return replace(guess, withdrawn=gone) if guess is not None else None


def points_freed(clause: Clause) -> int:
    """Those of bids on file that the letter has taken back."""
    gone = {bid.minor for bid in clause.written(Bid) if not bid.points}
    return sum(bid.points for bid in clause.on_file(Bid) if bid.minor in gone)


def bids_turned(clause: Clause, new: Sequence[tuple[str, int | None, str]]) -> Guess | None:
    """The points of bids that the letter has taken back, for others: "use them to support Germany in Poland"."""
    written = clause.written(Bid)
    bids = {bid.minor: bid for bid in (*clause.on_file(Bid), *written)}
    for minor, points, backs in new:
        if not points or (minor in bids and bids[minor].points and bids[minor].backs != backs):
            return None
        bids[minor] = Bid(minor, points + (bids[minor].points if minor in bids else 0), backs)
    guess = all_bids(clause, bids)
    gone = tuple(bid.slot for bid in written if not bid.points)
    return replace(guess, withdrawn=gone) if guess is not None else None


def old_points(clause: Clause, minor: str) -> int:
    """The writer's in the box of a minor power, from earlier years."""
    return clause.context.position.ledger.get(LedgerKey(IP, clause.context.power, minor), 0)


def bids_kept(clause: Clause, minors: Sequence[str]) -> Guess | None:
    """ "Hungary stays as it is"."""
    bids = bids_before(clause) | {bid.minor: bid for bid in clause.on_file(Bid)}
    if not minors or not set(minors) <= set(bids):
        return None
    return clause.guess([line_of(bid.minor, bid.points, bid.backs) for name, bid in bids.items() if name in minors])


def minor_at(clause: Clause, token: Token) -> str:
    """The minor power that bids can be for, by its name or a place of it."""
    minors = [minor for minor in clause.context.variant.minors if minor.homes]
    if token.type == "NATION":
        return next((minor.name for minor in minors if minor.name == token.value), "")
    fitting = [minor.name for minor in minors if set(minor.homes) & set(token.value.provinces)]
    return fitting[0] if len(fitting) == 1 else ""


def with_near_minors(clause: Clause) -> Clause:
    """With the minor powers called most like unknown words beside amounts: "Poland 5, Hungary 5, Rumenia 2"."""
    tokens = list(clause.tokens)
    for at, token in enumerate(tokens):
        beside = {tokens[at - 1].type if at else "", *(each.type for each in tokens[at + 1 : at + 2])}
        if token.type == "WORD" and (beside & {"NUMBER"} or tokens[at - 1].type in BEFORE):
            tokens[at] = _near(clause, token)
    return replace(clause, tokens=tokens) if tokens != list(clause.tokens) else clause


def _near(clause: Clause, token: Token) -> Token:
    """The token itself where its word is like no name, or like several powers' alike."""
    word = clause.text[token.start_pos : token.end_pos].lower()
    names = powers(tuple(minor for minor in clause.context.variant.minors if minor.homes))
    scored = similar_words(word, names, NEAR, MOST_NEAR) if len(word) >= SHORTEST else []
    best = {names[name] for name, score in scored if score == scored[0][1]}
    return token._replace(type="NATION", value=best.pop()) if len(best) == 1 else token

"""Bids that go up or down: "two more on Poland, one less on Turkey", "raise Finland by 2", "Poland down 2"."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from msgspec.structs import replace

from gm.judge.mechanics.influence.bid_orders import Bid
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.guesses.amounts_changed import AmountChange, amount_changes, amounts_after
from gm.language.prose.guesses.bids_on_file import all_bids, bids_before, minor_at, points_freed
from gm.language.prose.guesses.clause import NAMES, Clause
from gm.language.prose.guesses.guess import Guess


def bids_raised(clause: Clause) -> Guess | None:
    """None where one amount is for several powers ("raise Finland and Poland by one"), or where it is not clear."""
    clause, totals = _without_totals(clause)
    clause = _taken_from_others(clause)
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
    if after is None or any(after.get(minor) != points for minor, points in totals):
        return None
    return all_bids(clause, {name: _bid(bids.get(name), name, points) for name, points in after.items()})


def frees_points(clause: Clause) -> bool:
    """ "Lower Hungary to 4 and put the 3 saved on Turkey": whether a bid goes down whose points words behind use."""
    if "FREED" not in clause.types:
        return False
    bids = bids_before(clause)
    named = [token for token in clause.tokens if token.type in ("NUMBER", *NAMES)]
    pairs = ((minor_at(clause, name), str(number.value)) for name, number in pairwise(named) if name.type in NAMES)
    return any(minor in bids and value.isdigit() and int(value) < bids[minor].points for minor, value in pairs)


def with_topic(clause: Clause) -> Clause:
    """ "Hungary is getting crowded. Lower that to 4": with the minor power of which the words before spoke, where the
    change names none.
    """
    types = [token.type for token in clause.tokens[:3]]
    if types[:2] != ["ON", "NUMBER"] and types not in (["LESS", "WITH", "NUMBER"], ["MORE", "WITH", "NUMBER"]):
        return clause
    bids = bids_before(clause)
    minors = (each for each in clause.context.variant.minors if clause.memory.topic in each.homes)
    name = next((minor.name for minor in minors if minor.name in bids), "")
    return replace(clause, tokens=[Token("NATION", name, 0, 0), *clause.tokens]) if name else clause


def _taken_from_others(clause: Clause) -> Clause:
    """ "Two more on Finland, from Rumania": with the number once more for the bid that goes down."""
    tokens: list[Token] = []
    for at, token in enumerate(clause.tokens):
        behind = clause.tokens[at + 1] if at + 1 < len(clause.tokens) else token
        raised = [each for each in tokens if each.type in ("NUMBER", "MORE")]
        counts = [each.type for each in raised] in (["NUMBER", "MORE"], ["MORE", "NUMBER"]) and bool(tokens)
        if token.type == "FROM" and behind.type in NAMES and counts and tokens[-1].type != "NUMBER":
            number = next(each for each in raised if each.type == "NUMBER")
            tokens += [number._replace(start_pos=token.start_pos), token._replace(type="LESS")]
        else:
            tokens.append(token)
    return replace(clause, tokens=tokens)


def _without_totals(clause: Clause) -> tuple[Clause, list[tuple[str, int]]]:
    """ "Two more on Finland, so that's ten there": without numbers that stand alone behind a name, and what they say of
    the bid before them.
    """
    tokens: list[Token] = []
    totals: list[tuple[str, int]] = []
    for at, token in enumerate(clause.tokens):
        behind = clause.tokens[at + 1].type if at + 1 < len(clause.tokens) else "SEP"
        named = [minor for each in tokens if each.type in NAMES and (minor := minor_at(clause, each))]
        alone = tokens and tokens[-1].type == "SEP" and behind in ("SEP", "TALK") and str(token.value).isdigit()
        if token.type == "NUMBER" and alone and named:
            totals.append((named[-1], int(token.value)))
            del tokens[-1]
        else:
            tokens.append(token)
    return replace(clause, tokens=tokens), totals


def _stays(clause: Clause, change: AmountChange) -> bool:
    """ "Rumania unchanged"."""
    return "KEPT" in clause.types and bool(change.power) and not (change.amount or change.sign)


def _bid(before: Bid | None, minor: str, points: int) -> Bid:
    return Bid(minor, points) if before is None else replace(before, points=points)

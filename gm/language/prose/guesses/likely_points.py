"""What words about points most likely mean: how many, for which power, and for the only order that fits.

They are only proposed: each power named gets the amount beside it, or all points, and supports the only move of the
writer's that its unit can support, or holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from gm.judge.model.orders import Allocate
from gm.judge.model.variant import Minor
from gm.language.orders.parsing.lexer import Token
from gm.language.orders.parsing.order_context import UnitsByProvince
from gm.language.prose.guesses.clause import AMOUNTS, NAMES, Clause
from gm.language.prose.guesses.diplomacy_points_guess import minor_of, share_points
from gm.language.prose.guesses.shares_of_points import Share
from gm.language.prose.memory import province_of, unit_of
from gm.language.prose.mentions import TOWARDS, mentions_of

HELP = frozenset({"SUPPORT", "SUPPORTED"})
MOTION = TOWARDS | {"MINUS"}
LONGEST_ABBREVIATION = 3
OTHERWISE = frozenset({"NONE", "FROM", "CONVOY", "VIA", "IF"})
"""Token types of words that may take points back, or that no points buy."""


class Payee(Struct):
    """A minor power that is named, where, and what it gets. `share`: the number of its points."""

    minor: Minor
    at: int
    amount: Token | None = None
    deed: str = ""


def likely_points(clause: Clause, elsewhere: Sequence[Token]) -> tuple[str, ...]:
    """Canonical lines of points, with moves of the writer's beside them; () where more than one meaning fits.

    A power named `elsewhere` in the line does what is said there, so that it does not simply hold.
    """
    if not clause.types & (AMOUNTS | {"POINTS"}) or clause.types & OTHERWISE:
        return ()
    tokens = [token for token in clause.tokens if token.value != clause.context.power]
    payees = list(_payees(clause, tokens))
    if _goes(clause, payees, tokens):
        return ()
    amounts = [at for at, token in enumerate(tokens) if token.type in AMOUNTS]
    called = any(_is_word(token) for token in tokens if token.type == "POINTS")
    if not amounts and len(payees) == 1 and called and not clause.on_file(Allocate):
        payees[0].amount = Token("WHOLE", "", 0, 0)  # "my points go to Austria"
    elif not payees or not _paid(payees, tokens, amounts):
        return ()
    _told(payees, tokens)
    names = [token for token in elsewhere if token.type in NAMES]
    spoken_of = {minor.name for token in names if (minor := minor_of(clause, token)) is not None}
    if any(not payee.deed and payee.minor.name in spoken_of for payee in payees):
        return ()
    moves = list(_moves(clause, tokens))
    lines: list[str] = list(moves)
    spent = 0
    for payee in payees:
        points = share_points(clause, Share(payee.amount), spent)
        line = _line(clause, tokens, payee, points, moves) if points else ""
        if not points or not line:
            return ()
        spent += points
        lines.append(line)
    guess = clause.guess(lines) if spent <= clause.purse.amount else None
    return guess.lines if guess is not None else ()


def sends_minor(clause: Clause) -> bool:
    """Whether a minor power is paid for a move, which no points buy: "I pay Finland two points to go to Sweden"."""
    tokens = [token for token in clause.tokens if token.value != clause.context.power]
    return bool(clause.types & (AMOUNTS | {"POINTS"})) and _goes(clause, list(_payees(clause, tokens)), tokens)


def _goes(clause: Clause, payees: Sequence[Payee], tokens: Sequence[Token]) -> bool:
    """Whether words of motion and a place stand behind a power that is paid."""
    types = [token.type for token in tokens]
    if not {*types}.isdisjoint(HELP | {"EACH"}):
        return False
    shared_out = sum(kind in AMOUNTS for kind in types) >= len(payees)
    apart = {mention.at for mention in mentions_of(tokens, clause.context) if mention.unit is not None}
    apart |= {payee.at for payee in payees} if shared_out else set()  # "Finland gets two, to Sweden goes one"
    for payee in payees:
        goal = next((at for at in range(payee.at + 1, len(tokens)) if types[at] in NAMES), 0)
        if goal and goal not in apart and types[goal - 1] in MOTION:
            return True
    return False


def _payees(clause: Clause, tokens: Sequence[Token]) -> Iterator[Payee]:
    """The minor powers that are paid: not those where a unit of the writer's goes."""
    written = {line.minor for line in clause.written(Allocate)}
    goals = {at for at, token in enumerate(tokens) if token.type in NAMES and at and tokens[at - 1].type in TOWARDS}
    own = {mention.at for mention in mentions_of(tokens, clause.context) if mention.unit is not None}
    named: dict[str, Payee] = {}
    for at, token in enumerate(tokens):
        minor = minor_of(clause, token) if token.type in NAMES and at not in own else None
        before = max((other for other in range(at) if tokens[other].type in NAMES), default=-1)
        behind_own = at in goals and before in own
        if minor is not None and not behind_own and minor.name not in written:
            named.setdefault(minor.name, Payee(minor, at))
    yield from named.values()


def _paid(payees: Sequence[Payee], tokens: Sequence[Token], amounts: Sequence[int]) -> bool:
    """Gives each power its amount; whether it is clear."""
    each = any(token.type == "EACH" for token in tokens)
    if len(amounts) == len(payees) + 1 and tokens[amounts[0]].value == _total(tokens, amounts[1:]):
        amounts = amounts[1:]  # "my three points: two to …, one to …"
    if len(amounts) == 1 and (each or len(payees) == 1):
        for payee in payees:
            payee.amount = tokens[amounts[0]]
        return each or tokens[amounts[0]].type in AMOUNTS
    for payee, at in zip(payees, amounts, strict=False):
        payee.amount = tokens[at]
    return len(amounts) == len(payees)


def _is_word(points: Token) -> bool:
    """Whether points are called by a whole word: "DP" begins a line of notation."""
    return points.end_pos - points.start_pos > LONGEST_ABBREVIATION


def _total(tokens: Sequence[Token], amounts: Sequence[int]) -> str:
    numbers = [str(tokens[at].value) for at in amounts]
    return str(sum(map(int, numbers))) if all(map(str.isdigit, numbers)) else ""


def _told(payees: Sequence[Payee], tokens: Sequence[Token]) -> None:
    """Gives each power its deed: the only one there is, or the nearest behind its name, before the next power."""
    deeds = [
        (at, "SUPPORT" if token.type in HELP else "HOLD")
        for at, token in enumerate(tokens)
        if token.type in HELP | {"HOLD"}
    ]
    kinds = {deed for _, deed in deeds}
    for payee, following in zip(payees, [*payees[1:], None], strict=True):
        past = following.at if following is not None else len(tokens)
        own = sorted((deed for at, deed in deeds if payee.at < at < past), reverse=True)  # "support Greece to hold"
        payee.deed = own[0] if own else next(iter(kinds), "") if len(kinds) == 1 else ""


def _moves(clause: Clause, tokens: Sequence[Token]) -> Iterator[str]:
    """Moves in the same words of units of the writer's that have no order yet."""
    mentions = mentions_of(tokens, clause.context)
    for mention, goal in pairwise(mentions):
        if mention.unit is not None and goal.before in TOWARDS and mention.called not in clause.memory.orders:
            yield from clause.legal(f"{mention.called} - {goal.place}")


def _line(clause: Clause, tokens: Sequence[Token], payee: Payee, points: int, moves: Sequence[str]) -> str:
    unit = f"{payee.minor.kind} {payee.minor.home}"
    named = {mention.called for mention in mentions_of(tokens, clause.context) if mention.unit is not None}
    if payee.deed == "HOLD" or not (payee.deed or named):
        return f"{points} DP {unit} H"
    orders = clause.unit_orders | {unit_of(move): move for move in moves}
    acts = [line for line in orders.values() if {"S", "C"}.isdisjoint(line.split())]
    targets = [line for line in acts if not named or unit_of(line) in named]
    targets += [unit for unit in named if unit not in orders]
    texts = [f"{points} DP {unit} S {line.removesuffix(' VIA').removesuffix(' H')}" for line in targets]
    legal = [text for text in texts if clause.legal(text) and can_support(clause, text)]
    return legal[0] if len(legal) == 1 else ""


def can_support(clause: Clause, line: str) -> bool:
    """Whether the unit of a line of points reaches what it supports there ("3 DP Aus: A Aus S A Mun - Cze")."""
    unit, supports, order = line.rpartition(" DP ")[2].rpartition(": ")[2].partition(" S ")
    there = clause.context.position.standing.get(province_of(unit), ()) if supports else ()
    checker = UnitsByProvince(clause.context.variant, clause.context.position).checker
    goal = province_of(order.removesuffix(" VIA"))
    return all(goal in map(province_of, checker.reach(each)) for each in there)

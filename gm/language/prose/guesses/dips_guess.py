"""Dips in words: "read whatever passes between France and Russia (intercept, 2 dips)"."""

from __future__ import annotations

from collections.abc import Iterator

from gm.judge.mechanics.dips.dip_orders import DipSupport, InterceptMail, Protect
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.clause import AMOUNTS, Clause
from gm.language.prose.guess import Guess, guess_moves

LISTING = ("INTERCEPT", "PROTECT")
COUNTRIES = {"INTERCEPT": 2, "PROTECT": 1}
BESIDE = AMOUNTS | {"POINTS", "SUPPORT", "SEP", "FOR", "OF", "WITH"}
"""Token types of a clause that say nothing of the order that is paid for."""


def guess_dips(clause: Clause) -> Guess | None:
    if clause.of(*LISTING):
        return _listed(clause)
    if clause.is_sentence:
        return None
    if "POINTS" in clause.types:
        return _paid(clause) if clause.types & AMOUNTS else None
    return guess_moves(clause.tokens, clause.context, clause.memory, clause.legal)


def _listed(clause: Clause) -> Guess | None:
    """ "Two to intercept Spain and Mexico, one to protect against Great Britain"."""
    if clause.types & {"PLACE", "HOLD", "SUPPORT"}:
        return None
    lines: list[str] = []
    for verb, powers in _countries(clause):
        if len(powers) != COUNTRIES[verb]:
            return None
        lines.append(f"{verb.lower()} {', '.join(powers)}")
    return clause.guess(lines)


def _countries(clause: Clause) -> Iterator[tuple[str, list[str]]]:
    """Each verb with the countries behind it, or before it where they stand first: as in German."""
    tokens = [token for token in clause.tokens if token.type in (*LISTING, "NATION")]
    verb_first = tokens[0].type in LISTING
    verb = ""
    named: dict[str, None] = {}
    for token in tokens:
        if token.type == "NATION":
            named[str(token.value)] = None
        elif verb_first and (not verb or named):
            if verb:
                yield verb, list(named)
            verb, named = token.type, {}
        elif not verb_first:
            yield token.type, list(named)
            named = {}
    if verb_first or named:
        yield verb or tokens[-1].type, list(named)


def _paid(clause: Clause) -> Guess | None:
    """ "A LON - PLY (3 dips)": a support of this order, which the writer gives as well where the unit is theirs."""
    amount = _amount(clause)
    plain = [token for token in clause.tokens if token.type not in BESIDE]
    if amount is None or clause.types & {"CONVOY", "VIA"}:
        return None
    if not any(token.type in ("PLACE", "KIND") for token in plain):
        return _behind_last(clause, amount, plain)
    if "SUPPORT" in clause.types:
        return None
    order = guess_moves(plain, clause.context, clause.memory, clause.legal)
    if order is None or len(order.lines) != 1:
        return None
    line = order.lines[0]
    return clause.guess([line, _support(line, amount)], certain=order.certain)


def _behind_last(clause: Clause, amount: int, plain: list[Token]) -> Guess | None:
    """ "Three dips in support", "three of my dips go to keeping it there": for the order before."""
    line = clause.memory.last
    fits = line.endswith(" H") or not any(token.type == "HOLD" for token in plain)
    moves = bool(line) and {"S", "C"}.isdisjoint(line.split())
    return clause.guess([_support(line, amount)]) if clause.is_known and fits and moves else None


def _support(line: str, amount: int) -> str:
    held = " hold" if line.endswith(" H") else ""
    return f"{amount} dips support {line.removesuffix(' H').removesuffix(' VIA')}{held}"


def _amount(clause: Clause) -> int | None:
    """The number written; all there are only where the letter spends none besides."""
    numbers = {str(token.value) for token in clause.of("NUMBER")}
    if len(numbers) == 1:
        number = numbers.pop()
        return int(number) if number.isdigit() else None
    spent = any(isinstance(line, DipSupport | InterceptMail | Protect) for line in clause.memory.statements)
    return clause.purse.amount if not numbers and clause.of("WHOLE") and not spent else None

"""What words say of the amounts of several powers: "two more on Poland, one less on Turkey", "Poland down 2"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from gm.language.orders.parsing.lexer import Token
from gm.language.prose.guesses.clause import NAMES

SIGNS = {"MORE": 1, "FREED": 1, "LESS": -1, "FROM": -1, "TAKEN": -1}
"""By token types: whether an amount is added or taken away. "From" stands before the name of the next power."""


class AmountChange(Struct):
    """What is said of one power, in any order; without a sign the amount is the new one: "Poland to 3"."""

    power: str = ""
    amount: int | None = None
    sign: int = 0
    is_all: bool = False
    """The amount is all there is, or all that is left."""
    balances: bool = False
    """The amount is what the others get more or less: "cut Hungary accordingly"."""
    holds: bool = False

    @property
    def is_whole(self) -> bool:
        return bool(self.power) and (self.amount is not None or self.is_all or self.balances)


def amount_changes(tokens: Sequence[Token], who: Callable[[Token], str]) -> Iterator[AmountChange]:
    """`who` gives the power that a name means, "" where it means none."""
    change, sign_before = AmountChange(), 0
    for at, token in enumerate(tokens):
        if token.type == "NUMBER" and at and tokens[at - 1].type == "OF" and change.amount is not None:
            continue  # "one of the two on Austria"
        amount = int(token.value) if token.type == "NUMBER" and str(token.value).isdigit() else None
        power = who(token) if token.type in NAMES else ""
        sign = SIGNS.get(token.type, 0)
        again = (amount is not None and change.amount is not None) or (sign and change.sign)
        ends = change.is_whole and (again or token.type == "SEP" or (sign and change.power))
        if ends or (power and change.power) or (token.type == "SEP" and change.sign and not change.is_whole):
            yield change
            change, sign_before = AmountChange(), change.sign
        if power and change.amount is not None and not change.sign:
            change.sign = sign_before  # "add one to Finland and one to Poland"
        change.amount = amount if amount is not None else change.amount
        change.power, change.sign = power or change.power, sign or change.sign
        change.is_all |= token.type == "WHOLE"
        if token.type == "BALANCE":
            change.balances, change.sign = True, change.sign or -1
        change.holds |= token.type == "HOLD"
    if change != AmountChange():
        yield change

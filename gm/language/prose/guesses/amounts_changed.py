"""What words say of the amounts of several powers: "two more on Poland, one less on Turkey", "Poland down 2"."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

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
    change, sign_before, given = AmountChange(), 0, False
    for at, token in enumerate(tokens):
        if token.type == "NUMBER" and at and tokens[at - 1].type == "OF" and change.amount is not None:
            continue  # "one of the two on Austria"
        amount = int(token.value) if token.type == "NUMBER" and str(token.value).isdigit() else None
        power = who(token) if token.type in NAMES else ""
        sign = SIGNS.get(token.type, 0)
        again = (amount is not None and change.amount is not None) or (sign and change.sign)
        last = at + 1 == len(tokens) or tokens[at + 1].type == "SEP"  # "Poland one more, Turkey one less"
        ends = change.is_whole and (again or token.type == "SEP" or (sign and not last))
        if ends or (power and change.power) or (token.type == "SEP" and change.sign and not change.is_whole):
            yield change
            change, sign_before = AmountChange(), abs(change.sign) if given else change.sign
            given = False
        if power and change.amount is not None and not change.sign:
            change.sign = sign_before  # "add one to Finland and one to Poland"
        change.amount = amount if amount is not None else change.amount
        change.power, change.sign = power or change.power, sign or change.sign
        given |= token.type in ("FROM", "TAKEN")  # "take two from Poland, one to Hungary, one to Rumania"
        change.is_all |= token.type == "WHOLE"
        if token.type == "BALANCE":
            change.balances, change.sign = True, change.sign or -1
        change.holds |= token.type == "HOLD"
    if change != AmountChange():
        yield change


def amounts_after(
    changes: Iterable[AmountChange], before: Mapping[str, int], purse: int, freed: int = 0
) -> dict[str, int] | None:
    """The amounts by power; None where it is not clear which they are, or where one is below nothing.

    `purse` is how many points there are, `freed` how many the words before took away from others.
    """
    left, given_back, spared = dict(before), freed, 0
    for change in changes:
        amount, sign, old = change.amount, change.sign, left.get(change.power, 0)
        if change.balances:
            amount = -sign * (sum(left.values()) - sum(before.values()))
        elif change.is_all and amount is None:
            amount = purse - sum(left.values()) + old
        elif amount is None or (0 < amount == given_back and not sign):
            amount, sign = given_back or spared, 1  # "… and put it on Poland", "Rumania loses two, Poland gets two"
        elif given_back and amount and not sign and amount != old + given_back:
            return None  # "Rumania loses two, Poland gets five"
        if (not amount and (sign or not old)) or amount < 0 or (sign < 0 and amount > old):
            return None
        if sign < 0 or not amount:
            given_back = amount or old  # "nothing for Sweden, its two for Austria"
        elif sign:
            given_back = spared = 0
        elif amount < old:
            spared = old - amount  # "Hungary down to 4, what that saves on Turkey"
        left[change.power] = old + sign * amount if sign else amount
    return left

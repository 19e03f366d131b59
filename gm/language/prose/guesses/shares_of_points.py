"""Cuts a clause about points into shares: how many, for which powers, and for what."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct, field

from gm.language.orders.parsing.lexer import Token
from gm.language.prose.clause import AMOUNTS, NAMES

DEEDS = frozenset({"HOLD", "SUPPORT", "SUPPORTED"})


class Share(Struct):
    """`payees` are the names before the deed, or those behind one that stands first; `objects` the tokens behind it."""

    amount: Token | None = None
    payees: list[Token] = field(default_factory=list)
    deed: Token | None = None
    objects: list[Token] = field(default_factory=list)
    is_each: bool = False
    is_closed: bool = False
    """The amount stands at the end: what follows is the next share."""

    @property
    def names(self) -> list[Token]:
        """The powers and places behind the deed."""
        return [token for token in self.objects if token.type in NAMES]


def shares_in(tokens: Sequence[Token], power: str) -> list[Share] | None:
    """Shares in their order, without the writer's own name; None where a share has two deeds."""
    shares = [Share()]
    for at, token in enumerate(tokens):
        share = shares[-1]
        if token.type in AMOUNTS:
            if at and tokens[at - 1] is share.amount and share.amount.type == "WHOLE":
                share.amount = token  # "all three", "the remaining two"
            elif token.type == "WHOLE" and share.amount is not None and _next(tokens, at) in DEEDS:
                share.is_each = True  # "they should all hold"
            elif token.type == "WHOLE" and share.amount is not None and not share.payees and share.deed is None:
                continue  # "my three points all go to …"
            else:
                _take_amount(shares, token)
        elif token.type == "EACH":
            share.is_each = True
        elif token.type in DEEDS and share.deed is None:
            share.deed = token
        elif token.type in DEEDS and token.type != "HOLD":
            return None
        elif token.type in NAMES and token.value == power:
            continue
        elif token.type in NAMES and share.is_closed:
            shares.append(Share(payees=[token]))
        elif token.type in NAMES and (share.deed is None or (share.deed.type == "HOLD" and not share.payees)):
            share.payees.append(token)
        elif share.deed is not None:
            share.objects.append(token)
    if len(shares) > 1 and _is_total(shares[0], shares[1:]):
        del shares[0]
    _share_the_deed(shares)
    return shares


def _is_total(share: Share, others: Sequence[Share]) -> bool:
    """ "My three points: two to …, one to …": the number of all points in front of the shares."""
    if share.amount is None or share.payees or share.deed is not None:
        return False
    numbers = [str(other.amount.value) for other in (share, *others) if other.amount is not None]
    return not all(map(str.isdigit, numbers)) or int(numbers[0]) >= sum(map(int, numbers[1:]))


def _next(tokens: Sequence[Token], at: int) -> str:
    """The type of the next token that is a word of order."""
    return next((token.type for token in tokens[at + 1 :] if token.type not in ("TALK", "WORD", "TO")), "")


def _take_amount(shares: list[Share], token: Token) -> None:
    share = shares[-1]
    if share.amount is None and not share.is_closed:
        share.amount = token
        share.is_closed = share.deed is not None and bool(share.payees)
    else:
        begun = share.objects.pop() if _begins_next(share) else None
        shares.append(Share(token, [begun] if begun is not None else []))


def _begins_next(share: Share) -> bool:
    """ "Sweden gets two to hold, Austria one": the last name is the next payee where names come before amounts."""
    if share.amount is None or not share.payees or share.payees[0].start_pos > share.amount.start_pos:
        return False
    return bool(share.objects) and share.objects[-1].type in NAMES


def _share_the_deed(shares: Sequence[Share]) -> None:
    """ "Two on Finland and one on Latvia, both to hold", "two on Austria to …, one on Hungary for the same"."""
    for before, share in pairwise(shares):
        if share.is_each and share.deed is None and before.deed is not None:
            share.deed, share.objects = before.deed, list(before.objects)
    last = shares[-1]
    if last.is_each and last.deed is not None and last.amount is not None and len(shares) > 1:
        for share in shares[:-1]:
            if share.deed is None:
                share.deed, share.objects = last.deed, list(last.objects)

"""Cuts a clause about points into shares: how many, for which powers, and for what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from msgspec import Struct, field

from gm.language.orders.parsing.lexer import Token
from gm.language.prose.guesses.clause import AMOUNTS, NAMES

DEEDS = frozenset({"HOLD", "SUPPORT", "SUPPORTED"})
OF_MINORS = frozenset({"HOLD", "SUPPORT"})
"""Deeds whose unit is named before them."""
TO_PAYEE = frozenset({"FOR", "TO", "ON", "ARROW"})
BESIDE_AMOUNT = TO_PAYEE | {"POINTS", "OF", "TALK", "MOVE", "KIND"}
"""Token types between an amount and the power that it is for."""


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


WhoOf = Callable[[Token], object]
"""The minor power that a name means, if any."""


def shares_in(tokens: Sequence[Token], power: str, who: WhoOf) -> list[Share] | None:
    """Shares in their order, without the writer's own name; None where a share has two deeds."""
    shares = [Share()]
    for at, token in enumerate(tokens):
        share = shares[-1]
        if token.type == "NUMBER" and _counts_payees(tokens, at, share):
            share.is_each = True  # "all three hold"
        elif token.type in AMOUNTS:
            if at and tokens[at - 1] is share.amount and share.amount.type == "WHOLE":
                share.amount = token  # "all three", "the remaining two"
            elif token.type == "WHOLE" and share.amount is not None and _next(tokens, at) in DEEDS:
                share.is_each = True  # "they should all hold"
            elif token.type == "WHOLE" and share.amount is not None and not share.payees and share.deed is None:
                continue  # "my three points all go to …"
            else:
                _take_amount(shares, token, opens=_opens_share(tokens, at), ends=_next_named(tokens, at) != "NATION")
        elif token.type == "EACH" and share.deed is not None and share.payees and _next(tokens, at) in DEEDS:
            shares.append(Share(is_each=True))  # "…, the other two hold"
        elif token.type == "EACH":
            share.is_each = True
        elif token.type in DEEDS and share.deed is None:
            share.deed = token
        elif token.type in DEEDS and token.type != "HOLD":
            return None
        elif token.type in NAMES and token.value == power:
            continue
        elif token.type in NAMES and (share.is_closed or _is_again(token, share, who)):
            shares.append(Share(payees=[token]))
        elif token.type in NAMES and (share.deed is None or (share.deed.type == "HOLD" and not share.payees)):
            share.payees.append(token)
        elif share.deed is not None:
            share.objects.append(token)
    if len(shares) > 1 and _is_total(shares[0], shares[1:]):
        del shares[0]
    _share_the_deed(shares)
    return _joined(shares, who)


def _is_again(token: Token, share: Share, who: WhoOf) -> bool:
    """Whether a power that is paid is named again: "two for Sweden, so that Sweden supports …"."""
    paid = [who(payee) for payee in share.payees]
    behind = share.deed is None or share.deed.type == "HOLD"
    return share.amount is not None and behind and len(paid) > 1 and who(token) is not None and who(token) in paid


def _joined(shares: list[Share], who: WhoOf) -> list[Share]:
    """With what several powers are told in the shares that say how much each of them gets: "the Rumanians and the
    Greeks help: 2 for Rumania and 1 for Greece", "one each on Portugal and Belgium. Portugal supports …, the other
    holds".
    """
    instructions = [
        share for share in shares if share.amount is None and share.deed is not None and share.deed.type in OF_MINORS
    ]
    paid = [each for share in shares if share.amount is not None for each in _each(share)]
    if not instructions or not all(share.deed is None for share in paid):
        return shares
    for share in instructions:
        powers = [who(payee) for payee in share.payees]
        free = [each for each in paid if each.deed is None]
        fitting = [each for each in free if not powers or any(who(payee) in powers for payee in each.payees[:1])]
        if not fitting or (powers and len(fitting) != len({*powers})) or not (powers or share.is_each):
            return shares
        for each in fitting:
            each.deed, each.objects = share.deed, list(share.objects)
    return paid


def _each(share: Share) -> list[Share]:
    return [Share(share.amount, [payee]) for payee in share.payees] if share.is_each else [share]


def _is_total(share: Share, others: Sequence[Share]) -> bool:
    """ "My three points: two to …, one to …": the number of all points in front of the shares."""
    if share.amount is None or share.payees or share.deed is not None:
        return False
    numbers = [str(other.amount.value) for other in (share, *others) if other.amount is not None]
    return not all(map(str.isdigit, numbers)) or int(numbers[0]) >= sum(map(int, numbers[1:]))


def _next(tokens: Sequence[Token], at: int) -> str:
    """The type of the next token that is a word of order."""
    return next((token.type for token in tokens[at + 1 :] if token.type not in ("TALK", "WORD", "TO")), "")


def _counts_payees(tokens: Sequence[Token], at: int, share: Share) -> bool:
    """Whether a number before a deed is that of the powers named: "one each on Austria and Hungary, both hold"."""
    return share.is_each and tokens[at].value == str(len(share.payees)) and _next(tokens, at) in DEEDS


def _opens_share(tokens: Sequence[Token], at: int) -> bool:
    """Whether the power that an amount is for stands behind it: "…: 2 points for Rumania"."""
    types = [token.type for token in tokens[at + 1 :]]
    behind = next((place for place, kind in enumerate(types) if kind not in BESIDE_AMOUNT), len(types))
    return behind < len(types) and types[behind] in NAMES and not TO_PAYEE.isdisjoint(types[:behind])


def _next_named(tokens: Sequence[Token], at: int) -> str:
    """The type of the token behind an amount and its points: "supports for one DP the Polish army"."""
    return next((token.type for token in tokens[at + 1 :] if token.type != "POINTS"), "")


def _take_amount(shares: list[Share], token: Token, *, opens: bool, ends: bool) -> None:
    """`opens`: the power that the amount is for stands behind it. `ends`: nothing there is about the deed before."""
    share = shares[-1]
    has_deed = share.deed is not None and bool(share.payees)
    if opens and has_deed and share.amount is None:
        shares.append(Share(token))
    elif share.amount is None and not share.is_closed:
        share.amount = token
        supports = share.deed is not None and share.deed.type == "SUPPORT" and not share.names
        share.is_closed = has_deed and (ends or not supports)
    else:
        shares.append(Share(token))


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

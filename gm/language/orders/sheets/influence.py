"""Sheets with bids for the influence over minor powers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import ClassVar

from msgspec.structs import replace

from gm.judge.mechanics.influence.bid_orders import Bid, NoBids, PartBid
from gm.judge.mechanics.influence.influence_points import IP
from gm.judge.model.orders import Statement
from gm.judge.model.position import LedgerKey
from gm.judge.model.variant import Minor, Variant
from gm.language.i18n.similar_words import similar_words
from gm.language.orders.parsing.lexer import RawToken, Scanner, Token, WrittenPlace
from gm.language.orders.parsing.line_parts import Parts, token_span, unknown_runs
from gm.language.orders.parsing.order_context import OrderContext, OrderWarning, order_error
from gm.language.orders.parsing.parse_tree import OrderNode
from gm.language.orders.parsing.tree_builder import Child, TreeBuilder
from gm.language.orders.sheets.sheet_kind import SheetKind

BID = "BID"
GLUED = re.compile(r"(?P<number>\d+)(?P<word>[^\W\d_]+)")
NAMES = frozenset({"NATION", "PLACE"})
STAKES = frozenset({BID, "IPS", "NUMBER"})
LONGEST_CODE = 3
"""Letters of a code that may be a word of talk as well."""
SHORT = 6
"""Most words of a mistaken bid that has nothing but a name and a number."""
MOST_NEAR = 3
"""Minor powers that are proposed for an unknown word, at most."""
NEAR_MINOR = 55
NEAR_POWER = 75
"""Least similarity (of 100) of an unknown word to a power's name."""
LONGEST_WORD = 40
OPENING = frozenset({"i", "we", "my", "our", "i'd", "i'll", "will", "would", "like", "want", "to", "please"})
"""Words without meaning before a bid: "I would like to bid 5 on Poland"."""


class BidNode(OrderNode, frozen=True):
    """`points` as written, at `at`; "" for as many as the share needs. `whom`: the minor power, by its name or a place;
    `backs`: whom they help, with `share` of the points there ("": all).
    """

    shares_line: ClassVar[bool] = True
    whom: str | WrittenPlace
    points: str
    at: tuple[int, int]
    backs: str = ""
    share: str = ""


class NoBidsNode(OrderNode, frozen=True):
    shares_line: ClassVar[bool] = True


class BidTree(TreeBuilder):
    def bid(self, children: list[Child]) -> BidNode:
        number = next(c for c in children if isinstance(c, Token) and c.type == "NUMBER")
        named = [c for c in children if isinstance(c, WrittenPlace) or (isinstance(c, Token) and c.type == "NATION")]
        whom, *backs = [c if isinstance(c, WrittenPlace) else str(c.value) for c in named]
        helped = next((back for back in backs if isinstance(back, str)), "")
        return BidNode(whom, str(number.value), (number.start_pos, number.end_pos), helped)

    bid_helping = bid

    def bid_part(self, children: list[Child]) -> BidNode:
        """The points first, then the share."""
        *_, share = (c for c in children if isinstance(c, Token) and c.type == "NUMBER")
        return replace(self.bid([c for c in children if c is not share]), share=str(share.value))

    def bid_support(self, children: list[Child]) -> BidNode:
        """The power that is helped stands first; the number is the share."""
        first = next(c for c in children if isinstance(c, Token) and c.type == "NATION")
        node = self.bid([*(c for c in children if c is not first), first])
        return replace(node, points="", share=node.points)

    def no_bids(self, children: list[Child]) -> NoBidsNode:
        return NoBidsNode()


class BidScanner(Scanner):
    """Knows the colon, dash or equals sign between a name and a number, "5IP" in one word, "/" between two bids, and
    "I bid".
    """

    def scan(self, text: str) -> list[Token]:
        tokens = super().scan(text.replace("/", ";"))
        at = next((i for i, token in enumerate(tokens) if token.type == BID), 0)
        return tokens[at:] if all(str(token.value).lower() in OPENING for token in tokens[:at]) else tokens

    def _next(self, text: str, raws: list[RawToken], at: int, tokens: list[Token]) -> int:
        raw = raws[at]
        before = tokens[-1].type if tokens else ""
        if before == BID and (raw.text == ":" or raw.kind == "arrow"):
            return at + 1
        if before in NAMES and (raw.text == ":" or raw.kind == "arrow"):
            tokens.append(Token("COLON", ":", raw.start, raw.end))
            return at + 1
        glued = GLUED.fullmatch(raw.text) if raw.kind == "word" else None
        if glued and self.words.meaning.get(glued["word"].lower(), ("", ""))[0] == "IPS":
            middle = raw.start + len(glued["number"])
            tokens.append(Token("NUMBER", glued["number"], raw.start, middle))
            tokens.append(Token("IPS", glued["word"].lower(), middle, raw.end))
            return at + 1
        return super()._next(text, raws, at, tokens)


def is_bid_meant(tokens: Sequence[Token], called: Iterable[str]) -> bool:
    """Whether a line that no grammar takes was meant for a bid: a word for it, or a name and a number alone.

    `called`: the names of powers. A word that is nearly one of these is a name.
    """
    kinds = [token.type for token in tokens if token.type != "SEP"]
    named = bool(NAMES & set(kinds))
    meant = kinds[:1] == [BID] or "IPS" in kinds or (BID in kinds and "NUMBER" in kinds)
    if not kinds or len(kinds) > SHORT or "TALK" in kinds:
        return named and meant
    if (kinds[0] == BID and len(kinds) > 1) or ("IPS" in kinds and (named or "NUMBER" in kinds)):
        return True
    return "NUMBER" in kinds and (named or any(token.type == "WORD" and _nearly(token, called) for token in tokens))


def names_power(tokens: Sequence[Token]) -> bool:
    """Whether it names a power, or a place of one: a code in small letters ("work has been mad") beside points only."""
    staked = any(token.type in STAKES for token in tokens)
    return any(token.type in NAMES and (staked or not _is_small_code(token)) for token in tokens)


def _is_small_code(token: Token) -> bool:
    written = token.value.text if token.type == "PLACE" else ""
    return written.islower() and len(written) <= LONGEST_CODE


def _nearly(token: Token, called: Iterable[str]) -> bool:
    word = str(token.value).lower()[:LONGEST_WORD]
    return bool(similar_words(word, called, NEAR_POWER))


def split_bids(parts: Parts) -> Parts:
    """Bids as they stand in one line: "Poland 3, support Germany" is one, "Poland 3 Spain 2" are two."""
    bids: Parts = []
    for part in parts:
        kinds = [token.type for token in part]
        if bids and kinds[0] == "SUPPORT" and "NUMBER" not in kinds:
            bids[-1] = [*bids[-1], *part]
        else:
            bids += _pairs(part, kinds)
    return bids


def _pairs(part: list[Token], kinds: Sequence[str]) -> list[list[Token]]:
    """Names and numbers by turns, two or more of each, with nothing between them but the points' own word."""
    start = 1 if kinds[:1] == [BID] else 0
    plain = [token for token in part[start:] if token.type not in ("IPS", "COLON")]
    names = [token.type in NAMES for token in plain]
    turns = all(name != other for name, other in pairwise(names))
    if len(plain) < 4 or len(plain) % 2 or not turns or {t.type for t in plain} - NAMES != {"NUMBER"}:
        return [part]
    return [plain[at : at + 2] for at in range(0, len(plain), 2)]


DIGITS_MOST = 4
"""Digits of a number of points."""


def bid(context: OrderContext, node: BidNode) -> Iterator[Statement]:
    for number in filter(None, (node.points, node.share)):
        if not number.isdigit() or len(number) > DIGITS_MOST:
            raise order_error("bids-number", node.at, number=number[:20])
    minor, share = _minor(context, node), int(node.share or 0)
    there = context.position.ledger.get(LedgerKey(IP, context.power, minor), 0)
    context.transient = context.transient or bool(share)
    points = int(node.points) if node.points else max(0, share - there)
    yield PartBid(minor, points, node.backs, share) if share else Bid(minor, points, node.backs)


def no_bids(context: OrderContext, node: NoBidsNode) -> Iterator[Statement]:
    yield NoBids()


def _minor(context: OrderContext, node: BidNode) -> str:
    """By the power's name, or by a place: its own of that name, else one of its homes."""
    minors = [minor for minor in context.variant.minors if minor.homes]
    names = {minor.name for minor in minors}
    if isinstance(node.whom, str):
        if node.whom in names or context.any_unit:
            return node.whom
        raise order_error("bids-not-minor", node.at, power=node.whom, places=_listed(minors))
    fitting = [minor.name for minor in minors if set(minor.homes) & set(node.whom.provinces)]
    if len(fitting) == 1:
        return fitting[0]
    called = context.name(node.whom.provinces[0])
    if context.any_unit:
        return called
    raise order_error("bids-not-minor", node.whom, power=called, places=_listed(minors))


def _listed(minors: list[Minor]) -> str:
    return " ".join(minor.name.replace(" ", "_") for minor in minors)


def explain_bid(variant: Variant, text: str, tokens: Sequence[Token]) -> OrderWarning:
    """What is wrong with a bid, with the minor powers called most like its unknown word."""
    minors = [minor.name for minor in variant.minors if minor.homes]
    runs = unknown_runs(tokens)
    if not runs:
        return OrderWarning("bids-unclear", *token_span(tokens))
    start, end = tokens[runs[0][0]].start_pos, tokens[runs[0][-1]].end_pos
    word = text[start:end]
    near = similar_words(word.title(), minors, NEAR_MINOR, MOST_NEAR)
    if not near and names_power(tokens):  # it is clear for whom, but not how many
        return OrderWarning("bids-unclear", *token_span(tokens))
    number = next((str(token.value) for token in tokens if token.type == "NUMBER"), "")
    lines = tuple(f"bid {minor} {number}" for minor, _ in near) if number else ()
    places = " ".join(name.replace(" ", "_") for name in minors)
    return OrderWarning("bids-unknown", start, end, (("word", word), ("places", places)), lines)


SHEET = SheetKind(
    "influence",
    BidTree,
    {BidNode: bid, NoBidsNode: no_bids},
    lambda variant, names: BidScanner,
    regroup=split_bids,
    is_meant=is_bid_meant,
    own_nodes=(BidNode, NoBidsNode),
    is_rest=names_power,
    explain=explain_bid,
    names_in_front=True,
)

"""Bids and leave to pass in the lexer's terms: what stands around a name and a number, and what lines share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from gm.judge.mechanics.influence.bid_orders import Bid, NoBids
from gm.judge.model.orders import Passage, Statement
from gm.judge.model.variant import Minor
from gm.language.i18n.similar_words import alike
from gm.language.orders.parsing import parse_tree as sketches
from gm.language.orders.parsing.lexer import RawToken, Scanner, Token, WrittenPlace
from gm.language.orders.parsing.order_context import OrderContext, flaw

BID = "BID"
ALLOW = "ALLOW"
GLUED = re.compile(r"(?P<number>\d+)(?P<word>[^\W\d_]+)")
NAMES = frozenset({"NATION", "PLACE"})
SHORT = 6
"""Words of a line that is a bid gone wrong, at most, where nothing but a name and a number tells that it is one."""
NEAR = 75
"""How much alike (of 100) an unknown word and a power's name must be."""
LONGEST_WORD = 40
OPENING = frozenset({"i", "we", "my", "our", "i'd", "i'll", "will", "would", "like", "want", "to", "please"})
"""Before the word for a bid they say nothing: "I would like to bid 5 on Poland"."""


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


def wagered(tokens: Sequence[Token], called: Iterable[str]) -> bool:
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


def names(tokens: Sequence[Token]) -> bool:
    return any(token.type in NAMES for token in tokens)


def _nearly(token: Token, called: Iterable[str]) -> bool:
    word = str(token.value).lower()[:LONGEST_WORD]
    return bool(alike(word, called, NEAR))


def together(parts: Sequence[list[Token]]) -> list[list[Token]]:
    """Bids as they stand in one line: "Poland 3, support Germany" is one, "Poland 3 Spain 2" are two."""
    found: list[list[Token]] = []
    for part in parts:
        kinds = [token.type for token in part]
        if found and kinds[0] == "SUPPORT" and "NUMBER" not in kinds:
            found[-1] = [*found[-1], *part]
        else:
            found += _pairs(part, kinds)
    return found


def _pairs(part: list[Token], kinds: Sequence[str]) -> list[list[Token]]:
    """Names and numbers by turns, two or more of each, with nothing between them but the points' own word."""
    start = 1 if kinds[:1] == [BID] else 0
    plain = [token for token in part[start:] if token.type not in ("IPS", "COLON")]
    names = [token.type in NAMES for token in plain]
    turns = all(one != other for one, other in pairwise(names))
    if len(plain) < 4 or len(plain) % 2 or not turns or {t.type for t in plain} - NAMES != {"NUMBER"}:
        return [part]
    return [plain[at : at + 2] for at in range(0, len(plain), 2)]


def with_places(parts: list[list[Token]]) -> list[list[Token]]:
    """Leave to pass behind an order of the same line is for where its unit stands: "F IRI H, allow passage"."""
    found: list[list[Token]] = []
    for part in parts:
        kinds = [token.type for token in part]
        if found and kinds[:2] == [ALLOW, "PASSAGE"] and "PLACE" not in kinds:
            here = next((token for token in found[-1] if token.type == "PLACE"), None)
            part = [*part[:2], *([here] if here else []), *part[2:]]
        found.append(part)
    return found


LONGEST = 4
"""Digits of a number of points."""


def bid(bench: OrderContext, sketch: sketches.BidNode) -> Iterator[Statement]:
    if not sketch.points.isdigit() or len(sketch.points) > LONGEST:
        raise flaw("bids-number", sketch.at, number=sketch.points[:20])
    yield Bid(_minor(bench, sketch), int(sketch.points), sketch.backs)


def no_bids(bench: OrderContext, sketch: sketches.NoBidsNode) -> Iterator[Statement]:
    yield NoBids()


def _minor(bench: OrderContext, sketch: sketches.BidNode) -> str:
    """By the power's name, or by a place: its own of that name, else one of its homes."""
    minors = [minor for minor in bench.variant.minors if minor.homes]
    names = {minor.name for minor in minors}
    if isinstance(sketch.whom, str):
        if sketch.whom in names or bench.any_unit:
            return sketch.whom
        raise flaw("bids-not-minor", sketch.at, power=sketch.whom, places=_listed(minors))
    found = [minor.name for minor in minors if set(minor.homes) & set(sketch.whom.provinces)]
    if len(found) == 1:
        return found[0]
    called = bench.name(sketch.whom.provinces[0])
    if bench.any_unit:
        return called
    raise flaw("bids-not-minor", sketch.whom, power=called, places=_listed(minors))


def _listed(minors: list[Minor]) -> str:
    return " ".join(minor.name.replace(" ", "_") for minor in minors)


def passage(bench: OrderContext, sketch: sketches.PassageNode) -> Iterator[Statement]:
    if len(sketch.places) > 2:
        raise flaw("passage-places", sketch.places[2])
    places = tuple(_province(name) for name in sketch.places)
    yield Passage(places, sketch.whom)


def _province(name: WrittenPlace) -> str:
    if len(name.provinces) > 1:
        raise flaw("which-place", name, word=name.text, places=" ".join(name.provinces))
    return name.provinces[0]

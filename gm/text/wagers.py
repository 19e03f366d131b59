"""Bids and leave to pass in the lexer's terms: what stands around a name and a number, and what lines share."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gm.text.lexer import Raw, Scanner, Token

BID = "BID"
ALLOW = "ALLOW"
GLUED = re.compile(r"(?P<number>\d+)(?P<word>[^\W\d_]+)")
NAMES = frozenset({"NATION", "PLACE"})
SHORT = 6
"""Words of a line that is a bid gone wrong, at most."""


class BidScanner(Scanner):
    """Knows the colon, dash or equals sign between a name and a number, and "5IP" in one word."""

    def _next(self, text: str, raws: list[Raw], at: int, tokens: list[Token]) -> int:
        raw = raws[at]
        follows = tokens and tokens[-1].type in (*NAMES, BID)
        if follows and (raw.text == ":" or raw.kind == "arrow"):
            tokens.append(Token("COLON", ":", raw.start, raw.end))
            return at + 1
        glued = GLUED.fullmatch(raw.text) if raw.kind == "word" else None
        if glued and self.words.meaning.get(glued["word"].lower(), ("", ""))[0] == "IPS":
            middle = raw.start + len(glued["number"])
            tokens.append(Token("NUMBER", glued["number"], raw.start, middle))
            tokens.append(Token("IPS", glued["word"].lower(), middle, raw.end))
            return at + 1
        return super()._next(text, raws, at, tokens)


def wagered(tokens: Sequence[Token]) -> bool:
    """Whether a line that no grammar takes was meant for a bid: a word for it, or a name and a number alone."""
    kinds = [token.type for token in tokens if token.type != "SEP"]
    if not kinds or len(kinds) > SHORT or "TALK" in kinds:
        return False
    named = NAMES & set(kinds)
    return (kinds[0] == BID and len(kinds) > 1) or ("NUMBER" in kinds and (bool(named) or "IPS" in kinds))


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

"""Points in front of an order, in the lexer's terms: "2 DP Austria:", "2:", "[2]", "1x", "DP 2"; or behind, "(2 DP)".

For grammars with a word for points. A number with a colon is no list mark on their sheets.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gm.judge.board.board import Board
from gm.judge.model.variant import Variant
from gm.language.i18n.place_names import PlaceNames
from gm.language.orders.parsing.lexer import GrammarWords, RawToken, Scanner, Token

POINTS = "POINTS"
HEAD = frozenset({"NUMBER", POINTS, "PLACE", "NATION", "KIND", "OF", "TO", "FOR", "COLON", "WORD"})
LISTING = frozenset({"INTERCEPT", "PROTECT"})
STAKE = frozenset({"NUMBER", POINTS})
GLUED = re.compile(r"(?P<number>\d+)(?P<word>[^\W\d_]+)|(?P<first>[^\W\d_]+)(?P<second>\d+)")


class PointsScanner(Scanner):
    """Knows the colon behind points, numbers glued to a word for them, fractions, and minor powers' names."""

    def __init__(self, variant: Variant, board: Board, names: PlaceNames, vocabulary: GrammarWords) -> None:
        super().__init__(variant, board, names, vocabulary)
        minors = {
            name.lower(): minor.name
            for minor in variant.minors
            for name in (minor.name, minor.adjective, *minor.aliases)
        }
        self.powers = {**minors, **self.powers}

    def _next(self, text: str, raws: list[RawToken], at: int, tokens: list[Token]) -> int:
        raw = raws[at]
        if raw.text == ":" and _is_head(tokens):
            tokens.append(Token("COLON", ":", raw.start, raw.end))
            return at + 1
        if raw.text == "?":
            tokens.append(Token("ASK", "?", raw.start, raw.end))
            return at + 1
        if raw.kind == "word" and raw.text[:1].isdigit() and (past := self._fraction(raws, at, tokens)):
            return past
        if raw.kind == "word" and (parts := self._apart(raw)):
            tokens.extend(parts)
            return at + 1
        return super()._next(text, raws, at, tokens)

    def _fraction(self, raws: list[RawToken], at: int, tokens: list[Token]) -> int:
        """ "1.5" and "1,5" are one number; nobody may give so many, and he is to read that."""
        if at + 2 >= len(raws):
            return 0
        one, mark, two = raws[at : at + 3]
        whole = one.text.isdigit() and mark.text in (".", ",") and two.text.isdigit()
        if not whole or one.end != mark.start or mark.end != two.start:
            return 0
        tokens.append(Token("NUMBER", f"{one.text}.{two.text}", one.start, two.end))
        return at + 3

    def _apart(self, raw: RawToken) -> tuple[Token, ...]:
        """ "1x", "2dp", "DP2"."""
        found = GLUED.fullmatch(raw.text)
        if not found:
            return ()
        word = (found["word"] or found["first"]).lower()
        if self.words.meaning.get(word, ("", ""))[0] != POINTS:
            return ()
        middle = raw.start + len(found["number"] or found["first"])
        one = (found["number"] or word, raw.start, middle)
        two = (word if found["number"] else found["second"], middle, raw.end)
        return tuple(Token("NUMBER" if part[0].isdigit() else POINTS, *part) for part in (one, two))


def _is_head(tokens: Sequence[Token]) -> bool:
    """Whether the tokens behind the last separator are points, and at most for whom."""
    head: list[str] = []
    for token in reversed(tokens):
        if token.type == "SEP":
            break
        head.append(token.type)
    return bool(head) and head[-1] in STAKE and HEAD.issuperset(head)


def staked(tokens: Sequence[Token]) -> bool:
    """Whether a line that no grammar takes was meant for points: it begins with them, and says for whom or what. Or it
    bids to do what points are spent on (LISTING), and names a country.
    """
    kinds = {token.type for token in tokens}
    first = {token.type for token in tokens[:2]}
    if kinds & LISTING and "NATION" in kinds and "TALK" not in kinds:
        return True
    if first == STAKE and {"KIND", "SUPPORT"} <= kinds:
        return True
    return first == STAKE and bool({"PLACE", "NATION"} & kinds or ({"COLON"} < kinds and {"HOLD", "SUPPORT"} & kinds))


def together(parts: list[list[Token]]) -> list[list[Token]]:
    """Points between separators go with the order beside them: "F Swe H, 2 DP"."""
    found: list[list[Token]] = []
    for part in parts:
        alone = {token.type for token in part} == STAKE
        waiting = bool(found) and {token.type for token in found[-1]} == STAKE
        if found and (waiting or (alone and not STAKE & {token.type for token in found[-1]})):
            found[-1] = [*found[-1], *part]
        else:
            found.append(part)
    return found

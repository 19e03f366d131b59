"""Lines about dips, and choices of units, in the lexer's terms: countries of several words, lists of countries.

In a line that intercepts or protects, a word that is a province as well as a country ("Mexico") is the country, and
what stands between two countries ("Spain and Mexico", "Spain, Mexico") says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from gm.judge.board.board import Board, Place
from gm.judge.model.variant import Variant
from gm.language.i18n.place_names import PlaceNames, words
from gm.language.orders.parsing.lexer import GrammarWords, RawToken, Scanner, Token
from gm.language.orders.sheets.stakes_part import LISTING, PointsScanner

NAMED = frozenset({"NATION", "WORD"})
BETWEEN = frozenset({"SEP", "ARROW", "TO"})


class DipScanner(PointsScanner):
    def __init__(self, variant: Variant, board: Board, names: PlaceNames, vocabulary: GrammarWords) -> None:
        super().__init__(variant, board, names, vocabulary)
        self.long: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for power in variant.powers:
            for spelling in (power.name, power.adjective, *power.aliases):
                called = words(spelling)
                if len(called) > 1:
                    self.long.setdefault(called[0], []).append((called, power.name))

    def plain_places(self) -> Mapping[str, Place]:
        """In a list of powers a province that bears the name of one is that power."""
        found = super().plain_places()
        lower = {word: place.province.lower() for word, place in found.items()}
        return {word: found[word] for word, code in lower.items() if not self._power(code) and code not in self.long}

    def scan(self, text: str) -> list[Token]:
        tokens = super().scan(text)
        if not any(token.type in LISTING for token in tokens):
            return tokens
        found: list[Token] = []
        listing = False
        for at, token in enumerate(tokens):
            listing = token.type in LISTING or (listing and token.type != "NUMBER")
            if listing and token.type == "PLACE" and (power := self._power(token.value.text.lower())):
                token = Token("NATION", power, token.start_pos, token.end_pos)
            after = tokens[at + 1].type if at + 1 < len(tokens) else ""
            between = token.type in BETWEEN and found and found[-1].type in NAMED and after in (*NAMED, "PLACE", "SEP")
            if not (listing and between):
                found.append(token)
        return found

    def _next(self, text: str, raws: list[RawToken], at: int, tokens: list[Token]) -> int:
        raw = raws[at]
        if raw.kind == "word":
            for called, power in self.long.get(raw.text.lower(), ()):
                past = _said(raws, at, called)
                if past:
                    tokens.append(Token("NATION", power, raw.start, raws[past - 1].end))
                    return past
        return super()._next(text, raws, at, tokens)


def _said(raws: list[RawToken], at: int, called: tuple[str, ...]) -> int:
    """Where a name of several words that begins here ends; 0 where it is not that name."""
    for word in called:
        while at < len(raws) and raws[at].text == "-":
            at += 1
        if at >= len(raws) or raws[at].text.lower().removesuffix("'s") != word:
            return 0
        at += 1
    return at


class ChoiceScanner(Scanner):
    """Where units are chosen, "LON: F" and "LON = F" are as good as "LON F"."""

    def scan(self, text: str) -> list[Token]:
        tokens = super().scan(text)
        kinds = [token.type for token in tokens]
        return [
            token
            for at, token in enumerate(tokens)
            if token.type not in ("SEP", "ARROW") or kinds[max(0, at - 1) : at + 2] != ["PLACE", token.type, "KIND"]
        ]

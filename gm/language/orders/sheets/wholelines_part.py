"""Sheets on which a line is one order, whatever separates its parts; and coasts that are called by a sea or neighbour.

"Por & Spa separate; MAO and MAO connect" is one order. "F Bre/ENG" and "F Bre (Gas)" name a coast of Brest by what it
touches or where it ends, "F Bre/c2" by its number: `ShoreScanner` reads them on boards that have such marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gm.language.i18n.place_names import words
from gm.language.orders.parsing.lexer import RawToken, Scanner, Token, WrittenPlace

WHOLE = "WHOLE"
BESIDE = "BESIDE"
"""The terminal whose word is the grammar of lines that may stand on the same sheet."""
SEPARATORS = frozenset({"SEP", "ARROW", "MINUS", "PLUS"})
MARK = re.compile(r"\s*/\s*(?P<slash>[^\W_]+)|\s*[(\[]\s*(?P<box>[^()\[\]/]{1,40}?)\s*[)\]]")
NUMBERED = re.compile(r"c\d{1,2}")


class ShoreScanner(Scanner):
    """Takes what marks a coast together with the place it stands behind."""

    def _place(
        self, text: str, raws: list[RawToken], at: int, past: int, provinces: tuple[str, ...], tokens: list[Token]
    ) -> int:
        past = super()._place(text, raws, at, past, provinces, tokens)
        name: WrittenPlace = tokens[-1].value
        found = MARK.match(text, name.end) if not name.coast else None
        if found is None:
            return past
        mark = self._mark(found, provinces)
        if not mark:
            return past
        end = found.end()
        name = WrittenPlace(text[name.start : end], name.start, end, provinces, mark)
        tokens[-1] = Token("PLACE", name, name.start, end)
        return next((i for i in range(past, len(raws)) if raws[i].start >= end), len(raws))

    def _mark(self, found: re.Match[str], provinces: tuple[str, ...]) -> str:
        """As `Names.coast` knows it; behind a slash any province is meant as one, in brackets a neighbour only."""
        said = (found["slash"] or found["box"]).lower()
        if NUMBERED.fullmatch(said):
            return said
        codes = [code for code in self.names.find(words(said)) if any(code in self.names.marks[p] for p in provinces)]
        if codes:
            return codes[0].lower()
        return said if found["slash"] and self.names.find(words(said)) else ""


class BorderOrderScanner(ShoreScanner):
    """Knows the # before a number, and words that a grammar gives to a province. Only units lie at a coast: without
    one "Por/Spa" are two provinces.
    """

    def _place(
        self, text: str, raws: list[RawToken], at: int, past: int, provinces: tuple[str, ...], tokens: list[Token]
    ) -> int:
        unit = bool(tokens) and tokens[-1].type == "KIND"
        reading = super()._place if unit else super(ShoreScanner, self)._place
        return reading(text, raws, at, past, provinces, tokens)

    def _next(self, text: str, raws: list[RawToken], at: int, tokens: list[Token]) -> int:
        raw = raws[at]
        if raw.text == "#":
            tokens.append(Token("HASH", "#", raw.start, raw.end))
            return at + 1
        return super()._next(text, raws, at, tokens)

    def _meaning(self, word: str, previous: str, after: str) -> tuple[str, object] | None:
        found = super()._meaning(word, previous, after)
        if found is not None and found[0] == "PLACE" and isinstance(found[1], str):
            code = self.names.codes.get(found[1].lower())
            return ("PLACE", (code,)) if code else None
        return found


def telling(tokens: list[Token]) -> list[Token]:
    """The tokens without what merely separates."""
    return [token for token in tokens if token.type not in SEPARATORS]


def meant(tokens: list[Token], own: frozenset[str]) -> bool:
    """Whether a line that the grammar does not take was meant for it: a place, and a word that is this sheet's own."""
    kinds = [token.type for token in tokens]
    unknown = sum(kind in ("WORD", "TALK") for kind in kinds)
    return "PLACE" in kinds and bool(own.intersection(kinds)) and unknown <= len(kinds) - unknown


def own_words(terminals: frozenset[str]) -> Iterator[str]:
    """Terminals that only such sheets have and that make a line an order."""
    yield from terminals & {"SEPARATE", "CONNECT", "ASHORE"}

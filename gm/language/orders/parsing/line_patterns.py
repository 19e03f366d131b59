"""Only for speed: lines that differ in nothing but codes of provinces; the first is scanned, the others by its pattern.

A code is replaced by a blank of the same length, so that every word stays in its column. A code that belongs to one
province and is no other word means that province wherever an arrow or a single letter stands before it, and one of
these or a verb behind: no name and no coast begins or goes on so. Lines that are alike but for such codes have the same
tokens but for names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gm.judge.board.board import Place
from gm.language.orders.parsing.lexer import Scanner, Token, WrittenPlace

MEMO = 1024
ARROW = "-"
BLANK = "_"


class Pattern(NamedTuple):
    """A line with blanks: its tokens, and which of them are the blanks."""

    tokens: tuple[Token, ...]
    blanks: tuple[int, ...]

    def filled(self, words: Sequence[str], places: Mapping[str, Place]) -> list[Token]:
        """`words` are those of the line that stand in blanks, in their order."""
        tokens = list(self.tokens)
        for at, word in zip(self.blanks, words, strict=True):
            start, end = tokens[at].start_pos, tokens[at].end_pos
            place = places[word]
            tokens[at] = Token("PLACE", WrittenPlace(word, start, end, (place.province,), place.coast), start, end)
        return tokens


def _apart(word: str) -> bool:
    return word == ARROW or (len(word) == 1 and word.isalpha())


class LinePatterns:
    """The tokens of lines, by their patterns."""

    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self.places: Mapping[str, Place] = scanner.plain_places()
        """The words that are replaced by blanks, with their places."""
        self._blanks = {word: "/".join(BLANK * len(part) for part in word.split("/")) for word in self.places}
        self._known: dict[str, Pattern | None] = {}

    def scan(self, text: str) -> list[Token]:
        """The line's tokens, as the scanner would make them."""
        key, named = self.split(text)
        if not named:
            return self._scanner.scan(text)
        known = self._known.get(key)
        if known is not None:
            return known.filled(named, self.places)
        tokens = self._scanner.scan(text)
        if key not in self._known:
            if len(self._known) >= MEMO:
                self._known.clear()
            self._known[key] = self._pattern(text, named, tokens)
        return tokens

    def split(self, text: str) -> tuple[str, list[str]]:
        """The line with blanks for its codes, and the codes; "" where the line itself has blanks."""
        if BLANK in text:
            return "", []
        words, blanks = text.split(" "), self._blanks
        named: list[str] = []
        for at, word in enumerate(words):
            if word in blanks:
                named.append(word)
                words[at] = blanks[word]
        return " ".join(words), named

    def alike(self, key: str) -> bool:
        """Whether all lines with these blanks that were scanned have the same tokens but for names."""
        return self._known.get(key) is not None

    def _pattern(self, text: str, named: Sequence[str], tokens: Sequence[Token]) -> Pattern | None:
        """None where another code in the same blank might be read otherwise."""
        words = text.split(" ")
        for before, word, after in zip((ARROW, *words), words, (*words[1:], ARROW), strict=False):
            if word in self._blanks and not (self._begins(before) and self._ends(after)):
                return None
        at = [index for index, token in enumerate(tokens) if token.type == "PLACE"]
        as_written: list[WrittenPlace] = [tokens[index].value for index in at]
        meant = [(word, (self.places[word].province,), self.places[word].coast) for word in named]
        if [(name.text, name.provinces, name.coast) for name in as_written] != meant:
            return None
        after_place = self._scanner.words.after_place
        if any(after_place.match(text, name.end) for name in as_written):
            return None
        return Pattern(tuple(tokens), tuple(at))

    def _begins(self, before: str) -> bool:
        """Whether every code behind this is the beginning of a name."""
        return _apart(before) and (before == ARROW or not self._scanner.opens(before, self.places.values()))

    def _ends(self, after: str) -> bool:
        return after == ARROW or (after.isalpha() and self._scanner.closes(after))

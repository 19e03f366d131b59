"""Lines that differ in nothing but the codes of their provinces: one is read in full, the others by its example.

A code gives way to a blank of its own length, so that every word stays in its column. A code that is one province's
alone and no other word means that province wherever an arrow or a single letter stands before and after it: no name and
no coast has such a beginning or goes on so. Lines that are alike but for such codes have the same tokens but for names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gm.text.lexer import Name, Scanner, Token

MEMO = 1024
ARROW = "-"


class Pattern(NamedTuple):
    """A line with blanks: its tokens, and which of them are the blanks."""

    tokens: tuple[Token, ...]
    blanks: tuple[int, ...]

    def filled(self, words: Sequence[str], provinces: Mapping[str, tuple[str, ...]]) -> list[Token]:
        """`words` are those of the line that stand in blanks, in their order."""
        tokens = list(self.tokens)
        for at, word in zip(self.blanks, words, strict=True):
            start, end = tokens[at].start_pos, tokens[at].end_pos
            tokens[at] = Token("PLACE", Name(word, start, end, provinces[word]), start, end)
        return tokens


def _apart(word: str) -> bool:
    return word == ARROW or (len(word) == 1 and word.isalpha())


class Patterns:
    """What one scanner made of lines, by their patterns."""

    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self._codes: Mapping[str, tuple[str, ...]] = scanner.plain_codes()
        self._blanks = {code: "_" * len(code) for code in self._codes}
        self._known: dict[str, Pattern | None] = {}

    def scan(self, text: str) -> list[Token]:
        """The line's tokens, as the scanner would make them."""
        key, named = self.split(text)
        if not named:
            return self._scanner.scan(text)
        known = self._known.get(key)
        if known is not None and len(known.blanks) == len(named):
            return known.filled(named, self._codes)
        tokens = self._scanner.scan(text)
        if key not in self._known:
            if len(self._known) >= MEMO:
                self._known.clear()
            self._known[key] = self._pattern(text.split(" "), named, tokens)
        return tokens

    def split(self, text: str) -> tuple[str, list[str]]:
        """The line with blanks for its codes, and the codes."""
        words, blanks = text.split(" "), self._blanks
        named = [word for word in words if word in blanks]
        return " ".join([blanks.get(word, word) for word in words]), named

    def alike(self, key: str) -> bool:
        """Whether all lines with these blanks that were scanned have the same tokens but for names."""
        return self._known.get(key) is not None

    def _pattern(self, words: Sequence[str], named: Sequence[str], tokens: Sequence[Token]) -> Pattern | None:
        """None where another code in the same blank might be read otherwise."""
        letters = self._scanner.names.letters
        for before, word, after in zip((ARROW, *words), words, (*words[1:], ARROW), strict=False):
            if word in self._blanks and not (_apart(before) and _apart(after) and after.lower() not in letters):
                return None
        places = [at for at, token in enumerate(tokens) if token.type == "PLACE"]
        as_written = [tokens[at].value for at in places]
        if [(name.text, name.provinces, name.coast) for name in as_written] != [
            (word, self._codes[word], "") for word in named
        ]:
            return None
        return Pattern(tuple(tokens), tuple(places))

"""Words that everybody uses, to tell them from names: those that our own sentences and grammars write small."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from gm.resources import folder

WORD = re.compile(r"(?<![\w@.{'’-])[^\W\d_A-Z]{2,}(?![\w@}-])")
"""Not a field, a part of an address or of a longer word."""
SIGN = re.compile(r'\\\\[a-zA-Z]|^(?:"[^"\n]*"|\w+) = ', re.MULTILINE)
"""A class or a border in a pattern: "\\\\bob" names no Bob. A word of notation that patterns stand for: "max"."""
CACHE = "__pycache__"
"""Compiled patterns are kept beside the grammars, under names that end alike."""
SENTENCES = (("templates", "sentences/*/*.toml"), ("templates", "help/*/*.j2"))
PATTERNS = (("grammars", "prose/**/*.toml"), ("grammars", "plain_questions/*.toml"))
FEWEST = 2
"""Places of a word in patterns: one alone may be a name, or the beginning of a word ("jan(?:uary)?")."""


def ordinary_words() -> frozenset[str]:
    """In lower case, of all languages. It is read from some hundred files, for a command that seldom runs."""
    counts = Counter(_words(PATTERNS))
    return frozenset((*_words(SENTENCES), *(word for word, count in counts.items() if count >= FEWEST)))


def _words(places: Sequence[tuple[str, str]]) -> Iterator[str]:
    for top, pattern in places:
        for file in folder(top).glob(pattern):
            if CACHE not in file.parts:
                words = WORD.findall(SIGN.sub(" ", file.read_text("utf-8")))
                yield from (word for word in words if word.islower())

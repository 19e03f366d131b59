"""Words that everybody uses, to tell them from names: those that our own sentences and grammars write small."""

from __future__ import annotations

import re

from gm.resources import folder

WORD = re.compile(r"(?<![\w@.{'’-])[^\W\d_A-Z]{2,}(?![\w@}-]|\(\?:[a-z])")
"""Not a field, a part of an address or of a longer word: "jan(?:uary)?" names no Jan."""
SIGN = re.compile(r'\\\\[a-zA-Z]|^"[^"\n]*" = ', re.MULTILINE)
"""A class or a border in a pattern: "\\bob" names no Bob; a word of notation that patterns stand for: "max"."""
CACHE = "__pycache__"
"""Compiled patterns are kept beside the grammars, under names that end alike."""
PLACES = (
    ("templates", "sentences/*/*.toml"),
    ("templates", "help/*/*.j2"),
    ("grammars", "prose/**/*.toml"),
    ("grammars", "plain_questions/*.toml"),
)


def ordinary_words() -> frozenset[str]:
    """In lower case, of all languages. It is read from some hundred files, for a command that seldom runs."""
    files = (file for top, pattern in PLACES for file in folder(top).glob(pattern) if CACHE not in file.parts)
    return frozenset(
        word for file in files for word in WORD.findall(SIGN.sub(" ", file.read_text("utf-8"))) if word.islower()
    )

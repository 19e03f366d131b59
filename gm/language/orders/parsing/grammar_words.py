"""The words of one grammar of orders."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from gm.language.i18n.similar_words import has_one_slip

SIDES = ("NORTH", "SOUTH", "EAST", "WEST")
SPECIAL = frozenset({*SIDES, "COAST"})
MISSPELT = frozenset({"SUPPORT", "SUPPORTED", "CONVOY"})
"""Terminals of words that are known with one slip."""
LONG = 7
"""Letters of such a word: a slip in a shorter one makes other words."""


class GrammarWords:
    """The vocabulary of one grammar: a lower-case word -> (terminal, value)."""

    def __init__(self, terminals: Mapping[str, tuple[str, ...]]) -> None:
        self.meaning: dict[str, tuple[str, str]] = {}
        self.sides = {word: side[0].lower() for side in SIDES for word in terminals.get(side, ())}
        self.coast = terminals.get("COAST", ())
        late = ("TALK", "FILLER", "PLAIN")
        for name in sorted(terminals, key=lambda n: (n in late, n)):
            kind, _, value = name.partition("__")
            for word in () if name in SPECIAL else terminals[name]:
                self.meaning.setdefault(word, (kind, value))
        quiet = {"TALK", "FILLER", "PLAIN", "AND", "IF", "KIND", "NUMBER", "OF"}
        self.commands = tuple(w for w, (kind, _) in self.meaning.items() if kind not in quiet and len(w) >= 4)
        self.after_place = self._coasts()

    def misspelt(self, word: str) -> tuple[str, str]:
        """The terminal and value of a long word that is written with one slip, "supprts"; else of none, ("", "")."""
        near = self._long.get(word[:1], ())
        return next((self.meaning[long] for long in near if has_one_slip(word, long)), ("", ""))

    @cached_property
    def _long(self) -> Mapping[str, tuple[str, ...]]:
        """The words that are known with one slip, by their first letter."""
        words = [word for word, (kind, _) in self.meaning.items() if kind in MISSPELT and len(word) >= LONG]
        return {first: tuple(word for word in words if word[0] == first) for first in {word[0] for word in words}}

    @cached_property
    def spelt(self) -> tuple[tuple[str, str], ...]:
        """The words of letters alone, each with its terminal."""
        return tuple((word, kind) for word, (kind, _) in self.meaning.items() if word.isalpha())

    def _coasts(self) -> re.Pattern[str]:
        """A coast behind a place: "/nc", "(nc)", "(north coast)", " nc", " north coast", "-nc"."""
        sides = "|".join(sorted(self.sides, key=len, reverse=True))
        short = "".join(word for word in self.sides if len(word) == 1)
        letter = "".join(word for word in self.coast if len(word) == 1)
        long = "|".join(sorted((word for word in self.sides if len(word) > 1), key=len, reverse=True))
        tail = "|".join(sorted((word for word in self.coast if len(word) > 1), key=len, reverse=True))
        any_tail = "|".join(sorted(self.coast, key=len, reverse=True))
        return re.compile(
            rf"\s*(?:[/\\]\s*|\.)(?P<a>{sides})[\s.-]*(?:{any_tail})?s?\b"
            rf"|\s*\.\s+(?P<f>{sides})[\s.-]*(?:{any_tail})s?\b"
            rf"|\s*[(\[{{]\s*(?P<b>{sides})[\s.-]*(?:{any_tail})?s?[\s.]*[)\]}}]"
            rf"|\s+(?P<c>[{short}])\.?[{letter}]\.?s?(?![\w'])"
            rf"|\s*,?\s+(?P<d>{long})[\s-]*(?:{tail})(?![\w'])"
            rf"|-(?P<e>[{short}])[{letter}](?![\w'])",
            re.IGNORECASE,
        )

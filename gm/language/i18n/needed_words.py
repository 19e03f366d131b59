"""Only for speed: tells whether a pattern may match in a line, by words that a match contains.

A regular expression is tried at every letter of a line, a word is looked for by the processor's own means: twenty
patterns by their words cost as much as one by itself, and most of our patterns match in few lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from importlib import import_module
from typing import Any, Generic, Protocol, TypeVar

PARSER = import_module("re._parser")
REPEATS = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})
WITHOUT_WIDTH = frozenset({"AT", "ASSERT_NOT"})
"""Between the letters of a word these change nothing."""
IGNORES_CASE = int(re.IGNORECASE)
"""A number: flags are an enumeration, which is slow."""
ANY = ""
"""Stands for any letter."""
BEGINNING = 3
"""So many first letters of words are looked for together."""
REMEMBERED, LONGEST = 64, 1000
"""Lines whose pieces are remembered, and the most letters of such a line: several indices look at most lines."""
MOST_PATTERNS, SELDOM = 4096, 20
"""Patterns whose words are known, and lines in which a pattern is tried before its words are looked for."""


_known: dict[str, tuple[str, ...]] = {}
_tried: Counter[str] = Counter()


def may_match(pattern: re.Pattern[str], line: str) -> bool:
    """False only where the pattern matches nowhere in the line."""
    if pattern.flags & IGNORES_CASE:
        return True
    needed = _known.get(pattern.pattern)
    if needed is None:
        needed = _learn(pattern)
    return not needed or any(map(line.__contains__, needed))


class HasPattern(Protocol):
    @property
    def pattern(self) -> re.Pattern[str]: ...


Entry = TypeVar("Entry", bound=HasPattern)


class PatternIndex(Generic[Entry]):
    """Entries by the needed words of their patterns. Words are looked for where their first letters stand in the line:
    a line has as many beginnings as letters, an index hundreds of words. Few words are shorter than a beginning.
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries = tuple(entries)
        self._by_word: dict[str, list[int]] = {}
        self._others: list[int] = []
        for number, entry in enumerate(self._entries):
            pattern = entry.pattern
            words = () if pattern.flags & IGNORES_CASE else _known.get(pattern.pattern, ())
            for word in words:
                self._by_word.setdefault(word, []).append(number)
            if not words:
                self._others.append(number)
        self._short = [word for word in self._by_word if len(word) < BEGINNING]
        self._by_beginning: dict[str, list[str]] = {}
        for word in self._by_word.keys() - self._short:
            self._by_beginning.setdefault(word[:BEGINNING], []).append(word)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def fitting(self, line: str) -> tuple[Entry, ...]:
        """The entries whose pattern matches somewhere in the line, in order."""
        return tuple(entry for entry in self.tried(line) if entry.pattern.search(line))

    def tried(self, line: str) -> list[Entry]:
        """The entries whose pattern may match in the line, in order."""
        return [self._entries[number] for number in self._numbers(line)]

    def rewritten(self, text: str, rewrite: Callable[[Entry, str], str]) -> str:
        """The text as each entry rewrites it whose pattern may match in it, in small letters; one after the other."""
        low, number = text.lower(), -1
        numbers = self._numbers(low)
        while numbers:
            number = numbers.pop(0)
            text = rewrite(self._entries[number], text)
            if (changed := text.lower()) != low:
                low = changed
                numbers = [later for later in self._numbers(low) if later > number]
        return text

    def _numbers(self, line: str) -> list[int]:
        numbers = set(self._others)
        for word in filter(line.__contains__, self._short):
            numbers.update(self._by_word[word])
        if self._by_beginning:
            pieces = _pieces(line) if len(line) <= LONGEST else _cut(line)
            for beginning in self._by_beginning.keys() & pieces:
                for word in filter(line.__contains__, self._by_beginning[beginning]):
                    numbers.update(self._by_word[word])
        return sorted(numbers)


def _cut(line: str) -> frozenset[str]:
    """Whatever may be the beginning of a word."""
    return frozenset([line[at : at + BEGINNING] for at in range(len(line) - BEGINNING + 1)])


_pieces = lru_cache(maxsize=REMEMBERED)(_cut)


def _learn(pattern: re.Pattern[str]) -> tuple[str, ...]:
    """The needed words of a pattern; () for one that is tried seldom, as they cost as much as to compile it."""
    if len(_known) >= MOST_PATTERNS:
        return ()
    _tried[pattern.pattern] += 1
    if _tried[pattern.pattern] <= SELDOM:
        return ()
    words = needed_words(pattern.pattern)
    learn_words(pattern.pattern, words)
    return words


def learn_words(pattern: str, words: tuple[str, ...]) -> None:
    if len(_known) < MOST_PATTERNS:
        _known[pattern] = words


def needed_words(pattern: str) -> tuple[str, ...]:
    """Words of which at least one stands in each match of a pattern that heeds the case; () where none are known."""
    return words_in(PARSER.parse(pattern))


def words_in(parsed: Iterable[tuple[Any, Any]]) -> tuple[str, ...]:
    """The needed words of a parsed pattern."""
    words = sorted(_needed(parsed), key=len)
    shortest = [word for at, word in enumerate(words) if not any(shorter in word for shorter in words[:at])]
    return tuple(sorted(shortest))


def first_letters(pattern: str) -> frozenset[str]:
    """The letters, in lower case, one of which begins each match; none where others may, or a match may be empty."""
    letters, may_be_empty = _firsts(PARSER.parse(pattern))
    return frozenset() if may_be_empty or ANY in letters else letters


def _firsts(items: Iterable[tuple[Any, Any]]) -> tuple[frozenset[str], bool]:
    """What may begin a sequence, `ANY` for any letter; and whether the sequence may be empty."""
    letters: frozenset[str] = frozenset()
    for kind, value in items:
        if kind.name in WITHOUT_WIDTH or kind.name == "ASSERT":
            continue
        more, may_be_empty = _first_of(kind.name, value)
        letters |= more
        if not may_be_empty:
            return letters, False
    return letters, True


def _first_of(kind: str, value: Any) -> tuple[frozenset[str], bool]:
    if kind == "LITERAL":
        return frozenset(chr(value).lower()), False
    if kind == "SUBPATTERN":
        return _firsts(value[3])
    if kind in REPEATS:
        letters, may_be_empty = _firsts(value[2])
        return letters, may_be_empty or value[0] == 0
    if kind == "BRANCH":
        branches = [_firsts(items) for items in value[1]]
        return frozenset[str]().union(*(more for more, _ in branches)), any(empty for _, empty in branches)
    return frozenset({ANY}), True


def _needed(items: Iterable[tuple[Any, Any]]) -> frozenset[str]:
    """The words of that part of a sequence whose shortest word is the longest."""
    return max(_parts(items), key=_rareness, default=frozenset())


def _rareness(words: frozenset[str]) -> tuple[int, int]:
    return min(map(len, words), default=0), -len(words)


def _parts(items: Iterable[tuple[Any, Any]]) -> Iterator[frozenset[str]]:
    """The words of each part of a sequence; letters that follow each other are one word."""
    word = ""
    for kind, value in items:
        if kind.name == "LITERAL":
            word += chr(value)
            continue
        if kind.name in WITHOUT_WIDTH:
            continue
        if word:
            yield frozenset({word})
        word = ""
        yield _inside(kind.name, value)
    if word:
        yield frozenset({word})


def _inside(kind: str, value: Any) -> frozenset[str]:
    """The words of one part; none where it need not stand in the line, or nothing is known of it."""
    if kind == "SUBPATTERN":
        _, flags, _, items = value
        return frozenset() if flags & IGNORES_CASE else _needed(items)
    if kind == "ATOMIC_GROUP":
        return _needed(value)
    if kind == "ASSERT":
        return _needed(value[1])
    if kind in REPEATS and value[0] > 0:
        return _needed(value[2])
    if kind == "BRANCH":
        branches = [_needed(items) for items in value[1]]
        return frozenset().union(*branches) if all(branches) else frozenset()
    return frozenset()

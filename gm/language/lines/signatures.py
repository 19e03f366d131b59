"""Finds the signature below a letter's words: a closing such as "Best regards" with a name, or a name alone.

grammars/signatures.toml has the words. What a mail program marks as a signature ("-- ") is cut before, in `gm.mail`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from msgspec import Struct

from gm import resources
from gm.language.i18n.normalize import clean

MOST_LINES = 15
"""Longest signature, without empty lines."""
NAME_WITHIN = 3
"""A name stands in one of the first lines below a closing."""
LONGEST_LINE = 80
"""Characters of a line of a signature that no closing announces."""
MOST_WORDS = 8
"""Words of a line that may be a name, a post or a firm."""
LONGEST_NAME = 4
"""Words of a name."""
AROUND = " \t-–—~*_.,;:!/\\|()<>\"'“”„"
WORD = re.compile(r"[^\W\d_]+")
NUMBER = re.compile(r"(?<![\w/.:+-])(?!\d{1,4}[/-]\d{1,2}[/-]\d{1,4}\b)(?:\+|\(?0)\d[\d ()/.-]{4,20}\d(?![\w:])")
"""A telephone number: it begins with + or 0, unlike a year; a day in figures is none."""
CONTACT = re.compile(rf"{NUMBER.pattern}|\w@\w|https?://|\bwww\.")
TITLES = (
    r"(?:Mrs?|Ms|Miss|Mister|Dr|Prof|Sir|Lady|Lord|Dame|Capt|Captain|Col|Colonel|General|Rev|Herr|Frau|Graf|Baron"
    r"|Baroness|Count|Countess|Madame|Monsieur)\b\.?"
)
NAME = r"(?:[A-Z]\.|[A-Z][\w'-]*|[a-z]{2,3})"
TITLED = re.compile(rf"\W{{0,4}}(?:{TITLES} ){{1,3}}{NAME}(?: {NAME}){{0,3}}\W{{0,4}}")
"""A name behind a title: "Mrs. P. Hallam"."""
SENTENCE = re.compile(r"\w[\w'’]*(?:\W+\w[\w'’]*){3,}[.!?]+$")


def signs(sentence: str) -> bool:
    """Whether a sentence may be a signature by how it begins: "Signed, the Queen's servant Nora"."""
    return _words().signing.match(_plain(sentence)) is not None


def is_titled_name(line: str) -> bool:
    """Whether a line is a name behind a title and nothing else."""
    return TITLED.fullmatch(line) is not None


class Signature(Struct, frozen=True):
    """A signature begins in line `first` of a letter, at column `at`, and ends before line `past`."""

    first: int
    at: int
    past: int


def remove_signature(
    words: str, names: Collection[str], *, unknown: bool = False, allowed: Collection[str] = ()
) -> tuple[str, int]:
    """The words without their writer's signature, and the number of lines that went.

    `names` are all that the writer is called. `unknown`: what looks like a name below a closing is taken for one,
    even if it is none of these; but not one of the `allowed`.
    """
    lines = words.split("\n")
    signature = _Finder(_parts(names), unknown, frozenset(allowed)).find(lines)
    if signature is None:
        return words, 0
    line = lines[signature.first]
    head, tail = line[: signature.at].rstrip(" -–—~*"), line[signature.at :]
    gone = [tail, *lines[signature.first + 1 : signature.past]]
    left = [*lines[: signature.first], head, *lines[signature.past :]]
    return "\n".join(left).strip("\n"), sum(bool(text.strip(AROUND)) for text in gone)


class _Finder(Struct, frozen=True):
    """`parts` are the words of the writer's names; the rest as in `remove_signature`."""

    parts: frozenset[str]
    unknown: bool
    allowed: frozenset[str]

    def find(self, lines: Sequence[str]) -> Signature | None:
        past = next((at for at, line in enumerate(lines) if at and _words().remarks.match(_plain(line))), len(lines))
        for first, line in enumerate(lines[:past]):
            closing = _words().closing.match(_plain(line)) if len(line) <= LONGEST_LINE else None
            if closing is None:
                continue
            at = clean(line).column(closing.end())
            if self._is_signature([line[at:], *lines[first + 1 : past]]):
                return Signature(first, at, past)
        for first, line in enumerate(lines[:past]):
            if first and self._is_own_name(line) and all(map(_is_below_name, lines[first + 1 : past])):
                return Signature(first, 0, past)
        return None

    def _is_signature(self, tail: Sequence[str]) -> bool:
        """Whether the words behind a closing, in its line and below, are a signature."""
        filled = [line for line in tail[self._names_others(tail[0]) :] if line.strip(AROUND)]
        if not filled or len(filled) > MOST_LINES:
            return False
        near = [line for line in filled[:NAME_WITHIN] if len(line.split()) <= MOST_WORDS and "?" not in line]
        if any(self.parts.intersection(_plain_words(line)) for line in near):
            return True
        if any(CONTACT.search(line) for line in filled) and not SENTENCE.search(filled[0].strip()):
            return True
        return self.unknown and self._looks_like_name(filled[0]) and all(map(_is_below_name, filled[1:]))

    def _names_others(self, words: str) -> bool:
        """Whether words behind a closing go on with somebody else: "Best regards to Igor's friends"."""
        first = _plain_words(words)[:1]
        own = not first or len(first[0]) == 1 or bool(self.parts.intersection(first))
        return not own and not (self.unknown and self._looks_like_name(words))

    def _is_own_name(self, line: str) -> bool:
        """Whether a line holds only the writer's names and initials, with a whole name among them."""
        words = set(_plain_words(line))
        initials = {part[:1] for part in self.parts}
        others = WORD.sub("", line).strip(AROUND)
        return bool(words & self.parts) and not others and words <= self.parts | initials

    def _looks_like_name(self, line: str) -> bool:
        """ "Bob Miller", but not "A friend"."""
        words = line.strip(AROUND).split()
        if not 0 < len(words) <= LONGEST_NAME or line.rstrip().endswith(("?", "!", ":")):
            return False
        if _plain(words[0]) in _words().not_names or self.allowed.intersection(_plain_words(line)):
            return False
        named = [word for word in words if _plain(word).strip(AROUND) not in _words().particles]
        return bool(named) and all(word[:1].isupper() for word in named)


def _is_below_name(line: str) -> bool:
    """Whether a line may stand below a name: it is short, and no sentence."""
    text = line.strip()
    return len(text) <= LONGEST_LINE and (not SENTENCE.search(text) or CONTACT.search(text) is not None)


def _parts(names: Collection[str]) -> frozenset[str]:
    return frozenset(part for name in names for part in _plain_words(name) if len(part) > 1) - _words().particles


def _plain_words(line: str) -> list[str]:
    return WORD.findall(_plain(line))


def _plain(line: str) -> str:
    return clean(line[:LONGEST_LINE]).text.lower()


class _Words(Struct, frozen=True):
    closing: re.Pattern[str]
    remarks: re.Pattern[str]
    not_names: frozenset[str]
    signing: re.Pattern[str]
    particles: frozenset[str]


@lru_cache(maxsize=1)
def _words() -> _Words:
    """grammars/signatures.toml; cached only for speed."""
    table = resources.read_table(resources.folder("grammars") / "signatures.toml")
    texts = {key: "|".join(filter(None, words.split("\n"))) for key, words in table.items()}
    return _Words(
        re.compile(rf"\W*(?:{texts['closings']})(?:[ ,.;:!*_-]+|$)"),
        re.compile(rf"\W*(?:{texts['remarks']})"),
        frozenset(texts["not_names"].split("|")),
        re.compile(rf"\W*(?:{texts['signing']})[ ,:-]"),
        frozenset(texts["particles"].split("|")),
    )

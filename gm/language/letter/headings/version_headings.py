"""Headings that name one of several versions of the orders: "Rev. B (supersedes Rev. A)", "Set 1 - outdated"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from gm.language.lines.lines import LetterLine, read_line
from gm.language.prose.phrases.prose_phrases import ProsePhrases

LONGEST = 80
"""Characters of such a heading."""
MOST_BEHIND = 5
"""Words behind what is said of a version: "In force as of today:"."""
MOST_KNOWN = 500
BETWEEN = re.compile(r"[\s,;:=()\[\]–-]*")
SENTENCE = re.compile(r"[.!?:]\s")
MARKS = re.compile(r"[\W_]+")
BEHIND_HEADING = re.compile(r"(?::|(?<=\w)\.)(?=\s+\S)")
"""What ends a heading with orders behind it on its line: "Plan A. Vie - Gal"."""
SENTENCE_BREAK = re.compile(r"(?<=[.!?;])\s+")
NAMES_OPTIONS = ("alternative", "later")
"""Tags of headings that are not only a word of a sentence: "Turn 2", "Option B"."""


class VersionHeading(Struct, frozen=True):
    """`stance`: "" (the orders below count), "old", "condition", or None where only the name stands there. `name`: the
    version's, without marks. `replaced`: the names of those that it says it replaces; "" stands for one without a name.
    """

    stance: str | None
    name: str
    replaced: tuple[str, ...] = ()


def version_heading(low: str, phrases: ProsePhrases, superseded: frozenset[str]) -> VersionHeading | None:
    """What a line in lower case says as a heading; None if it is none. `superseded`: versions that are replaced."""
    line = low.strip(" \t-=*_#()[]")
    if len(line) > LONGEST or line.rstrip(":").endswith((".", "!", "?")):
        return None
    name = phrases.version.match(line)
    if name is None:
        return _without_name(line, phrases)
    called = _plain(name.group())
    rest = line[name.end() :]
    between = BETWEEN.match(rest)
    words = rest[between.end() :].strip(" :)]") if between is not None else rest
    apart = between is not None and between.group().strip() != ""
    if not apart and phrases.states_of_version.match(words):
        return None  # "my last set is void"
    if not words:
        return VersionHeading("old" if called in superseded else None, called)
    if phrases.condition.match(words) or phrases.fallback.match(words):
        return VersionHeading("condition", called)  # "Version A (if you get this before 20:00)"
    if replaces := phrases.replaces_version.match(words):
        others = [_plain(other.group()) for other in phrases.version.finditer(words, replaces.end())]
        return VersionHeading("", called, tuple(others) or ("",))
    for stance, pattern in (
        ("old", phrases.old_version), ("old", phrases.discarded_version), ("", phrases.valid_version),
    ):  # fmt: skip
        if SENTENCE.search(words):
            break
        match = pattern.match(words)
        if match is not None and len(words[match.end() :].split()) <= MOST_BEHIND:
            return VersionHeading(stance, called)
    remarks = between is not None and "(" in between.group() and line.endswith(":")
    return VersionHeading(None, called) if remarks else None  # "Version 1 (kept for my own memory):"


def versions_apart(line: LetterLine, phrases: ProsePhrases) -> Iterator[LetterLine]:
    """A line cut at the headings of versions in it: "Rev. B (supersedes Rev. A): Vie - Gal", "Plan A. Vie - Gal."."""
    if not any(mark in line.text for mark in ":."):
        yield line
        return
    known: dict[tuple[str, str], bool] = {}
    cuts = [at for begin in _sentence_starts(line.text) for at in _heading_span(line.text, begin, phrases, known)]
    columns = [0, *(at for at in cuts if at), len(line.text)]
    for start, past in pairwise(columns) if cuts else ():
        yield read_line(line.number, line.text[start:past])
    if not cuts:
        yield line


def _sentence_starts(text: str) -> Iterator[int]:
    yield 0
    yield from (match.end() for match in SENTENCE_BREAK.finditer(text))


def _heading_span(text: str, begin: int, phrases: ProsePhrases, known: dict[tuple[str, str], bool]) -> tuple[int, ...]:
    """Where a heading begins and where its line goes on; () where none stands. `known`: what words before a mark are,
    only for speed, as a line may repeat its words.
    """
    for match in BEHIND_HEADING.finditer(text, begin, begin + LONGEST):
        words = text[begin : match.start()].strip().lower(), match.group()
        is_heading = known.get(words)
        if is_heading is None:
            is_heading = _is_heading(*words, phrases)
            if len(known) < MOST_KNOWN:
                known[words] = is_heading
        if is_heading:
            return begin, match.end()
    return ()


def _is_heading(words: str, mark: str, phrases: ProsePhrases) -> bool:
    """Whether words before a mark, with orders behind it, are a heading."""
    named = version_heading(words + ":", phrases, frozenset())
    if named is not None and (named.stance == "" or (named.name and named.stance)):
        return True
    if mark != "." or " " not in words:
        return False
    options = (pattern for tag, pattern in phrases.sections if tag in NAMES_OPTIONS)
    return named is not None or any(pattern.fullmatch(words) for pattern in options)


def _without_name(line: str, phrases: ProsePhrases) -> VersionHeading | None:
    """ "Superseded:", "In force as of today:"."""
    for stance, pattern in (("old", phrases.old_version), ("", phrases.valid_version)) if line.endswith(":") else ():
        match = pattern.match(line)
        if match is not None and len(line[match.end() :].split()) <= MOST_BEHIND:
            return VersionHeading(stance, "")
    return None


def _plain(name: str) -> str:
    return MARKS.sub("", name)
